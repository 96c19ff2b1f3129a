//go:build unix

package cache

import (
	"errors"
	"os"
	"syscall"
)

// checkOwner refuses a folder that another user can write: the rows of answers come from it.
func checkOwner(folder string) error {
	info, err := os.Stat(folder)
	if err != nil {
		return err
	}
	s, ok := info.Sys().(*syscall.Stat_t)
	switch {
	case ok && int(s.Uid) != os.Geteuid():
		return errors.New("the folder is another user's")
	case info.Mode().Perm()&0o022 != 0:
		return errors.New("other users can write into the folder")
	}
	return nil
}
