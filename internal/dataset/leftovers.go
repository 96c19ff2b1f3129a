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

	"github.com/etl2parquet/etl2parquet/internal/ordered"
	"github.com/etl2parquet/etl2parquet/internal/parquet"
	"github.com/etl2parquet/etl2parquet/internal/store"
)

// Stray is what is in a dataset and not part of it.
type Stray struct {
	Name  string // of the file, or of the folder if it ends in a slash
	Kind  StrayKind
	Size  int64 // -1 if it is not known
	time  time.Time
	ended bool
	left  *store.Leftover // nil for a file
}

// StrayKind says what a stray file is.
type StrayKind int

// What stray files are. Those of the first three kinds are of this program.
const (
	TemporaryFile   StrayKind = iota // begun and not ended
	UncommittedFile                  // of no commit record
	EmptyFolder
	UnknownFile // of a name that this program does not write
)

// ActiveTime is how long a run may take for what it has begun: what is younger
// is kept where it cannot be known whether someone is writing it.
const ActiveTime = 24 * time.Hour

// Begin makes ready to convert into the dataset, beside other processes that
// may do so: what interrupted runs have left is removed first.
func (d *Dataset) Begin(ctx context.Context) error {
	_, err := d.clear(ctx, false, ActiveTime, func(s *Stray) error { return d.removeStray(ctx, s) })
	return err
}

// Exists returns an error if there is nothing where the dataset is to be.
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

// CleanOptions are how to clean a dataset.
type CleanOptions struct {
	DryRun bool          // only tell
	Active time.Duration // for what is younger there may be someone who writes it; see [ActiveTime]
}

// Clean removes what interrupted runs have left, and tells of each file. It
// keeps what other runs may be writing, and says how many files that is.
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

// clear removes what interrupted runs have left, if there was one, or always.
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

// strays returns what is in the dataset and not part of it, sorted by kind and
// name. Files whose record cannot be read, or is of a later version, are taken
// for part of it.
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

// uncommitted leaves out the files of records that were written since the
// records were read: other processes may go on.
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

// findForeign finds the files that another program wrote, among those that are
// called like files of parts: any file of a table is. What was published of ours
// is whole, and says who wrote it.
func (d *Dataset) findForeign(ctx context.Context, found []Stray) error {
	for i := range found {
		if found[i].Kind != UncommittedFile {
			continue
		}
		content, err := d.store.Open(ctx, found[i].Name)
		if errors.Is(err, fs.ErrNotExist) {
			continue // removed since
		}
		if err != nil {
			return err
		}
		footer, err := parquet.ReadFooter(content, content.Size())
		if err != nil || !footer.Own {
			found[i].Kind = UnknownFile
		}
		if err := errors.Join(ctx.Err(), content.Close()); err != nil {
			return err
		}
	}
	return nil
}

// strayOf returns what something that was left over is, nil for a folder that
// is not of this program.
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

// committed is the files that belong to a dataset. Where case does not matter,
// a table's folder can be listed in another case than a record has: the first
// trace has made it, of a provider that writes its name differently.
type committed struct {
	seed  maphash.Seed
	folds bool                // case does not matter
	files map[uint64]struct{} // by a hash of their names, of which there can be many
	parts map[string]bool     // whose records say nothing: all their files belong to it
}

func newCommitted(folds bool) *committed {
	c := &committed{seed: maphash.MakeSeed(), folds: folds, files: make(map[uint64]struct{}), parts: make(map[string]bool)}
	c.addFile(viewsFile)
	return c
}

// foldsCase reports whether a file of the dataset is there in another case, too.
func (d *Dataset) foldsCase(ctx context.Context, file string) (bool, error) {
	sizes, err := d.store.Sizes(ctx, strings.ToUpper(file))
	return err == nil && sizes[0] >= 0, err
}

func (c *committed) fold(name string) string {
	if c.folds {
		return foldCase(name)
	}
	return name
}

func (c *committed) addFile(name string) {
	c.files[maphash.String(c.seed, c.fold(name))] = struct{}{}
}

// add adds what a record names, and the record itself.
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

// committed reads all records, and visits them by name, with the error of
// those that cannot be understood.
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
