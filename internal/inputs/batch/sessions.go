package batch

import (
	"cmp"
	"context"
	"errors"
	"path"
	"path/filepath"
	"slices"
	"sync"

	"github.com/etl2parquet/etl2parquet/internal/engine/index"
	"github.com/etl2parquet/etl2parquet/internal/engine/pipeline"
	"github.com/etl2parquet/etl2parquet/internal/inputs"
	"github.com/etl2parquet/etl2parquet/internal/inputs/archive"
	"github.com/etl2parquet/etl2parquet/internal/inputs/siblings"
)

// Sessions are the sessions of the traces of a run. The traces of a session are converted
// with each other's facts. The zero value has no sessions.
//
//  1. FindSessions reads the heads of all traces.
//  2. When a trace is converted, the other members of its session are opened. Members in
//     an archive are unpacked together, and kept until the session's last trace is
//     converted.
type Sessions struct {
	options archive.Options
	members map[place]*member
	places  map[place]index.Place // of traces among each other
	list    []*session

	rewriting bool // bundles are rewritten; sessions then end with the run

	mu   sync.Mutex
	kept int // sessions with unpacked members
}

// maxKept bounds the sessions whose unpacked members are kept. Members of other sessions are
// unpacked each time.
const maxKept = 4

// place is the place of a trace among the inputs.
type place struct {
	file  *inputs.File
	inner string
}

func placeOf(t *inputs.Trace) place { return place{t.File, t.Inner} }

// session is two or more traces; some may be copies of each other.
type session struct {
	of      *Sessions
	members []*member // in the order of their contents

	mu   sync.Mutex
	left int  // members that are not converted yet
	kept bool // counted in Sessions.kept
}

// member is a trace of a session.
type member struct {
	*siblings.Member
	place
	name    string // of the file, or of the entry
	session *session
	kept    *inputs.Trace // unpacked, or nil
}

// FindSessions finds the sessions of the traces in files. It reads only the heads of traces,
// but the whole of archives that cannot be read in part. It leaves out files that cannot be
// read, or not twice. It returns the error of the context.
func FindSessions(ctx context.Context, o archive.Options, files []*inputs.File) (*Sessions, error) {
	o.Held = true // members stay open while others are unpacked
	s := &Sessions{options: o, members: make(map[place]*member)}
	files = slices.DeleteFunc(slices.Clone(files), (*inputs.File).IsStream)
	if len(files) == 0 || len(files) == 1 && !inputs.IsArchiveName(files[0].Name) {
		return s, nil
	}
	var all []*siblings.Member
	of := make(map[*siblings.Member]*member)
	r := s.reader()
	r.Visit = func(t *inputs.Trace) error {
		if m, ok := siblings.Read(t.Head(), t.Size); ok {
			all = append(all, m)
			of[m] = &member{Member: m, place: placeOf(t), name: nameOf(t)}
		}
		return t.Close()
	}
	if err := r.Each(ctx, files); err != nil {
		return nil, err
	}
	if err := s.look(ctx, r, siblings.Unclear(all), of); err != nil {
		return nil, err
	}
	s.places = make(map[place]index.Place)
	for m, p := range siblings.Places(all) {
		s.places[of[m].place] = p
	}
	for _, group := range siblings.Find(all) {
		x := &session{of: s, left: len(group)}
		for _, m := range group {
			member := of[m]
			member.session = x
			x.members = append(x.members, member)
			s.members[member.place] = member
		}
		slices.SortStableFunc(x.members, func(a, b *member) int {
			return cmp.Or(a.Compare(b.Member), cmp.Compare(a.ID, b.ID), cmp.Compare(a.name, b.name))
		})
		s.list = append(s.list, x)
	}
	return s, nil
}

// look reads what the heads of members do not say, and opens them for it.
func (s *Sessions) look(ctx context.Context, r *inputs.Reader, unclear []*siblings.Member, of map[*siblings.Member]*member) error {
	if len(unclear) == 0 {
		return nil
	}
	wanted := make(map[place]*siblings.Member)
	var files []*inputs.File
	for _, m := range unclear {
		wanted[of[m].place] = m
		files = append(files, of[m].file)
	}
	slices.SortFunc(files, func(a, b *inputs.File) int { return cmp.Compare(a.Order, b.Order) })
	files = slices.Compact(files)
	r.Visit = func(t *inputs.Trace) error {
		if m := wanted[placeOf(t)]; m != nil && t.Open() == nil { // the conversion reports an error
			m.Look(t.Contents, t.Size)
		}
		return t.Close()
	}
	return r.Each(ctx, files)
}

// reader returns a reader that reports nothing.
func (s *Sessions) reader() *inputs.Reader {
	return &inputs.Reader{Options: s.options, Progress: inputs.NewProgress(0, 0), Fail: func(*inputs.File, string, error) {}}
}

func nameOf(t *inputs.Trace) string {
	if !t.IsWhole() {
		return path.Base(t.Inner)
	}
	return filepath.Base(t.Path())
}

// Files returns the files that have traces of each session.
func (s *Sessions) Files() [][]*inputs.File {
	var list [][]*inputs.File
	for _, x := range s.list {
		var files []*inputs.File
		for _, m := range x.members {
			files = append(files, m.file)
		}
		list = append(list, files)
	}
	return list
}

// input returns a trace as an input, with its siblings.
func (s *Sessions) input(t *inputs.Trace) pipeline.Input {
	in := t.Input()
	in.Place = s.places[placeOf(t)]
	own := s.members[placeOf(t)]
	if own == nil {
		return in
	}
	for i, m := range own.session.members {
		order := m.Compare(own.Member)
		if order == 0 || i > 0 && m.Compare(own.session.members[i-1].Member) == 0 {
			continue // itself, or a copy
		}
		if order < 0 {
			in.Before++
		}
		in.Siblings = append(in.Siblings, pipeline.Sibling{Name: m.name, Size: m.Size, ID: m.ID, Open: m.open})
	}
	return in
}

// open makes the contents of a trace accessible until the trace is closed.
func (s *Sessions) open(ctx context.Context, t *inputs.Trace) error {
	m := s.members[placeOf(t)]
	if m == nil || t.IsWhole() {
		return t.Open()
	}
	m.session.mu.Lock()
	defer m.session.mu.Unlock()
	if m.kept == nil && m.session.keep() {
		if _, err := m.unpack(ctx); err != nil && ctx.Err() != nil {
			return err
		}
	}
	if m.kept == nil {
		return t.Open()
	}
	t.Share(m.kept)
	return nil
}

// close closes a trace. Its siblings need no longer be open for it.
func (s *Sessions) close(t *inputs.Trace) error {
	m := s.members[placeOf(t)]
	err := t.Close()
	if m == nil {
		return err
	}
	m.session.mu.Lock()
	defer m.session.mu.Unlock()
	if m.session.left--; m.session.left == 0 && !s.rewriting {
		err = errors.Join(err, m.session.drop())
	}
	return err
}

// end releases all kept members.
func (s *Sessions) end() error {
	var errs []error
	for _, x := range s.list {
		x.mu.Lock()
		errs = append(errs, x.drop())
		x.mu.Unlock()
	}
	return errors.Join(errs...)
}

// keep reports whether to keep the unpacked members of the session.
func (x *session) keep() bool {
	x.of.mu.Lock()
	defer x.of.mu.Unlock()
	if !x.kept && x.of.kept < maxKept {
		x.of.kept++
		x.kept = true
	}
	return x.kept
}

// drop releases the unpacked members.
func (x *session) drop() error {
	var errs []error
	for _, m := range x.members {
		if m.kept != nil {
			errs = append(errs, m.kept.Close())
			m.kept = nil
		}
	}
	if x.kept {
		x.of.mu.Lock()
		x.of.kept--
		x.of.mu.Unlock()
		x.kept = false
	}
	return errors.Join(errs...)
}

// open opens the member as a sibling of another trace.
func (m *member) open(ctx context.Context) (index.SiblingFile, error) {
	if m.inner != "" {
		m.session.mu.Lock()
		defer m.session.mu.Unlock()
		if m.kept == nil {
			m.session.keep()
		}
	}
	if m.kept != nil {
		return keptFile{m.kept.Contents}, nil
	}
	t, err := m.unpack(ctx)
	if err != nil {
		return nil, err
	}
	if t == m.kept {
		return keptFile{t.Contents}, nil
	}
	return readFile{t.Contents, t}, nil
}

var (
	errNotThere = errors.New("it no longer exists")
	errOther    = errors.New("it changed while the inputs were read")
)

// unpack opens the member and, if the session's members are kept, the other members in its
// archive.
func (m *member) unpack(ctx context.Context) (opened *inputs.Trace, err error) {
	r := m.session.of.reader()
	r.Fail = func(_ *inputs.File, _ string, failed error) { err = cmp.Or(err, failed) }
	r.Visit = func(t *inputs.Trace) error {
		o := m.session.of.members[placeOf(t)]
		isWanted := o == m || o != nil && o.session == m.session && o.kept == nil && m.session.kept && m.inner != ""
		if !isWanted {
			return t.Close()
		}
		if now, ok := siblings.Read(t.Head(), t.Size); !ok || now.ID != o.ID {
			return errors.Join(errOther, t.Close())
		}
		if err := t.Open(); err != nil {
			return errors.Join(err, t.Close())
		}
		if o == m {
			opened = t
		}
		if m.session.kept && m.inner != "" {
			o.kept = t
		}
		return nil
	}
	if stopped := r.Each(ctx, []*inputs.File{m.file}); stopped != nil {
		err = stopped
	}
	switch {
	case opened != nil && ctx.Err() == nil:
		return opened, nil
	case opened != nil && opened != m.kept:
		opened.Close() // the run was interrupted
	}
	return nil, cmp.Or(err, errNotThere)
}

// keptFile is a member that stays open.
type keptFile struct{ *archive.File }

func (keptFile) Close() error { return nil }

// readFile is a member that was opened to be read once.
type readFile struct {
	*archive.File
	trace *inputs.Trace
}

func (f readFile) Close() error { return f.trace.Close() }
