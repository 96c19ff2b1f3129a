package dataset

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"hash/maphash"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/etl2parquet/etl2parquet/internal/base/ordered"
	"github.com/etl2parquet/etl2parquet/internal/engine/partname"
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
	_, err := d.clear(ctx, false, &CleanOptions{Active: ActiveTime}, func(s *Stray) error { return d.removeStray(ctx, s) })
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

// IsFolder reports whether a path is a folder with a dataset.
func IsFolder(path string) bool {
	info, err := os.Stat(filepath.Join(path, RecordsFolder))
	return err == nil && info.IsDir()
}

// HasRecords reports whether a trace was converted into the dataset.
func (d *Dataset) HasRecords(ctx context.Context) (bool, error) {
	for entry, err := range d.store.List(ctx, RecordsFolder) {
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

	// Kept is called for each file that stays because another run may be writing it, with the time
	// from which Clean would remove it. It may be nil.
	Kept func(s *Stray, until time.Time)

	// Changed is called after a file of a table was removed, before Clean returns: views.sql may name
	// tables that have no files now. It may be nil.
	Changed func() error
}

// Clean removes leftovers of interrupted runs, and calls removed for each item. It keeps
// files that other runs may be writing, and returns their number.
func (d *Dataset) Clean(ctx context.Context, o CleanOptions, removed func(*Stray)) (kept int, err error) {
	defer func() { err = errors.Join(err, d.store.Close()) }()
	changed := false
	kept, err = d.clear(ctx, true, &o, func(s *Stray) error {
		if !o.DryRun {
			if err := d.removeStray(ctx, s); err != nil {
				return err
			}
			changed = changed || s.Kind == UncommittedFile
		}
		removed(s)
		return nil
	})
	if err == nil && changed && o.Changed != nil {
		err = o.Changed()
	}
	return kept, err
}

// clear removes strays if a run was interrupted, or if always is true.
func (d *Dataset) clear(ctx context.Context, always bool, o *CleanOptions, remove func(*Stray) error) (kept int, err error) {
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
		strays = slices.DeleteFunc(strays, func(s Stray) bool { return s.Kind == UnknownFile })
		for i := range strays {
			if s := &strays[i]; !alone && s.maybeActive(o.Active) {
				kept++
				if o.Kept != nil {
					o.Kept(s, s.time.Add(o.Active))
				}
			} else if err := remove(s); err != nil {
				return err
			}
		}
		return nil
	})
	return kept, err
}

// maybeActive reports whether another run may be writing the file.
func (s *Stray) maybeActive(active time.Duration) bool {
	return !s.ended && s.Kind != EmptyFolder && time.Since(s.time) <= active
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
	files, err := d.uncommitted(ctx, c)
	if err != nil {
		return nil, err
	}
	var parts []string
	for _, f := range files {
		if isPartFile(f.Name) {
			parts = append(parts, f.Name)
		}
	}
	foreign, err := d.foreign(ctx, parts)
	if err != nil {
		return nil, err
	}
	left, err := d.store.Leftovers(ctx)
	return straysOf(files, foreign, left), err
}

// straysOf returns the strays among uncommitted files and leftovers, sorted by kind and name.
func straysOf(files []store.Entry, foreign map[string]bool, left []store.Leftover) []Stray {
	var list []Stray
	for _, f := range files {
		s := Stray{Name: f.Name, Kind: UnknownFile, Size: f.Size, time: f.Time}
		if isPartFile(f.Name) && !foreign[f.Name] {
			s.Kind = UncommittedFile
		}
		list = append(list, s)
	}
	for i := range left {
		if s := strayOf(&left[i]); s != nil {
			list = append(list, *s)
		}
	}
	slices.SortFunc(list, func(a, b Stray) int {
		return cmp.Or(cmp.Compare(a.Kind, b.Kind), strings.Compare(a.Name, b.Name))
	})
	return list
}

// uncommitted lists the files that belong to no record, also to none that other processes have
// written since c was read.
func (d *Dataset) uncommitted(ctx context.Context, c *committed) (files []store.Entry, err error) {
	for entry, err := range d.store.List(ctx, "") {
		if err != nil {
			return nil, err
		}
		if !c.has(entry.Name) {
			files = append(files, entry)
		}
	}
	now := newCommitted(c.folds)
	read := make(map[string]bool)
	for _, f := range files {
		part := partOfFile(f.Name)
		if !isPartFile(f.Name) || read[part] {
			continue
		}
		read[part] = true
		r, err := d.readRecord(ctx, recordFile(part))
		if err != nil && !errors.Is(err, errRecord) {
			return nil, err
		}
		now.add(recordFile(part), r, err)
	}
	return slices.DeleteFunc(files, func(f store.Entry) bool { return now.has(f.Name) }), nil
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
	for entry, err := range d.store.List(ctx, RecordsFolder) {
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
