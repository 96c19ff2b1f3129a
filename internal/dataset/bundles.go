package dataset

import (
	"context"
	"errors"
	"maps"
	"slices"
	"strings"
	"sync"

	"golang.org/x/sync/errgroup"
)

// bundles are the bundles of a dataset.
type bundles struct {
	mu    sync.Mutex
	of    map[string]*Recorded // by trace
	later map[string]error     // by trace: of bundles that a later version wrote
	whole map[*Record]bool     // as far as that was asked
	left  map[string][]string  // see leftOfBundles; nil: not yet asked
}

// Load reads the records of the bundles, unless it did so before. The error of a
// dataset of an earlier version is [ErrOldLayout].
func (d *Dataset) Load(ctx context.Context) error {
	d.loading.Lock()
	defer d.loading.Unlock()
	if d.bundles != nil {
		return nil
	}
	var singles, shared []string
	for entry, err := range d.store.List(ctx, recordsFolder) {
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
	if err == nil {
		d.bundles = b
	}
	return err
}

// refuseOld returns an error if the dataset is of an earlier version. All records
// of a dataset are alike: the first that can be read says what it is. Without
// one, the names of the folders do.
func (d *Dataset) refuseOld(ctx context.Context, records []string, known bool) error {
	for _, name := range records {
		r, err := d.readRecord(ctx, name)
		switch {
		case err != nil && !errors.Is(err, errRecord):
			return err
		case r != nil:
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
	var g errgroup.Group
	g.SetLimit(atOnce)
	for _, t := range tables {
		if !isTableFolder(t) {
			continue
		}
		g.Go(func() error {
			folders, err := d.store.Folders(ctx, t)
			if slices.ContainsFunc(folders, func(name string) bool { return strings.HasPrefix(name, oldPrefix) }) {
				return ErrOldLayout
			}
			return err
		})
	}
	return g.Wait()
}

// oldPrefix began the folder of a trace in that of a table, in earlier versions.
const oldPrefix = "trace="

func (d *Dataset) readBundles(ctx context.Context, names []string) (*bundles, error) {
	b := &bundles{of: make(map[string]*Recorded), later: make(map[string]error), whole: make(map[*Record]bool)}
	slices.Sort(names)
	list := make([]*Record, len(names))
	later := make([]error, len(names))
	var g errgroup.Group
	g.SetLimit(atOnce)
	for i, name := range names {
		g.Go(func() error {
			r, err := d.readRecord(ctx, name)
			if err != nil && !errors.Is(err, errRecord) {
				return err
			}
			if r != nil && (err != nil || r.Part == partOfRecord(name)) { // others are damaged
				list[i], later[i] = r, err
			}
			return nil
		})
	}
	if err := g.Wait(); err != nil {
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

// Traces returns the traces that have a record, in lower case, which some
// stores do not tell apart.
func (d *Dataset) Traces(ctx context.Context) (map[string]bool, error) {
	if err := d.Load(ctx); err != nil {
		return nil, err
	}
	traces := d.bundles.traces()
	for entry, err := range d.store.List(ctx, recordsFolder) {
		if err != nil {
			return nil, err
		}
		if part := partOfRecord(entry.Name); isRecordFile(entry.Name) && !isBundle(part) {
			traces[strings.ToLower(part)] = true
		}
	}
	return traces, nil
}

// add adds a bundle, in the place of those that its traces were in.
func (b *bundles) add(r *Record) {
	b.mu.Lock()
	defer b.mu.Unlock()
	for i := range r.Traces {
		b.of[r.Traces[i].Trace] = &Recorded{r, &r.Traces[i]}
	}
}

// traces returns the traces of all bundles, in lower case.
func (b *bundles) traces() map[string]bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	traces := make(map[string]bool)
	for name := range b.of {
		traces[strings.ToLower(name)] = true
	}
	for name := range b.later {
		traces[strings.ToLower(name)] = true
	}
	return traces
}

// drop takes a bundle out.
func (b *bundles) drop(r *Record) {
	b.mu.Lock()
	defer b.mu.Unlock()
	maps.DeleteFunc(b.of, func(_ string, of *Recorded) bool { return of.Record == r })
	delete(b.whole, r)
}

// find returns a trace of a bundle, nil if it is in none.
func (b *bundles) find(trace string) (*Recorded, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.of[trace], b.later[trace]
}

// BundleOf returns the bundle of a trace, nil if it is in none. The dataset must
// have been loaded.
func (d *Dataset) BundleOf(trace string) *Record {
	if r, _ := d.bundles.find(trace); r != nil {
		return r.Record
	}
	return nil
}

// wholeBundle reports whether the files of a bundle are there. It is asked for
// each of its traces, and looked up once.
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

// leftOfBundle returns the files that an interrupted run has left of a bundle,
// without a record. They are looked for once.
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

// leftOfBundles returns the files of bundles that have no record, by bundle.
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
