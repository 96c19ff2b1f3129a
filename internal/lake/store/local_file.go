package store

import (
	"container/list"
	"context"
	"errors"
	"fmt"
	"os"
)

// localFile is a file under its temporary name.
type localFile struct {
	folder *Folder
	name   string
	tmp    string // path
	size   int64  // written so far
	done   bool   // writing has ended
	gone   bool   // the temporary name no longer exists

	// Owned by the user of the file; if it is idle, guarded by the lock of openFiles:
	file   *os.File      // nil if closed
	place  *list.Element // position in openFiles.idle
	closed error         // error of closing it between writes
}

// Write implements File.
func (f *localFile) Write(p []byte) (int, error) {
	if err := f.folder.files.use(f); err != nil {
		return 0, err
	}
	n, err := f.file.WriteAt(p, f.size)
	f.size += int64(n)
	f.folder.files.leave(f)
	return n, err
}

// Stage implements File. It syncs the contents to the disk, except in a transient folder.
func (f *localFile) Stage(context.Context) (int64, error) {
	err := f.folder.files.use(f)
	if err == nil {
		f.done = true
		if !f.folder.transient {
			err = f.file.Sync()
		}
		err = errors.Join(err, f.folder.files.close(f))
	}
	if err != nil {
		return 0, fmt.Errorf("write %s: %w", f.name, err)
	}
	return f.size, nil
}

// Publish implements File.
func (f *localFile) Publish(context.Context) error {
	final := f.folder.path(f.name)
	if err := patiently(func() error { return os.Rename(f.tmp, final) }); err != nil {
		return err
	}
	f.gone = true
	return nil
}

// Discard implements File.
func (f *localFile) Discard(context.Context) error {
	if !f.done {
		f.done = true
		f.folder.files.forget(f)
	}
	if f.gone {
		return nil
	}
	f.gone = true
	_, err := f.folder.remove(f.tmp) // not synced: after a crash it is a leftover
	return err
}
