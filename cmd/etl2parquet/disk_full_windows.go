package main

import (
	"errors"

	"golang.org/x/sys/windows"
)

// isDiskFull reports whether an error means that a disk or a quota is full, or cannot be written.
func isDiskFull(err error) bool {
	for _, full := range []error{windows.ERROR_DISK_FULL, windows.ERROR_HANDLE_DISK_FULL, windows.ERROR_DISK_QUOTA_EXCEEDED, windows.ERROR_WRITE_PROTECT, windows.ERROR_WRITE_FAULT} {
		if errors.Is(err, full) {
			return true
		}
	}
	return false
}
