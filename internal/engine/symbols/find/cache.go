package find

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"time"
)

// cache is a store of two tiers that is written to. Links in it cannot lead out of it.
type cache struct {
	dir string

	mu       sync.Mutex
	root     *os.Root
	err      error // of the last attempt to write
	failures int   // to write, in a row
}

// cacheError means that the cache cannot be written.
type cacheError struct{ err error }

func (e *cacheError) Error() string { return fmt.Sprintf("the cache cannot be written: %v", e.err) }

func (e *cacheError) Unwrap() error { return e.err }

// open opens the cache, and makes its folder if it is missing.
func (c *cache) open() (*os.Root, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.root != nil {
		return c.root, nil
	}
	if err := os.MkdirAll(c.dir, 0o777); err != nil {
		return nil, &cacheError{err}
	}
	root, err := os.OpenRoot(c.dir)
	if err != nil {
		return nil, &cacheError{err}
	}
	c.root = root
	return root, nil
}

// wrote counts an attempt to write. err may be nil.
func (c *cache) wrote(err error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.err = err
	if c.failures++; err == nil {
		c.failures = 0
	}
}

// close closes the cache. It can be opened again.
func (c *cache) close() error {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.root == nil {
		return nil
	}
	defer func() { c.root = nil }()
	return c.root.Close()
}

// usable returns an error if attempts to write fail, so that nothing is fetched for nothing.
func (c *cache) usable() error {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.failures >= maxFailures {
		return c.err
	}
	return nil
}

// partial is a file in the cache that is being written, in the folder of the requested file.
type partial struct {
	c      *cache
	root   *os.Root
	w      *request
	name   string // in root
	file   *os.File
	stored bool
}

// create begins a file. The caller must remove it in the end.
func (c *cache) create(w *request) (*partial, error) {
	root, err := c.open()
	if err != nil {
		return nil, err
	}
	c.mu.Lock() // so that remove cannot delete the folder
	defer c.mu.Unlock()
	folder := filepath.Join(w.name, w.id)
	if err := root.MkdirAll(folder, 0o777); err != nil {
		return nil, &cacheError{err}
	}
	removeStale(root, folder)
	p := &partial{c: c, root: root, w: w, name: filepath.Join(folder, fmt.Sprintf("%s%016x", partialPrefix, rand.Uint64()))}
	if p.file, err = root.OpenFile(p.name, os.O_RDWR|os.O_CREATE|os.O_EXCL, 0o666); err != nil {
		return nil, &cacheError{err}
	}
	return p, nil
}

const (
	partialPrefix = ".partial-"
	staleAfter    = 24 * time.Hour
)

// removeStale removes what a killed run has left in a folder.
func removeStale(root *os.Root, folder string) {
	entries, err := fs.ReadDir(root.FS(), filepath.ToSlash(folder))
	if err != nil {
		return
	}
	for _, e := range entries {
		info, err := e.Info()
		if err == nil && strings.HasPrefix(e.Name(), partialPrefix) && time.Since(info.ModTime()) > staleAfter {
			root.Remove(filepath.Join(folder, e.Name()))
		}
	}
}

// Write implements io.Writer.
func (p *partial) Write(b []byte) (int, error) {
	n, err := p.file.Write(b)
	if err != nil {
		return n, &cacheError{err}
	}
	return n, nil
}

// path returns the path of the file while it is written.
func (p *partial) path() string { return filepath.Join(p.c.dir, p.name) }

// store gives the file its final name if it matches, and returns its path. from names its source.
func (p *partial) store(from string) (string, error) {
	if err := p.file.Close(); err != nil {
		return "", &cacheError{err}
	}
	if err := p.w.check(p.path()); err != nil {
		var other *MismatchError
		if errors.As(err, &other) {
			return "", &MismatchError{from, other.Has, other.Want}
		}
		return "", fmt.Errorf("%s: %w", from, err)
	}
	name := filepath.Join(p.w.name, p.w.id, p.w.name)
	path := filepath.Join(p.c.dir, name)
	if err := p.root.Rename(p.name, name); err != nil {
		if p.w.check(path) == nil { // another process has stored it, and holds it open
			return path, nil
		}
		return "", &cacheError{err}
	}
	p.stored = true
	return path, nil
}

// remove removes the file unless it has been stored, and the folders that were made for it.
func (p *partial) remove() {
	p.file.Close() // store may have closed it
	if p.stored {
		return
	}
	p.c.mu.Lock()
	defer p.c.mu.Unlock()
	p.root.Remove(p.name)
	p.root.Remove(filepath.Join(p.w.name, p.w.id)) // this fails if it is not empty
	p.root.Remove(p.w.name)
}

// errTooLarge means that a file is beyond Options.MaxBytes.
var errTooLarge = errors.New("the file is too large")

func (f *Finder) tooLarge() error {
	return fmt.Errorf("%w: more than %d bytes", errTooLarge, f.o.MaxBytes)
}

// copy copies a file to the cache, up to the limit, or until the context ends.
func (f *Finder) copy(ctx context.Context, to io.Writer, from io.Reader) error {
	n, err := io.Copy(to, io.LimitReader(&cancelled{ctx, from}, f.o.MaxBytes+1))
	if err == nil && n > f.o.MaxBytes {
		err = f.tooLarge()
	}
	return err
}

// cancelled is a reader that fails when a context ends.
type cancelled struct {
	ctx  context.Context
	from io.Reader
}

func (c *cancelled) Read(p []byte) (int, error) {
	if err := c.ctx.Err(); err != nil {
		return 0, err
	}
	return c.from.Read(p)
}
