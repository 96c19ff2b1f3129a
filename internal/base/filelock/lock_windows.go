package filelock

import (
	"errors"
	"fmt"
	"os"

	"golang.org/x/sys/windows"
)

// lockedByte is beyond the end of the file, because locked bytes cannot be read.
const lockedByte = 1 << 30

// Try locks a file without waiting: exclusively if alone is true, otherwise shared. It returns
// ErrLocked if another process has a lock that excludes it, and [errors.ErrUnsupported] if the file
// system has no locks.
func Try(file *os.File, alone bool) error {
	how := uint32(windows.LOCKFILE_FAIL_IMMEDIATELY)
	if alone {
		how |= windows.LOCKFILE_EXCLUSIVE_LOCK
	}
	err := windows.LockFileEx(windows.Handle(file.Fd()), how, 0, 1, 0, &windows.Overlapped{OffsetHigh: lockedByte})
	switch {
	case err == nil:
		return nil
	case errors.Is(err, windows.ERROR_LOCK_VIOLATION), errors.Is(err, windows.ERROR_IO_PENDING):
		return ErrLocked
	}
	return fmt.Errorf("%w: lock: %w", errors.ErrUnsupported, err)
}
