//go:build !(darwin || freebsd || linux || windows)

package cache

import "errors"

// freeSpace returns [errors.ErrUnsupported].
func freeSpace(string) (int64, error) { return 0, errors.ErrUnsupported }
