package store

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"time"
)

// errLocked means that another process holds the lock.
var errLocked = errors.New("locked by another process")

// lockPause is the wait between attempts to lock. A lock that others wait for is held only
// while its holder looks for leftovers.
const lockPause = 20 * time.Millisecond

// lockFile locks a file, and creates it if necessary. The lock ends with the process, even if
// that is killed. It returns [errors.ErrUnsupported] if the file system has no locks.
func lockFile(ctx context.Context, path string) (*os.File, error) {
	for {
		var file *os.File
		err := patiently(func() (err error) {
			file, err = os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o666)
			return err
		})
		if err == nil {
			err = tryLock(file, true)
			if err == nil && !isAt(file, path) { // the previous holder has removed the file
				err = errLocked
			}
			if err == nil {
				return file, nil
			}
			file.Close() // nothing was written
			if !errors.Is(err, errLocked) {
				os.Remove(path) // it is of no use: no process can lock it
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

// isAt reports whether path still names an open file.
func isAt(file *os.File, path string) bool {
	now, err := os.Stat(path)
	if err != nil {
		return false
	}
	opened, err := file.Stat()
	return err == nil && os.SameFile(now, opened)
}

// unlock removes a locked file and releases the lock.
func unlock(file *os.File) error {
	if os.Remove(file.Name()) == nil {
		return file.Close()
	}
	err := file.Close()    // first, because Windows keeps the name of a file in use
	os.Remove(file.Name()) // if another process has locked it meanwhile, that one removes it
	return err
}

// isLocked reports whether a process holds the lock of a file, or true if that is unknown.
func isLocked(path string) bool {
	file, err := os.Open(path)
	if err != nil {
		return !errors.Is(err, fs.ErrNotExist)
	}
	defer file.Close() // releases the lock
	return tryLock(file, false) != nil
}
