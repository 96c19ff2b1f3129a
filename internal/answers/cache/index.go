package cache

import (
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"time"

	"github.com/etl2parquet/etl2parquet/internal/base/fileid"
)

// indexFile is the only file, beside the manifest, of a piece that is no dataset but the index of a trace.
// Such a piece is in a set of its own, by the trace alone.
const indexFile = "index"

func (m *manifest) isIndex() bool {
	return len(m.Files) == 1 && m.Files[0].Name == indexFile && len(m.Needs)+len(m.Tables) == 0
}

// Index returns the piece of the set, which is locked, with an index that usable accepts, or nil.
func (s *Set) Index(usable func(*Piece) bool) (*Piece, error) {
	names, err := s.names()
	if err != nil {
		return nil, err
	}
	boot := bootName()
	for _, name := range names {
		p := s.open(name, boot)
		switch {
		case p == nil:
		case p.isIndex() && usable(p):
			p.touch()
			return p, nil
		default:
			err = errors.Join(err, p.Close())
		}
	}
	return nil, err
}

// IndexPath returns the path of the index of the piece.
func (p *Piece) IndexPath() string { return filepath.Join(p.path, indexFile) }

// CreateIndex creates the file for the index of a trace, which is all that the draft has.
func (d *Draft) CreateIndex() (*os.File, error) {
	if err := os.Mkdir(d.Folder(), 0o700); err != nil {
		return nil, err
	}
	return os.OpenFile(filepath.Join(d.Folder(), indexFile), os.O_RDWR|os.O_CREATE|os.O_EXCL, 0o600)
}

// KeepIndex makes a draft with a complete index a piece of the set, unless there is no room. It removes
// the pieces of the set that the new one replaces, and that no process uses.
func (d *Draft) KeepIndex(a *About, replaces func(*Piece) bool) (isKept bool, err error) {
	notes, err := json.Marshal(a.Notes)
	if err != nil {
		return false, err
	}
	m := &manifest{Names: a.Names, Tool: a.Tool, Made: time.Now().UTC(), Notes: notes, Boot: bootName()}
	path := filepath.Join(d.Folder(), indexFile)
	f := file{Name: indexFile}
	if f.CRC32C, err = sumOf(path); err != nil {
		return false, err
	}
	if m.Boot == "" {
		if err := syncFile(path); err != nil {
			return false, err
		}
	}
	if f.ID, err = fileid.Of(path); err != nil {
		return false, err
	}
	m.Files = []file{f}
	if isRoom, err := d.set.cache.makeRoom(m.bytes()); err != nil || !isRoom {
		return false, err
	}
	if err := d.set.cache.write(m, d.Folder(), m.Boot == ""); err != nil {
		return false, err
	}
	kept, lock, err := d.set.take(d.Folder())
	if err != nil {
		return false, err
	}
	d.set.dropIndexes(kept, replaces)
	return true, lock.Close()
}

// DropIndexes removes the indexes of the set that no process uses.
func (s *Set) DropIndexes() { s.dropIndexes("", func(*Piece) bool { return true }) }

// dropIndexes removes the pieces of the set that the one at a path replaces. Those that it cannot remove
// are removed when they are old.
func (s *Set) dropIndexes(fresh string, replaces func(*Piece) bool) {
	names, err := s.names()
	if err != nil {
		return
	}
	boot := bootName()
	for _, name := range names {
		if filepath.Join(s.path, name) == fresh {
			continue
		}
		if p := s.open(name, boot); p != nil {
			isOld := p.isIndex() && replaces(p)
			_ = p.Close() // nothing was written
			if isOld {
				_, _ = s.cache.remove(p.path)
			}
		}
	}
}
