package cache

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/etl2parquet/etl2parquet/internal/base/fileid"
	"github.com/etl2parquet/etl2parquet/internal/base/filelock"
	"github.com/etl2parquet/etl2parquet/internal/base/temporary"
	"github.com/etl2parquet/etl2parquet/internal/engine/selection"
	"github.com/etl2parquet/etl2parquet/internal/lake/dataset"
	"github.com/etl2parquet/etl2parquet/internal/lake/store"
)

// newPrefix begins the names of folders in which pieces are made.
const newPrefix = "new-"

// Draft is a piece that is being made. It must be discarded, also after it was kept.
type Draft struct {
	set    *Set
	folder *temporary.Folder
}

// Begin begins a piece of the set. It also removes what killed processes have left.
func (s *Set) Begin() (*Draft, error) {
	folder, err := temporary.NewFolder(s.cache.root, newPrefix)
	if err != nil {
		return nil, err
	}
	return &Draft{s, folder}, nil
}

// Folder returns the folder for the dataset, which does not exist yet.
func (d *Draft) Folder() string { return filepath.Join(d.folder.Path(), "dataset") }

// Discard removes the draft, or the rest of it if it was kept.
func (d *Draft) Discard() error { return d.folder.Remove() }

// About describes a draft that is complete.
type About struct {
	Names  []string // of the inputs, for people
	Tool   string   // the version of the program
	Needs  []selection.Need
	Bounds *selection.Bounds // of the events in the tables; nil: all
	Notes  any               // for the caller, as JSON
}

// Piece returns the draft as a piece that is not kept: it exists until Discard.
func (d *Draft) Piece(ctx context.Context, a *About) (*Piece, error) {
	m, err := d.manifest(ctx, a)
	if err != nil {
		return nil, err
	}
	return &Piece{path: d.Folder(), manifest: m}, nil
}

// Keep makes the draft a piece of the set, which is locked, and returns it. It returns the draft as it is
// if that is not kept: it is larger than the cache may be, or other processes have made the same
// meanwhile. Keep removes pieces that the new one replaces, and old pieces of any set if there is no
// room. An error means that the draft is as it was.
func (d *Draft) Keep(ctx context.Context, a *About) (p *Piece, isKept bool, err error) {
	p, err = d.Piece(ctx, a)
	if err != nil {
		return nil, false, err
	}
	s := d.set
	now, err := s.Find(a.Needs, a.Bounds, nil)
	if err != nil {
		return nil, false, err
	}
	isMade := len(now.Missing) == 0
	if err := now.Close(); err != nil || isMade {
		return p, false, err
	}
	if isRoom, err := s.cache.makeRoom(p.bytes()); err != nil || !isRoom {
		return p, false, err
	}
	if err := s.cache.write(p.manifest, d.Folder(), p.manifest.Boot == ""); err != nil {
		return nil, false, err
	}
	s.cache.between()
	if p.path, p.lock, err = s.take(d.Folder()); err != nil {
		return nil, false, err
	}
	s.prune(p)
	return p, true, nil
}

// manifest returns the manifest of the draft.
func (d *Draft) manifest(ctx context.Context, a *About) (*manifest, error) {
	notes, err := json.Marshal(a.Notes)
	if err != nil {
		return nil, err
	}
	m := &manifest{Names: a.Names, Tool: a.Tool, Made: time.Now().UTC(), Needs: merged(a.Needs), Bounds: a.Bounds, Notes: notes, Boot: bootName()}
	sums, err := m.read(ctx, d.Folder())
	if err != nil {
		return nil, err
	}
	err = filepath.WalkDir(d.Folder(), func(path string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return err
		}
		name, err := filepath.Rel(d.Folder(), path)
		if err != nil {
			return err
		}
		f := file{Name: filepath.ToSlash(name)}
		var known bool
		if f.CRC32C, known = sums[f.Name]; !known {
			if f.CRC32C, err = sumOf(path); err != nil {
				return err
			}
		}
		if m.Boot == "" {
			if err := syncFile(path); err != nil {
				return err
			}
		}
		f.ID, err = fileid.Of(path)
		m.Files = append(m.Files, f)
		return err
	})
	return m, err
}

// read reads the tables of the dataset in a folder, and returns the checksums of its files by name.
func (m *manifest) read(ctx context.Context, folder string) (sums map[string]uint32, err error) {
	d := dataset.New(store.NewFolder(folder))
	summary, err := d.Summary(ctx)
	if err != nil {
		return nil, err
	}
	if len(summary.Damaged) > 0 {
		return nil, fmt.Errorf("the record %s is damaged", summary.Damaged[0])
	}
	for _, t := range summary.Tables {
		m.Tables = append(m.Tables, table{t.Name, t.Event})
	}
	sums = make(map[string]uint32)
	err = d.EachRecord(ctx, func(text []byte) {
		var record struct{ Files []dataset.RecordFile }
		if json.Unmarshal(text, &record) != nil {
			return // the summary has read it
		}
		for _, f := range record.Files {
			if sum, err := strconv.ParseUint(f.CRC32C, 16, 32); err == nil && len(f.CRC32C) == 8 {
				sums[f.File] = uint32(sum)
			}
		}
	})
	return sums, err
}

// syncFile makes a file durable.
func syncFile(path string) error {
	f, err := os.OpenFile(path, os.O_RDWR, 0)
	if err != nil {
		return err
	}
	return errors.Join(f.Sync(), f.Close())
}

// takeTries bounds how often a piece is named anew, because another process removes the empty set.
const takeTries = 100

// take moves a folder into the set, as a piece with a lock to read it.
func (s *Set) take(folder string) (path string, lock *os.File, err error) {
	for try := 1; ; try++ {
		path = filepath.Join(s.path, strings.ToLower(rand.Text()))
		lock, err = s.newLock(path)
		if err == nil {
			s.cache.between()
			if err = os.Rename(folder, path); err == nil {
				s.cache.between()
				return path, lock, nil
			}
			err = errors.Join(err, lock.Close(), os.Remove(lock.Name()))
		}
		if try == takeTries || !errors.Is(err, fs.ErrNotExist) && !errors.Is(err, filelock.ErrLocked) {
			return "", nil, err
		}
	}
}

// newLock makes and locks the file of a new piece.
func (s *Set) newLock(path string) (*os.File, error) {
	if err := os.MkdirAll(s.path, 0o700); err != nil {
		return nil, err
	}
	lock, err := os.OpenFile(path+lockSuffix, os.O_RDWR|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return nil, err
	}
	if err = filelock.Try(lock, false); err == nil && !filelock.IsAt(lock, path+lockSuffix) {
		err = filelock.ErrLocked
	}
	if err != nil {
		return nil, errors.Join(err, lock.Close())
	}
	return lock, nil
}

// prune removes the pieces of the set that others, with the new one, make superfluous. It leaves pieces
// that are in use, and those that it cannot remove: they are removed when they are old.
func (s *Set) prune(fresh *Piece) {
	names, err := s.names()
	if err != nil {
		return
	}
	boot := bootName()
	pieces := []*Piece{fresh}
	for _, name := range names {
		if filepath.Join(s.path, name) == fresh.path {
			continue
		}
		if p := s.open(name, boot); p != nil {
			pieces = append(pieces, p)
		}
	}
	for i := len(pieces) - 1; i > 0; i-- {
		p := pieces[i]
		others := slices.Delete(slices.Clone(pieces), i, i+1)
		isSuperfluous := !slices.ContainsFunc(p.Needs, func(n selection.Need) bool { return first(others, &n, p.Bounds) == nil })
		_ = p.Close() // nothing was written
		if isSuperfluous {
			pieces = others
			_, _ = s.cache.remove(p.path)
		}
	}
}
