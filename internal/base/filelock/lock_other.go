//go:build !(darwin || dragonfly || freebsd || linux || netbsd || openbsd || windows)

package filelock

import (
	"errors"
	"os"
)

// Try returns [errors.ErrUnsupported].
func Try(*os.File, bool) error { return errors.ErrUnsupported }
