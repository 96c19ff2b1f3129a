//go:build darwin || dragonfly || freebsd || linux || netbsd || openbsd

package fileid

import (
	"errors"
	"os"
	"syscall"
)

// Of returns the id of the file at a path. It returns [errors.ErrUnsupported] where files have none.
func Of(path string) (id ID, err error) {
	info, err := os.Stat(path)
	if err != nil {
		return id, err
	}
	s, ok := info.Sys().(*syscall.Stat_t)
	if !ok {
		return id, errors.ErrUnsupported
	}
	return ID{uint64(s.Dev), uint64(s.Ino), info.Size(), info.ModTime().UnixNano(), changed(s)}, nil
}
