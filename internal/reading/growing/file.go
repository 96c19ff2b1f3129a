package growing

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"

	"github.com/etl2parquet/etl2parquet/decode"
	"github.com/etl2parquet/etl2parquet/internal/engine/index"
)

// Errors of files that cannot be followed.
var (
	ErrCircular = errors.New("a circular file cannot be followed: when it is full, its session writes over its oldest buffers; " +
		"let the session write a sequential file or a series of files")
	ErrBackup = errors.New("a file of a real-time session (RtBackup) cannot be followed: its session removes buffers that were delivered")
)

// File is a trace that grows. It is for one goroutine.
type File struct {
	Path string
	// Say is called with what becomes of the file, as the rest of a sentence whose subject is the file.
	Say func(text string)

	file   *os.File
	info   fs.FileInfo
	size   int64
	gone   bool // its path names it no longer
	begun  bool // its header has been read
	closed bool // its session has been stopped, and its last buffer was found, which was said
	waits  int  // scans since the session was stopped that found its last buffer incomplete

	head      []byte // the header buffer, as it was read last
	container decode.Container
	next      int64               // offset of the next buffer
	found     []decode.BufferInfo // complete buffers that are not printed yet, at their offsets
	number    int                 // of the first of these
	seen      scanned             // the state of the file at the last scan
	tail      tail
}

// scanned tells whether it is worth looking for buffers again.
type scanned struct {
	size    int64
	header  [decode.BufferHeaderSize]byte // at File.next
	pending bool                          // a buffer is there that was not complete
}

// errWaiting means that a file does not have a header yet.
var errWaiting = errors.New("it has no header yet")

// isWaiting reports whether an error is that of a file without a header, or of one that ended sooner than it
// had said: it was truncated meanwhile, and the next Poll sees it.
func isWaiting(err error) bool {
	return errors.Is(err, errWaiting) || errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF)
}

// Poll looks at the file, and finds complete buffers. restarted means that the file is another one now,
// or was written anew: what was remembered of it is void. It returns an error for a file that cannot be
// followed, which Poll may be called for again.
func (f *File) Poll() (restarted bool, err error) {
	info, err := os.Stat(f.Path)
	isAbsent := errors.Is(err, fs.ErrNotExist)
	if err != nil && !isAbsent {
		return false, err
	}
	switch {
	case f.file != nil && (isAbsent || !os.SameFile(info, f.info)):
		return f.leave(isAbsent)
	case isAbsent:
		return false, nil
	case f.file == nil:
		if err := f.open(); err != nil {
			return false, err
		}
	}
	if restarted, err = f.renew(); err != nil {
		return restarted, err
	}
	return restarted, f.scan()
}

// leave reads the rest of a file whose path names it no longer, and then closes it.
func (f *File) leave(isAbsent bool) (restarted bool, err error) {
	if !f.gone {
		f.gone = true
		if isAbsent {
			f.Say("was removed or renamed; waiting for it")
		} else {
			f.Say("is another file now")
		}
	}
	if info, err := f.file.Stat(); err == nil && f.begun && info.Size() >= f.next {
		f.size = info.Size()
		if err := f.scan(); err != nil {
			return false, err
		}
	}
	if len(f.found) > 0 { // they are printed first
		return false, nil
	}
	begun := f.begun
	return begun, f.Close()
}

func (f *File) open() error {
	file, err := open(f.Path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	info, err := file.Stat()
	if err != nil {
		return errors.Join(err, file.Close())
	}
	*f = File{Path: f.Path, Say: f.Say, file: file, info: info}
	return nil
}

// Close closes the file. A later Poll begins anew.
func (f *File) Close() error {
	file := f.file
	*f = File{Path: f.Path, Say: f.Say}
	if file == nil {
		return nil
	}
	return file.Close()
}

// restart begins at the start of the file again.
func (f *File) restart() {
	*f = File{Path: f.Path, Say: f.Say, file: f.file, info: f.info, size: f.size}
}

// renew reads the header again: a session completes it when it stops, and a new session replaces it.
func (f *File) renew() (restarted bool, err error) {
	if f.file == nil {
		return false, nil
	}
	info, err := f.file.Stat()
	if err != nil {
		return false, err
	}
	if f.size = info.Size(); f.begun && f.size < f.next {
		f.Say(fmt.Sprintf("is shorter than before: %d bytes, and %d were read; a session has begun it anew", f.size, f.next))
		f.restart()
		restarted = true
	}
	head, err := f.readHead()
	if isWaiting(err) || err == nil && bytes.Equal(head, f.head) {
		return restarted, nil
	}
	if err != nil {
		return restarted, err
	}
	opened, err := decode.NewFile(bytes.NewReader(head), int64(len(head)))
	if err != nil {
		return restarted, err
	}
	c := opened.Container()
	switch {
	case c.Header.Kind == decode.FileRealTimeBackup:
		return restarted, ErrBackup
	case c.Header.Circular():
		return restarted, ErrCircular
	}
	if f.begun && index.RecordingOf(&c.Header) != index.RecordingOf(&f.container.Header) {
		f.Say("was begun anew by another session")
		f.restart()
		restarted = true
	}
	f.head, f.begun = head, true
	f.container.Header = c.Header
	if f.next == 0 {
		f.container.Format = c.Format
	}
	f.closed, f.seen = false, scanned{}
	return restarted, nil
}

// readHead reads the header buffer.
func (f *File) readHead() ([]byte, error) {
	var first [decode.BufferHeaderSize]byte
	if f.size < int64(len(first)) {
		return nil, errWaiting
	}
	if _, err := f.file.ReadAt(first[:], 0); err != nil {
		return nil, err
	}
	if isFilled(first[:], 0) {
		return nil, errWaiting
	}
	if _, ok := decode.ParseBackupHeader(first[:]); ok {
		return nil, ErrBackup
	}
	h, ok := decode.ParseBufferHeader(first[:])
	if !ok {
		return nil, decode.ErrNotETL
	}
	if int64(h.BufferSize) > f.size {
		return nil, errWaiting
	}
	head := make([]byte, h.BufferSize)
	if _, err := f.file.ReadAt(head, 0); err != nil {
		return nil, err
	}
	if isFilled(head[decode.BufferHeaderSize:], 0) {
		return nil, errWaiting
	}
	return head, nil
}

// Recording identifies the session that writes the file; "" if nothing is known yet.
func (f *File) Recording() string {
	if !f.begun {
		return ""
	}
	return index.RecordingOf(&f.container.Header)
}

// isFilled reports whether all bytes are c.
func isFilled(b []byte, c byte) bool { return bytes.Count(b, []byte{c}) == len(b) }

// isUnused reports whether bytes are all 0x00 or all 0xFF: space that was not written yet.
func isUnused(b []byte) bool { return isFilled(b, 0) || isFilled(b, 0xff) }
