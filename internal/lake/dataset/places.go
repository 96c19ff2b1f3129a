package dataset

import (
	"context"
	"errors"
	"io/fs"
	"slices"

	"github.com/etl2parquet/etl2parquet/internal/formats/parquet"
)

// place is a name in the dataset that a commit concerns.
type place struct {
	name    string
	written bool // the commit publishes a file of this name
	foreign bool // a file of another program has it
	exists  bool // a file has it
}

// places lists the names that a commit concerns: of files that an interrupted run may have left in
// any table, of the files of the part that is replaced, and of the new files. The files of the old
// record are known to be ours; the writers of the others are read from the files.
func (o *Output) places(ctx context.Context, old *Record) ([]place, error) {
	names, err := o.leftovers(ctx, old)
	if err != nil {
		return nil, err
	}
	ours, written := make(map[string]bool), make(map[string]bool)
	if old != nil {
		for _, name := range old.ownFiles() {
			ours[name] = true
			names = append(names, name)
		}
	}
	for _, f := range o.files {
		written[f.path] = true
		names = append(names, f.path)
	}
	names = withoutRepeats(names) // an interrupted run may have left files of the same tables
	foreign, err := o.dataset.foreign(ctx, slices.DeleteFunc(slices.Clone(names), func(name string) bool { return ours[name] }))
	var list []place
	for _, name := range names {
		isForeign, exists := foreign[name]
		list = append(list, place{name, written[name], isForeign, exists || ours[name]})
	}
	return list, err
}

// withoutRepeats returns the names without those that occur before.
func withoutRepeats(names []string) []string {
	seen := make(map[string]bool, len(names))
	return slices.DeleteFunc(names, func(name string) bool {
		again := seen[name]
		seen[name] = true
		return again
	})
}

// stale returns the names of our files without a successor, which a commit removes. Most names have no
// file, and a bucket is not asked to remove those.
func stale(places []place) (names []string) {
	for _, p := range places {
		if p.exists && !p.written && !p.foreign {
			names = append(names, p.name)
		}
	}
	return names
}

// obstacle returns an error if a commit would replace a file of another program.
func obstacle(places []place) error {
	for _, p := range places {
		if p.written && p.foreign {
			return &foreignError{p.name}
		}
	}
	return nil
}

// foreignError means that a file of another program has the name of a file to write.
type foreignError struct{ file string }

func (e *foreignError) Error() string {
	return "another program wrote " + e.file + ": move it away, or convert into another folder"
}

// leftovers returns the names of files that an interrupted run may have left of the part.
func (o *Output) leftovers(ctx context.Context, old *Record) ([]string, error) {
	d := o.dataset
	switch {
	case isBundle(o.part):
		files, err := d.leftOfBundle(ctx, o.part)
		return slices.Clone(files), err
	case old == nil:
		return d.leftOfTrace(ctx, o.part)
	}
	return nil, nil
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

// foreign returns which of these files another program wrote. Any Parquet file in a table folder has
// a name that a part could have, but a published file of etl2parquet is complete, and its footer
// names the writer. A file that does not exist is not in the result.
func (d *Dataset) foreign(ctx context.Context, names []string) (map[string]bool, error) {
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
	}
	return foreign, nil
}

func (d *Dataset) isForeign(ctx context.Context, name string) (bool, error) {
	content, err := d.store.Open(ctx, name)
	if errors.Is(err, fs.ErrNotExist) {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	footer, err := parquet.ReadFooter(content, content.Size())
	return err != nil || !footer.Own, errors.Join(ctx.Err(), content.Close())
}
