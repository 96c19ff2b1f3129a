package store

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path"
	"path/filepath"
)

// walk visits the files in and below a folder. A folder that vanishes meanwhile is skipped.
func (f *Folder) walk(ctx context.Context, folder string, visit func(name string, e fs.DirEntry) error) error {
	err := f.walkFolder(ctx, folder, visit)
	if errors.Is(err, fs.SkipAll) {
		return nil
	}
	return err
}

func (f *Folder) walkFolder(ctx context.Context, folder string, visit func(name string, e fs.DirEntry) error) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	entries, err := readDir(f.path(folder))
	if err != nil && !isAbsent(err) {
		return err
	}
	for _, e := range entries {
		err := ctx.Err()
		switch name := path.Join(folder, e.Name()); {
		case err != nil:
		case e.IsDir():
			err = f.walkFolder(ctx, name, visit)
		case e.Type().IsRegular():
			err = visit(name, e)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// tree is a folder and everything below it. It waits for folders in use: on Windows, each is
// briefly in use when another process tries to remove it. Skipping a folder would miss its
// files.
type tree string

func (t tree) path(name string) string { return filepath.Join(string(t), filepath.FromSlash(name)) }

// Open implements [fs.FS].
func (t tree) Open(name string) (fs.File, error) { return os.Open(t.path(name)) }

// Stat implements [fs.StatFS].
func (t tree) Stat(name string) (fs.FileInfo, error) { return os.Stat(t.path(name)) }

// ReadDir implements [fs.ReadDirFS].
func (t tree) ReadDir(name string) ([]fs.DirEntry, error) { return readDir(t.path(name)) }

func readDir(folder string) (entries []fs.DirEntry, err error) {
	err = patiently(func() (err error) {
		entries, err = os.ReadDir(folder)
		return err
	})
	return entries, err
}
