package convert

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/etl2parquet/etl2parquet/schema"
	"github.com/etl2parquet/etl2parquet/store"
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

// activeTime is how long a run may take from the first of a trace's files that
// it publishes to the record of them, and be silent while it writes.
const activeTime = 24 * time.Hour

// Begin makes ready to convert into the dataset, beside other processes that
// may do so: what interrupted runs have left is removed first.
func (d *Dataset) Begin(ctx context.Context) error {
	_, err := d.clear(ctx, false, func(s *Stray) error { return d.removeStray(ctx, s) })
	return err
}

// Clean removes what interrupted runs have left, and tells of each file. It
// keeps what other runs may be writing, and says how much that is. With
// dryRun it only tells.
func (d *Dataset) Clean(ctx context.Context, dryRun bool, removed func(*Stray)) (kept int, err error) {
	return d.clear(ctx, true, func(s *Stray) error {
		if !dryRun {
			if err := d.removeStray(ctx, s); err != nil {
				return err
			}
		}
		removed(s)
		return nil
	})
}

// clear removes what interrupted runs have left, if there was one, or always.
func (d *Dataset) clear(ctx context.Context, always bool, remove func(*Stray) error) (kept int, err error) {
	err = d.store.Begin(ctx, always, func(alone bool) error {
		strays, err := d.Strays(ctx)
		if err != nil {
			return err
		}
		for i := range strays {
			s := &strays[i]
			switch {
			case s.Kind == UnknownFile:
			case alone || s.ended || s.Kind == EmptyFolder || time.Since(s.time) > activeTime:
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

// Strays returns what is in the dataset and not part of it, sorted by kind and
// name. Files whose record cannot be read, or is of a later version, are taken
// for part of it.
func (d *Dataset) Strays(ctx context.Context) ([]Stray, error) {
	var found []Stray
	for entry, err := range d.store.List(ctx, "") { // before the records are read: runs may go on
		if err != nil {
			return nil, err
		}
		found = append(found, Stray{Name: entry.Name, Size: entry.Size, time: entry.Time})
	}
	left, err := d.store.Leftovers(ctx)
	if err != nil {
		return nil, err
	}
	committed, err := d.committed(ctx)
	if err != nil {
		return nil, err
	}
	found = slices.DeleteFunc(found, func(s Stray) bool { return committed.has(s.Name) })
	for i := range found {
		found[i].Kind = UncommittedFile
		if !isPartFile(found[i].Name) {
			found[i].Kind = UnknownFile
		}
	}
	for i := range left {
		l := &left[i]
		s := Stray{Name: l.Name, Kind: TemporaryFile, Size: l.Size, time: l.Time, ended: l.Ended, left: l}
		switch {
		case strings.HasSuffix(l.Name, "/"):
			s.Kind = EmptyFolder
		case !isOwnFile(l.Name):
			s.Name, s.Kind = l.ID, UnknownFile
		}
		if s.Kind != EmptyFolder || isOwnFolder(strings.TrimSuffix(l.Name, "/")) {
			found = append(found, s)
		}
	}
	slices.SortFunc(found, func(a, b Stray) int {
		if a.Kind != b.Kind {
			return int(a.Kind - b.Kind)
		}
		return strings.Compare(a.Name, b.Name)
	})
	return found, nil
}

// committed is the files that belong to a dataset.
type committed struct {
	files  map[string]bool
	traces map[string]bool // whose records say nothing: all their files belong to it
}

func (c *committed) has(name string) bool { return c.files[name] || c.traces[traceOfFile(name)] }

// committed reads all records.
func (d *Dataset) committed(ctx context.Context) (*committed, error) {
	c := &committed{files: map[string]bool{viewsFile: true}, traces: make(map[string]bool)}
	for entry, err := range d.store.List(ctx, recordsFolder) {
		if err != nil {
			return nil, err
		}
		trace, ok := strings.CutSuffix(path.Base(entry.Name), ".json")
		if !ok || path.Dir(entry.Name) != recordsFolder {
			continue
		}
		c.files[entry.Name] = true
		if entry.Size > maxRecord {
			c.traces[trace] = true
			continue
		}
		r, err := d.readRecord(ctx, entry.Name)
		switch {
		case errors.Is(err, errRecord):
			c.traces[trace] = true
		case err != nil:
			return nil, err
		case r != nil:
			for _, f := range r.Files {
				c.files[f.File] = true
			}
		}
	}
	return c, nil
}

// errRecord means that a commit record is no such, or of a later version.
var errRecord = errors.New("not a commit record of this version")

// maxRecord bounds what is read of a commit record; one with 4,096 tables has
// less than a MiB.
const maxRecord = 64 << 20

// readRecord reads a commit record; it returns nil if there is none.
func (d *Dataset) readRecord(ctx context.Context, name string) (*Record, error) {
	text, err := d.store.ReadFile(ctx, name)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	r := new(Record)
	if err := json.Unmarshal(text, r); err != nil {
		return nil, fmt.Errorf("%w: %w", errRecord, err)
	}
	if r.Format != recordFormat {
		return nil, fmt.Errorf("%w: its format is %d", errRecord, r.Format)
	}
	return r, nil
}

// tracePrefix begins the folder of a trace in that of a table.
const tracePrefix = "trace="

// traceOfFile returns the trace that a file of a table is of, or the group.
func traceOfFile(name string) string {
	if m := groupFileName.FindStringSubmatch(path.Base(name)); m != nil {
		return m[1]
	}
	trace, _ := strings.CutPrefix(path.Base(path.Dir(name)), tracePrefix)
	return trace
}

// isOwnFile reports whether a file has a name that this program writes.
func isOwnFile(name string) bool {
	return name == viewsFile || isRecordFile(name) || isPartFile(name)
}

func isRecordFile(name string) bool {
	return path.Dir(name) == recordsFolder && path.Ext(name) == ".json"
}

// isPartFile reports whether a file is called like those of tables.
func isPartFile(name string) bool {
	if !filepath.IsLocal(filepath.FromSlash(name)) || path.Clean(name) != name {
		return false
	}
	folder, file := path.Dir(name), path.Base(name)
	if groupFileName.MatchString(file) {
		return isTableFolder(folder)
	}
	return file == partFile && strings.HasPrefix(path.Base(folder), tracePrefix) && isTableFolder(path.Dir(folder))
}

// isOwnFolder reports whether a folder is one that this program makes.
func isOwnFolder(name string) bool {
	if strings.HasPrefix(path.Base(name), tracePrefix) {
		name = path.Dir(name)
	}
	depth := strings.Count(name, "/")
	return name == recordsFolder || isTableFolder(name) || depth < 2 && strings.HasPrefix(name+"/", schema.EventsFolder)
}

// isTableFolder reports whether a folder is that of a table.
func isTableFolder(name string) bool {
	_, own := schema.LookupTable(name)
	return own || strings.HasPrefix(name, schema.EventsFolder) && strings.Count(name, "/") == 2
}
