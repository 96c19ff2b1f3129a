package dataset

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/etl2parquet/etl2parquet/internal/engine/partname"
	"github.com/etl2parquet/etl2parquet/internal/formats/parquet"
	"github.com/etl2parquet/etl2parquet/internal/lake/store"
)

// Output writes the files of a part.
type Output struct {
	dataset *Dataset
	part    string

	mu     sync.Mutex     // guards opened and files, as any worker may open a file
	opened map[string]int // files by table, folded: tables that differ only in case can share a folder
	files  []*outputFile
}

// outputFile is the file of a table. It is invisible until it is published.
type outputFile struct {
	store.File
	table   string
	path    string // from the root, with slashes
	size    int64  // once it is staged
	parquet *parquet.File
}

func (d *Dataset) NewOutput(part string) *Output {
	return &Output{dataset: d, part: part, opened: make(map[string]int)}
}

// Create opens the next file of the table of p. The caller makes p write to it.
func (o *Output) Create(ctx context.Context, p *parquet.File) (store.File, error) {
	table := p.Table.Name
	o.mu.Lock()
	folder := partname.Fold(table)
	path := partFile(table, o.part, o.opened[folder])
	o.opened[folder]++
	o.mu.Unlock()
	file, err := o.dataset.store.Create(ctx, path)
	if err != nil {
		return nil, err
	}
	o.mu.Lock()
	defer o.mu.Unlock()
	o.files = append(o.files, &outputFile{File: file, table: table, path: path, parquet: p})
	return file, nil
}

// Len returns the number of files opened.
func (o *Output) Len() int { return len(o.files) }

// cleanUpTime bounds the removal of files after a failure: the network may be down.
const cleanUpTime = 30 * time.Second

// cleaningUp returns a context for work that must be done after ctx has ended.
func cleaningUp(ctx context.Context) (context.Context, context.CancelFunc) {
	return context.WithTimeout(context.WithoutCancel(ctx), cleanUpTime)
}

// Abandon removes all files because of an error, which it returns.
func (o *Output) Abandon(ctx context.Context, because error) error {
	return alsoFailed(because, o.Discard(ctx))
}

// Discard removes all files.
func (o *Output) Discard(ctx context.Context) error {
	ctx, cancel := cleaningUp(ctx)
	defer cancel()
	return together(o.files, func(f *outputFile) error { return f.Discard(ctx) })
}

// AbandonFiles removes some files because of an error, which it returns. They must be the
// last files of their tables.
func (o *Output) AbandonFiles(ctx context.Context, because error, which func(*parquet.File) bool) error {
	ctx, cancel := cleaningUp(ctx)
	defer cancel()
	o.mu.Lock()
	defer o.mu.Unlock()
	var gone []*outputFile
	o.files = slices.DeleteFunc(o.files, func(f *outputFile) bool {
		if !which(f.parquet) {
			return false
		}
		gone = append(gone, f)
		o.opened[partname.Fold(f.table)]--
		return true
	})
	return alsoFailed(because, together(gone, func(f *outputFile) error { return f.Discard(ctx) }))
}

var errLeft = errors.New("the written files could not be removed")

// alsoFailed adds the first error of cleaning up to an error, unless an earlier call
// has added one.
func alsoFailed(because error, cleanUp ...error) error {
	failed := slices.IndexFunc(cleanUp, func(err error) bool { return err != nil })
	if failed < 0 || errors.Is(because, errLeft) {
		return because
	}
	return fmt.Errorf("%w; and %w: %w", because, errLeft, cleanUp[failed])
}

// CommitTrace commits a part that is one trace. p may be nil.
func (o *Output) CommitTrace(ctx context.Context, r *Recorded, p *Progress) error {
	for _, f := range o.files {
		if IsHeaderTable(f.table) {
			r.Rows += f.parquet.Rows
		}
	}
	r.Traces = []TraceRecord{*r.TraceRecord}
	old, err := o.dataset.Record(ctx, r.Trace)
	switch {
	case err != nil:
		return err
	case old == nil:
		return o.Commit(ctx, r.Record, nil, p)
	}
	return o.Commit(ctx, r.Record, old.Record, p)
}

// Progress counts the files of a commit. It may be read at any time.
type Progress struct {
	Files  *atomic.Int64 // to write; 0 until all are complete
	Staged *atomic.Int64 // files that are on the disk
}

// Commit makes the files part of the dataset. They replace the part old, if it is not
// nil:
//
//  1. End the Parquet files, and stage them and the record.
//  2. Remove the old record. From here on its traces are not in the dataset.
//  3. Remove old files that have no successor, and files of the part that an
//     interrupted run has left.
//  4. Publish the files, and sync each of their folders once.
//  5. Publish the record.
//
// A crash between steps 2 and 5 leaves the traces without a record. p may be nil.
func (o *Output) Commit(ctx context.Context, r, old *Record, p *Progress) error {
	d := o.dataset
	if err := together(o.files, func(f *outputFile) error { return f.parquet.Close() }); err != nil {
		return err
	}
	if err := ctx.Err(); err != nil {
		return err
	}
	files, err := stageAll(ctx, o.files, p)
	if err != nil {
		return err
	}
	r.Format, r.Files = recordFormat, files
	text, err := json.MarshalIndent(r, "", "  ")
	if err != nil {
		return err
	}
	record, err := d.stage(ctx, recordFile(o.part), append(text, '\n'))
	if err != nil {
		return err
	}
	gone, err := o.gone(ctx, old)
	if err == nil {
		gone, err = o.keepForeign(ctx, old, gone)
	}
	if err != nil {
		return d.discard(ctx, record, err)
	}
	// An interruption while files are replaced would cost the traces their record.
	ctx = context.WithoutCancel(ctx)
	if err := o.replace(ctx, old, gone, record); err != nil {
		ctx, cancel := cleaningUp(ctx)
		defer cancel()
		d.bundles.drop(old)
		return alsoFailed(err, record.Discard(ctx), d.remove(ctx, r), d.store.Remove(ctx, gone...))
	}
	if isBundle(o.part) {
		d.bundles.add(r)
	}
	return nil
}

// gone returns the files to remove: old files without a successor, and files that an
// interrupted run may have left in any table.
func (o *Output) gone(ctx context.Context, old *Record) (files []string, err error) {
	d := o.dataset
	switch {
	case isBundle(o.part):
		files, err = d.leftOfBundle(ctx, o.part)
	case old == nil:
		files, err = d.leftOfTrace(ctx, o.part)
	}
	if err != nil {
		return nil, err
	}
	if old != nil {
		files = append(slices.Clip(files), old.ownFiles()...)
	}
	replaced := make(map[string]bool)
	for _, f := range o.files {
		replaced[f.path] = true
	}
	return slices.DeleteFunc(slices.Clone(files), func(name string) bool { return replaced[name] }), nil
}

// foreignError means that a file of another program has the name of a file to write.
type foreignError struct{ file string }

func (e *foreignError) Error() string {
	return "another program wrote " + e.file + ": move it away, or convert into another folder"
}

// keepForeign removes the files of other programs from those to remove. It returns an
// error if such a file would be replaced. The files of the old record are known to be ours.
func (o *Output) keepForeign(ctx context.Context, old *Record, gone []string) ([]string, error) {
	d := o.dataset
	ours := make(map[string]bool)
	if old != nil {
		for _, name := range old.ownFiles() {
			ours[name] = true
		}
	}
	names, writes := slices.Clone(gone), make(map[string]bool)
	for _, f := range o.files {
		names = append(names, f.path)
		writes[f.path] = true
	}
	names = slices.DeleteFunc(names, func(name string) bool { return ours[name] })
	sizes, err := d.store.Sizes(ctx, names...)
	if err != nil {
		return nil, err
	}
	foreign := make(map[string]bool)
	for i, name := range names {
		if sizes[i] < 0 {
			continue
		}
		if foreign[name], err = d.isForeign(ctx, name); err != nil {
			return nil, err
		}
		if foreign[name] && writes[name] {
			return nil, &foreignError{name}
		}
	}
	return slices.DeleteFunc(gone, func(name string) bool { return foreign[name] }), nil
}

// ownFiles returns the files of a record whose names are those of its part. A hostile
// record may name others.
func (r *Record) ownFiles() (files []string) {
	for _, f := range r.Files {
		if isPartFile(f.File) && partOfFile(f.File) == r.Part {
			files = append(files, f.File)
		}
	}
	return files
}

// replace makes steps 2 to 5 of Commit.
func (o *Output) replace(ctx context.Context, old *Record, gone []string, record store.File) error {
	d := o.dataset
	records := []string{recordFile(o.part)}
	if old != nil && old.Part != o.part {
		records = append(records, recordFile(old.Part))
	}
	if err := d.store.Remove(ctx, records...); err != nil {
		return err
	}
	if err := d.store.Remove(ctx, gone...); err != nil {
		return err
	}
	if err := together(o.files, func(f *outputFile) error { return f.Publish(ctx) }); err != nil {
		return err
	}
	var names []string
	for _, f := range o.files {
		names = append(names, f.path)
	}
	if err := d.store.Sync(ctx, names...); err != nil {
		return err
	}
	if err := record.Publish(ctx); err != nil {
		return err
	}
	return d.store.Sync(ctx, recordFile(o.part))
}

// remove removes a part: first its record, then its files.
func (d *Dataset) remove(ctx context.Context, r *Record) error {
	if err := d.store.Remove(ctx, recordFile(r.Part)); err != nil {
		return err
	}
	return d.store.Remove(ctx, r.ownFiles()...)
}

// leftOfTrace returns the names of files that an interrupted run may have left of a
// trace without a record.
func (d *Dataset) leftOfTrace(ctx context.Context, trace string) (files []string, err error) {
	tables, err := d.earlierTables(ctx)
	for _, t := range tables {
		files = append(files, partFile(t, trace, 0))
	}
	return files, err
}

// atOnce is the number of files that are staged, published or read concurrently. A file
// system writes its journal once for all waiting callers, and requests to a server are
// slow.
const atOnce = 16

// stageAll stages files, and returns their entries for the record. p may be nil.
func stageAll(ctx context.Context, files []*outputFile, p *Progress) ([]RecordFile, error) {
	if p != nil {
		p.Files.Store(int64(len(files)))
	}
	slices.SortFunc(files, func(a, b *outputFile) int { return cmp.Compare(a.path, b.path) })
	err := together(files, func(f *outputFile) (err error) {
		f.size, err = f.Stage(ctx)
		if p != nil {
			p.Staged.Add(1)
		}
		return err
	})
	if err != nil {
		return nil, err
	}
	list := []RecordFile{}
	for _, f := range files {
		t := f.parquet.Table
		list = append(list, RecordFile{Table: f.table, File: f.path, Rows: f.parquet.Rows, Bytes: f.size, CRC32C: f.parquet.Checksum().String(),
			Columns: recordColumns(t), Event: recordEvent(t)})
	}
	return list, nil
}

// together calls do for each file, several at a time.
func together(files []*outputFile, do func(*outputFile) error) error {
	var g errgroup.Group
	g.SetLimit(atOnce)
	for _, f := range files {
		g.Go(func() error { return do(f) })
	}
	return g.Wait()
}

// stage writes and stages a small file.
func (d *Dataset) stage(ctx context.Context, name string, contents []byte) (store.File, error) {
	f, err := d.store.Create(ctx, name)
	if err != nil {
		return nil, err
	}
	if _, err = f.Write(contents); err == nil {
		_, err = f.Stage(ctx)
	}
	if err != nil {
		return nil, d.discard(ctx, f, err)
	}
	return f, nil
}

// writeFile replaces a small file atomically.
func (d *Dataset) writeFile(ctx context.Context, name string, contents []byte) error {
	f, err := d.stage(ctx, name, contents)
	if err != nil {
		return err
	}
	if err := f.Publish(ctx); err != nil {
		return d.discard(ctx, f, err)
	}
	return d.store.Sync(ctx, name)
}

// discard discards a file because of an error, which it returns.
func (d *Dataset) discard(ctx context.Context, f store.File, because error) error {
	ctx, cancel := cleaningUp(ctx)
	defer cancel()
	return alsoFailed(because, f.Discard(ctx))
}
