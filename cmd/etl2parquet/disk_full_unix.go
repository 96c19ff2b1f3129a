//go:build unix

package main

import (
	"errors"
	"syscall"
)

// isDiskFull reports whether an error means that a disk or a quota is full, or cannot be written.
func isDiskFull(err error) bool {
	for _, full := range []error{syscall.ENOSPC, syscall.EDQUOT, syscall.EROFS, syscall.EFBIG, syscall.EIO} {
		if errors.Is(err, full) {
			return true
		}
	}
	return false
}
