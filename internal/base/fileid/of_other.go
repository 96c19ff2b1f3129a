//go:build !(darwin || dragonfly || freebsd || linux || netbsd || openbsd || windows)

package fileid

import "errors"

// Of returns [errors.ErrUnsupported].
func Of(string) (id ID, err error) { return id, errors.ErrUnsupported }
