package xca_test

import (
	"testing"

	"github.com/etl2parquet/etl2parquet/decode/xca"
)

// The benchmarks decode a real trace, in MB of output a second:
//
//	go test -run '^$' -bench . -count 10 ./decode/xca | benchstat -

func BenchmarkDecodePlain(b *testing.B) {
	for _, name := range []string{"net.4.5.2.x86.etl", "PktMon.etl", "SelfDescribingSingleEvent.etl", "smallEtlFile.etl"} {
		b.Run("trace="+name, func(b *testing.B) { plain.benchmark(b, traceBuffers(b, name)) })
	}
}

func BenchmarkDecodeHuffman(b *testing.B) { huffman.benchmark(b, huffman.recompress(b)) }
func BenchmarkDecodeLZNT1(b *testing.B)   { lznt1.benchmark(b, lznt1.recompress(b)) }

// recompress compresses the buffers of a real trace in another format, because no
// real trace has that format.
func (f format) recompress(b *testing.B) []buffer {
	buffers := traceBuffers(b, "net.4.5.2.x86.etl")
	for i, x := range buffers {
		in := make([]byte, x.size)
		if _, err := xca.DecodePlain(in, x.stream); err != nil {
			b.Fatal(err)
		}
		buffers[i].stream = f.compress(nil, in)
	}
	return buffers
}

func (f format) benchmark(b *testing.B, buffers []buffer) {
	total, longest := 0, 0
	for _, x := range buffers {
		total += x.size
		longest = max(longest, x.size)
	}
	dst := make([]byte, longest)
	b.SetBytes(int64(total))
	b.ReportAllocs()
	for b.Loop() {
		for i, x := range buffers {
			if n, err := f.decode(dst[:x.size], x.stream); n != x.size || err != nil {
				b.Fatalf("buffer %d: %d of %d bytes, %v", i, n, x.size, err)
			}
		}
	}
}
