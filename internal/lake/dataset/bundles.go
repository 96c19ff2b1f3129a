package dataset

import (
	"cmp"
	"context"
	"errors"
	"maps"
	"slices"
	"strings"
	"sync"

	"github.com/etl2parquet/etl2parquet/internal/base/ordered"
	"github.com/etl2parquet/etl2parquet/internal/engine/partname"
)

// bundles is an index of the bundles of a dataset.
type bundles struct {
	mu    sync.Mutex
	of    map[string]*Recorded // by trace
	later map[string]error     // by trace: the error for a bundle that a later version wrote
	whole map[*Record]bool     // results of wholeBundle
	left  map[string][]string  // result of leftOfBundles; nil until it is needed
}

// Load reads the records of the bundles, once. If an earlier version wrote the
// dataset, the error is [ErrOldLayout].
func (d *Dataset) Load(ctx context.Context) error {
	d.loading.Lock()
	defer d.loading.Unlock()
	if d.bundles != nil {
		return nil
	}
	var singles, shared []string
	for entry, err := range d.store.List(ctx, RecordsFolder) {
		switch {
		case err != nil:
			return err
		case !isRecordFile(entry.Name) || entry.Size > MaxRecord:
		case isBundle(partOfRecord(entry.Name)):
			shared = append(shared, entry.Name)
		default:
			singles = append(singles, entry.Name)
		}
	}
	if err := d.refuseOld(ctx, singles, len(shared) > 0); err != nil {
		return err
	}
	b, err := d.readBundles(ctx, shared)
	if err != nil {
		return err
	}
	d.bundles = b
	for _, r := range b.of {
		d.sample = cmp.Or(d.sample, &r.Options)
	}
	return nil
}

// refuseOld returns [ErrOldLayout] if an earlier version wrote the dataset. All
// records of a dataset have one format, so the first readable one decides. Without
// a readable record, the names of the folders decide.
func (d *Dataset) refuseOld(ctx context.Context, records []string, known bool) error {
	for _, name := range records {
		r, err := d.readRecord(ctx, name)
		switch {
		case err != nil && !errors.Is(err, errRecord):
			return err
		case r != nil:
			d.sample = &r.Options
			return nil
		}
	}
	if known {
		return nil
	}
	tables, err := d.tableFolders(ctx)
	if err != nil {
		return err
	}
	d.noteEarlier(tables)
	tables = slices.DeleteFunc(tables, func(name string) bool { return !isTableFolder(name) })
	return ordered.Each(len(tables), atOnce, func(i int) error {
		folders, err := d.store.Folders(ctx, tables[i])
		if slices.ContainsFunc(folders, func(name string) bool { return strings.HasPrefix(name, oldPrefix) }) {
			return ErrOldLayout
		}
		return err
	})
}

// oldPrefix begins the names of trace folders in the old layout.
const oldPrefix = "trace="

func (d *Dataset) readBundles(ctx context.Context, names []string) (*bundles, error) {
	b := &bundles{of: make(map[string]*Recorded), later: make(map[string]error), whole: make(map[*Record]bool)}
	slices.Sort(names)
	list := make([]*Record, len(names))
	later := make([]error, len(names))
	err := ordered.Each(len(names), atOnce, func(i int) error {
		r, err := d.readRecord(ctx, names[i])
		if err != nil && !errors.Is(err, errRecord) {
			return err
		}
		if r != nil && (err != nil || r.Part == partOfRecord(names[i])) { // a damaged record is ignored
			list[i], later[i] = r, err
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	for i, r := range list {
		switch {
		case r == nil:
		case later[i] != nil:
			for k := range r.Traces {
				b.later[r.Traces[k].Trace] = later[i]
			}
		default:
			b.add(r)
		}
	}
	return b, nil
}

// Traces returns the names of the traces in the dataset, by [partname.Fold]: some stores
// ignore case.
func (d *Dataset) Traces(ctx context.Context) (map[string]bool, error) {
	if err := d.Load(ctx); err != nil {
		return nil, err
	}
	traces := d.bundles.traces()
	for entry, err := range d.store.List(ctx, RecordsFolder) {
		if err != nil {
			return nil, err
		}
		if part := partOfRecord(entry.Name); isRecordFile(entry.Name) && !isBundle(part) {
			traces[partname.Fold(part)] = true
		}
	}
	return traces, nil
}

// add adds a bundle. It replaces the earlier bundles of its traces.
func (b *bundles) add(r *Record) {
	b.mu.Lock()
	defer b.mu.Unlock()
	for i := range r.Traces {
		b.of[r.Traces[i].Trace] = &Recorded{r, &r.Traces[i]}
	}
}

// traces returns the traces of all bundles, by [partname.Fold].
func (b *bundles) traces() map[string]bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	traces := make(map[string]bool)
	for name := range b.of {
		traces[partname.Fold(name)] = true
	}
	for name := range b.later {
		traces[partname.Fold(name)] = true
	}
	return traces
}

// drop removes a bundle from the index.
func (b *bundles) drop(r *Record) {
	b.mu.Lock()
	defer b.mu.Unlock()
	maps.DeleteFunc(b.of, func(_ string, of *Recorded) bool { return of.Record == r })
	delete(b.whole, r)
}

// find returns the record of a bundled trace, or nil if no bundle has the trace.
func (b *bundles) find(trace string) (*Recorded, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.of[trace], b.later[trace]
}

// BundleOf returns the bundle of a trace, or nil if no bundle has it. Load must have
// been called.
func (d *Dataset) BundleOf(trace string) *Record {
	if r, _ := d.bundles.find(trace); r != nil {
		return r.Record
	}
	return nil
}

// wholeBundle reports whether the files of a bundle exist, with their sizes. The
// result is kept: it is needed for each of its traces.
func (d *Dataset) wholeBundle(ctx context.Context, r *Record) (bool, error) {
	d.bundles.mu.Lock()
	whole, known := d.bundles.whole[r]
	d.bundles.mu.Unlock()
	if known {
		return whole, nil
	}
	whole, err := d.wholeFiles(ctx, r.Files)
	if err != nil {
		return false, err
	}
	d.bundles.mu.Lock()
	defer d.bundles.mu.Unlock()
	d.bundles.whole[r] = whole
	return whole, nil
}

// leftOfBundle returns the files that an interrupted run has left of a bundle without a
// record. It lists the tables only once for all bundles.
func (d *Dataset) leftOfBundle(ctx context.Context, part string) ([]string, error) {
	b := d.bundles
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.left == nil {
		left, err := d.leftOfBundles(ctx)
		if err != nil {
			return nil, err
		}
		b.left = left
	}
	return b.left[part], nil
}

// leftOfBundles returns the files of all bundles without a record, by bundle.
func (d *Dataset) leftOfBundles(ctx context.Context) (map[string][]string, error) {
	tables, err := d.tables(ctx)
	if err != nil {
		return nil, err
	}
	files := make(map[string][]string)
	for _, t := range tables {
		for entry, err := range d.store.List(ctx, t) {
			if err != nil {
				return nil, err
			}
			if part := partOfFile(entry.Name); isPartFile(entry.Name) && isBundle(part) {
				files[part] = append(files[part], entry.Name)
			}
		}
	}
	for _, r := range d.bundles.of {
		delete(files, r.Part)
	}
	return files, nil
}
