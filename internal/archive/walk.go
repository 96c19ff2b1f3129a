package archive

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"time"

	"github.com/etl2parquet/etl2parquet/internal/spool"
)

// Input is what is walked: something with random access, or a stream.
type Input struct {
	Name    string    // how paths begin
	ModTime time.Time // if known

	// At gives random access to Size bytes. Of zip, 7z and cab a few KiB are
	// read at a time, mostly in order.
	At   io.ReaderAt
	Size int64

	// Stream is read, from beginning to end, if At is nil. A zip, 7z or cab is
	// kept in a temporary file then, which can also be the better way where
	// every read is a request to a server.
	Stream io.Reader
}

// Options are how an input is walked. The zero value is good for all.
type Options struct {
	Limits Limits
	// TempDir is the folder for temporary files, "" for the system's.
	TempDir string
	// Space is what temporary files may take, of all walks that have the same;
	// nil for as much as there is.
	Space *Space
}

// Entry is a file in an archive, or the input itself if it is none. It is
// read as it comes, while visit runs.
type Entry struct {
	// Path is where the entry is, for people: the input's name, the archives
	// that are in each other, and the folders, as in bundle.zip/logs.tar.gz/a/b.etl.
	// All but the input's name is made safe, and no two entries have the same.
	Path string
	// Name is the last element of Path.
	Name string
	// Size is the size, or -1 if it is not known before the entry is read.
	// Archives in a zip or tar can say what they want: it is not to be relied on.
	Size    int64
	ModTime time.Time // zero if not known
	// Head is how the entry begins: its first 4 KiB, or all of it if shorter.
	// It is not to be changed.
	Head []byte

	w    *walker
	at   io.ReaderAt // of something with random access
	r    io.Reader   // nil when visit has returned
	read bool
}

// Visit is told of every entry, and of everything that is wrong. If err is not
// nil, the entry could not be opened (or is an archive that could not, or not
// to its end) and has no content. An error that it returns ends the walk.
//
// An error that is a [LimitError] says that a guard refuses the entry, one that
// is [errors.ErrUnsupported] that it is of a kind that is not read.
type Visit func(e *Entry, err error) error

// Walk visits the entries of an input, in the order of the archive, those of
// archives in it included. It returns nil when visit knows of everything that
// is there, the error of visit if there is one, and that of ctx if it ends.
func Walk(ctx context.Context, in Input, o Options, visit Visit) error {
	w := &walker{visitor: visit, temp: spool.NewPool(o.TempDir), space: o.Space, paths: make(paths)}
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
	visitor Visit
	temp    *spool.Pool
	space   *Space
	paths   paths
	told    bool // visit knows that the guard has spent its patience
	toldEnd bool // visit knows that something ends too early
}

// streamBuffer is how much of a stream is read at a time.
const streamBuffer = 128 << 10

// errStop ends the walk when visit has been told why.
var errStop = errors.New("the walk has ended")

// source is the content of the input or of an entry, before it is known what
// it is. It has random access or is a stream.
type source struct {
	path    string // shown
	name    string // as it was found
	depth   int    // archives around it
	size    int64  // or -1
	modTime time.Time
	at      io.ReaderAt
	stream  io.Reader
}

// head looks at the beginning and leaves it to be read. An error behind it
// comes when it is read.
func (s *source) head() ([]byte, error) {
	size := int64(headSize)
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
	for n < len(head) && err == nil { // unlike io.ReadFull, keeps an unexpected end from the end
		var k int
		k, err = s.stream.Read(head[n:])
		n += k
	}
	s.stream = &behind{head: head[:n], err: err, r: s.stream}
	if n > 0 || err == io.EOF {
		err = nil
	}
	return head[:n], err
}

// behind is a stream from its head on.
type behind struct {
	head []byte
	err  error // behind the head
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

// walk finds out what a source is and visits it, or what is in it.
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

// visit shows an entry.
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

// report says what is wrong with a source.
func (w *walker) report(s *source, err error) error {
	w.told, w.toldEnd = w.spent != nil, w.toldEnd || errors.Is(err, io.ErrUnexpectedEOF)
	if ctxErr := w.ctx.Err(); ctxErr != nil {
		return ctxErr
	}
	if err := w.visitor(s.entry(), err); err != nil {
		return err
	}
	return w.goesOn(s)
}

// goesOn ends the walk if the context or the guard says so.
func (w *walker) goesOn(s *source) error {
	switch {
	case w.ctx.Err() != nil:
		return w.ctx.Err()
	case w.spent == nil:
		return nil
	case !w.told:
		return w.report(s, w.spent)
	}
	return errStop
}

func (s *source) entry() *Entry {
	return &Entry{Path: s.path, Name: filepath.Base(s.path), Size: s.size, ModTime: s.modTime}
}

// child is an entry of an archive: where it is, and that it is counted. Its
// name is the cleaned one if something is to be reported.
func (w *walker) child(parent *source, name string) (*source, error) {
	if err := w.guard.entry(); err != nil {
		return parent, err
	}
	c := &source{name: name, depth: parent.depth + 1, size: -1}
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

// Read implements io.Reader. A content that differs from its checksum gives an
// error at its end.
func (e *Entry) Read(p []byte) (int, error) {
	if e.r == nil {
		return 0, errors.New("the entry is not, or no longer, being visited")
	}
	e.read = true
	n, err := e.r.Read(p)
	return n, e.w.tell(err)
}

// File gives random access to an entry: to the part of Input.At that it is, if
// it is stored there as it is, and otherwise to a temporary file, for which it
// is read to its end, so that the checksums have been compared. The file
// outlives the visit and the walk, and is the caller's to close.
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
		return nil, e.w.tell(err)
	}
	return f.lend(), nil
}

// tell notes that an error reaches the visitor.
func (w *walker) tell(err error) error {
	w.toldEnd = w.toldEnd || errors.Is(err, io.ErrUnexpectedEOF)
	if err != nil && errors.Is(err, w.spent) {
		w.told = true
	}
	return err
}

// unexpected is for a reader that has less than its size.
func unexpected(err error) error {
	if err == nil || err == io.EOF {
		return io.ErrUnexpectedEOF
	}
	return err
}
