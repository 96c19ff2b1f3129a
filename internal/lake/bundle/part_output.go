package bundle

import (
	"context"
	"maps"
	"slices"
	"sync"

	"golang.org/x/sync/errgroup"

	"github.com/etl2parquet/etl2parquet/internal/engine/columns"
	"github.com/etl2parquet/etl2parquet/internal/engine/columns/widen"
	"github.com/etl2parquet/etl2parquet/internal/engine/pipeline"
	"github.com/etl2parquet/etl2parquet/internal/formats/parquet"
	"github.com/etl2parquet/etl2parquet/internal/lake/dataset"
	"github.com/etl2parquet/etl2parquet/internal/lake/store"
	"github.com/etl2parquet/etl2parquet/schema"
)

// partOutput writes the files of a part. Traces are added one after another; a row group may have
// rows of several traces.
type partOutput struct {
	*dataset.Output
	form parquet.Options
	most int64 // limit on waiting

	tables  map[string][]*partFile // by table: mostly one, with the columns of all traces
	columns int                    // number of columns in all files

	lock    sync.Mutex // files may be opened, and written, by any worker
	waiting int64      // bytes of all files' rest
	err     error      // of the output: the part is unusable
}

// partFile is a file with rows of several traces.
type partFile struct {
	file     *parquet.File  // without a writer until it has a row group
	table    *schema.Table  // of its rows, without the trace
	rest     *columns.Batch // rows that are not yet in a row group
	bytes    int64          // of rest
	trace    string         // the last trace in rest
	unsorted bool           // traces in rest are not in the order of their names
}

func (d *Dataset) newPartOutput(name string, form parquet.Options, most int64) *partOutput {
	return &partOutput{Output: d.NewOutput(name), form: form, most: most, tables: make(map[string][]*partFile)}
}

// partWriter records write errors in the output: they are not errors of the trace that is being
// added.
type partWriter struct {
	store.File
	output *partOutput
}

func (w partWriter) Write(p []byte) (int, error) {
	n, err := w.File.Write(p)
	if err != nil {
		w.output.fail(err)
	}
	return n, err
}

// fail records an error that makes the part unusable, and returns it.
func (o *partOutput) fail(err error) error {
	o.lock.Lock()
	defer o.lock.Unlock()
	if o.err == nil {
		o.err = err
	}
	return err
}

// lost returns the error that made the part unusable, or nil.
func (o *partOutput) lost() error {
	o.lock.Lock()
	defer o.lock.Unlock()
	return o.err
}

// open opens the next file of a table.
func (o *partOutput) open(ctx context.Context, p *parquet.File) error {
	f, err := o.Create(ctx, p)
	if err != nil {
		return o.fail(err)
	}
	p.SetWriter(partWriter{f, o})
	return nil
}

// add adds the rows of a converted trace. An error makes the part unusable.
func (o *partOutput) add(ctx context.Context, s *traceSink) error {
	for _, t := range s.inOrder() {
		if err := o.addTable(ctx, t); err != nil {
			return o.fail(err)
		}
	}
	for _, b := range s.fixed {
		part, err := o.file(b.Table)
		if err == nil {
			err = o.addRows(ctx, part, b, s.trace)
		}
		if err != nil {
			return o.fail(err)
		}
	}
	return o.relieve(ctx)
}

// addTable adds the rows of one table: first its encoded row groups, then the remaining rows,
// which may share a row group with rows of the next trace.
func (o *partOutput) addTable(ctx context.Context, t *tableSink) error {
	switch {
	case t.isOwn:
		return t.finishOwn()
	case len(t.groups) == 0 && len(t.rest) == 0:
		return nil
	}
	part, err := o.fileOf(t)
	if err != nil {
		return err
	}
	if len(t.groups) > 0 {
		if err := o.flush(ctx, part, false); err != nil {
			return err
		}
	}
	for _, g := range t.groups {
		if err := o.write(ctx, part, g); err != nil {
			return err
		}
	}
	for _, b := range t.rest {
		if err := o.addRows(ctx, part, b, t.trace.trace); err != nil {
			return err
		}
	}
	return nil
}

// fileOf returns the file for the rows of a trace's table. Rows that are encoded already need a file
// of the same columns.
func (o *partOutput) fileOf(t *tableSink) (*partFile, error) {
	if len(t.groups) == 0 {
		return o.file(t.table)
	}
	for _, p := range o.tables[t.table.Name] {
		if p.file.Table.SameColumns(t.file.Table) {
			return p, nil
		}
	}
	return o.begin(t.file, t.table), nil
}

// file returns a file that takes the rows of a table. A file gets further columns as long as none of
// its rows is written.
func (o *partOutput) file(t *schema.Table) (*partFile, error) {
	with := t.WithTrace()
	for _, p := range o.tables[t.Name] {
		if p.file.Table.Event != with.Event || !slices.Equal(p.file.Table.SortBy, with.SortBy) {
			continue
		}
		wide := p.table.Widen(t)
		if wide == p.table {
			return p, nil
		}
		if !p.file.HasWriter() {
			return p, o.widen(p, wide)
		}
	}
	file, err := parquet.NewFile(nil, with, o.form)
	if err != nil {
		return nil, err
	}
	return o.begin(file, t), nil
}

// begin begins a file of a table.
func (o *partOutput) begin(file *parquet.File, t *schema.Table) *partFile {
	p := &partFile{file: file, table: t, rest: columns.NewBatch(file.Table)}
	o.tables[file.Table.Name] = append(o.tables[file.Table.Name], p)
	o.columns += file.Columns()
	return p
}

// widen gives a file without written rows the columns of a wider table.
func (o *partOutput) widen(p *partFile, wide *schema.Table) error {
	with := wide.WithTrace()
	file, err := parquet.NewFile(nil, with, o.form)
	if err != nil {
		return err
	}
	o.columns += file.Columns() - p.file.Columns()
	p.file, p.table, p.rest = file, wide, widen.Batch(p.rest, with)
	return nil
}

// addRows adds rows of a trace to the rows that are not yet in a row group.
func (o *partOutput) addRows(ctx context.Context, p *partFile, b *columns.Batch, trace string) error {
	if !b.Table.SameColumns(p.table) {
		b = widen.Batch(b, p.table)
	}
	if p.rest.Rows > 0 && (p.rest.Rows+b.Rows > pipeline.GroupRows || p.bytes+b.Memory() > pipeline.GroupBytes) {
		if err := o.flush(ctx, p, false); err != nil {
			return err
		}
	}
	p.unsorted = p.unsorted || p.rest.Rows > 0 && trace < p.trace
	p.trace = trace
	p.rest.Append(b)
	column := &p.rest.Columns[0]
	columns.Repeat(&column.Codes, p.rest.Texts.Text(trace), b.Rows)
	bytes := p.rest.Memory()
	o.wait(bytes - p.bytes)
	p.bytes = bytes
	return nil
}

// wait adds to the count of waiting bytes.
func (o *partOutput) wait(more int64) {
	o.lock.Lock()
	defer o.lock.Unlock()
	o.waiting += more
}

// flush writes the waiting rows of a file as a row group, which may be the last of the file.
func (o *partOutput) flush(ctx context.Context, p *partFile, last bool) error {
	if p.rest.Rows == 0 {
		return nil
	}
	g := p.file.RowGroup()
	g.Only = last && !p.file.HasWriter()
	if err := g.Write(p.rest); err != nil {
		return err
	}
	if err := g.Finish(); err != nil {
		return err
	}
	g.Unsorted = p.unsorted
	o.wait(-p.bytes)
	p.bytes, p.unsorted = 0, false
	p.rest = columns.NewBatch(p.file.Table) // reusing the old one would keep its memory for every table
	return o.write(ctx, p, &g.EncodedGroup)
}

// write writes a row group.
func (o *partOutput) write(ctx context.Context, p *partFile, g *parquet.EncodedGroup) error {
	if !p.file.HasWriter() {
		if err := o.open(ctx, p.file); err != nil {
			return err
		}
	}
	return p.file.Commit(g)
}

// relieve flushes the tables with most waiting bytes until the limit holds.
func (o *partOutput) relieve(ctx context.Context) error {
	for o.waiting > o.most {
		var largest *partFile
		for _, table := range o.names() {
			for _, p := range o.tables[table] {
				if largest == nil || p.bytes > largest.bytes {
					largest = p
				}
			}
		}
		if err := o.flush(ctx, largest, false); err != nil {
			return o.fail(err)
		}
	}
	return nil
}

// names returns the names of the tables that have files, sorted.
func (o *partOutput) names() []string { return slices.Sorted(maps.Keys(o.tables)) }

// flushAll writes the last row groups of all files, several at a time.
func (o *partOutput) flushAll(ctx context.Context, workers int) error {
	var g errgroup.Group
	g.SetLimit(workers)
	for _, parts := range o.tables {
		g.Go(func() error {
			for _, p := range parts { // sequentially, because files are numbered
				if err := o.flush(ctx, p, true); err != nil {
					return o.fail(err)
				}
			}
			return nil
		})
	}
	return g.Wait()
}

// Limits of a bundle, whatever its target size: all its files are open at the same time, and
// each of their columns takes memory.
const (
	maxBundleFiles   = 1024
	maxBundleColumns = 1 << 17
	maxBundleRecord  = dataset.MaxRecord / 4 // estimated bytes
)

// isFull reports whether the bundle has reached a limit.
func (o *partOutput) isFull() bool {
	parts := 0
	for _, p := range o.tables {
		parts += len(p)
	}
	return max(parts, o.Len()) >= maxBundleFiles || o.columns >= maxBundleColumns
}
