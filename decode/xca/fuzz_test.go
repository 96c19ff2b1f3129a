package xca_test

import (
	"bytes"
	"testing"

	"github.com/etl2parquet/etl2parquet/decode/etltest"
)

// fuzz compares a decoder with its reference on arbitrary input; run checks the properties. The
// size of dst is part of the input.
func (f format) fuzz(t *testing.F) {
	seeds := 0
	seed := func(size int, src []byte) {
		t.Add(uint32(size), src)
		seeds++
	}
	for _, v := range vectors {
		if v.format.name == f.name {
			seed(v.size, etltest.MustHex(t, v.src))
		}
	}
	for _, in := range [][]byte{sample(1500), noise(100), append(sample(300), make([]byte, 9000)...)} {
		seed(len(in), f.compress(nil, in))
	}
	if seeds < 10 {
		t.Fatalf("only %d seeds", seeds)
	}
	t.Fuzz(func(t *testing.T, size uint32, src []byte) {
		f.run(t, int(size%(1<<18)), src)
	})
}

func FuzzDecodePlain(f *testing.F)   { plain.fuzz(f) }
func FuzzDecodeHuffman(f *testing.F) { huffman.fuzz(f) }
func FuzzDecodeLZNT1(f *testing.F)   { lznt1.fuzz(f) }

// FuzzRoundTrip compresses arbitrary input in all formats. The fuzzer makes no long inputs, so each
// byte is repeated.
func FuzzRoundTrip(f *testing.F) {
	seeds := [][]byte{nil, []byte(alphabet), sample(2000), noise(500), make([]byte, 5000)}
	for i, in := range seeds {
		f.Add(in, uint16(1+i*i*100))
	}
	f.Fuzz(func(t *testing.T, in []byte, repeat uint16) {
		if n := int(repeat) % 2048; n > 1 && len(in) > 0 && len(in)*n < 1<<17 {
			var long []byte
			for _, b := range in {
				long = append(long, bytes.Repeat([]byte{b}, n)...)
			}
			in = append(long, in...)
		}
		for _, x := range formats {
			got, err := x.run(t, len(in), x.compress(nil, in))
			if err != nil || !bytes.Equal(got, in) {
				t.Fatalf("%s: %d of %d bytes, %v", x.name, len(got), len(in), err)
			}
		}
	})
}
