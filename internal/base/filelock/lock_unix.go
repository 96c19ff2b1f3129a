//go:build darwin || dragonfly || freebsd || linux || netbsd || openbsd

package filelock

import (
	"errors"
	"fmt"
	"os"
	"syscall"
)

// Try locks a file without waiting: exclusively if alone is true, otherwise shared. It returns
// ErrLocked if another process has a lock that excludes it, and [errors.ErrUnsupported] if the file
// system has no locks.
func Try(file *os.File, alone bool) error {
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
			return ErrLocked
		default:
			return fmt.Errorf("%w: lock: %w", errors.ErrUnsupported, err)
		}
	}
}
