package store

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"iter"
	"os"
	"path"
	"path/filepath"
	"strings"
	"syscall"
)

// Temporary files begin with a dot and end in tmpSuffix, so that readers ignore them.
const tmpSuffix = ".tmp"

// Folder is a store in a folder of the file system.
type Folder struct {
	root      string
	files     *openFiles
	transient bool // removed after use: nothing is synced to the disk
	prepared  bool
	made      []string     // by Prepare, the innermost first
	writer    *writer      // since Begin
	again     func() error // set by Begin: clears leftovers that can be cleared only at the end
}

// NewFolder returns the store in a folder, which need not exist.
func NewFolder(root string) *Folder {
	return &Folder{root: root, files: newOpenFiles(defaultOpenFiles)}
}

// NewTransientFolder returns the store in a folder that is removed after use. Its files need not
// survive a crash.
func NewTransientFolder(root string) *Folder {
	f := NewFolder(root)
	f.transient = true
	return f
}

// LimitOpenFiles bounds the files that the store has open at a time. It must be called before
// the store is used. Any number of files can still be written concurrently.
func (f *Folder) LimitOpenFiles(most int) { f.files = newOpenFiles(most) }

// Prepare implements Store: it creates the folder.
func (f *Folder) Prepare(context.Context) error {
	f.made = missingFolders(f.root)
	f.prepared = true
	for try := 1; ; try++ {
		err := os.MkdirAll(f.root, 0o777)
		if err == nil {
			err = f.probe()
		}
		switch {
		case err == nil:
			return nil
		case try == createTries || !isRace(err):
			return errors.Join(err, f.Close())
		}
	}
}

// probe creates a file, to detect early that this is not allowed. Another process may remove
// it first as a leftover.
func (f *Folder) probe() error {
	file, err := os.CreateTemp(f.root, probePrefix+"*"+tmpSuffix)
	if err != nil {
		return pathless(err)
	}
	closed := file.Close()
	if err := os.Remove(file.Name()); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return errors.Join(closed, err)
	}
	return closed
}

// pathless removes the name of an internal file from an error.
func pathless(err error) error {
	var file *fs.PathError
	if errors.As(err, &file) {
		return file.Err
	}
	return err
}

// missingFolders returns those of a folder and its parents that do not exist, innermost first.
func missingFolders(folder string) []string {
	var missing []string
	for {
		if _, err := os.Lstat(folder); err == nil {
			return missing
		}
		missing = append(missing, folder)
		parent := filepath.Dir(folder)
		if parent == folder {
			return missing
		}
		folder = parent
	}
}

// Close implements Store: it removes a folder that Prepare created if it is empty.
func (f *Folder) Close() error {
	err := f.end()
	if f.again != nil {
		err = errors.Join(err, f.again())
		f.again = nil
	}
	for _, folder := range f.made {
		if os.Remove(folder) != nil {
			break // it is not empty, or was never created
		}
	}
	f.made = nil
	return err
}

func (f *Folder) path(name string) string { return filepath.Join(f.root, filepath.FromSlash(name)) }

// URL implements Store: it returns the absolute path.
func (f *Folder) URL(name string) string {
	path := f.path(name)
	if absolute, err := filepath.Abs(path); err == nil {
		path = absolute
	}
	return filepath.ToSlash(path)
}

// temporary returns the path of a file until it is published.
func (f *Folder) temporary(name string) string {
	folder, file := path.Split(name)
	if f.writer != nil {
		file += "." + f.writer.id
	}
	return f.path(folder + "." + file + tmpSuffix)
}

// createTries bounds the attempts to create a file in a new folder: others may remove the folder
// while it is empty.
const createTries = 100

// isRace reports whether an error can be caused by others removing a folder while it is created:
// os.MkdirAll then may report that it exists.
func isRace(err error) bool {
	return errors.Is(err, fs.ErrNotExist) || errors.Is(err, fs.ErrExist) || isBusy(err)
}

// Create implements Store.
func (f *Folder) Create(ctx context.Context, name string) (File, error) {
	if err := f.files.begin(ctx); err != nil {
		return nil, err
	}
	tmp := f.temporary(name)
	for try := 1; ; try++ {
		err := os.MkdirAll(filepath.Dir(tmp), 0o777)
		if err == nil {
			var file *os.File
			if file, err = os.Create(tmp); err == nil {
				created := &localFile{folder: f, name: name, tmp: tmp, file: file}
				f.files.leave(created)
				return created, nil
			}
		}
		if try == createTries || !isRace(err) {
			f.files.end()
			return nil, err
		}
	}
}

// Open implements Store.
func (f *Folder) Open(ctx context.Context, name string) (Content, error) {
	path := f.path(name)
	info, err := os.Stat(path)
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() { // opening a pipe would wait for a writer
		return nil, &fs.PathError{Op: "open", Path: path, Err: errors.New("not a file")}
	}
	if err := f.files.begin(ctx); err != nil {
		return nil, err
	}
	var file *os.File
	err = patiently(func() (err error) {
		file, err = os.Open(path)
		return err
	})
	if err != nil {
		f.files.end()
		return nil, err
	}
	return &localContent{file, info.Size(), f.files}, nil
}

type localContent struct {
	*os.File
	size  int64
	files *openFiles
}

func (c *localContent) Size() int64 { return c.size }

// Close implements Content.
func (c *localContent) Close() error {
	defer c.files.end()
	return c.File.Close()
}

// smallFile is the size up to which a file is read at once. A larger one can be a claim.
const smallFile = 1 << 20

// ReadFile implements Store.
func (f *Folder) ReadFile(ctx context.Context, name string) ([]byte, error) {
	content, err := f.Open(ctx, name)
	if err != nil {
		return nil, err
	}
	var text bytes.Buffer
	text.Grow(int(min(content.Size(), smallFile)) + bytes.MinRead)
	_, err = text.ReadFrom(io.NewSectionReader(content, 0, content.Size()))
	return text.Bytes(), errors.Join(err, content.Close())
}

// Sizes implements Store.
func (f *Folder) Sizes(ctx context.Context, names ...string) ([]int64, error) {
	sizes := make([]int64, len(names))
	for i, name := range names {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		info, err := os.Stat(f.path(name))
		switch {
		case err == nil && info.Mode().IsRegular():
			sizes[i] = info.Size()
		case err == nil || isAbsent(err):
			sizes[i] = -1
		default:
			return nil, err
		}
	}
	return sizes, nil
}

// Folders implements Store.
func (f *Folder) Folders(ctx context.Context, folder string) ([]string, error) {
	if err := f.files.begin(ctx); err != nil {
		return nil, err
	}
	defer f.files.end()
	entries, err := readDir(f.path(folder))
	if err != nil && !isAbsent(err) {
		return nil, err
	}
	var folders []string
	for _, e := range entries {
		if e.IsDir() {
			folders = append(folders, e.Name())
		}
	}
	return folders, nil
}

// List implements Store.
func (f *Folder) List(ctx context.Context, folder string) iter.Seq2[Entry, error] {
	return func(yield func(Entry, error) bool) {
		err := f.walk(ctx, folder, func(name string, e fs.DirEntry) error {
			if isTemporary(e.Name()) || f.isLock(name) {
				return nil
			}
			info, err := e.Info()
			switch {
			case errors.Is(err, fs.ErrNotExist): // removed meanwhile
				return nil
			case err != nil:
				return err
			case !yield(Entry{Name: name, Size: info.Size(), Time: info.ModTime()}, nil):
				return fs.SkipAll
			}
			return nil
		})
		if err != nil {
			yield(Entry{}, err)
		}
	}
}

func isTemporary(file string) bool {
	return strings.HasPrefix(file, ".") && strings.HasSuffix(file, tmpSuffix)
}

// isAbsent reports whether an error means that a file does not exist, also because part of its path
// is a file.
func isAbsent(err error) bool {
	return errors.Is(err, fs.ErrNotExist) || errors.Is(err, syscall.ENOTDIR)
}

// Leftovers implements Store: temporary files, and empty folders, whose IDs end in a slash.
func (f *Folder) Leftovers(ctx context.Context) ([]Leftover, error) {
	active, _, err := f.others(ctx)
	if err != nil {
		return nil, err
	}
	var found []Leftover
	err = f.walk(ctx, "", func(name string, e fs.DirEntry) error {
		final, writer := originOf(name)
		_, known := active[writer]
		if !isTemporary(e.Name()) || isProbe(name) || active[writer] || f.writer != nil && writer == f.writer.id {
			return nil
		}
		info, err := e.Info()
		if errors.Is(err, fs.ErrNotExist) {
			return nil
		}
		if err != nil {
			return err
		}
		found = append(found, Leftover{Name: final, ID: name, Size: info.Size(), Time: info.ModTime(), Ended: known})
		return nil
	})
	if err != nil {
		return nil, err
	}
	empty, err := f.emptyFolders(ctx)
	return append(found, empty...), err
}

// RemoveLeftovers implements Store.
func (f *Folder) RemoveLeftovers(ctx context.Context, leftovers ...Leftover) error {
	for _, l := range leftovers {
		if strings.HasSuffix(l.ID, "/") {
			f.removeEmpty(f.path(strings.TrimSuffix(l.ID, "/")))
			continue
		}
		if !isTemporary(path.Base(l.ID)) {
			return fmt.Errorf("%s is not a temporary file", l.ID)
		}
		if err := f.Remove(ctx, l.ID); err != nil {
			return err
		}
	}
	return nil
}
