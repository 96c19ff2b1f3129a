package archive

import (
	"fmt"
	"io"
)

// placedReads adds the offset in the input to read errors: a decompressor, or the reader of an
// entry, does not know it.
type placedReads struct{ r io.ReaderAt }

func (p placedReads) ReadAt(b []byte, offset int64) (int, error) {
	n, err := p.r.ReadAt(b, offset)
	return n, placed(err, offset)
}

// placedStream is like placedReads, for a stream.
type placedStream struct {
	r  io.Reader
	at int64
}

func (p *placedStream) Read(b []byte) (int, error) {
	n, err := p.r.Read(b)
	err = placed(err, p.at)
	p.at += int64(n)
	return n, err
}

func placed(err error, offset int64) error {
	if err == nil || err == io.EOF {
		return err
	}
	return fmt.Errorf("read at %#x: %w", offset, err)
}
