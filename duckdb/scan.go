package main

import (
	"context"
	"errors"
	"runtime"
	"slices"
	"sync"

	"github.com/apache/arrow-go/v18/arrow"

	"github.com/etl2parquet/etl2parquet"
	"github.com/etl2parquet/etl2parquet/internal/base/goroutine"
)

// scan reads the rows of a binding with any number of threads: each has a cursor, which takes
// one unit after another.
type scan struct {
	of     *binding
	wanted []int // by vector: the index of its column; a larger index is DuckDB's own column
	ctx    context.Context
	stop   context.CancelFunc

	mu       sync.Mutex
	inputs   []input    // not yet being opened
	openings []*opening // of the inputs before, in their order
	units    []*unit    // of the inputs before those, not yet taken
	finished int        // inputs whose units are, or were, in units
	done     bool       // the scan is closed, or binding.fixed was taken
	cursors  int        // number of cursors that have begun
}

// opening is an input that is being opened.
type opening struct {
	done  chan struct{} // closed when units or err are set
	units []*unit
	err   error
}

// unit is the rows that one cursor reads: a split of a trace.
type unit struct {
	held  *held // nil if binding.fixed has the rows
	trace *heldTrace
	name  string // of the trace
	table etl2parquet.Table
	fixed arrow.RecordBatch

	scan etl2parquet.Scan
	from []int // by vector: the column of the record batches, or a constant below
}

const (
	traceColumn    = -1 - iota // the name of the trace
	filenameColumn             // the name of the file
	ownColumn                  // DuckDB requests it if it needs no column
)

func newScan(b *binding, wanted []int) *scan {
	s := &scan{of: b, wanted: wanted, inputs: b.inputs}
	s.ctx, s.stop = context.WithCancel(context.Background())
	return s
}

// threads returns the maximum number of threads: one for each split.
func (s *scan) threads() int {
	if s.of.fixed != nil {
		return 1
	}
	n := 0
	for i := range s.inputs {
		n += splitsOf(s.inputs[i].Size)
	}
	return min(n, runtime.GOMAXPROCS(0))
}

// close implements closer. The cursors may still read the units that they have taken.
func (s *scan) close() {
	s.stop()
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, u := range s.units {
		u.close()
	}
	s.units, s.inputs, s.done = nil, nil, true
	for _, o := range s.openings {
		select {
		case <-o.done:
			o.close()
		default: // open closes it
		}
	}
	s.openings = nil
}

// begin counts a cursor.
func (s *scan) begin() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.cursors++
}

// take returns the next unit, or nil if there are no more. Units are ordered by input, trace and time,
// so that a single cursor reads in that order.
func (s *scan) take() (*unit, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.of.fixed != nil && !s.done {
		s.done = true
		return &unit{fixed: s.of.fixed, from: s.wanted}, nil
	}
	for len(s.units) == 0 {
		s.openAhead()
		if len(s.openings) == 0 {
			return nil, nil
		}
		o := s.openings[0]
		select {
		case <-o.done:
			s.openings = s.openings[1:]
			s.finished++
			if o.err != nil {
				return nil, o.err
			}
			s.units = o.units
		default:
			s.mu.Unlock()
			<-o.done
			s.mu.Lock()
		}
	}
	u := s.units[0]
	if s.units = s.units[1:]; s.finished > 1 { // a query that ends within its first input opens no other
		s.openAhead()
	}
	u.scan.Workers = max(1, runtime.GOMAXPROCS(0)/s.cursors)
	u.scan.Memory = int64(u.scan.Workers) * memoryPerWorker
	return u, nil
}

// openAhead opens the next inputs on other goroutines: a large one alone, because its index is made by
// all processors.
func (s *scan) openAhead() {
	for len(s.inputs) > 0 && len(s.openings) <= min(s.finished, runtime.GOMAXPROCS(0)) {
		in := &s.inputs[0]
		if len(s.openings) > 0 && in.Size > splitSize {
			return
		}
		s.inputs = s.inputs[1:]
		o := &opening{done: make(chan struct{})}
		s.openings = append(s.openings, o)
		go s.open(in, o)
	}
}

// memoryPerWorker is the memory of a scan for each of its goroutines. All scans of a query together
// have about one goroutine per processor.
const memoryPerWorker = 64 << 20

// open opens an input and makes its units. A trace without the table has none.
func (s *scan) open(in *input, o *opening) {
	o.err = goroutine.Guard(func() error {
		h, err := s.of.take(in)
		if err != nil || h == nil {
			return err
		}
		defer openInputs.release(h)
		for _, t := range h.traces {
			if err := s.split(h, t, o); err != nil {
				return err
			}
		}
		return nil
	})
	s.mu.Lock()
	defer s.mu.Unlock()
	close(o.done)
	if s.done {
		o.close()
	}
}

// split makes the units of a trace.
func (s *scan) split(h *held, t *heldTrace, o *opening) error {
	table, err := t.Table(s.of.scan.Table)
	if errors.Is(err, etl2parquet.ErrNoTable) {
		return nil
	}
	if err == nil {
		err = s.of.checkDamage(t)
	}
	if err != nil {
		return err
	}
	u := unit{held: h, trace: t, name: s.of.nameOf(t), table: table, scan: s.of.scan}
	s.project(&u)
	if u.countsRows(s.of) {
		o.add(u)
		return nil
	}
	whole := s.of.scan
	whole.As = nil
	splits, err := t.Splits(s.ctx, whole, splitsOf(t.size))
	if err != nil {
		return named(t.name, err)
	}
	for i := range splits {
		u.scan = etl2parquet.Scan{Columns: u.scan.Columns, As: s.of.scan.As, Split: splits[i].Token}
		o.add(u)
	}
	return nil
}

func (o *opening) add(u unit) {
	openInputs.share(u.held)
	o.units = append(o.units, &u)
}

func (o *opening) close() {
	for _, u := range o.units {
		u.close()
	}
	o.units = nil
}

// splitSize is the approximate size of the splits of a large trace: large enough to amortize the
// cost of a split, and small enough for threads to end at about the same time.
const splitSize = 16 << 20

// splitsOf returns the maximum number of splits of a trace.
func splitsOf(size int64) int { return int(min(max(size, 0)/splitSize, 1024)) + 1 }

// timestampColumn is the time of an event in microseconds, and timeColumn the same in nanoseconds.
const (
	timestampColumn = "timestamp"
	timeColumn      = "time_ns"
)

// project chooses the columns of a unit.
func (s *scan) project(u *unit) {
	columns := []string{}
	u.from = make([]int, len(s.wanted))
	for i, w := range s.wanted {
		switch {
		case w < 0 || w >= len(s.of.columns):
			u.from[i] = ownColumn
		case w == 0:
			u.from[i] = traceColumn
		case s.of.filename != "" && w == len(s.of.columns)-1:
			u.from[i] = filenameColumn
		default:
			name := s.source(s.of.columns[w].Name)
			if u.from[i] = slices.Index(columns, name); u.from[i] < 0 {
				u.from[i] = len(columns)
				columns = append(columns, name)
			}
		}
	}
	u.scan.Columns = columns
	if len(columns) == 0 && !u.countsRows(s.of) {
		u.scan.Columns = []string{cheapest(u.table.Schema)}
	}
}

// source returns the column that has the values of a column: with times in nanoseconds, that of an
// event has its own.
func (s *scan) source(column string) string {
	if s.of.nanos && column == timestampColumn && s.of.scan.As.Column(timeColumn) >= 0 {
		return timeColumn
	}
	return column
}

// scale returns what the times of a column are multiplied by.
func (b *binding) scale() int64 {
	if b.nanos {
		return 1000
	}
	return 1
}

// countsRows reports whether only the number of rows is needed, and known.
func (u *unit) countsRows(b *binding) bool {
	return len(u.scan.Columns) == 0 && u.table.Rows >= 0 && b.scan.IsAll()
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

// close releases the input. No reader of the unit may be open.
func (u *unit) close() {
	if u.held != nil {
		openInputs.release(u.held)
	}
}
