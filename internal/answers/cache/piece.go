package cache

import (
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/etl2parquet/etl2parquet/internal/base/filelock"
	"github.com/etl2parquet/etl2parquet/internal/engine/selection"
	"github.com/etl2parquet/etl2parquet/schema"
)

// Piece is a piece that this process has locked, or a draft. It must be closed.
type Piece struct {
	path string
	lock *os.File // nil for a draft
	*manifest
}

// Folder returns the folder of the dataset.
func (p *Piece) Folder() string { return p.path }

// Notes returns what the caller has noted about the piece.
func (p *Piece) Notes() json.RawMessage { return p.manifest.Notes }

// Close unlocks the piece.
func (p *Piece) Close() error {
	if p.lock == nil {
		return nil
	}
	return p.lock.Close()
}

const lockSuffix = ".lock"

// errGone means that there is no piece, or that another process removes it.
var errGone = errors.New("there is no such piece")

// lockPiece locks the piece at a path, to read it or, if alone is set, to remove it.
func lockPiece(path string, alone bool) (*os.File, error) {
	lock, err := os.OpenFile(path+lockSuffix, os.O_RDWR, 0)
	if err != nil {
		return nil, err
	}
	if err = filelock.Try(lock, alone); err == nil && !filelock.IsAt(lock, path+lockSuffix) {
		err = errGone
	}
	if err != nil {
		return nil, errors.Join(err, lock.Close())
	}
	return lock, nil
}

// names returns the names of the pieces of the set, whole or not.
func (s *Set) names() (list []string, err error) {
	entries, err := os.ReadDir(s.path)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	for _, e := range entries {
		if name, ok := strings.CutSuffix(e.Name(), lockSuffix); ok {
			list = append(list, name)
		}
	}
	return list, nil
}

// open locks and checks a piece. It returns nil for a piece that cannot be used.
func (s *Set) open(name, boot string) *Piece {
	path := filepath.Join(s.path, name)
	lock, err := lockPiece(path, false)
	if err != nil {
		return nil
	}
	p := &Piece{path: path, lock: lock}
	if p.manifest, err = readManifest(path); err == nil {
		whole, changed := p.manifest.check(path, boot)
		switch {
		case !whole:
			err = errManifest
		case changed:
			_ = s.cache.write(p.manifest, path, false) // else the files are read again the next time
		}
	}
	if err != nil {
		_ = lock.Close()              // nothing was written
		_, _ = s.cache.remove(p.path) // else it takes room until it is the oldest
		return nil
	}
	return p
}

// touch notes that the piece is used now.
func (p *Piece) touch() {
	now := time.Now()
	_ = os.Chtimes(p.path+lockSuffix, now, now) // else it may be removed earlier
}

// fold returns the name of a table or the pattern of a need, so that equal ones are equal texts.
func fold(name string) string {
	if !schema.IsPattern(name) {
		name = schema.ViewName(name)
	}
	return strings.ToLower(name)
}

// All is the need for all tables.
var All = selection.Need{Table: "*"}

// merged returns needs with one for each name of a table.
func merged(needs []selection.Need) (list []selection.Need) {
	places := make(map[string]int)
	for _, n := range needs {
		i, found := places[fold(n.Table)]
		if !found {
			places[fold(n.Table)] = len(list)
			list = append(list, selection.Need{Table: n.Table, Columns: slices.Clone(n.Columns)})
			continue
		}
		list[i].Columns = together(list[i].Columns, n.Columns)
	}
	for i := range list {
		slices.Sort(list[i].Columns)
		list[i].Columns = slices.Compact(list[i].Columns)
	}
	return list
}

// together returns the columns of two needs; none means all.
func together(a, b []string) []string {
	if len(a) == 0 || len(b) == 0 {
		return nil
	}
	return append(a, b...)
}

// hasColumns reports whether columns include wanted ones; none means all.
func hasColumns(columns, wanted []string) bool {
	if len(columns) == 0 || len(wanted) == 0 {
		return len(columns) == 0
	}
	return !slices.ContainsFunc(wanted, func(name string) bool { return !slices.Contains(columns, name) })
}

// meets reports whether the piece has what a need asks for, of events within bounds.
func (m *manifest) meets(n *selection.Need, within *selection.Bounds) bool {
	if !m.Bounds.Covers(within) && !n.IsUnbounded() {
		return false
	}
	return slices.ContainsFunc(m.Needs, func(need selection.Need) bool {
		if need.Table == All.Table && len(need.Columns) == 0 && fold(n.Table) != schema.EventsName {
			return true
		}
		return fold(need.Table) == fold(n.Table) && hasColumns(need.Columns, n.Columns)
	})
}
