package bundle

import (
	"slices"
	"strings"
	"sync"

	"github.com/etl2parquet/etl2parquet/internal/engine/columns"
	"github.com/etl2parquet/etl2parquet/internal/engine/pipeline"
	"github.com/etl2parquet/etl2parquet/internal/formats/parquet"
	"github.com/etl2parquet/etl2parquet/schema"
)

// traceSink receives the rows of a trace that is being converted. Rows for files that the trace
// shares are held until the whole trace is done, so that a failed trace leaves none in shared files.
// A table with too many rows to hold gets a file of its own, which can be discarded.
type traceSink struct {
	trace string
	form  parquet.Options           // of its files
	alone bool                      // the trace shares no files: its rows are written at once
	most  int64                     // limit on the held bytes of encoded rows of a table
	begin func(*parquet.File) error // gives a file of the trace's own a writer

	mu       sync.Mutex       // guards tables, which any worker may add
	tables   []*tableSink     // of events; if alone, of all rows
	fixed    []*columns.Batch // rows of other tables, to share
	encoders idleEncoders
}

// tableSink receives the rows of one table.
type tableSink struct {
	trace *traceSink
	table *schema.Table
	ready sync.Once
	err   error

	// file encodes the rows. It is written only if it becomes the trace's own file.
	file   *parquet.File
	isOwn  bool
	groups []*parquet.EncodedGroup // in order
	bytes  int64                   // of groups
	rest   []*columns.Batch        // rows not yet in a row group, which they may share with other traces
	count  int64                   // of all rows
}

// Table implements [pipeline.Sink].
func (s *traceSink) Table(t *schema.Table) (pipeline.Writer, error) {
	table := &tableSink{trace: s, table: t}
	if s.alone {
		if err := table.ownFile(); err != nil {
			return nil, err
		}
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.tables = append(s.tables, table)
	return table, nil
}

// hold holds rows of a table that does not hold events.
func (s *traceSink) hold(b *columns.Batch) error {
	s.fixed = append(s.fixed, b)
	return nil
}

// inOrder sorts the tables, which are added when they get rows, by name.
func (s *traceSink) inOrder() []*tableSink {
	slices.SortFunc(s.tables, func(a, b *tableSink) int { return strings.Compare(a.table.Name, b.table.Name) })
	return s.tables
}

// owns reports whether a file is the trace's own.
func (s *traceSink) owns(p *parquet.File) bool {
	return slices.ContainsFunc(s.tables, func(t *tableSink) bool { return t.isOwn && t.file == p })
}

// rows returns the number of rows in tables of events.
func (s *traceSink) rows() (n int64) {
	for _, t := range s.tables {
		if schema.IsHeaderTable(t.table.Name) {
			n += t.count
		}
	}
	return n
}

// open returns the file that encodes the rows.
func (t *tableSink) open() (*parquet.File, error) {
	t.ready.Do(func() { t.file, t.err = parquet.NewFile(nil, t.table.WithTrace(), t.trace.form) })
	return t.file, t.err
}

// Encode implements [pipeline.Writer]. The last rows of a table that may share a file are not
// encoded, as they may also share a row group with rows of the next trace.
func (t *tableSink) Encode(g *pipeline.Group) (pipeline.Encoded, error) {
	if g.Last && !t.trace.alone {
		return &sinkGroup{t, nil, g.Batches}, nil
	}
	file, err := t.open()
	if err != nil {
		return nil, err
	}
	encoded, err := t.trace.encoders.encode(file, t.trace.trace, g)
	if err != nil {
		return nil, err
	}
	return &sinkGroup{t, encoded, nil}, nil
}

// sinkGroup is a row group, or the last rows.
type sinkGroup struct {
	table   *tableSink
	encoded *parquet.RowGroup
	rest    []*columns.Batch
}

// Commit implements [pipeline.Encoded].
func (g *sinkGroup) Commit() error {
	t := g.table
	if g.encoded == nil {
		for _, b := range g.rest {
			t.rest = append(t.rest, b)
			t.count += int64(b.Rows)
		}
		return nil
	}
	err := t.put(g.encoded)
	t.trace.encoders.put(g.encoded)
	return err
}

// put adds an encoded row group. The groups of a table are added in order, one call at a
// time.
func (t *tableSink) put(g *parquet.RowGroup) error {
	t.count += int64(g.Rows)
	if !t.isOwn && t.bytes+g.Size() > t.trace.most {
		if err := t.ownFile(); err != nil {
			return err
		}
	}
	if t.isOwn {
		return g.Commit()
	}
	t.bytes += g.Size()
	t.groups = append(t.groups, g.Detach())
	return nil
}

// ownFile gives the rows a file of their own.
func (t *tableSink) ownFile() error {
	file, err := t.open()
	if err != nil {
		return err
	}
	if err := t.trace.begin(file); err != nil {
		return err
	}
	t.isOwn = true
	for _, g := range t.groups {
		if err := file.Commit(g); err != nil {
			return err
		}
	}
	t.groups, t.bytes = nil, 0
	return nil
}

// finishOwn writes the last rows into the trace's own file.
func (t *tableSink) finishOwn() error {
	if len(t.rest) == 0 {
		return nil
	}
	g, err := t.trace.encoders.encode(t.file, t.trace.trace, &pipeline.Group{Batches: t.rest})
	if err != nil {
		return err
	}
	t.rest = nil
	err = g.Commit()
	t.trace.encoders.put(g)
	return err
}

// idleEncoders are the encoders that are not in use. Files share them, as there may be
// hundreds of tables.
type idleEncoders struct {
	mu   sync.Mutex
	list []*parquet.RowGroup
}

// take returns an encoder for row groups of a file.
func (e *idleEncoders) take(f *parquet.File) *parquet.RowGroup {
	e.mu.Lock()
	defer e.mu.Unlock()
	g := new(parquet.RowGroup)
	if n := len(e.list); n > 0 {
		g, e.list = e.list[n-1], e.list[:n-1]
	}
	g.Begin(f)
	return g
}

func (e *idleEncoders) put(g *parquet.RowGroup) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.list = append(e.list, g)
}

// encode encodes the rows of a row group of a file, all of one trace.
func (e *idleEncoders) encode(f *parquet.File, trace string, g *pipeline.Group) (*parquet.RowGroup, error) {
	encoded := e.take(f)
	encoded.Only = g.Only
	for _, b := range g.Batches {
		b.SetTrace(trace)
		if err := encoded.Write(b); err != nil {
			return nil, err
		}
	}
	if err := encoded.Finish(); err != nil {
		return nil, err
	}
	g.Done()
	return encoded, nil
}
