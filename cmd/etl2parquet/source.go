package main

import (
	"cmp"
	"context"
	"errors"
	"io"
	"path/filepath"
	"sync/atomic"
	"time"

	"github.com/etl2parquet/etl2parquet/convert"
	"github.com/etl2parquet/etl2parquet/internal/archive"
)

// source reads the traces of inputs, and of the archives among them.
type source struct {
	options  archive.Options
	stdin    io.Reader
	progress *progress
	visit    func(t *trace) error                    // must close the trace, now or later; an error ends the input
	fail     func(in *input, name string, err error) // called for an input, or an entry of it, that cannot be read
}

// trace is an input, or an entry of an archive.
type trace struct {
	in    *input
	inner string // the part of the path inside an archive, or ""
	size  int64  // -1 if it is unknown until the trace is open
	read  int64  // bytes of the input that it takes; set by open
	file  *archive.File

	entry *archive.Entry
	from  int64 // its approximate offset in the input
	at    *openInput
}

// whole reports whether the trace is the input itself.
func (t *trace) whole() bool { return t.inner == "" }

// name returns the name of the trace in messages.
func (t *trace) name() string { return t.in.name + t.inner }

// path returns the path or URL of the trace.
func (t *trace) path() string {
	if isURL(t.in.path) {
		return t.in.path + t.inner
	}
	return t.in.path + filepath.FromSlash(t.inner)
}

// modTime returns the time of the input file, also for an entry of an archive:
// entries can have the same time in all versions of the archive.
func (t *trace) modTime() time.Time { return t.in.modTime }

// open makes the contents accessible until close. It must be called while the
// trace is being visited.
func (t *trace) open() error {
	if t.file != nil {
		return nil
	}
	file, err := t.entry.File()
	if err != nil {
		return t.at.because(err)
	}
	t.file, t.size, t.read = file, file.Size(), file.Size()
	if spooled := t.at.last.Load() - t.from; file.Temporary() && !t.whole() && spooled > 0 {
		t.read = spooled
	}
	return nil
}

func (t *trace) close() error {
	var err error
	if t.file != nil {
		err = t.file.Close()
	}
	t.at.release()
	return err
}

// input returns the trace as an input of package convert, with contents if it is open.
func (t *trace) input() convert.Input {
	return convert.Input{Name: t.path(), ModTime: t.modTime(), Size: t.size, Trace: t.file, Check: t.at.check}
}

// each visits the traces of inputs.
func (s *source) each(ctx context.Context, files []input) error {
	for i := range files {
		if err := ctx.Err(); err != nil {
			return err
		}
		in := &files[i]
		at, err := s.openInput(ctx, in)
		if err == nil {
			err = at.because(s.walk(ctx, at))
			s.progress.close()
			at.release()
		}
		if err != nil && ctx.Err() == nil {
			s.fail(in, in.name, pathless(in.path, err))
		}
	}
	return ctx.Err()
}

// walk visits the traces of an input.
func (s *source) walk(ctx context.Context, at *openInput) error {
	in, told, from := at.in, 0, int64(0)
	err := archive.Walk(ctx, at.input(), s.options, func(e *archive.Entry, err error) error {
		inner := e.Path[len(in.name):]
		switch {
		case err != nil && matters(e, inner, err):
			told++
			s.fail(in, e.Path, pathless(in.path, at.because(err)))
		case err == nil && (inner == "" || isTrace(e)):
			told++
			if err := foreignError(e); err != nil {
				s.fail(in, e.Path, err)
				break
			}
			at.users.Add(1)
			begin := from
			defer func() { from = at.last.Load() }()
			return s.visit(&trace{in: in, inner: inner, size: e.Size, entry: e, from: begin, at: at})
		}
		return nil
	})
	if err == nil && told == 0 && !in.folder {
		s.fail(in, in.name, errors.New("no trace in this archive"))
	}
	return err
}

// isTrace reports whether an entry of an archive is a trace: by its name, or
// because it begins like one.
func isTrace(e *archive.Entry) bool {
	return archive.TraceName(e.Name) || beginsLikeTrace(e)
}

// matters reports whether an error may mean that a trace was missed. An entry
// that cannot be read as an archive is ignored if it is not named like a trace or
// an archive.
func matters(e *archive.Entry, inner string, err error) bool {
	var limit *archive.LimitError
	passed := errors.Is(err, errors.ErrUnsupported) || errors.As(err, &limit) && limit.Limit == archive.LimitDepth
	return !passed || inner == "" || archive.TraceName(e.Name) || isArchiveName(e.Name)
}

// openInput is an input that is being read: by the walk, and by the traces in it
// that need no temporary file.
type openInput struct {
	in *input
	content
	last  atomic.Int64 // the end of the last read
	users atomic.Int32 // the walk, and the traces that are not closed
	done  func()
}

// openInput opens an input. It stays open until all its users have released it.
func (s *source) openInput(ctx context.Context, in *input) (*openInput, error) {
	at := &openInput{in: in, done: s.progress.finishInput}
	if in.stdin() {
		s.progress.open(-1)
	} else {
		s.progress.open(in.size)
	}
	c, err := s.content(ctx, in)
	if err != nil {
		s.progress.close()
		at.done()
		return nil, err
	}
	at.content = *c
	at.users.Add(1)
	return at, nil
}

// content opens the contents of an input.
func (s *source) content(ctx context.Context, in *input) (*content, error) {
	switch {
	case in.stdin():
		return &content{stream: s.stdin}, nil
	case in.open != nil:
		return in.open(ctx)
	}
	file, err := openLocal(in)
	if err != nil {
		return nil, err
	}
	return &content{at: file, closer: file, check: file.check}, nil
}

// check returns an error if the input has changed since it was opened. Servers
// need no check: each request asks for the version that was found.
func (p *openInput) check() error {
	if p.content.check == nil {
		return nil
	}
	return pathless(p.in.path, p.content.check())
}

// because returns the cause of an error: if the input changed while it was read, that is the cause.
func (p *openInput) because(err error) error {
	if err == nil {
		return nil
	}
	return cmp.Or(p.check(), err)
}

func (p *openInput) release() {
	if p.users.Add(-1) > 0 {
		return
	}
	if p.closer != nil {
		p.closer.Close() // it was only read
	}
	p.done()
}

func (p *openInput) input() archive.Input {
	if p.at == nil {
		return archive.Input{Name: p.in.name, ModTime: p.in.modTime, Stream: p}
	}
	return archive.Input{Name: p.in.name, ModTime: p.in.modTime, At: p, Size: p.in.size}
}

// ReadAt implements io.ReaderAt. It removes the path from errors: pathless would
// otherwise also drop what callers add, such as the offset in the file.
func (p *openInput) ReadAt(b []byte, offset int64) (int, error) {
	n, err := p.at.ReadAt(b, offset)
	p.last.Store(offset + int64(n))
	return n, pathless(p.in.path, err)
}

// Read implements io.Reader.
func (p *openInput) Read(b []byte) (int, error) {
	n, err := p.stream.Read(b)
	p.last.Add(int64(n))
	return n, err
}
