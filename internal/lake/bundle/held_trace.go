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

// heldTrace is the rows of a trace that is being converted into files of
// several traces. They are held until all of the trace is done, so that one
// that fails leaves none in the files of others. Where they are too many, its
// rows of that table get a file of their own, which can be discarded.
type heldTrace struct {
	trace string
	codec compress.Codec
	most  int64 // bytes of encoded rows of a table that are held
	own   func(t *heldTable) error

	mu       sync.Mutex       // while tables are added, by any worker
	tables   []*heldTable     // of the events
	fixed    []*columns.Batch // rows of other tables
	encoders idleEncoders
}

// heldTable is the rows of one table.
type heldTable struct {
	trace *heldTrace
	table *schema.Table
	ready sync.Once
	err   error

	// file encodes the rows; it is written only if it is the trace's own.
	file   *parquet.File
	isOwn  bool
	groups []*parquet.EncodedGroup // in their order
	bytes  int64                   // of groups
	rest   []*columns.Batch        // rows that are no row group yet; with those of other traces they may be
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

// inOrder brings the tables, which come as they have rows, into an order.
func (h *heldTrace) inOrder() []*heldTable {
	slices.SortFunc(h.tables, func(a, b *heldTable) int { return strings.Compare(a.table.Name, b.table.Name) })
	return h.tables
}

// open returns the file that encodes the rows.
func (t *heldTable) open() (*parquet.File, error) {
	t.ready.Do(func() { t.file, t.err = parquet.NewFile(nil, t.table.WithTrace(), t.trace.codec) })
	return t.file, t.err
}

// Encode implements [pipeline.Writer]. What is left in the end is not encoded: the rows of
// the next trace may join it.
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

// heldGroup is a row group, or what is left in the end.
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

// put takes an encoded row group. Those of a table come one after another, in
// order.
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

// rows returns how many rows there are in tables of events.
func (h *heldTrace) rows() (n int64) {
	for _, t := range h.tables {
		if dataset.IsHeaderTable(t.table.Name) {
			n += t.count
		}
	}
	return n
}

// finishOwn writes what is left into the trace's own file.
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
