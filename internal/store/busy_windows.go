package store

import (
	"errors"

	"golang.org/x/sys/windows"
)

// isBusy reports whether an error can come of a file that is in use: of a
// handle that does not share what is asked for, or of one that keeps a removed
// file, and with it the name, which is ERROR_ACCESS_DENIED like the replacing of
// an open file.
func isBusy(err error) bool {
	return errors.Is(err, windows.ERROR_SHARING_VIOLATION) || errors.Is(err, windows.ERROR_ACCESS_DENIED)
}
