//go:build darwin || dragonfly || freebsd || linux || netbsd || openbsd

package store

import (
	"errors"
	"fmt"
	"os"
	"syscall"
)

// tryLock locks a file without waiting: exclusively if alone is true, otherwise shared.
func tryLock(file *os.File, alone bool) error {
	how := syscall.LOCK_SH | syscall.LOCK_NB
	if alone {
		how = syscall.LOCK_EX | syscall.LOCK_NB
	}
	for {
		switch err := syscall.Flock(int(file.Fd()), how); err {
		case nil:
			return nil
		case syscall.EINTR:
		case syscall.EWOULDBLOCK:
			return errLocked
		default:
			return fmt.Errorf("%w: lock: %w", errors.ErrUnsupported, err)
		}
	}
}
