//go:build !(darwin || freebsd || linux || windows)

package diskspace

import "errors"

// Free returns [errors.ErrUnsupported].
func Free(string) (int64, error) { return 0, errors.ErrUnsupported }
