package convert

import (
	"context"
	"encoding/json"
	"errors"
	"io/fs"
	"iter"
	"maps"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/etl2parquet/etl2parquet/internal/store"
)

// GroupRecord is the commit record of a group of traces that share files: they
// are part of the dataset if and only if it is there.
type GroupRecord struct {
	Format  int           `json:"format"` // of this record
	Tool    string        `json:"tool"`   // version that wrote it
	Group   string        `json:"group"`
	Options RecordOptions `json:"options"`
	Traces  []GroupTrace  `json:"traces"` // in the order of their rows
	Files   []RecordFile  `json:"files"`
}

// GroupTrace is a trace of a group.
type GroupTrace struct {
	Trace     string    `json:"trace"`
	Input     string    `json:"input"`
	InputSize int64     `json:"input_size"`
	InputTime time.Time `json:"input_time,omitzero"`
	SHA256    string    `json:"sha256"`
	Events    int64     `json:"events"`
	Rows      int64     `json:"rows"` // in tables of events
	Decoding  *Decoding `json:"decoding,omitempty"`
	Problems  []Problem `json:"problems"`
}

// record returns the record of a trace of the group as if it were alone; its
// files are those of the group.
func (g *GroupRecord) record(i int) *Record {
	t := &g.Traces[i]
	return &Record{
		Format: recordFormat, Tool: g.Tool, Trace: t.Trace, Input: t.Input, InputSize: t.InputSize, InputTime: t.InputTime,
		SHA256: t.SHA256, Options: g.Options, Events: t.Events, Decoding: t.Decoding, Problems: t.Problems, Files: g.Files,
		shared: true, rows: t.Rows,
	}
}

// groups are the groups of a dataset.
type groups struct {
	mu    sync.Mutex
	of    map[string]groupPlace // by trace
	whole map[*GroupRecord]bool // as far as that was asked
	left  map[string][]string   // see groupFiles; nil: not yet asked
}

// groupPlace is where the record of a trace is.
type groupPlace struct {
	*GroupRecord
	index int
}

// LayoutError is the error of a dataset whose traces are in the other layout.
type LayoutError struct{ Combined bool }

func (e *LayoutError) Error() string {
	if e.Combined {
		return "the traces of this dataset share files"
	}
	return "each trace of this dataset has files of its own"
}

// SetLayout says whether traces share files in the dataset, or each has its
// own. All of a dataset are alike.
func (d *Dataset) SetLayout(ctx context.Context, combined bool) error {
	is, known, err := d.layout(ctx)
	if err != nil {
		return err
	}
	if known && is != combined {
		return &LayoutError{Combined: is}
	}
	if !combined {
		return nil
	}
	return d.readGroups(ctx)
}

// FindLayout has the dataset be as it is.
func (d *Dataset) FindLayout(ctx context.Context) error {
	combined, _, err := d.layout(ctx)
	if err != nil || !combined {
		return err
	}
	return d.readGroups(ctx)
}

// layout reports whether traces share files, if there are any.
func (d *Dataset) layout(ctx context.Context) (combined, known bool, err error) {
	for r, err := range d.groupRecords(ctx) {
		if err != nil {
			return false, false, err
		}
		return r.Group != "", true, nil // all others are of the same kind
	}
	return false, false, nil
}

func (d *Dataset) readGroups(ctx context.Context) error {
	list, err := d.Groups(ctx)
	if err != nil {
		return err
	}
	s := &groups{of: make(map[string]groupPlace), whole: make(map[*GroupRecord]bool)}
	for _, g := range list {
		s.add(g)
	}
	d.groups = s
	return nil
}

// groupRecords goes through the records, taken for those of groups: those of
// traces have no group. Others are left out.
func (d *Dataset) groupRecords(ctx context.Context) iter.Seq2[*GroupRecord, error] {
	return func(yield func(*GroupRecord, error) bool) {
		for entry, err := range d.store.List(ctx, recordsFolder) {
			var text []byte
			switch {
			case err != nil:
			case !isRecordFile(entry.Name) || entry.Size > maxRecord:
				continue
			default:
				text, err = d.store.ReadFile(ctx, entry.Name)
			}
			if errors.Is(err, fs.ErrNotExist) { // another run is about to replace it
				continue
			}
			r := new(GroupRecord)
			if err == nil && (json.Unmarshal(text, r) != nil || !r.isOf(entry.Name)) {
				continue // not ours to understand
			}
			if !yield(r, err) || err != nil {
				return
			}
		}
	}
}

// isOf reports whether a file can be that of the record.
func (g *GroupRecord) isOf(file string) bool {
	return g.Format == recordFormat && (g.Group == "" || isGroupName(g.Group) && file == recordFile(g.Group))
}

// Groups returns the records of the groups of the dataset, by name.
func (d *Dataset) Groups(ctx context.Context) ([]*GroupRecord, error) {
	var list []*GroupRecord
	for r, err := range d.groupRecords(ctx) {
		if err != nil {
			return nil, err
		}
		if r.Group != "" {
			list = append(list, r)
		}
	}
	slices.SortFunc(list, func(a, b *GroupRecord) int { return strings.Compare(a.Group, b.Group) })
	return list, nil
}

// add adds a group, in the place of those that its traces were in.
func (s *groups) add(g *GroupRecord) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for i := range g.Traces {
		s.of[g.Traces[i].Trace] = groupPlace{g, i}
	}
}

// traces returns the traces of all groups, in lower case.
func (s *groups) traces() map[string]bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	traces := make(map[string]bool)
	for name := range s.of {
		traces[strings.ToLower(name)] = true
	}
	return traces
}

// drop takes a group out.
func (s *groups) drop(g *GroupRecord) {
	s.mu.Lock()
	defer s.mu.Unlock()
	maps.DeleteFunc(s.of, func(_ string, p groupPlace) bool { return p.GroupRecord == g })
	delete(s.whole, g)
}

// find returns the group of a trace, nil if it is in none.
func (s *groups) find(trace string) *GroupRecord {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.of[trace].GroupRecord
}

// record returns the record of a trace, nil if there is none.
func (s *groups) record(trace string) *Record {
	s.mu.Lock()
	defer s.mu.Unlock()
	p := s.of[trace]
	if p.GroupRecord == nil {
		return nil
	}
	return p.record(p.index)
}

// wholeGroup reports whether the files of a trace's group are there. It is
// asked of all traces of a group, and looked up once.
func (d *Dataset) wholeGroup(ctx context.Context, trace string) (bool, error) {
	g := d.groups.find(trace)
	d.groups.mu.Lock()
	whole, known := d.groups.whole[g]
	d.groups.mu.Unlock()
	if known {
		return whole, nil
	}
	whole, err := d.wholeFiles(ctx, g.Files)
	if err != nil {
		return false, err
	}
	d.groups.mu.Lock()
	defer d.groups.mu.Unlock()
	d.groups.whole[g] = whole
	return whole, nil
}

// commit makes the files of the group part of the dataset, as commit of a
// trace does, in the place of another group.
func (o *groupOutput) commit(ctx context.Context, r, old *GroupRecord, workers int) error {
	if err := o.flushAll(ctx, workers); err != nil {
		return err
	}
	for _, f := range o.files {
		if err := f.parquet.Close(); err != nil {
			return err
		}
	}
	files, err := stageAll(ctx, o.files, nil)
	if err != nil {
		return err
	}
	r.Files = files
	text, err := json.MarshalIndent(r, "", "  ")
	if err != nil {
		return err
	}
	d := o.dataset
	record, err := d.stage(ctx, recordFile(o.name), append(text, '\n'))
	if err != nil {
		return err
	}
	gone, err := d.groupFiles(ctx, o.name)
	if err != nil {
		return d.discard(ctx, record, err)
	}
	ctx = context.WithoutCancel(ctx) // see traceOutput.commit
	if err := o.replace(ctx, old, gone, record); err != nil {
		ctx, cancel := cleaningUp(ctx)
		defer cancel()
		if old != nil {
			d.groups.drop(old)
		}
		return alsoFailed(err, record.Discard(ctx), d.removeGroup(ctx, r))
	}
	d.groups.add(r)
	return nil
}

// replace puts the new files in the place of those that have gone under the
// group's name, and of those of the old group.
func (o *groupOutput) replace(ctx context.Context, old *GroupRecord, gone []string, record store.File) error {
	d := o.dataset
	if old != nil {
		if err := d.removeGroup(ctx, old); err != nil {
			return err
		}
	}
	if err := d.store.Remove(ctx, gone...); err != nil {
		return err
	}
	if err := together(o.files, func(f *outputFile) error { return f.Publish(ctx) }); err != nil {
		return err
	}
	return record.Publish(ctx)
}

// removeGroup takes a group out of the dataset: first its record, then its
// files.
func (d *Dataset) removeGroup(ctx context.Context, r *GroupRecord) error {
	if err := d.store.Remove(ctx, recordFile(r.Group)); err != nil {
		return err
	}
	var files []string
	for _, f := range r.Files {
		if isPartFile(f.File) && traceOfFile(f.File) == r.Group { // whoever wrote it
			files = append(files, f.File)
		}
	}
	return d.store.Remove(ctx, files...)
}

// groupFiles returns the files that an interrupted run has left of a group,
// without a record. They are looked for once.
func (d *Dataset) groupFiles(ctx context.Context, group string) ([]string, error) {
	s := d.groups
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.left == nil {
		left, err := d.leftOfGroups(ctx)
		if err != nil {
			return nil, err
		}
		s.left = left
	}
	return s.left[group], nil
}

// leftOfGroups returns the files of groups that have no record.
func (d *Dataset) leftOfGroups(ctx context.Context) (map[string][]string, error) {
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
			if group := traceOfFile(entry.Name); isPartFile(entry.Name) {
				files[group] = append(files[group], entry.Name)
			}
		}
	}
	for _, p := range d.groups.of {
		delete(files, p.Group)
	}
	return files, nil
}
