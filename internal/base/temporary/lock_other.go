//go:build !(darwin || dragonfly || freebsd || linux || netbsd || openbsd || windows)

package temporary

import (
	"errors"
	"io"
	"io/fs"
)

func lockNew(string) (io.Closer, error) { return nil, errors.ErrUnsupported }

func lockOld(string) (io.Closer, error) { return nil, errors.ErrUnsupported }

func isOwn(fs.FileInfo) bool { return false }
