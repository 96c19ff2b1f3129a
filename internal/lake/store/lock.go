package store

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"time"

	"github.com/etl2parquet/etl2parquet/internal/base/filelock"
)

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
			err = filelock.Try(file, true)
			if err == nil && !filelock.IsAt(file, path) { // the previous holder has removed the file
				err = filelock.ErrLocked
			}
			if err == nil {
				return file, nil
			}
			file.Close() // nothing was written
			if !errors.Is(err, filelock.ErrLocked) {
				os.Remove(path) // it is of no use: no process can lock it
			}
		}
		if !errors.Is(err, filelock.ErrLocked) {
			return nil, err
		}
		select {
		case <-ctx.Done():
			return nil, ctx.Err()
		case <-time.After(lockPause):
		}
	}
}

// isLocked reports whether a process holds the lock of a file, or true if that is unknown.
func isLocked(path string) bool {
	file, err := os.Open(path)
	if err != nil {
		return !errors.Is(err, fs.ErrNotExist)
	}
	defer file.Close() // releases the lock
	return filelock.Try(file, false) != nil
}
