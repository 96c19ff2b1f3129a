package store

import (
	"errors"

	"golang.org/x/sys/windows"
)

// IsFull reports whether an error means that a disk or a quota is full, or cannot be written.
func IsFull(err error) bool {
	for _, full := range []error{windows.ERROR_DISK_FULL, windows.ERROR_HANDLE_DISK_FULL, windows.ERROR_DISK_QUOTA_EXCEEDED, windows.ERROR_WRITE_PROTECT, windows.ERROR_WRITE_FAULT} {
		if errors.Is(err, full) {
			return true
		}
	}
	return false
}
