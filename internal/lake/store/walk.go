package store

import (
	"context"
	"io/fs"
	"os"
	"path"
	"path/filepath"
)

// walk visits the files in and below a folder.
func (f *Folder) walk(ctx context.Context, folder string, visit func(name string, e fs.DirEntry) error) error {
	return fs.WalkDir(tree(f.root), path.Clean(folder), func(name string, e fs.DirEntry, err error) error {
		switch {
		case ctx.Err() != nil:
			return ctx.Err()
		case err != nil && isAbsent(err):
			return nil
		case err != nil:
			return err
		case !e.Type().IsRegular():
			return nil
		}
		return visit(name, e)
	})
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
