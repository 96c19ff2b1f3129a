package cab

import (
	"bytes"
	"errors"
	"fmt"
	"io"

	"github.com/klauspost/compress/flate"
)

// mszip is a folder whose blocks are "CK" and a deflate stream each, which may
// refer to the 32 KiB before it.
type mszip struct {
	inflate io.ReadCloser
	in      bytes.Reader
	history []byte // the last decoded bytes, at most blockSize
	out     [blockSize + 1]byte
}

var errLonger = errors.New("it holds more bytes than it claims")

func (m *mszip) decode(data []byte, size int, _ bool) ([]byte, error) {
	if len(data) < 2 || data[0] != 'C' || data[1] != 'K' {
		return nil, errors.New(`an MSZIP block without "CK"`)
	}
	m.in.Reset(data[2:])
	if m.inflate == nil {
		m.inflate = flate.NewReader(&m.in)
	} else if err := m.inflate.(flate.Resetter).Reset(&m.in, m.history); err != nil {
		return nil, err
	}
	out := m.out[:size]
	if n, err := io.ReadFull(m.inflate, out); err != nil {
		return nil, fmt.Errorf("after %#x bytes of %#x: %w", n, size, unexpected(err))
	}
	if _, err := io.ReadFull(m.inflate, m.out[size:size+1]); err == nil {
		return nil, errLonger
	} else if err != io.EOF {
		return nil, fmt.Errorf("after %#x bytes: %w", size, unexpected(err))
	}
	m.remember(out)
	return out, nil
}

// remember keeps the bytes to which the next block may refer.
func (m *mszip) remember(out []byte) {
	if over := len(m.history) + len(out) - blockSize; over > 0 {
		m.history = m.history[:copy(m.history, m.history[over:])]
	}
	m.history = append(m.history, out...)
}
