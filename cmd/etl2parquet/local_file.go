package main

import (
	"errors"
	"io/fs"
	"os"
)

// localFile is a file of this machine that is being read.
type localFile struct {
	*os.File
	path   string
	size   int64       // when the run found it
	opened fs.FileInfo // when it was opened
}

func openLocal(in *input) (*localFile, error) {
	file, err := os.Open(in.path)
	if err != nil {
		return nil, err
	}
	opened, err := file.Stat()
	if err != nil {
		return nil, errors.Join(err, file.Close())
	}
	return &localFile{file, in.path, in.size, opened}, nil
}

var (
	errChanged  = errors.New("it changed while it was read: convert it again when nothing writes to it any more")
	errReplaced = errors.New("another file took its place while it was read: convert it again")
)

// check returns an error if the file is not what it was when the run found it
// and opened it: by its size, its time and its path. All but the size are
// compared with what the open file said, because what folders say of files can
// be late. What changes neither size nor time is not noticed.
func (f *localFile) check() error {
	now, err := f.Stat()
	if err != nil {
		return err
	}
	if f.opened.Size() != f.size || now.Size() != f.size || !now.ModTime().Equal(f.opened.ModTime()) {
		return errChanged
	}
	// A file that was removed is whole as long as it is open.
	if there, err := os.Stat(f.path); err == nil && !os.SameFile(there, f.opened) {
		return errReplaced
	}
	return nil
}
