//go:build darwin || dragonfly || freebsd || linux || netbsd || openbsd

package temporary

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"

	"github.com/etl2parquet/etl2parquet/internal/base/filelock"
)

// lockNew makes the locked file of a folder. It has its name only once it is locked, so that no other
// process can lock it before.
func lockNew(folder string) (io.Closer, error) {
	file, err := os.OpenFile(filepath.Join(folder, newFile), os.O_RDWR|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return nil, err
	}
	if err = filelock.Try(file, true); err == nil {
		err = os.Rename(file.Name(), filepath.Join(folder, ownerFile))
	}
	if err != nil {
		return nil, errors.Join(err, file.Close())
	}
	return file, nil
}

// lockOld locks an existing file, if no process has it locked.
func lockOld(path string) (io.Closer, error) {
	// Another user could have put a link or a pipe there.
	file, err := os.OpenFile(path, os.O_RDWR|syscall.O_NOFOLLOW|syscall.O_NONBLOCK, 0)
	if err != nil {
		return nil, err
	}
	if err := filelock.Try(file, true); err != nil {
		return nil, errors.Join(err, file.Close())
	}
	return file, nil
}

// isOwn reports whether a folder belongs to this user.
func isOwn(info fs.FileInfo) bool {
	stat, ok := info.Sys().(*syscall.Stat_t)
	return ok && int(stat.Uid) == os.Getuid()
}
