package archive

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"time"

	"github.com/etl2parquet/etl2parquet/internal/base/temporary"
)

// Input is the input of a walk, with random access or as a stream.
type Input struct {
	Name    string    // the start of all paths
	ModTime time.Time // if known

	// At gives random access to Size bytes. For zip, 7z and cab, a few KiB are read at a
	// time, mostly in order.
	At   io.ReaderAt
	Size int64

	// Stream is read to its end if At is nil. A zip, 7z or cab is then stored in a
	// temporary file, which can also be better if every read is a request to a server.
	Stream io.Reader
}

// Options are the options of a walk. The zero value is usable.
type Options struct {
	Limits Limits
	// TempDir is the folder for temporary files, "" for the system's.
	TempDir string
	// Space bounds the temporary files of all walks that share it; nil for no bound.
	Space *Space
	// Held means that files that a walk gave out can stay open until the walk has ended, so that
	// waiting for their space could last forever: a walk without room then fails.
	Held bool
}

// Entry is a file in an archive, or the input itself if it is not an archive. It can be read
// while visit runs.
type Entry struct {
	// Path is the path of the entry, for people: the input's name, the nested archives, and
	// the folders, as in bundle.zip/logs.tar.gz/a/b.etl. All of it except the input's name
	// is made safe. Paths are unique.
	Path string
	// Name is the last element of Path.
	Name string
	// Size is the size, or -1 if it is unknown until the entry is read. Do not rely on it:
	// an archive can claim any size.
	Size    int64
	ModTime time.Time // zero if unknown
	// Among is whether the archive can have other entries: a compressed file has none.
	Among bool
	// Head is the start of the entry: its first 4 KiB, or all of it if shorter. It must not
	// be changed.
	Head []byte
	// HeadErr is why Head is shorter than it should be, or nil. Reading the entry returns it too.
	HeadErr error

	w    *walker
	at   io.ReaderAt // if the entry has random access
	r    io.Reader   // nil once visit has returned
	read bool
}

// Visit is called for every entry and every error. If err is not nil, the entry has no content:
// it could not be opened, or it is an archive that could not be opened or read to its end. An
// error from Visit ends the walk.
//
// A [LimitError] means that the entry exceeds a limit; [errors.ErrUnsupported] means that its
// kind is not supported.
type Visit func(e *Entry, err error) error

// Walk visits the entries of an input in the order of the archive, including those of nested
// archives. It returns nil if visit was called for everything in the input, or else the error of
// visit or of ctx.
func Walk(ctx context.Context, in Input, o Options, visit Visit) error {
	w := &walker{visitor: visit, temp: temporary.NewPool(o.TempDir), space: o.Space, held: o.Held, paths: make(paths)}
	w.guard = guard{ctx: ctx, limits: o.Limits.withDefaults(), packed: func() int64 { return in.Size }}
	src := source{path: in.Name, name: in.Name, size: in.Size, modTime: in.ModTime, at: in.At}
	if in.At == nil {
		c := &counter{r: &placedStream{r: in.Stream}}
		w.guard.packed = c.count
		src.size, src.stream = -1, c
	}
	w.paths[in.Name] = 1
	err := w.walk(&src)
	if errors.Is(err, errStop) {
		return ctx.Err()
	}
	return err
}

// walker is the state of one walk.
type walker struct {
	guard
	visitor     Visit
	temp        *temporary.Pool
	space       *Space
	held        bool // do not wait for space
	paths       paths
	reported    bool // the error of the guard has been reported
	reportedEnd bool // an unexpected end has been reported
}

// streamBuffer is the number of bytes that are read from a stream at a time.
const streamBuffer = 128 << 10

// errStop ends the walk after the reason has been reported.
var errStop = errors.New("the walk has ended")

// source is the content of the input or of an entry before its kind is detected. It has random
// access or is a stream.
type source struct {
	path    string // shown to people
	name    string // in the archive
	depth   int    // archives around it
	size    int64  // or -1
	modTime time.Time
	among   bool // archives around it can have other entries
	at      io.ReaderAt
	stream  io.Reader
	headErr error // after the head, unless that is whole
}

// head returns the start of the source without consuming it. A later error is returned when the
// source is read.
func (s *source) head() ([]byte, error) {
	size := int64(HeadSize)
	if s.size >= 0 {
		size = min(s.size, size)
	}
	head := make([]byte, size)
	if s.at != nil {
		if n, err := s.at.ReadAt(head, 0); n < len(head) {
			return nil, unexpected(placed(err, 0))
		}
		return head, nil
	}
	n, err := 0, error(nil)
	for n < len(head) && err == nil { // unlike io.ReadFull, distinguishes an unexpected end from the end
		var k int
		k, err = s.stream.Read(head[n:])
		n += k
	}
	s.stream = &behind{head: head[:n], err: err, r: s.stream}
	if err != io.EOF {
		s.headErr = err
	}
	if n > 0 || err == io.EOF {
		err = nil
	}
	return head[:n], err
}

// behind is a stream after its head.
type behind struct {
	head []byte
	err  error // after the head
	r    io.Reader
}

func (b *behind) Read(p []byte) (int, error) {
	switch {
	case len(b.head) > 0:
		n := copy(p, b.head)
		b.head = b.head[n:]
		return n, nil
	case b.err != nil:
		return 0, b.err
	}
	return b.r.Read(p)
}

// reader reads the source from its beginning.
func (s *source) reader() io.Reader {
	if s.at != nil {
		return io.NewSectionReader(s.at, 0, s.size)
	}
	return s.stream
}

// walk detects the kind of a source and visits it, or its entries if it is an archive.
func (w *walker) walk(s *source) error {
	head, err := s.head()
	if err != nil {
		return w.report(s, err)
	}
	k := kindOf(head)
	if k == kindOther {
		return w.visit(s, head)
	}
	if s.depth >= w.limits.Depth {
		return w.report(s, &LimitError{LimitDepth, int64(w.limits.Depth), fmt.Sprintf("an archive inside %d others", s.depth)})
	}
	if s.at != nil && s.depth == 0 {
		s.at = placedReads{s.at}
	}
	switch k {
	case kindZip, kind7z, kindCab:
		return w.walkFile(k, s)
	case kindTar:
		if s.at != nil {
			return w.walkTarFile(s)
		}
		_, err := w.walkTarStream(s, bufio.NewReaderSize(s.stream, streamBuffer))
		return err
	}
	return w.walkCompressed(k, s)
}

// visit calls the visitor for an entry.
func (w *walker) visit(s *source, head []byte) error {
	e := s.entry()
	e.Head, e.w, e.at, e.r = head, w, s.at, s.reader()
	err := w.visitor(e, nil)
	e.r = nil
	if err == nil {
		err = w.goesOn(s)
	}
	return err
}

// report reports an error of a source.
func (w *walker) report(s *source, err error) error {
	w.reported, w.reportedEnd = w.spent != nil, w.reportedEnd || errors.Is(err, io.ErrUnexpectedEOF)
	if ctxErr := w.ctx.Err(); ctxErr != nil {
		return ctxErr
	}
	if err := w.visitor(s.entry(), err); err != nil {
		return err
	}
	return w.goesOn(s)
}

// goesOn returns an error if the context or the guard ends the walk.
func (w *walker) goesOn(s *source) error {
	switch {
	case w.ctx.Err() != nil:
		return w.ctx.Err()
	case w.spent == nil:
		return nil
	case !w.reported:
		return w.report(s, w.spent)
	}
	return errStop
}

func (s *source) entry() *Entry {
	return &Entry{Path: s.path, Name: filepath.Base(s.path), Size: s.size, ModTime: s.modTime, Among: s.among, HeadErr: s.headErr}
}

// child counts an entry of an archive and returns its source. Errors are reported under its
// cleaned name.
func (w *walker) child(parent *source, name string) (*source, error) {
	if err := w.guard.entry(); err != nil {
		return parent, err
	}
	c := &source{name: name, depth: parent.depth + 1, size: -1, among: true}
	if len(name) > w.limits.Name {
		const shown = 60
		c.path = w.paths.unique(parent.path + "/" + cleanElement(name[:min(shown, w.limits.Name)]) + "...")
		return c, &LimitError{LimitName, int64(w.limits.Name), fmt.Sprintf("a name of %d bytes", len(name))}
	}
	c.path = w.paths.unique(parent.path + "/" + cleanName(name))
	return c, nil
}

// walkFile walks an archive that needs random access.
func (w *walker) walkFile(k kind, s *source) (err error) {
	at, size := s.at, s.size
	if at == nil {
		f, err := w.spool(s.stream)
		if err != nil {
			return w.report(s, err)
		}
		defer func() {
			if closeErr := f.Close(); err == nil {
				err = closeErr
			}
		}()
		at, size = f, f.size
	}
	switch k {
	case kindZip:
		return w.walkZip(s, at, size)
	case kindCab:
		return w.walkCab(s, at, size)
	default:
		return w.walk7z(s, at, size)
	}
}

// Read implements io.Reader. If the content does not match its checksum, it returns an error at
// the end.
func (e *Entry) Read(p []byte) (int, error) {
	if e.r == nil {
		return 0, errors.New("the entry is not, or no longer, being visited")
	}
	e.read = true
	n, err := e.r.Read(p)
	return n, e.w.note(err)
}

// File gives random access to an entry. If the entry is stored uncompressed in Input.At, it is
// read from there. Otherwise File reads it to its end into a temporary file, so that checksums
// are verified. The file remains valid after the visit and the walk, and the caller must close
// it.
func (e *Entry) File() (*File, error) {
	if e.r == nil || e.read {
		return nil, errors.New("the entry is not being visited or has been read")
	}
	if e.at != nil {
		return &File{r: e.at, size: e.Size}, nil
	}
	e.read = true
	f, err := e.w.spool(e.r)
	if err != nil {
		return nil, e.w.note(err)
	}
	return f.lend(e.w.held), nil
}

// note records that an error is reported to the visitor.
func (w *walker) note(err error) error {
	w.reportedEnd = w.reportedEnd || errors.Is(err, io.ErrUnexpectedEOF)
	if err != nil && errors.Is(err, w.spent) {
		w.reported = true
	}
	return err
}

// unexpected turns the end of a reader before its size into an error.
func unexpected(err error) error {
	if err == nil || err == io.EOF {
		return io.ErrUnexpectedEOF
	}
	return err
}
