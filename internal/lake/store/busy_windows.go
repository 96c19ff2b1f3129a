package store

import (
	"errors"

	"golang.org/x/sys/windows"
)

// isBusy reports whether an error can be caused by a file in use. A handle may not share the
// requested access. Or a handle keeps a removed file and its name: the error is then
// ERROR_ACCESS_DENIED, as for replacing an open file.
func isBusy(err error) bool {
	return errors.Is(err, windows.ERROR_SHARING_VIOLATION) || errors.Is(err, windows.ERROR_ACCESS_DENIED)
}
