package bundle

import (
	"slices"
	"strings"
	"sync"

	"github.com/parquet-go/parquet-go/compress"

	"github.com/etl2parquet/etl2parquet/internal/engine/columns"
	"github.com/etl2parquet/etl2parquet/internal/engine/pipeline"
	"github.com/etl2parquet/etl2parquet/internal/formats/parquet"
	"github.com/etl2parquet/etl2parquet/internal/lake/dataset"
	"github.com/etl2parquet/etl2parquet/schema"
)

// heldTrace is the rows of a trace that is being converted into shared files. They are
// held until the whole trace is done, so that a failed trace leaves no rows in shared
// files. If a table has too many rows to hold, they get a file of their own, which can
// be discarded.
type heldTrace struct {
	trace string
	codec compress.Codec
	most  int64 // limit on the held bytes of encoded rows of a table
	own   func(t *heldTable) error

	mu       sync.Mutex       // guards tables, which any worker may add
	tables   []*heldTable     // of events
	fixed    []*columns.Batch // rows of other tables
	encoders idleEncoders
}

// heldTable is the rows of one table.
type heldTable struct {
	trace *heldTrace
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

// Table implements [pipeline.Sink], for tables of events.
func (h *heldTrace) Table(t *schema.Table) (pipeline.Writer, error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	table := &heldTable{trace: h, table: t}
	h.tables = append(h.tables, table)
	return table, nil
}

// inOrder sorts the tables, which are added when they get rows, by name.
func (h *heldTrace) inOrder() []*heldTable {
	slices.SortFunc(h.tables, func(a, b *heldTable) int { return strings.Compare(a.table.Name, b.table.Name) })
	return h.tables
}

// open returns the file that encodes the rows.
func (t *heldTable) open() (*parquet.File, error) {
	t.ready.Do(func() { t.file, t.err = parquet.NewFile(nil, t.table.WithTrace(), t.trace.codec) })
	return t.file, t.err
}

// Encode implements [pipeline.Writer]. The last rows are not encoded, as they may share a row
// group with rows of the next trace.
func (t *heldTable) Encode(g *pipeline.Group) (pipeline.Encoded, error) {
	if g.Last {
		return &heldGroup{t, nil, g.Batches}, nil
	}
	file, err := t.open()
	if err != nil {
		return nil, err
	}
	encoded, err := t.trace.encoders.encode(file, t.trace.trace, g)
	if err != nil {
		return nil, err
	}
	return &heldGroup{t, encoded, nil}, nil
}

// heldGroup is a row group, or the last rows.
type heldGroup struct {
	table   *heldTable
	encoded *parquet.RowGroup
	rest    []*columns.Batch
}

// Commit implements [pipeline.Encoded].
func (g *heldGroup) Commit() error {
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
func (t *heldTable) put(g *parquet.RowGroup) error {
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
func (t *heldTable) ownFile() error {
	if err := t.trace.own(t); err != nil {
		return err
	}
	t.isOwn = true
	for _, g := range t.groups {
		if err := t.file.Commit(g); err != nil {
			return err
		}
	}
	t.groups, t.bytes = nil, 0
	return nil
}

// owns reports whether a file is the trace's own.
func (h *heldTrace) owns(p *parquet.File) bool {
	return slices.ContainsFunc(h.tables, func(t *heldTable) bool { return t.isOwn && t.file == p })
}

// rows returns the number of rows in tables of events.
func (h *heldTrace) rows() (n int64) {
	for _, t := range h.tables {
		if dataset.IsHeaderTable(t.table.Name) {
			n += t.count
		}
	}
	return n
}

// finishOwn writes the last rows into the trace's own file.
func (t *heldTable) finishOwn() error {
	if len(t.rest) == 0 {
		return nil
	}
	g := t.file.RowGroup()
	for _, b := range t.rest {
		b.SetTrace(t.trace.trace)
		if err := g.Write(b); err != nil {
			return err
		}
	}
	t.rest = nil
	if err := g.Finish(); err != nil {
		return err
	}
	return g.Commit()
}
