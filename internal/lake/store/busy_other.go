//go:build !windows

package store

// isBusy reports whether an error can be caused by a file in use. Only Windows has such errors.
func isBusy(error) bool { return false }
