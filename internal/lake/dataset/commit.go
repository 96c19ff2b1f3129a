package dataset

import (
	"cmp"
	"context"
	"encoding/json"
	"io"
	"slices"
	"sync/atomic"

	"github.com/etl2parquet/etl2parquet/internal/base/ordered"
	"github.com/etl2parquet/etl2parquet/internal/lake/store"
)

// Progress counts the files of a commit. It may be read at any time.
type Progress struct {
	Files  *atomic.Int64 // to write; 0 until all are complete
	Staged *atomic.Int64 // files that are on the disk
}

// Commit makes the files part of the dataset, with a record. They replace the part that has the
// record's traces, if there is one:
//
//  1. End the Parquet files, and stage them and the record.
//  2. Remove the old record. From here on its traces are not in the dataset.
//  3. Remove old files that have no successor, and files of the part that an
//     interrupted run has left.
//  4. Publish the files, and sync each of their folders once.
//  5. Publish the record.
//
// A crash between steps 2 and 5 leaves the traces without a record. p may be nil.
func (o *Output) Commit(ctx context.Context, r *Record, p *Progress) error {
	d := o.dataset
	if err := together(o.files, func(f *outputFile) error { return f.parquet.Close() }); err != nil {
		return err
	}
	old, err := d.recordOfSame(ctx, r)
	if err != nil {
		return err
	}
	if err := ctx.Err(); err != nil {
		return err
	}
	record, err := o.stage(ctx, r, p)
	if err != nil {
		return err
	}
	places, err := o.places(ctx, old)
	if err = cmp.Or(err, obstacle(places)); err != nil {
		return d.discard(ctx, record, err)
	}
	// An interruption while files are replaced would cost the traces their record.
	ctx = context.WithoutCancel(ctx)
	gone := stale(places)
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

// recordOfSame returns the record of the dataset that has the traces of r, or nil. The traces of a
// bundle are new, or in one bundle.
func (d *Dataset) recordOfSame(ctx context.Context, r *Record) (*Record, error) {
	if isBundle(r.Part) {
		return d.BundleOf(r.Traces[0].Trace), nil
	}
	old, err := d.Record(ctx, r.Part)
	if err != nil || old == nil {
		return nil, err
	}
	return old.Record, nil
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

// atOnce is the number of files that are staged, published or read concurrently. A file
// system writes its journal once for all waiting callers, and requests to a server are
// slow.
const atOnce = 16

// stage stages the files and a record of them, which it returns. The record is staged with the files, whose
// sizes and checksums are known before: so a slow disk makes the caller wait once. p may be nil.
func (o *Output) stage(ctx context.Context, r *Record, p *Progress) (store.File, error) {
	if p != nil {
		p.Files.Store(int64(len(o.files)))
	}
	slices.SortFunc(o.files, func(a, b *outputFile) int { return cmp.Compare(a.path, b.path) })
	r.Format, r.Files = recordFormat, []RecordFile{}
	for _, f := range o.files {
		r.Files = append(r.Files, f.entry())
	}
	text, err := json.MarshalIndent(r, "", "  ")
	if err != nil {
		return nil, err
	}
	record, err := o.dataset.create(ctx, recordFile(o.part), func(w io.Writer) error {
		_, err := w.Write(append(text, '\n'))
		return err
	})
	if err != nil {
		return nil, err
	}
	err = ordered.Each(1+len(o.files), atOnce, func(i int) error {
		if i == 0 {
			_, err := record.Stage(ctx)
			return err
		}
		_, err := o.files[i-1].Stage(ctx)
		if p != nil {
			p.Staged.Add(1)
		}
		return err
	})
	if err != nil {
		return nil, o.dataset.discard(ctx, record, err)
	}
	return record, nil
}

// entry returns the entry of a complete file for the record.
func (f *outputFile) entry() RecordFile {
	t := f.parquet.Written()
	return RecordFile{
		Table: f.table, File: f.path, Rows: f.parquet.Rows, Bytes: f.parquet.Size(), CRC32C: f.parquet.Checksum().String(),
		Columns: recordColumns(t), Omitted: recordOmitted(t), Unsigned: recordUnsigned(f.parquet.Table, t), Made: recordMade(t), Event: recordEvent(t),
	}
}

// create writes a small file, which is not staged yet.
func (d *Dataset) create(ctx context.Context, name string, write func(io.Writer) error) (store.File, error) {
	f, err := d.store.Create(ctx, name)
	if err != nil {
		return nil, err
	}
	if err := write(f); err != nil {
		return nil, d.discard(ctx, f, err)
	}
	return f, nil
}

// writeFile replaces a small file atomically.
func (d *Dataset) writeFile(ctx context.Context, name string, write func(io.Writer) error) error {
	f, err := d.create(ctx, name, write)
	if err != nil {
		return err
	}
	if _, err = f.Stage(ctx); err == nil {
		err = f.Publish(ctx)
	}
	if err != nil {
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
