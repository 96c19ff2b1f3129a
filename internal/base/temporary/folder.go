package temporary

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"
)

// Folder is a temporary folder of this process. It has a file that the process keeps locked. The system
// ends the lock with the process, however that ends, so a folder whose file can be locked has no process
// any more.
type Folder struct {
	path string
	lock io.Closer
}

// ownerFile is the file that the process of a folder keeps locked, and newFile its name before that.
const (
	ownerFile = "owner"
	newFile   = ownerFile + ".new"
)

// unlockedAge is the age at which a folder without either file is removed: its process was killed while
// it made the folder, or an earlier version of the program made it.
const unlockedAge = 24 * time.Hour

// NewFolder makes a folder in dir, or in the system's folder for temporary files if dir is "". Its name
// begins with prefix. It also removes the folders with this prefix in dir that killed processes of this user
// have left.
func NewFolder(dir, prefix string) (*Folder, error) {
	if dir == "" {
		dir = os.TempDir()
	}
	SweepFolders(dir, prefix)
	path, err := os.MkdirTemp(dir, prefix+"*")
	if err != nil {
		return nil, err
	}
	lock, err := lockNew(path)
	if errors.Is(err, errors.ErrUnsupported) { // the folder stays if the process is killed
		lock, err = io.NopCloser(nil), nil
	}
	if err != nil {
		return nil, errors.Join(fmt.Errorf("lock a temporary folder: %w", err), os.RemoveAll(path))
	}
	return &Folder{path, lock}, nil
}

// Path returns the path of the folder.
func (f *Folder) Path() string { return f.path }

// Remove removes the folder and all that is in it.
func (f *Folder) Remove() error {
	return errors.Join(f.lock.Close(), os.RemoveAll(f.path)) // Windows does not remove open files
}

// SweepFolders removes the folders with a prefix in dir whose processes have ended. It leaves what it cannot
// remove: the folders of others, and those that another process removes at the same time.
func SweepFolders(dir, prefix string) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return // making the folder reports it
	}
	for _, e := range entries {
		path := filepath.Join(dir, e.Name())
		if !e.IsDir() || !strings.HasPrefix(e.Name(), prefix) {
			continue
		}
		info, err := e.Info()
		if err != nil || !isOwn(info) {
			continue
		}
		lock, err := lockOld(filepath.Join(path, ownerFile))
		switch {
		case err == nil:
			_ = errors.Join(lock.Close(), os.RemoveAll(path))
		case errors.Is(err, fs.ErrNotExist) && time.Since(info.ModTime()) > unlockedAge:
			if _, err := os.Lstat(filepath.Join(path, newFile)); errors.Is(err, fs.ErrNotExist) {
				_ = os.RemoveAll(path)
			}
		}
	}
}
