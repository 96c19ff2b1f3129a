// Package distinct keeps the set of ids that a trace has had, of any size.
package distinct

import (
	"encoding/binary"
	"fmt"
	"slices"
	"sort"
	"sync"

	"github.com/etl2parquet/etl2parquet/internal/base/temporary"
)

// Set is a set of ids. A limited number of them is in memory. Beyond the limit, they go to a
// temporary file, sorted, as a run. The answers depend neither on the limit nor on the order of the
// ids.
type Set struct {
	limit  int // of ids in memory
	create func() (*temporary.File, error)

	mu     sync.RWMutex
	recent IDs
	file   *temporary.File // nil before the first run
	runs   []run
	page   [pageIDs * idBytes]byte
}

// run is sorted ids in the file. The first id of each page is in memory.
type run struct {
	at     int64
	n      int
	firsts []uint64
}

const (
	idBytes = 8
	pageIDs = 512
	// BytesPerID is the most memory that an id takes: a table is at least a quarter full.
	BytesPerID = 4 * idBytes
)

// NewSet returns an empty set, which must be closed. Beyond the limit, ids go to a file.
func NewSet(limit int, create func() (*temporary.File, error)) *Set {
	return &Set{limit: max(limit, 1), create: create}
}

// Known reports whether an id was added before. It only looks in memory.
func (s *Set) Known(id uint64) bool {
	s.mu.RLock()
	defer s.mu.RUnlock()
	return s.recent.Has(id)
}

// Add adds an id, and reports whether it is new.
func (s *Set) Add(id uint64) (isNew bool, err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.recent.Has(id) {
		return false, nil
	}
	for i := range s.runs {
		has, err := s.inRun(&s.runs[i], id)
		if has || err != nil {
			return false, err
		}
	}
	s.recent.Add(id)
	if s.recent.Len() >= s.limit {
		err = s.spill()
	}
	return true, err
}

// inRun reports whether a run has an id.
func (s *Set) inRun(r *run, id uint64) (bool, error) {
	page := sort.Search(len(r.firsts), func(i int) bool { return r.firsts[i] > id }) - 1
	if page < 0 {
		return false, nil
	}
	n := min(r.n-page*pageIDs, pageIDs)
	b := s.page[:n*idBytes]
	if _, err := s.file.ReadAt(b, r.at+int64(page)*pageIDs*idBytes); err != nil {
		return false, fmt.Errorf("ids that have no room in memory: %w", err)
	}
	idAt := func(i int) uint64 { return binary.LittleEndian.Uint64(b[i*idBytes:]) }
	at := sort.Search(n, func(i int) bool { return idAt(i) >= id })
	return at < n && idAt(at) == id, nil
}

// spill makes a run of the ids in memory.
func (s *Set) spill() (err error) {
	if s.file == nil {
		if s.file, err = s.create(); err != nil {
			return err
		}
	}
	ids := s.recent.appendTo(nil)
	slices.Sort(ids)
	r := run{at: s.file.Size(), n: len(ids)}
	var page []byte
	for from := 0; from < len(ids) && err == nil; from += pageIDs {
		r.firsts = append(r.firsts, ids[from])
		page = page[:0]
		for _, id := range ids[from:min(from+pageIDs, len(ids))] {
			page = binary.LittleEndian.AppendUint64(page, id)
		}
		_, err = s.file.Write(page)
	}
	if err != nil {
		return fmt.Errorf("ids that have no room in memory: %w", err)
	}
	s.runs = append(s.runs, r)
	s.recent.Clear()
	return nil
}

// Close removes the file, if there is one.
func (s *Set) Close() error {
	if s.file == nil {
		return nil
	}
	return s.file.Close()
}
