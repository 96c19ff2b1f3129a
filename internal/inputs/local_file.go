package inputs

import (
	"errors"
	"io"
	"io/fs"
	"os"
)

// localFile is a file on this machine that is being read.
type localFile struct {
	statFile
	path   string
	size   int64       // at the time the run found it
	opened fs.FileInfo // at the time it was opened
}

// statFile is an open file, or one of a pool.
type statFile interface {
	io.ReaderAt
	io.Closer
	Stat() (fs.FileInfo, error)
}

// openLocal opens a file; with a pool, as one of its files.
func openLocal(f *File, pool *filePool) (*localFile, error) {
	var file statFile
	if pool != nil {
		file = &pooledFile{pool: pool, path: f.Path, from: f.from}
	} else {
		opened, err := f.from.Open(f.Path)
		if err != nil {
			return nil, err
		}
		file = opened
	}
	opened, err := file.Stat()
	if err != nil {
		return nil, errors.Join(err, file.Close())
	}
	return &localFile{file, f.Path, f.Size, opened}, nil
}

var (
	errChanged  = errors.New("it changed while it was read: convert it again when no program writes to it any more")
	errReplaced = errors.New("another file took its place while it was read: convert it again")
)

// check returns an error if the file's size, time or path has changed. The size is
// compared with the one that the run found, the rest with the state when the file was
// opened: directory entries can be stale. A change that keeps size and time is not
// detected.
func (f *localFile) check() error {
	now, err := f.Stat()
	if err != nil {
		return err
	}
	if f.opened.Size() != f.size || now.Size() != f.size || !now.ModTime().Equal(f.opened.ModTime()) {
		return errChanged
	}
	// A file that was removed remains readable while it is open.
	if there, err := os.Stat(f.path); err == nil && !os.SameFile(there, f.opened) {
		return errReplaced
	}
	return nil
}
