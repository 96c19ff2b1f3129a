package deflate64_test

import (
	"bytes"
	"compress/flate"
	"io"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/etl2parquet/etl2parquet/internal/base/deflate64"
)

// stream builds a stream bit by bit.
type stream struct {
	out   []byte
	count int
}

// bits appends n bits, the lowest first.
func (s *stream) bits(v, n int) *stream {
	for i := range n {
		if s.count%8 == 0 {
			s.out = append(s.out, 0)
		}
		s.out[s.count/8] |= byte(v>>i&1) << (s.count % 8)
		s.count++
	}
	return s
}

// code appends a Huffman code, the highest bit first.
func (s *stream) code(v, n int) *stream {
	for i := n - 1; i >= 0; i-- {
		s.bits(v>>i, 1)
	}
	return s
}

// literal, match and end append codes of the fixed trees.
func (s *stream) literal(b byte) *stream { return s.code(0x30+int(b), 8) }
func (s *stream) end() *stream           { return s.code(0, 7) }

// longMatch appends a match of length code 285, with 3 + more bytes.
func (s *stream) longMatch(more, distanceCode, distanceMore, distanceBits int) *stream {
	return s.code(0xc0+285-280, 8).bits(more, 16).code(distanceCode, 5).bits(distanceMore, distanceBits)
}

// stored appends a stored block.
func (s *stream) stored(b []byte, last int) *stream {
	s.bits(last, 3)
	s.bits(0, (8-s.count%8)%8)
	s.bits(len(b), 16).bits(len(b)^0xffff, 16)
	s.out = append(s.out, b...)
	s.count = 8 * len(s.out)
	return s
}

// noise returns n bytes without near repetitions.
func noise(n int) []byte {
	b := make([]byte, n)
	x := uint32(1)
	for i := range b {
		x = x*1664525 + 1013904223
		b[i] = byte(x >> 24)
	}
	return b
}

// deflated returns Deflate without length code 285, which is valid Deflate64 too.
func deflated(t testing.TB, b []byte, level int) []byte {
	var out bytes.Buffer
	w, err := flate.NewWriter(&out, level)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := w.Write(b); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

func TestStreams(t *testing.T) {
	text := []byte(strings.Repeat("Microsoft Windows Kernel, ", 4)) // no match of 258
	random := noise(150_000)
	far := noise(60_000)
	for name, test := range map[string]struct{ in, want []byte }{
		"stored":       {deflated(t, random, flate.NoCompression), random},
		"Huffman":      {deflated(t, text, flate.HuffmanOnly), text},
		"empty":        {deflated(t, nil, flate.BestCompression), nil},
		"best":         {deflated(t, text, flate.BestCompression), text},
		"long match":   {new(stream).bits(3, 3).literal('a').longMatch(65535, 0, 0, 0).literal('b').end().out, []byte(strings.Repeat("a", 65539) + "b")},
		"code 30":      {new(stream).stored(far, 0).bits(3, 3).longMatch(7, 30, 40_000-32769, 14).end().out, append(far[:60_000:60_000], far[20_000:20_010]...)},
		"code 31":      {new(stream).stored(far, 0).bits(3, 3).longMatch(7, 31, 50_000-49153, 14).end().out, append(far[:60_000:60_000], far[10_000:10_010]...)},
		"whole window": {new(stream).stored(random[:65535], 0).bits(3, 3).literal('x').longMatch(0, 31, 65536-49153, 14).end().out, append(append(random[:65535:65535], 'x'), random[:3]...)},
	} {
		t.Run(name, func(t *testing.T) {
			for i, r := range []io.Reader{bytes.NewReader(test.in), iotest.OneByteReader(bytes.NewReader(test.in))} {
				got, err := io.ReadAll(deflate64.NewReader(r))
				if err != nil || !bytes.Equal(got, test.want) {
					t.Errorf("reader %d: %d bytes, want %d: %v", i, len(got), len(test.want), err)
				}
			}
		})
	}
}

func TestErrors(t *testing.T) {
	good := new(stream).bits(3, 3).literal('a').longMatch(100, 0, 0, 0).end().out
	for name, test := range map[string]struct {
		in   []byte
		want string
	}{
		"empty":            {nil, "unexpected EOF"},
		"cut":              {good[:len(good)-1], "unexpected EOF"},
		"block type":       {new(stream).bits(7, 3).out, "a block of type 3"},
		"stored length":    {new(stream).bits(1, 3).bits(0, 5).bits(5, 16).bits(5, 16).out, "stored block does not match its complement"},
		"stored cut":       {new(stream).stored([]byte("abc"), 1).out[:7], "unexpected EOF"},
		"distance":         {new(stream).bits(3, 3).literal('a').longMatch(0, 1, 0, 0).out, "beyond the beginning"},
		"literal 286":      {new(stream).bits(3, 3).code(0xc0+286-280, 8).out, "a code without a meaning"},
		"287 literals":     {new(stream).bits(5, 3).bits(30, 5).bits(0, 9).bits(0, 64).out, "code lengths that make no tree"},
		"too many lengths": {new(stream).bits(5, 3).bits(0, 10).bits(0, 4).bits(0o1111, 12).out, "too many or too few codes"},
		"repeat nothing":   {new(stream).bits(5, 3).bits(0, 10).bits(0, 4).bits(1, 12).bits(0, 64).out, "code lengths that make no tree"},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := io.ReadAll(deflate64.NewReader(bytes.NewReader(test.in)))
			if err == nil || !strings.Contains(err.Error(), test.want) {
				t.Errorf("got %v, want an error with %q", err, test.want)
			}
		})
	}
}

// FuzzReader checks that a stream expands no further than its bits allow, and to the
// same bytes for any sizes of reads.
func FuzzReader(f *testing.F) {
	f.Add(new(stream).bits(3, 3).literal('a').longMatch(100, 0, 0, 0).end().out)
	f.Add(new(stream).stored(noise(100), 0).bits(3, 3).longMatch(7, 3, 0, 0).end().out)
	f.Add(deflated(f, []byte(strings.Repeat("Microsoft Windows Kernel, ", 20)), flate.BestCompression))
	f.Fuzz(func(t *testing.T, in []byte) {
		const most = 1 << 20
		whole, err := io.ReadAll(io.LimitReader(deflate64.NewReader(bytes.NewReader(in)), most))
		pieces, piecesErr := io.ReadAll(io.LimitReader(iotest.HalfReader(deflate64.NewReader(bytes.NewReader(in))), most))
		if !bytes.Equal(whole, pieces) || (err == nil) != (piecesErr == nil) {
			t.Errorf("%d bytes, %v; in pieces %d bytes, %v", len(whole), err, len(pieces), piecesErr)
		}
		// A match takes at least 18 bits: two codes and 16 extra bits.
		if len(whole) > len(in)*8/18*65538+len(in)*8*258 {
			t.Errorf("%d bytes from %d", len(whole), len(in))
		}
	})
}
