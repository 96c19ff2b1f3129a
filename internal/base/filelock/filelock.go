// Package filelock locks files among processes. The system ends a lock when its file is closed, and so
// with the process, however that ends.
package filelock

import (
	"errors"
	"os"
)

// ErrLocked means that another process holds the lock.
var ErrLocked = errors.New("locked by another process")

// Remove removes a locked file, and releases the lock.
func Remove(file *os.File) error {
	if os.Remove(file.Name()) == nil {
		return file.Close()
	}
	err := file.Close()    // first, because Windows keeps the name of a file in use
	os.Remove(file.Name()) // if another process has locked it meanwhile, that one removes it
	return err
}

// IsAt reports whether path still names an open file. Who locks a file that others may remove must check
// it afterwards.
func IsAt(file *os.File, path string) bool {
	now, err := os.Stat(path)
	if err != nil {
		return false
	}
	opened, err := file.Stat()
	return err == nil && os.SameFile(now, opened)
}
