package inputs

import (
	"cmp"
	"context"
	"sync/atomic"

	"github.com/etl2parquet/etl2parquet/internal/inputs/archive"
)

// openFile is a file that is being read: by the walk, and by the traces in it that
// need no temporary file.
type openFile struct {
	file *File
	content
	last  atomic.Int64 // the end of the last read
	users atomic.Int32 // the walk, and the traces that are not closed
	done  func()
}

// open opens a file. It stays open until all its users have released it.
func (r *Reader) open(ctx context.Context, f *File) (*openFile, error) {
	opened := &openFile{file: f, done: r.Progress.FinishFile}
	switch {
	case r.Again:
		r.Progress.Open(0) // the traces in it add their bytes
	case f.IsStdin():
		r.Progress.Open(-1)
	default:
		r.Progress.Open(f.Size)
	}
	c, err := r.content(ctx, f)
	if err != nil {
		r.Progress.Close()
		opened.done()
		return nil, err
	}
	opened.content = *c
	opened.users.Add(1)
	return opened, nil
}

// content opens the contents of a file.
func (r *Reader) content(ctx context.Context, f *File) (*content, error) {
	switch {
	case f.IsStdin():
		return &content{stream: r.Stdin}, nil
	case f.open != nil:
		return f.open(ctx)
	}
	file, err := openLocal(f, r.pool())
	if err != nil {
		return nil, err
	}
	return &content{at: file, closer: file, check: file.check}, nil
}

// check returns an error if the file has changed since it was opened. Servers
// need no check: each request asks for the version that was found.
func (p *openFile) check() error {
	if p.content.check == nil {
		return nil
	}
	return WithoutPath(p.file.Path, p.content.check())
}

// because returns the cause of an error: a change of the file while it was read, or else err.
func (p *openFile) because(err error) error {
	if err == nil {
		return nil
	}
	return cmp.Or(p.check(), err)
}

func (p *openFile) release() {
	if p.users.Add(-1) > 0 {
		return
	}
	if p.closer != nil {
		p.closer.Close() // only read, so an error does not matter
	}
	p.done()
}

func (p *openFile) input() archive.Input {
	if p.at == nil {
		return archive.Input{Name: p.file.Name, ModTime: p.file.ModTime, Stream: p}
	}
	return archive.Input{Name: p.file.Name, ModTime: p.file.ModTime, At: p, Size: p.file.Size}
}

// ReadAt implements io.ReaderAt. It removes the path from errors: pathless would
// otherwise also drop what callers add, such as the offset in the file.
func (p *openFile) ReadAt(b []byte, offset int64) (int, error) {
	n, err := p.at.ReadAt(b, offset)
	p.last.Store(offset + int64(n))
	return n, WithoutPath(p.file.Path, err)
}

// Read implements io.Reader.
func (p *openFile) Read(b []byte) (int, error) {
	n, err := p.stream.Read(b)
	p.last.Add(int64(n))
	return n, err
}
