package cache

import (
	"cmp"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/etl2parquet/etl2parquet/internal/base/filelock"
	"github.com/etl2parquet/etl2parquet/internal/base/temporary"
	"github.com/etl2parquet/etl2parquet/internal/engine/selection"
)

// Kept is a piece of a list.
type Kept struct {
	Folder string
	Names  []string // of the inputs
	Tool   string   // the version of the program that made it
	Tables []string // by their names in the dataset
	Needs  []selection.Need
	Index  bool // it is no tables, but the index of a trace
	Bytes  int64
	Used   time.Time // the last use

	broken bool // it cannot be used
}

// List lists the pieces of the cache, the one used last first.
func (c *Cache) List() ([]Kept, error) {
	list, err := c.pieces()
	list = slices.DeleteFunc(list, func(k Kept) bool { return k.broken })
	slices.Reverse(list)
	return list, err
}

// pieces lists the pieces, whole or not, the one whose use is longest ago first.
func (c *Cache) pieces() ([]Kept, error) {
	sets, err := os.ReadDir(c.root)
	if err != nil {
		return nil, err
	}
	var list []Kept
	for _, e := range sets {
		if !e.IsDir() || !isSet(e.Name()) {
			continue
		}
		s := &Set{c, filepath.Join(c.root, e.Name())}
		names, err := s.names()
		if err != nil {
			return nil, err
		}
		for _, name := range names {
			k, err := keptAt(filepath.Join(s.path, name))
			if err != nil {
				return nil, err
			}
			list = append(list, k)
		}
	}
	slices.SortStableFunc(list, func(a, b Kept) int { return cmp.Or(a.Used.Compare(b.Used), strings.Compare(a.Folder, b.Folder)) })
	return list, nil
}

// keptAt describes the piece at a path. Other processes may remove it meanwhile.
func keptAt(path string) (Kept, error) {
	k := Kept{Folder: path}
	if info, err := os.Stat(path + lockSuffix); err == nil {
		k.Used = info.ModTime()
	}
	m, err := readManifest(path)
	if k.broken = err != nil; !k.broken {
		k.Names, k.Tool, k.Needs, k.Index = m.Names, m.Tool, m.Needs, m.isIndex()
		for _, t := range m.Tables {
			k.Tables = append(k.Tables, t.Name)
		}
	}
	k.Bytes, err = bytesBelow(path)
	return k, err
}

// bytesBelow returns the bytes of the files in a folder, without those that vanish meanwhile.
func bytesBelow(folder string) (n int64, err error) {
	err = filepath.WalkDir(folder, func(_ string, e fs.DirEntry, err error) error {
		if errors.Is(err, fs.ErrNotExist) {
			return nil
		}
		if err != nil || e.IsDir() {
			return err
		}
		info, err := e.Info()
		switch {
		case err == nil:
			n += info.Size()
		case !errors.Is(err, fs.ErrNotExist):
			return err
		}
		return nil
	})
	return n, err
}

// makeRoom removes the pieces whose use is longest ago, until there is room for size bytes, and all that
// cannot be used. It reports whether there is room: pieces in use stay.
func (c *Cache) makeRoom(size int64) (bool, error) {
	list, err := c.pieces()
	if err != nil {
		return false, err
	}
	var held int64
	for i := range list {
		held += list[i].Bytes
	}
	limit, err := c.Limit(held)
	if err != nil || size > limit {
		return false, err
	}
	for i := range list {
		if held+size <= limit && !list[i].broken {
			continue
		}
		isGone, err := c.remove(list[i].Folder)
		if err != nil {
			return false, err
		}
		if isGone {
			held -= list[i].Bytes
		}
	}
	return held+size <= limit, nil
}

// Clear removes all pieces that no process uses, and returns the bytes of those that are left.
func (c *Cache) Clear() (bytes int64, err error) {
	temporary.SweepFolders(c.root, newPrefix)
	list, err := c.pieces()
	if err != nil {
		return 0, err
	}
	for i := range list {
		isGone, wrong := c.remove(list[i].Folder)
		err = errors.Join(err, wrong)
		if !isGone {
			bytes += list[i].Bytes
		}
	}
	return bytes, err
}

// remove removes the piece at a path, and the folder of its set if that is empty then. It returns false
// if a process uses the piece.
func (c *Cache) remove(path string) (isGone bool, err error) {
	lock, err := lockPiece(path, true)
	switch {
	case errors.Is(err, fs.ErrNotExist), errors.Is(err, errGone):
		return true, nil
	case errors.Is(err, filelock.ErrLocked):
		return false, nil
	case err != nil:
		return false, err
	}
	err = os.Remove(filepath.Join(path, manifestFile)) // first: without it, the rest is no piece
	if errors.Is(err, fs.ErrNotExist) {
		err = nil
	}
	c.between()
	if err == nil {
		err = os.RemoveAll(path)
	}
	c.between()
	if err != nil {
		return false, errors.Join(err, lock.Close())
	}
	err = filelock.Remove(lock)
	c.between()
	_ = os.Remove(filepath.Dir(path)) // other pieces may be in it
	return true, err
}
