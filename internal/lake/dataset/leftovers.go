package dataset

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"hash/maphash"
	"io/fs"
	"slices"
	"strings"
	"time"

	"github.com/etl2parquet/etl2parquet/internal/base/ordered"
	"github.com/etl2parquet/etl2parquet/internal/engine/partname"
	"github.com/etl2parquet/etl2parquet/internal/formats/parquet"
	"github.com/etl2parquet/etl2parquet/internal/lake/store"
)

// Stray is a file or folder inside a dataset that is not part of it.
type Stray struct {
	Name  string // of the file, or of the folder if it ends in a slash
	Kind  StrayKind
	Size  int64 // -1 if unknown
	time  time.Time
	ended bool
	left  *store.Leftover // nil for a file
}

// StrayKind is a kind of stray.
type StrayKind int

// The kinds of strays. etl2parquet made strays of the first three kinds.
const (
	TemporaryFile   StrayKind = iota // incomplete
	UncommittedFile                  // complete, but not in a commit record
	EmptyFolder
	UnknownFile // not written by etl2parquet
)

// ActiveTime is how long a run may keep a file unfinished. If a store cannot detect
// whether another process is writing a file, younger files are kept.
const ActiveTime = 24 * time.Hour

// Begin prepares for writing to the dataset. It removes leftovers of interrupted runs. Other
// processes may write at the same time.
func (d *Dataset) Begin(ctx context.Context) error {
	_, err := d.clear(ctx, false, ActiveTime, func(s *Stray) error { return d.removeStray(ctx, s) })
	return err
}

// Exists returns an error if the dataset's folder is missing or empty.
func (d *Dataset) Exists(ctx context.Context) error {
	for _, err := range d.store.List(ctx, "") {
		return err
	}
	folders, err := d.store.Folders(ctx, "")
	if err == nil && len(folders) == 0 {
		err = errors.New("there is no dataset")
	}
	return err
}

// HasRecords reports whether a trace was converted into the dataset.
func (d *Dataset) HasRecords(ctx context.Context) (bool, error) {
	for entry, err := range d.store.List(ctx, recordsFolder) {
		if err != nil {
			return false, err
		}
		if isRecordFile(entry.Name) {
			return true, nil
		}
	}
	return false, nil
}

// CleanOptions are the options of [Dataset.Clean].
type CleanOptions struct {
	DryRun bool          // remove nothing
	Active time.Duration // like [ActiveTime]
}

// Clean removes leftovers of interrupted runs, and calls removed for each item. It keeps
// files that other runs may be writing, and returns their number.
func (d *Dataset) Clean(ctx context.Context, o CleanOptions, removed func(*Stray)) (kept int, err error) {
	defer func() { err = errors.Join(err, d.store.Close()) }()
	return d.clear(ctx, true, o.Active, func(s *Stray) error {
		if !o.DryRun {
			if err := d.removeStray(ctx, s); err != nil {
				return err
			}
		}
		removed(s)
		return nil
	})
}

// clear removes strays if a run was interrupted, or if always is true.
func (d *Dataset) clear(ctx context.Context, always bool, active time.Duration, remove func(*Stray) error) (kept int, err error) {
	if err := d.Load(ctx); err != nil {
		return 0, err
	}
	err = d.store.Begin(ctx, always, func(alone bool) error {
		committed, err := d.committed(ctx, func(string, *Record, error) error { return nil })
		if err != nil {
			return err
		}
		strays, err := d.strays(ctx, committed)
		if err != nil {
			return err
		}
		for i := range strays {
			s := &strays[i]
			switch {
			case s.Kind == UnknownFile:
			case alone || s.ended || s.Kind == EmptyFolder || time.Since(s.time) > active:
				if err := remove(s); err != nil {
					return err
				}
			default:
				kept++
			}
		}
		return nil
	})
	return kept, err
}

func (d *Dataset) removeStray(ctx context.Context, s *Stray) error {
	if s.left != nil {
		return d.store.RemoveLeftovers(ctx, *s.left)
	}
	return d.store.Remove(ctx, s.Name)
}

// strays returns the strays of the dataset, sorted by kind and name. Files are not
// strays if the record of their part is damaged or of a later version.
func (d *Dataset) strays(ctx context.Context, c *committed) ([]Stray, error) {
	var found []Stray
	for entry, err := range d.store.List(ctx, "") {
		if err != nil {
			return nil, err
		}
		if c.has(entry.Name) {
			continue
		}
		s := Stray{Name: entry.Name, Kind: UnknownFile, Size: entry.Size, time: entry.Time}
		if isPartFile(entry.Name) {
			s.Kind = UncommittedFile
		}
		found = append(found, s)
	}
	found, err := d.uncommitted(ctx, c.folds, found)
	if err != nil {
		return nil, err
	}
	if err := d.findForeign(ctx, found); err != nil {
		return nil, err
	}
	left, err := d.store.Leftovers(ctx)
	if err != nil {
		return nil, err
	}
	for i := range left {
		if s := strayOf(&left[i]); s != nil {
			found = append(found, *s)
		}
	}
	slices.SortFunc(found, func(a, b Stray) int {
		return cmp.Or(cmp.Compare(a.Kind, b.Kind), strings.Compare(a.Name, b.Name))
	})
	return found, nil
}

// uncommitted removes from found the files of records that other processes have
// written since the records were read.
func (d *Dataset) uncommitted(ctx context.Context, folds bool, found []Stray) ([]Stray, error) {
	now := newCommitted(folds)
	read := make(map[string]bool)
	for i := range found {
		part := partOfFile(found[i].Name)
		if found[i].Kind != UncommittedFile || read[part] {
			continue
		}
		read[part] = true
		r, err := d.readRecord(ctx, recordFile(part))
		if err != nil && !errors.Is(err, errRecord) {
			return nil, err
		}
		now.add(recordFile(part), r, err)
	}
	return slices.DeleteFunc(found, func(s Stray) bool { return now.has(s.Name) }), nil
}

// findForeign detects files of other programs among the uncommitted ones. Any Parquet
// file in a table folder has a name that a part could have, but a published file of
// etl2parquet is complete, and its footer names the writer.
func (d *Dataset) findForeign(ctx context.Context, found []Stray) error {
	for i := range found {
		if found[i].Kind != UncommittedFile {
			continue
		}
		foreign, err := d.isForeign(ctx, found[i].Name)
		if err != nil {
			return err
		}
		if foreign {
			found[i].Kind = UnknownFile
		}
	}
	return nil
}

// isForeign reports whether another program wrote a file of a table. A file that does
// not exist is not foreign.
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

// strayOf returns the stray of a leftover, or nil for a folder that etl2parquet does not
// create.
func strayOf(l *store.Leftover) *Stray {
	s := &Stray{Name: l.Name, Kind: TemporaryFile, Size: l.Size, time: l.Time, ended: l.Ended, left: l}
	folder, isFolder := strings.CutSuffix(l.Name, "/")
	switch {
	case isFolder && !isOwnFolder(folder):
		return nil
	case isFolder:
		s.Kind = EmptyFolder
	case !isOwnFile(l.Name):
		s.Name, s.Kind = l.ID, UnknownFile
	}
	return s
}

// committed is the set of files that belong to a dataset. Where case does not matter, a
// table's folder can be listed in another case than a record has it: the first trace
// created the folder, and its provider spells the name differently.
type committed struct {
	seed  maphash.Seed
	folds bool                // the store ignores case
	files map[uint64]struct{} // hashes of names, to save memory with very many files
	parts map[string]bool     // parts with a damaged record: all their files belong to the dataset
}

func newCommitted(folds bool) *committed {
	c := &committed{seed: maphash.MakeSeed(), folds: folds, files: make(map[uint64]struct{}), parts: make(map[string]bool)}
	c.addFile(ViewsFile)
	return c
}

// foldsCase reports whether the store ignores the case of names.
func (d *Dataset) foldsCase(ctx context.Context, file string) (bool, error) {
	sizes, err := d.store.Sizes(ctx, strings.ToUpper(file))
	return err == nil && sizes[0] >= 0, err
}

func (c *committed) fold(name string) string {
	if c.folds {
		return partname.Fold(name)
	}
	return name
}

func (c *committed) addFile(name string) {
	c.files[maphash.String(c.seed, c.fold(name))] = struct{}{}
}

// add adds a record and the files it names.
func (c *committed) add(name string, r *Record, err error) {
	if err != nil {
		c.addFile(name)
		c.parts[c.fold(partOfRecord(name))] = true
		return
	}
	if r == nil {
		return
	}
	c.addFile(name)
	for i := range r.Files {
		c.addFile(r.Files[i].File)
	}
}

func (c *committed) has(name string) bool {
	_, ok := c.files[maphash.String(c.seed, c.fold(name))]
	return ok || isPartFile(name) && c.parts[c.fold(partOfFile(name))]
}

// committed reads all records and visits them by name. A damaged record is visited with
// its error.
func (d *Dataset) committed(ctx context.Context, visit func(name string, r *Record, err error) error) (*committed, error) {
	var names []string
	large := make(map[string]bool)
	for entry, err := range d.store.List(ctx, recordsFolder) {
		if err != nil {
			return nil, err
		}
		if isRecordFile(entry.Name) {
			names = append(names, entry.Name)
			large[entry.Name] = entry.Size > MaxRecord
		}
	}
	slices.Sort(names)
	type read struct {
		name   string
		record *Record
		err    error
	}
	folds := false
	if len(names) > 0 {
		var err error
		if folds, err = d.foldsCase(ctx, names[0]); err != nil {
			return nil, err
		}
	}
	c := newCommitted(folds)
	return c, ordered.Do(ctx, atOnce, len(names),
		func(_ *struct{}, i int) (*read, error) {
			if large[names[i]] {
				return &read{names[i], nil, fmt.Errorf("%w: it is larger than %d bytes", errRecord, MaxRecord)}, nil
			}
			r, err := d.readRecord(ctx, names[i])
			if err != nil && !errors.Is(err, errRecord) {
				return nil, err
			}
			return &read{names[i], r, err}, nil
		},
		func(r *read) error {
			c.add(r.name, r.record, r.err)
			if r.record == nil && r.err == nil { // removed since
				return nil
			}
			return visit(r.name, r.record, r.err)
		})
}
