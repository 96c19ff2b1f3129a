package etltest_test

import (
	"bytes"
	"encoding/binary"
	"os"
	"testing"

	"github.com/etl2parquet/etl2parquet/decode/etltest"
	"github.com/etl2parquet/etl2parquet/decode/xca"
	"github.com/etl2parquet/etl2parquet/tools/testenv"
)

// compressFormat pairs an encoder with its decoder. The tests of package xca
// check the decoders.
type compressFormat struct {
	name     string
	compress func(dst, src []byte) []byte
	decode   func(dst, src []byte) (int, error)
}

var compressFormats = []compressFormat{
	{"plain", etltest.CompressPlain, xca.DecodePlain},
	{"huffman", etltest.CompressHuffman, xca.DecodeHuffman},
	{"lznt1", etltest.CompressLZNT1, xca.DecodeLZNT1},
}

// TestCompressAppends checks what the round trips of package xca do not: dst
// is kept, and equal input gives equal output.
func TestCompressAppends(t *testing.T) {
	in := bytes.Repeat([]byte("the same again, and "), 5000)
	for _, f := range compressFormats {
		t.Run(f.name, func(t *testing.T) {
			first := f.compress(nil, in)
			got := f.compress([]byte("head"), in)
			if !bytes.Equal(got, append([]byte("head"), first...)) {
				t.Error("output depends on what precedes it")
			}
			if len(first) > len(in)/10 {
				t.Errorf("%d bytes compressed to %d", len(in), len(first))
			}
			out := make([]byte, len(in))
			if n, err := f.decode(out, first); n != len(in) || err != nil || !bytes.Equal(out, in) {
				t.Errorf("round trip: %d of %d bytes, %v", n, len(in), err)
			}
		})
	}
}

// realBuffers returns the decompressed buffers of a shared trace, and their
// size as compressed by Windows.
func realBuffers(tb testing.TB) (buffers [][]byte, size, packed int) {
	tb.Helper()
	file, err := os.ReadFile(testenv.Shared(tb, "traces/net.4.5.2.x86.etl"))
	if err != nil {
		tb.Fatal(err)
	}
	for len(file) >= 0x48 {
		n := int(binary.LittleEndian.Uint32(file))
		if n < 0x48 || n > len(file) {
			tb.Fatalf("buffer of %#x bytes", n)
		}
		if file[0x34]&0x40 != 0 {
			out := make([]byte, binary.LittleEndian.Uint32(file[4:])-0x48)
			if _, err := xca.DecodePlain(out, file[0x48:n]); err != nil {
				tb.Fatal(err)
			}
			buffers = append(buffers, out)
			size += len(out)
			packed += n - 0x48
		}
		file = file[n:]
	}
	return buffers, size, packed
}

// TestCompressRatio compares CompressPlain's ratio with Windows' on a real
// trace: amplified traces must be as hard to read as real ones.
func TestCompressRatio(t *testing.T) {
	testenv.Sequential(t)
	buffers, size, windows := realBuffers(t)
	ours := 0
	for _, b := range buffers {
		ours += len(etltest.CompressPlain(nil, b))
	}
	t.Logf("%d bytes: ratio %.2f, Windows %.2f", size, float64(size)/float64(ours), float64(size)/float64(windows))
	if ours > windows+windows/20 || ours < windows-windows/20 {
		t.Errorf("%d bytes, Windows has %d", ours, windows)
	}
}

// BenchmarkCompress is in MB of input a second:
//
//	go test -run '^$' -bench Compress -count 10 ./decode/etltest | benchstat -
func BenchmarkCompress(b *testing.B) {
	buffers, size, _ := realBuffers(b)
	for _, f := range compressFormats {
		b.Run("format="+f.name, func(b *testing.B) {
			b.SetBytes(int64(size))
			b.ReportAllocs()
			packed := 0
			for b.Loop() {
				var out []byte
				packed = 0
				for _, x := range buffers {
					out = f.compress(out[:0], x)
					packed += len(out)
				}
			}
			b.ReportMetric(float64(size)/float64(packed), "ratio")
		})
	}
}
