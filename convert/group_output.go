package convert

import (
	"context"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"sync"

	"github.com/parquet-go/parquet-go/compress"
	"golang.org/x/sync/errgroup"

	"github.com/etl2parquet/etl2parquet/internal/columns"
	"github.com/etl2parquet/etl2parquet/internal/parquet"
	"github.com/etl2parquet/etl2parquet/internal/store"
	"github.com/etl2parquet/etl2parquet/schema"
)

// groupOutput is the files of a group of traces while they are written. The
// traces are added one after another; a row group may have rows of several.
type groupOutput struct {
	dataset *Dataset
	name    string
	codec   compress.Codec
	memory  int64 // bytes of rows that may wait to be a row group

	parts   map[string][]*groupPart // by table: one for each set of columns
	columns int                     // of all parts

	mu      sync.Mutex     // files may be opened, and written, by any worker
	waiting int64          // bytes of the parts' rest
	opened  map[string]int // files by table; those that differ in case only can share a folder
	files   []*outputFile
	err     error // of the output: the group is lost
}

// groupPart is a file for rows of several traces.
type groupPart struct {
	file     *parquet.File  // without a writer until it has a row group
	rest     *columns.Batch // rows that are no row group yet
	bytes    int64          // of rest
	trace    string         // the last in rest
	unsorted bool           // traces in rest are not in the order of their names
}

// shareWaiting is the part of memory that rows may take that wait for more.
const shareWaiting = 16

func (d *Dataset) beginGroup(name string, c compress.Codec, memory int64) *groupOutput {
	return &groupOutput{dataset: d, name: name, codec: c, memory: memory / shareWaiting, parts: make(map[string][]*groupPart), opened: make(map[string]int)}
}

// groupWriter tells the group if a file cannot be written: that is no fault of
// the trace at hand.
type groupWriter struct {
	store.File
	group *groupOutput
}

func (w groupWriter) Write(p []byte) (int, error) {
	n, err := w.File.Write(p)
	if err != nil {
		w.group.fail(err)
	}
	return n, err
}

// fail remembers an error that costs the group, and returns it.
func (o *groupOutput) fail(err error) error {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.err == nil {
		o.err = err
	}
	return err
}

// lost returns the error that costs the group, nil if there is none.
func (o *groupOutput) lost() error {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.err
}

// groupFileName is what files of groups are called.
var groupFileName = regexp.MustCompile(`^part-([0-9a-f]{16})(?:_[1-9][0-9]*)?\.parquet$`)

func isGroupName(name string) bool { return traceOfFile(groupFile("", name, 0)) == name }

// groupFile is the name of a file of a group; most tables have one.
func groupFile(table, group string, number int) string {
	if number > 0 {
		group = fmt.Sprintf("%s_%d", group, number) // sorts behind the first
	}
	return table + "/part-" + group + ".parquet"
}

// create opens the next file of a table.
func (o *groupOutput) create(ctx context.Context, table string, p *parquet.File) error {
	o.mu.Lock()
	folder := foldCase(table)
	path := groupFile(table, o.name, o.opened[folder])
	o.opened[folder]++
	o.mu.Unlock()
	file, err := o.dataset.store.Create(ctx, path)
	if err != nil {
		return o.fail(err)
	}
	p.SetWriter(groupWriter{file, o})
	o.mu.Lock()
	defer o.mu.Unlock()
	o.files = append(o.files, &outputFile{File: file, table: table, path: path, parquet: p})
	return nil
}

// discard gives up the files that a trace has of its own. They are the last of
// their tables.
func (o *groupOutput) discard(ctx context.Context, h *heldTrace) error {
	own := make(map[*parquet.File]bool)
	for _, t := range h.tables {
		own[t.file] = t.isOwn
	}
	o.mu.Lock()
	defer o.mu.Unlock()
	var gone []*outputFile
	o.files = slices.DeleteFunc(o.files, func(f *outputFile) bool {
		if !own[f.parquet] {
			return false
		}
		gone = append(gone, f)
		o.opened[foldCase(f.table)]--
		return true
	})
	return together(gone, func(f *outputFile) error { return f.Discard(ctx) })
}

// add adds the rows of a trace that is done. An error costs the group.
func (o *groupOutput) add(ctx context.Context, h *heldTrace) error {
	for _, t := range h.inOrder() {
		if err := o.addTable(ctx, t); err != nil {
			return o.fail(err)
		}
	}
	for _, b := range h.fixed {
		part, err := o.part(b.Table, nil)
		if err == nil {
			err = o.addRows(ctx, part, b, h.trace)
		}
		if err != nil {
			return o.fail(err)
		}
	}
	return o.relieve(ctx)
}

// addTable adds the rows of one table: those that are row groups already, and
// then the others, to which those of the next trace are added.
func (o *groupOutput) addTable(ctx context.Context, t *heldTable) error {
	switch {
	case t.isOwn:
		return t.finishOwn()
	case len(t.groups) == 0 && len(t.rest) == 0:
		return nil
	}
	part, err := o.part(t.table, t.file)
	if err != nil {
		return err
	}
	if len(t.groups) > 0 {
		if err := o.flush(ctx, part); err != nil {
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

// part returns the part for the rows of a table. A new one takes file, if there
// is one.
func (o *groupOutput) part(t *schema.Table, file *parquet.File) (*groupPart, error) {
	with := t.WithTrace()
	for _, p := range o.parts[t.Name] {
		if p.file.Table.SameColumns(with) {
			return p, nil
		}
	}
	if file == nil {
		var err error
		if file, err = parquet.NewFile(nil, with, o.codec); err != nil {
			return nil, err
		}
	}
	p := &groupPart{file: file, rest: columns.NewBatch(file.Table)}
	o.parts[t.Name] = append(o.parts[t.Name], p)
	o.columns += file.Columns()
	return p, nil
}

// addRows adds rows of a trace to those that wait to be a row group.
func (o *groupOutput) addRows(ctx context.Context, p *groupPart, b *columns.Batch, trace string) error {
	if p.rest.Rows > 0 && (p.rest.Rows+b.Rows > groupRows || p.bytes+b.Memory() > groupBytes) {
		if err := o.flush(ctx, p); err != nil {
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

// wait counts the bytes of rows that wait.
func (o *groupOutput) wait(more int64) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.waiting += more
}

// flush makes a row group of the rows that wait.
func (o *groupOutput) flush(ctx context.Context, p *groupPart) error {
	if p.rest.Rows == 0 {
		return nil
	}
	g := p.file.RowGroup()
	if err := g.Write(p.rest); err != nil {
		return err
	}
	if err := g.Finish(); err != nil {
		return err
	}
	g.Unsorted = p.unsorted
	o.wait(-p.bytes)
	p.bytes, p.unsorted = 0, false
	p.rest = columns.NewBatch(p.file.Table) // the room of the old one would be kept by every table
	return o.write(ctx, p, &g.EncodedGroup)
}

// write writes a row group.
func (o *groupOutput) write(ctx context.Context, p *groupPart, g *parquet.EncodedGroup) error {
	if !p.file.HasWriter() {
		if err := o.create(ctx, p.file.Table.Name, p.file); err != nil {
			return err
		}
	}
	return p.file.Commit(g)
}

// relieve makes row groups of the largest parts while too much is waiting.
func (o *groupOutput) relieve(ctx context.Context) error {
	for o.waiting > o.memory {
		var largest *groupPart
		for _, table := range o.tables() {
			for _, p := range o.parts[table] {
				if largest == nil || p.bytes > largest.bytes {
					largest = p
				}
			}
		}
		if err := o.flush(ctx, largest); err != nil {
			return o.fail(err)
		}
	}
	return nil
}

// tables returns the names of the tables that have parts, sorted.
func (o *groupOutput) tables() []string { return slices.Sorted(maps.Keys(o.parts)) }

// flushAll makes row groups of all rows that wait, several tables at a time.
func (o *groupOutput) flushAll(ctx context.Context, workers int) error {
	var g errgroup.Group
	g.SetLimit(workers)
	for _, parts := range o.parts {
		g.Go(func() error {
			for _, p := range parts { // one after another: their files are numbered
				if err := o.flush(ctx, p); err != nil {
					return o.fail(err)
				}
			}
			return nil
		})
	}
	return g.Wait()
}

// What a group may have at most before it is committed, whatever its size: its
// files are begun at the same time, and all columns of all of them in memory.
const (
	maxGroupFiles   = 1024
	maxGroupColumns = 1 << 17
	maxGroupRecord  = maxRecord / 4 // bytes, about
)

// isFull reports whether the group has as many files, or columns, as it may.
func (o *groupOutput) isFull() bool {
	parts := 0
	for _, p := range o.parts {
		parts += len(p)
	}
	return max(parts, len(o.files)) >= maxGroupFiles || o.columns >= maxGroupColumns
}
