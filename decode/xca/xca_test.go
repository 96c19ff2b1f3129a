package xca_test

import (
	"bytes"
	"encoding/binary"
	"errors"
	"flag"
	"fmt"
	"path/filepath"
	"testing"

	"github.com/etl2parquet/etl2parquet/decode/etltest"
	"github.com/etl2parquet/etl2parquet/decode/xca"
	"github.com/etl2parquet/etl2parquet/tools/testenv"
)

// format is one of the three formats: the decoder under test, its reference and
// the encoder.
type format struct {
	name              string
	decode, reference func(dst, src []byte) (int, error)
	compress          func(dst, src []byte) []byte
}

var (
	plain   = format{"plain", xca.DecodePlain, referencePlain, etltest.CompressPlain}
	huffman = format{"huffman", xca.DecodeHuffman, referenceHuffman, etltest.CompressHuffman}
	lznt1   = format{"lznt1", xca.DecodeLZNT1, referenceLZNT1, etltest.CompressLZNT1}
	formats = []format{plain, huffman, lznt1}
)

// run decodes src with a bound of size, twice: into a slice that ends there, and
// into one with room after it, which must not change. Both must agree with the
// reference in every result.
func (f format) run(t testing.TB, size int, src []byte) ([]byte, error) {
	t.Helper()
	want := make([]byte, size)
	wantN, wantErr := f.reference(want, src)
	for _, room := range []int{0, 32} {
		dst := bytes.Repeat([]byte{0xA5}, size+room)
		n, err := f.decode(dst[:size:size+room], src)
		if n < 0 || n > size {
			t.Fatalf("%s: %d bytes in a slice of %d", f.name, n, size)
		}
		if n != wantN || !errors.Is(err, wantErr) {
			t.Fatalf("%s: got %d bytes, %v; reference: %d bytes, %v", f.name, n, err, wantN, wantErr)
		}
		if !bytes.Equal(dst[:n], want[:n]) {
			t.Fatalf("%s: output differs from the reference", f.name)
		}
		if !bytes.Equal(dst[size:], bytes.Repeat([]byte{0xA5}, room)) {
			t.Fatalf("%s: bytes after the bound were written", f.name)
		}
	}
	return want[:wantN], wantErr
}

// sample returns n bytes that look like a trace: records with a size, a growing
// time, repeated ids, and text.
func sample(n int) []byte {
	var out []byte
	state := uint32(1)
	random := func(below uint32) uint32 {
		state = state*1664525 + 1013904223
		return state >> 8 % below
	}
	for clock := uint64(0x1D9A2B3C4D5E6F7); len(out) < n; {
		clock += uint64(random(50000))
		name := fmt.Sprintf(`\Device\HarddiskVolume%d\file%03d.dat`, random(3), random(40))
		out = binary.LittleEndian.AppendUint16(out, uint16(48+len(name)))
		out = append(out, 0x13, 0, byte(random(4)), 0, 0x40, 1)
		out = binary.LittleEndian.AppendUint32(out, 4*random(30))
		out = binary.LittleEndian.AppendUint32(out, 4*random(300))
		out = binary.LittleEndian.AppendUint64(out, clock)
		out = append(out, make([]byte, random(24))...)
		out = append(out, name...)
	}
	return out[:n]
}

// noise returns n bytes that do not compress.
func noise(n int) []byte {
	out := make([]byte, n)
	state := uint32(7)
	for i := range out {
		state = state*1664525 + 1013904223
		out[i] = byte(state >> 24)
	}
	return out
}

func TestRoundTrip(t *testing.T) {
	mixed := append(append(sample(5000), noise(9000)...), make([]byte, 200000)...)
	inputs := map[string][]byte{
		"empty": nil, "one": {1}, "two": {1, 1}, "three": {0, 0, 0},
		"text":  []byte("a match may overlap: abababababababababab; or be far away: a match"),
		"mixed": append(mixed, sample(9000)...), "noise": noise(70000),
		"sample": sample(300000), "zeros": make([]byte, 3*65536),
		"long": append(sample(65536), make([]byte, 70000)...),
	}
	for n := 60; n < 70; n++ { // around a word of flags and the margins of the fast path
		inputs[fmt.Sprint("sample", n)] = sample(n)
		inputs[fmt.Sprint("noise", n)] = noise(n)
	}
	for period := 1; period <= 40; period++ { // every way of copying, on every phase
		var b []byte
		for n := 3; n < 90; n++ {
			b = append(b, noise(period + n)[n:]...)
			for range n {
				b = append(b, b[len(b)-period])
			}
		}
		inputs[fmt.Sprint("period", period)] = b
	}
	for _, f := range formats {
		t.Run(f.name, func(t *testing.T) {
			for name, in := range inputs {
				got, err := f.run(t, len(in), f.compress(nil, in))
				if err != nil || !bytes.Equal(got, in) {
					t.Errorf("%s: %d of %d bytes, %v", name, len(got), len(in), err)
				}
			}
		})
	}
}

// TestTruncation cuts a stream after every byte. The output must always be a
// prefix of the whole output.
func TestTruncation(t *testing.T) {
	for _, f := range formats {
		t.Run(f.name, func(t *testing.T) {
			in := append(append(sample(3000), make([]byte, 700)...), sample(4000)...)
			stream := f.compress(nil, in)
			clean := 0
			for cut := range stream {
				got, err := f.run(t, len(in), stream[:cut])
				if !bytes.HasPrefix(in, got) {
					t.Fatalf("cut at %d: %d bytes that are not a prefix", cut, len(got))
				}
				if err == nil && len(got) < len(in) {
					clean++
				}
				if err != nil && !errors.Is(err, xca.ErrTruncated) {
					t.Fatalf("cut at %d: %v", cut, err)
				}
			}
			if clean == len(stream) || clean == 0 {
				t.Errorf("%d of %d cuts are between tokens", clean, len(stream))
			}
		})
	}
}

// TestBound decodes good streams to every shorter length.
func TestBound(t *testing.T) {
	in := append(sample(2000), make([]byte, 300)...)
	for _, f := range formats {
		stream := f.compress(nil, in)
		for size := range in {
			got, err := f.run(t, size, stream)
			if err != nil && !errors.Is(err, xca.ErrFull) {
				t.Fatalf("%s: bound %d: %v", f.name, size, err)
			}
			if !bytes.Equal(got, in[:size]) {
				t.Fatalf("%s: bound %d: wrong output of %d bytes", f.name, size, len(got))
			}
		}
	}
}

// TestDamage changes one or a few bytes of good streams; the reference decides
// what is right.
func TestDamage(t *testing.T) {
	in := append(append(sample(5000), make([]byte, 500)...), sample(3000)...)
	for _, f := range formats {
		t.Run(f.name, func(t *testing.T) {
			stream := f.compress(nil, in)
			damage := noise(6 * 2000)
			seen := map[error]int{}
			for ; len(damage) > 0; damage = damage[6:] {
				bad := bytes.Clone(stream)
				at := int(binary.LittleEndian.Uint32(damage)>>1) % len(bad)
				bad[at] ^= damage[4]
				if damage[5]&3 == 0 && at+1 < len(bad) {
					bad[at+1] = 0xFF
				}
				_, err := f.run(t, len(in), bad)
				seen[err]++
			}
			t.Log(seen)
			if seen[xca.ErrCorrupt] == 0 {
				t.Error("nothing was found corrupt")
			}
		})
	}
}

func TestAllocations(t *testing.T) {
	in := sample(70000)
	dst := make([]byte, len(in))
	for _, f := range formats {
		stream := f.compress(nil, in)
		if n := testing.AllocsPerRun(10, func() { f.decode(dst, stream) }); n != 0 {
			t.Errorf("%s: %v allocations in a call", f.name, n)
		}
	}
}

var writeSample = flag.String("write-sample", "", "write the plaintext of testdata/*.xpress to this `file`")

// TestWimlib decodes XPRESS chunks that wimlib made; testdata/README.md says how.
func TestWimlib(t *testing.T) {
	in := sample(24000)
	if *writeSample != "" {
		testenv.WriteFile(t, *writeSample, in)
	}
	files, err := filepath.Glob("testdata/*.xpress")
	if err != nil || len(files) == 0 {
		t.Fatalf("no test data: %v", err)
	}
	for _, name := range files {
		stream := testenv.ReadFile(t, name)
		got, err := huffman.run(t, len(in), stream)
		if err != nil || !bytes.Equal(got, in) {
			t.Errorf("%s: %d of %d bytes, %v", name, len(got), len(in), err)
		}
	}
}
