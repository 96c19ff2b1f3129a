//go:build unix

package store

import (
	"errors"
	"syscall"
)

// IsFull reports whether an error means that a disk or a quota is full, or cannot be written.
func IsFull(err error) bool {
	for _, full := range []error{syscall.ENOSPC, syscall.EDQUOT, syscall.EROFS, syscall.EFBIG, syscall.EIO} {
		if errors.Is(err, full) {
			return true
		}
	}
	return false
}
