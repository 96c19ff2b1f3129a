package bench

import (
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"sync"

	"github.com/etl2parquet/etl2parquet/internal/engine/columns"
	"github.com/etl2parquet/etl2parquet/internal/engine/pipeline"
	"github.com/etl2parquet/etl2parquet/internal/formats/parquet"
	"github.com/etl2parquet/etl2parquet/schema"
)

const (
	// heldBytes is how many bytes of columns are held before they are encoded. It is within
	// the least memory of a conversion.
	heldBytes = 64 << 20
	groupRows = 128 << 10 // of a row group, as in a conversion
)

// held is a sink that holds columns until there are enough to be measured: how long it takes
// to copy, encode and write them.
type held struct {
	ctx     context.Context
	trace   string
	folder  string // for what is written
	workers []int
	ledger  *ledger
	tables  []*heldTable
	bytes   int64
	done    []*pipeline.Group // to be given back
	files   map[run]*os.File
	idle    chan *parquet.RowGroup
	copies  chan *copier

	columnBytes, parquetBytes int64 // of the whole trace
}

// heldTable is the columns of a table, as they come.
type heldTable struct {
	of      *held
	table   *schema.Table // with the trace
	batches []*columns.Batch
	rows    int
}

func newHeld(ctx context.Context, folder string, workers []int, l *ledger) *held {
	most := 0
	for _, n := range workers {
		most = max(most, n)
	}
	h := &held{ctx: ctx, trace: "trace", folder: folder, workers: workers, ledger: l, files: make(map[run]*os.File)}
	h.idle, h.copies = make(chan *parquet.RowGroup, most), make(chan *copier, most)
	for range most {
		h.idle <- new(parquet.RowGroup)
		h.copies <- new(copier)
	}
	return h
}

// Table implements [pipeline.Sink].
func (h *held) Table(t *schema.Table) (pipeline.Writer, error) {
	table := &heldTable{of: h, table: t.WithTrace()}
	h.tables = append(h.tables, table)
	return table, nil
}

// Encode implements [pipeline.Writer]. The pass has one worker, so that nothing else runs
// while something is measured.
func (t *heldTable) Encode(g *pipeline.Group) (pipeline.Encoded, error) {
	h := t.of
	for _, b := range g.Batches {
		h.bytes += b.Memory()
		b.SetTrace(h.trace)
		t.rows += b.Rows
	}
	t.batches = append(t.batches, g.Batches...)
	h.done = append(h.done, g)
	if h.bytes >= heldBytes {
		return nothing{}, h.measure()
	}
	return nothing{}, nil
}

// nothing is a row group without anything left to do.
type nothing struct{}

// Commit implements [pipeline.Encoded].
func (nothing) Commit() error { return nil }

// group is the rows of a row group, and the file it is for.
type group struct {
	file    *parquet.File
	batches []*columns.Batch
}

// measure measures what is held, with each number of workers, and gives it back.
func (h *held) measure() error {
	codec, err := parquet.NewCodec(parquet.DefaultCompression)
	if err != nil {
		return err
	}
	for i, n := range h.workers {
		if err := h.ctx.Err(); err != nil {
			return err
		}
		groups, outputs := []group(nil), make([]output, len(h.tables))
		for i, t := range h.tables {
			file, err := parquet.NewFile(&outputs[i], t.table, codec)
			if err != nil {
				return err
			}
			groups = t.appendGroups(groups, file)
		}
		if err := h.measureWith(n, groups, outputs); err != nil {
			return err
		}
		if i == 0 {
			for i := range outputs {
				h.parquetBytes += int64(len(outputs[i].data))
			}
		}
	}
	h.columnBytes += h.bytes
	h.release()
	return nil
}

func (h *held) measureWith(n int, groups []group, outputs []output) error {
	for _, stage := range []struct {
		name  Stage
		count int
		do    func(i int) error
	}{
		{Scatter, len(groups), func(i int) error { return h.scatter(&groups[i]) }},
		{Encode, len(groups), func(i int) error { return h.encode(&groups[i]) }},
		{Write, 1, func(int) error { return h.write(n, outputs) }},
	} {
		cost, err := measure(n, func() error { return share(n, stage.count, stage.do) })
		if err != nil {
			return err
		}
		h.ledger.add(stage.name, n, cost)
	}
	return nil
}

// appendGroups divides the rows of a table into row groups.
func (t *heldTable) appendGroups(list []group, file *parquet.File) []group {
	rows := 0
	for _, b := range t.batches {
		if rows == 0 || rows+b.Rows > groupRows {
			list = append(list, group{file: file})
			rows = 0
		}
		g := &list[len(list)-1]
		g.batches = append(g.batches, b)
		rows += b.Rows
	}
	return list
}

// encode encodes a row group. Those of a file are committed in any order: the file is
// measured, not read.
func (h *held) encode(g *group) error {
	e := <-h.idle
	defer func() { h.idle <- e }()
	e.Begin(g.file)
	for _, b := range g.batches {
		if err := e.Write(b); err != nil {
			return err
		}
	}
	if err := e.Finish(); err != nil {
		return err
	}
	return e.Commit()
}

// write writes what was encoded to a file.
func (h *held) write(workers int, outputs []output) error {
	key := run{Write, workers}
	f := h.files[key]
	if f == nil {
		var err error
		if f, err = os.Create(filepath.Join(h.folder, "workers"+strconv.Itoa(workers))); err != nil {
			return err
		}
		h.files[key] = f
	}
	for i := range outputs {
		if _, err := f.Write(outputs[i].data); err != nil {
			return err
		}
	}
	return nil
}

// release gives the columns back.
func (h *held) release() {
	for _, g := range h.done {
		g.Done()
	}
	h.done, h.bytes = h.done[:0], 0
	for _, t := range h.tables {
		clear(t.batches)
		t.batches = t.batches[:0]
	}
}

// finish measures what is left, and syncs and removes what was written. It is to be called
// even if the pass failed.
func (h *held) finish(pass error) error {
	if pass == nil {
		pass = h.measure()
	}
	h.release()
	for _, n := range h.workers {
		f := h.files[run{Write, n}]
		if f == nil {
			continue
		}
		cost, err := measure(n, f.Sync)
		h.ledger.add(Write, n, cost)
		pass = errors.Join(pass, err, f.Close(), os.Remove(f.Name()))
	}
	return pass
}

// rows returns the rows of all tables, and how many tables have any.
func (h *held) rowCount() (rows, tables int64) {
	for _, t := range h.tables {
		rows += int64(t.rows)
		if t.rows > 0 {
			tables++
		}
	}
	return rows, tables
}

// output is a file in memory.
type output struct {
	mu   sync.Mutex
	data []byte
}

var _ io.Writer = (*output)(nil)

// Write implements [io.Writer].
func (o *output) Write(p []byte) (int, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.data = append(o.data, p...)
	return len(p), nil
}
