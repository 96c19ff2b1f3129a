package store

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"time"
)

// errLocked means that another holds the lock.
var errLocked = errors.New("locked by another process")

// lockPause is how long to wait before a lock is tried again. Nobody holds a
// lock that others wait for longer than it takes to look around.
const lockPause = 20 * time.Millisecond

// lockFile makes a file, if need be, and locks it: the lock ends with the
// process, whatever ends that. It is [errors.ErrUnsupported] if the file
// system has no locks.
func lockFile(ctx context.Context, path string) (*os.File, error) {
	for {
		var file *os.File
		err := patiently(func() (err error) {
			file, err = os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o666)
			return err
		})
		if err == nil {
			err = tryLock(file, true)
			if err == nil && !isAt(file, path) { // whoever had it has removed it
				err = errLocked
			}
			if err == nil {
				return file, nil
			}
			file.Close() // nothing was written
			if !errors.Is(err, errLocked) {
				os.Remove(path) // as good as never made: nobody can lock it
			}
		}
		if !errors.Is(err, errLocked) {
			return nil, err
		}
		select {
		case <-ctx.Done():
			return nil, ctx.Err()
		case <-time.After(lockPause):
		}
	}
}

// isAt reports whether an open file is the one that has a name now.
func isAt(file *os.File, path string) bool {
	now, err := os.Stat(path)
	if err != nil {
		return false
	}
	opened, err := file.Stat()
	return err == nil && os.SameFile(now, opened)
}

// unlock removes a file that is locked, and lets it go.
func unlock(file *os.File) error {
	if os.Remove(file.Name()) == nil {
		return file.Close()
	}
	err := file.Close()    // Windows keeps the name of a file in use
	os.Remove(file.Name()) // or another has it now, and removes it
	return err
}

// isLocked reports whether a process holds the lock of a file. Where that
// cannot be found out, one may.
func isLocked(path string) bool {
	file, err := os.Open(path)
	if err != nil {
		return !errors.Is(err, fs.ErrNotExist)
	}
	defer file.Close() // ends the lock
	return tryLock(file, false) != nil
}
