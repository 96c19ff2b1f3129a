package inputs

import (
	"io"
	"path/filepath"
	"time"

	"github.com/etl2parquet/etl2parquet/internal/engine/pipeline"
	"github.com/etl2parquet/etl2parquet/internal/inputs/archive"
)

// Trace is a file that is a trace, or an entry of an archive.
type Trace struct {
	File  *File
	Inner string // the path inside an archive, with slashes, beginning with one; or ""
	Size  int64  // -1 if unknown until the trace is open
	Among bool   // it is in an archive that can have others

	// What Open makes accessible.
	Contents *archive.File
	Taken    int64 // bytes of the file that the trace takes

	entry  *archive.Entry
	from   int64 // its approximate offset in the file
	at     *openFile
	shared bool // Contents belong to another trace
}

// Head returns the start of the trace: its first 4 KiB, or all of it if shorter. It can be read
// while the trace is being visited, and must not be changed.
func (t *Trace) Head() []byte { return t.entry.Head }

// Share makes the trace use the contents of another trace of the same entry, which must stay open
// longer than this one.
func (t *Trace) Share(o *Trace) {
	t.Contents, t.Size, t.Taken, t.shared = o.Contents, o.Size, o.Taken, true
}

// IsWhole reports whether the trace is the file itself.
func (t *Trace) IsWhole() bool { return t.Inner == "" }

// Name returns the name of the trace in messages.
func (t *Trace) Name() string { return t.File.Name + t.Inner }

// Path returns the path or URL of the trace.
func (t *Trace) Path() string {
	if IsURL(t.File.Path) {
		return t.File.Path + t.Inner
	}
	return t.File.Path + filepath.FromSlash(t.Inner)
}

// ModTime returns the time of the file, even for an entry of an archive, because entries
// can have the same time in all versions of the archive.
func (t *Trace) ModTime() time.Time { return t.File.ModTime }

// Open makes the contents accessible until Close. It must be called while the
// trace is being visited.
func (t *Trace) Open() error {
	if t.Contents != nil {
		return nil
	}
	contents, err := t.entry.File()
	if err != nil {
		return t.at.because(err)
	}
	t.Contents, t.Size, t.Taken = contents, contents.Size(), contents.Size()
	if spooled := t.at.last.Load() - t.from; contents.Temporary() && !t.IsWhole() && spooled > 0 {
		t.Taken = spooled
	}
	return nil
}

// Close releases the contents and the file. Name, Path and sizes stay.
func (t *Trace) Close() error {
	var err error
	if t.Contents != nil && !t.shared {
		err = t.Contents.Close()
	}
	t.at.release()
	t.Contents, t.entry, t.at = nil, nil, nil // a closed trace can wait long for its turn
	return err
}

// Input returns the trace as an input of package convert, with contents if it is open.
func (t *Trace) Input() pipeline.Input {
	return pipeline.Input{Name: t.Path(), ModTime: t.ModTime(), Size: t.Size, Trace: t.Contents, Check: t.at.check}
}

// Reader returns the contents of an open trace. Its method Unchanged returns an error if the file has
// changed since it was opened.
func (t *Trace) Reader() io.ReaderAt { return contents{t.Contents, t.at.check} }

// contents are the contents of a trace that knows when it has changed.
type contents struct {
	io.ReaderAt
	check func() error
}

// Unchanged returns an error if the file has changed since it was opened.
func (c contents) Unchanged() error { return c.check() }
