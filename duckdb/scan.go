package main

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"sync"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"
	"github.com/apache/arrow-go/v18/arrow/memory"

	"github.com/etl2parquet/etl2parquet"
)

// scan reads the rows of a binding with any number of threads: each has a cursor, which takes
// one unit after another.
type scan struct {
	of     *binding
	wanted []int // by vector: the index of its column; a larger index is DuckDB's own column
	ctx    context.Context
	stop   context.CancelFunc

	mu      sync.Mutex
	files   []file  // not yet opened
	units   []*unit // of the file opened last, not yet taken
	done    bool    // binding.fixed was taken
	cursors int     // number of cursors that have begun
}

// unit is the rows that one cursor reads: a split.
type unit struct {
	held  *held // nil if binding.fixed has the rows
	trace string
	table etl2parquet.Table
	fixed arrow.RecordBatch

	scan  etl2parquet.Scan
	from  []int         // by vector: the column of the record batches, or a constant below
	nulls []arrow.Array // by vector: NULLs, for noColumn
}

const (
	traceColumn = -1 - iota // the name of the trace
	noColumn                // the trace's table lacks the column
	ownColumn               // DuckDB requests it if it needs no column
)

func newScan(b *binding, wanted []int) *scan {
	s := &scan{of: b, wanted: wanted, files: b.files}
	s.ctx, s.stop = context.WithCancel(context.Background())
	return s
}

// threads returns the maximum number of threads.
func (s *scan) threads() int {
	if s.of.fixed != nil {
		return 1
	}
	return runtime.GOMAXPROCS(0)
}

// close implements closer. The cursors may still read the units that they have taken.
func (s *scan) close() {
	s.stop()
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, u := range s.units {
		u.close()
	}
	s.units, s.files, s.done = nil, nil, true
}

// begin counts a cursor.
func (s *scan) begin() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.cursors++
}

// take returns the next unit, or nil if there are no more. Units are ordered by file and time, so
// that a single cursor reads in that order.
func (s *scan) take() (*unit, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.of.fixed != nil && !s.done {
		s.done = true
		return &unit{fixed: s.of.fixed, from: s.wanted}, nil
	}
	for len(s.units) == 0 {
		if len(s.files) == 0 {
			return nil, nil
		}
		f := &s.files[0]
		s.files = s.files[1:]
		if err := s.open(f); err != nil {
			return nil, err
		}
	}
	u := s.units[0]
	s.units = s.units[1:]
	u.scan.Workers = max(1, runtime.GOMAXPROCS(0)/s.cursors)
	u.scan.Memory = int64(u.scan.Workers) * memoryPerWorker
	return u, nil
}

// memoryPerWorker is the memory of a scan for each of its goroutines. All scans of a query together
// have about one goroutine per processor.
const memoryPerWorker = 128 << 20

// open opens a trace and makes its units. A trace without the table has no units.
func (s *scan) open(f *file) error {
	h, err := f.open(&s.of.descriptions)
	if err != nil {
		return err
	}
	defer traces.release(h)
	table, err := h.Table(s.of.scan.Table)
	if errors.Is(err, etl2parquet.ErrNoTable) {
		return nil
	}
	if err != nil {
		return err
	}
	u := unit{held: h, trace: f.trace, table: table, scan: s.of.scan}
	if err := s.project(&u); err != nil {
		return named(f.path, err)
	}
	if u.countsRows(s.of) {
		s.add(u)
		return nil
	}
	splits, err := h.Splits(s.ctx, s.of.scan, splitsOf(f.size))
	if err != nil {
		return err
	}
	for i := range splits {
		u.scan = etl2parquet.Scan{Columns: u.scan.Columns, Split: splits[i].Token}
		s.add(u)
	}
	return nil
}

func (s *scan) add(u unit) {
	traces.share(u.held)
	s.units = append(s.units, &u)
}

// splitSize is the approximate size of the splits of a large trace: large enough to amortize the
// cost of a split, and small enough for threads to end at about the same time.
const splitSize = 16 << 20

// splitsOf returns the maximum number of splits of a trace.
func splitsOf(size int64) int { return int(min(size/splitSize, 1024)) + 1 }

// project chooses the columns of a unit.
func (s *scan) project(u *unit) error {
	fields := u.table.Schema
	u.scan.Columns = []string{}
	u.from, u.nulls = make([]int, len(s.wanted)), make([]arrow.Array, len(s.wanted))
	for i, w := range s.wanted {
		var known []arrow.Field
		if w >= 0 && w < len(s.of.columns) {
			known, _ = fields.FieldsByName(s.of.columns[w].Name)
		}
		switch {
		case w < 0 || w >= len(s.of.columns):
			u.from[i] = ownColumn
		case w == 0:
			u.from[i] = traceColumn
		case len(known) == 0:
			u.from[i] = noColumn
			u.nulls[i] = array.MakeArrayOfNull(memory.DefaultAllocator, s.of.columns[w].Type, vectorSize())
		case logicalName(known[0].Type) != logicalName(s.of.columns[w].Type):
			return fmt.Errorf("column %s: %w", known[0].Name, errFileChanged) // its values would not fit the vector
		default:
			u.from[i] = len(u.scan.Columns)
			u.scan.Columns = append(u.scan.Columns, s.of.columns[w].Name)
		}
	}
	if len(u.scan.Columns) == 0 && !u.countsRows(s.of) {
		u.scan.Columns = []string{cheapest(fields)}
	}
	return nil
}

// countsRows reports whether only the number of rows is needed, and known.
func (u *unit) countsRows(b *binding) bool {
	return len(u.scan.Columns) == 0 && u.table.Rows >= 0 && !b.selects()
}

// cheapest returns a column that costs little to read, for a scan that only counts rows.
func cheapest(s *arrow.Schema) string {
	for _, f := range s.Fields() {
		if _, ok := f.Type.(arrow.FixedWidthDataType); ok && !f.Nullable {
			return f.Name
		}
	}
	return s.Field(0).Name
}

// close releases the trace. No reader of the unit may be open.
func (u *unit) close() {
	if u.held != nil {
		traces.release(u.held)
	}
}
