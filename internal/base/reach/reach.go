// Package reach opens files that are read because of an input: the input itself, what lies in its folder,
// and what describes it. A program that reads inputs for an agent that may not read all files of its user
// names the folders that such files may lie in; links that lead out of them are not followed.
package reach

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"syscall"
)

// ErrOutside is the error for a path that leads out of the folders. It does not say whether anything is there.
var ErrOutside = errors.New("it leads out of the folders that may be read")

// Folder is a folder whose files may be opened, with all that is below it. Its methods take paths below it.
type Folder struct {
	*os.Root        // nil: opened when it is needed
	Path     string // absolute, as it was named
	Real     string // without links
}

// OpenFolder opens a folder.
func OpenFolder(name string) (*Folder, error) {
	f, err := newFolder(name)
	if err == nil {
		f.Root, err = os.OpenRoot(f.Real)
	}
	return f, err
}

func newFolder(name string) (*Folder, error) {
	path, err := filepath.Abs(name)
	if err != nil {
		return nil, err
	}
	real, err := filepath.EvalSymlinks(path)
	return &Folder{nil, path, real}, err
}

// Rel returns the path below the folder of an absolute path that is, by its name, below it.
func (f *Folder) Rel(path string) (rel string, ok bool) {
	for _, base := range []string{f.Path, f.Real} {
		if rel, err := filepath.Rel(base, path); err == nil && filepath.IsLocal(rel) {
			return rel, true
		}
	}
	return "", false
}

// Files are the files that may be opened: those below folders, and single ones by their names. nil has all
// files. It is safe for use from many goroutines once it is complete.
type Files struct {
	folders []*Folder
	named   map[string]bool
}

// AddFolder adds a folder. It is closed with the files.
func (f *Files) AddFolder(folder *Folder) { f.folders = append(f.folders, folder) }

// AddFolderOf adds the folder of an input. It is opened each time that something in it is: there can be many.
func (f *Files) AddFolderOf(name string) error {
	folder, err := newFolder(name)
	if err == nil && !slices.ContainsFunc(f.folders, func(old *Folder) bool { return old.Path == folder.Path }) {
		f.folders = append(f.folders, folder)
	}
	return err
}

// AddFile adds a file by its name, wherever that leads.
func (f *Files) AddFile(name string) error {
	path, err := filepath.Abs(name)
	if f.named == nil {
		f.named = make(map[string]bool)
	}
	f.named[path] = true
	return err
}

// Close closes the folders.
func (f *Files) Close() error {
	var err error
	for _, folder := range f.folders {
		if folder.Root != nil {
			err = errors.Join(err, folder.Close())
		}
	}
	return err
}

// Open is [os.Open] for a file that may be opened.
func (f *Files) Open(path string) (*os.File, error) {
	return through(f, "open", path, os.Open, (*os.Root).Open)
}

// Stat is [os.Stat] for a file that may be opened.
func (f *Files) Stat(path string) (fs.FileInfo, error) {
	return through(f, "stat", path, os.Stat, (*os.Root).Stat)
}

// Lstat is [os.Lstat] for a file that may be opened.
func (f *Files) Lstat(path string) (fs.FileInfo, error) {
	return through(f, "lstat", path, os.Lstat, (*os.Root).Lstat)
}

// ReadDir is [os.ReadDir] for a folder that may be opened.
func (f *Files) ReadDir(path string) ([]fs.DirEntry, error) {
	return through(f, "open", path, os.ReadDir, func(r *os.Root, rel string) ([]fs.DirEntry, error) {
		return fs.ReadDir(r.FS(), filepath.ToSlash(rel))
	})
}

// through calls a function of the system for a path that may be opened: plain for files that were named, and
// below for those below a folder, so that no link that is made meanwhile leads out of it.
func through[T any](f *Files, op, path string, plain func(string) (T, error), below func(*os.Root, string) (T, error)) (result T, err error) {
	absolute, err := filepath.Abs(path)
	switch {
	case err != nil:
		return result, err
	case f == nil || f.named[absolute]:
		return plain(path)
	}
	if result, isBelow, err := throughFolder(f, absolute, below); isBelow {
		return result, withPath(path, err)
	}
	// A link to the whole path of a file below a folder, this one or another, may be followed.
	if real, err := filepath.EvalSymlinks(absolute); err == nil && f.isBelow(absolute) {
		if result, isBelow, err := throughFolder(f, real, below); isBelow {
			return result, withPath(path, err)
		}
	}
	return result, &fs.PathError{Op: op, Path: path, Err: ErrOutside}
}

// throughFolder calls a function for the folders that a path is below, until one does not refuse it. ok is
// false if there is none.
func throughFolder[T any](f *Files, path string, below func(*os.Root, string) (T, error)) (result T, ok bool, err error) {
	for _, folder := range f.folders {
		if rel, isBelow := folder.Rel(path); isBelow {
			if result, err = call(folder, rel, below); err == nil || !isEscape(err) {
				return result, true, err
			}
		}
	}
	return result, false, nil
}

// call calls a function for a path below a folder.
func call[T any](f *Folder, rel string, below func(*os.Root, string) (T, error)) (result T, err error) {
	if f.Root != nil {
		return below(f.Root, rel)
	}
	root, err := os.OpenRoot(f.Real)
	if err != nil {
		return result, err
	}
	defer root.Close() // what was opened stays open
	return below(root, rel)
}

func (f *Files) isBelow(path string) bool {
	for _, folder := range f.folders {
		if _, ok := folder.Rel(path); ok {
			return true
		}
	}
	return false
}

// isEscape reports whether an error is that of [os.Root] for a path that leads out of it, which has no name:
// all others are those of the system.
func isEscape(err error) bool {
	var system syscall.Errno
	return !errors.As(err, &system) && !errors.Is(err, fs.ErrNotExist) && !errors.Is(err, fs.ErrClosed)
}

// withPath returns an error with the path as the caller knows it.
func withPath(path string, err error) error {
	var at *fs.PathError
	if errors.As(err, &at) {
		return &fs.PathError{Op: at.Op, Path: path, Err: at.Err}
	}
	return err
}

// Keeps reports whether a file that lies below a folder stays there. What lies elsewhere was named by the user.
func (f *Files) Keeps(path string) bool {
	absolute, err := filepath.Abs(path)
	if err != nil || f == nil || !f.isBelow(absolute) {
		return err == nil
	}
	_, err = f.Stat(path)
	return err == nil
}

// CheckLinks returns an error if a link in a folder, or below, leads out of the folders.
func (f *Files) CheckLinks(folder string) error {
	if f == nil {
		return nil
	}
	return fs.WalkDir(Tree{f, folder}, ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.Type()&fs.ModeSymlink == 0 {
			return err
		}
		_, err = f.Stat(filepath.Join(folder, filepath.FromSlash(name)))
		return err
	})
}

// Tree is a folder as a file system. Unlike [os.DirFS], it finds a folder of Windows with \\?\.
type Tree struct {
	Files  *Files
	Folder string
}

func (t Tree) path(name string) string { return filepath.Join(t.Folder, filepath.FromSlash(name)) }

// Open implements [fs.FS].
func (t Tree) Open(name string) (fs.File, error) { return t.Files.Open(t.path(name)) }

// Stat implements [fs.StatFS].
func (t Tree) Stat(name string) (fs.FileInfo, error) { return t.Files.Stat(t.path(name)) }

// ReadDir implements [fs.ReadDirFS].
func (t Tree) ReadDir(name string) ([]fs.DirEntry, error) { return t.Files.ReadDir(t.path(name)) }
