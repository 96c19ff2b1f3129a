package parquet

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/parquet-go/parquet-go/encoding/delta"
	"github.com/parquet-go/parquet-go/encoding/rle"
)

// deltaCases are numbers whose differences are of every width.
var deltaCases = map[string]func(r *rand.Rand, i int) int64{
	"equal":   func(*rand.Rand, int) int64 { return 7 },
	"rising":  func(r *rand.Rand, i int) int64 { return int64(i)*100 + r.Int64N(100) },
	"falling": func(_ *rand.Rand, i int) int64 { return -3 * int64(i) },
	"any":     func(r *rand.Rand, _ int) int64 { return int64(r.Uint64()) },
	"extremes": func(_ *rand.Rand, i int) int64 {
		return []int64{math.MinInt64, math.MaxInt64, 0, -1, math.MinInt32}[i%5]
	},
	"of a width": func(r *rand.Rand, i int) int64 { return int64(r.Uint64() >> (i / 300 % 64)) },
}

func TestDelta(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	var room [deltaBlock]uint64
	for name, value := range deltaCases {
		t.Run(name, func(t *testing.T) {
			for _, n := range []int{1, 2, 33, 128, 129, 130, fewDeltas, fewDeltas + 1, deltaBlock, deltaBlock + 1, deltaBlock + 2, 20_000} {
				wide, small := make([]int64, n), make([]int32, n)
				for i := range wide {
					wide[i] = value(r, i)
					small[i] = int32(wide[i])
				}
				gotWide, err := new(delta.BinaryPackedEncoding).DecodeInt64(nil, appendDelta(nil, wide, &room))
				if err != nil || !slices.Equal(gotWide, wide) {
					t.Errorf("%d int64: not the values that were written: %v", n, err)
				}
				gotSmall, err := new(delta.BinaryPackedEncoding).DecodeInt32(nil, appendDelta(nil, small, &room))
				if err != nil || !slices.Equal(gotSmall, small) {
					t.Errorf("%d int32: not the values that were written: %v", n, err)
				}
			}
		})
	}
}

// TestIndices writes indices of every width, with and without runs.
func TestIndices(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	for _, entries := range []int{1, 2, 3, 4, 5, 16, 17, 256, 257, 1 << 16, 1<<16 + 1, 1 << 24} {
		for _, longest := range []int{1, 10, 100, 5000} {
			for _, n := range []int{0, 1, 7, 8, 9, 15, 16, 17, 1000, 10_000} {
				var want []int32
				for len(want) < n {
					index, run := int32(r.IntN(entries)), 1+r.IntN(longest)
					for range min(run, n-len(want)) {
						want = append(want, index)
					}
				}
				data := appendIndices(nil, want, entries)
				got, err := new(rle.DictionaryEncoding).DecodeInt32(nil, data)
				if n == 0 && len(data) == 1 {
					continue
				}
				if err != nil || len(got) < n || !slices.Equal(got[:n], want) {
					t.Errorf("%d indices of %d entries, runs up to %d: not those that were written: %v", n, entries, longest, err)
				}
			}
		}
	}
}

// TestDeltaRepeats checks that equal differences are equal bytes in all blocks, even if the widths
// and the minimum differences of the blocks are not the same.
func TestDeltaRepeats(t *testing.T) {
	var room [deltaBlock]uint64
	var values []int64
	v := int64(1) << 60
	for i := range 4 * deltaBlock {
		v += []int64{100, 300, 25_500}[i%3] // widths of 7 to 15 bits
		if i%deltaBlock == 0 {
			v += 1 << 20
		}
		values = append(values, v)
	}
	codec, err := NewCodec("zstd")
	if err != nil {
		t.Fatal(err)
	}
	size := func(encoded []byte) int {
		packed, err := codec.Encode(nil, encoded)
		if err != nil {
			t.Fatal(err)
		}
		return len(packed)
	}
	library, err := new(delta.BinaryPackedEncoding).EncodeInt64(nil, values)
	if err != nil {
		t.Fatal(err)
	}
	if ours, narrow := size(appendDelta(nil, values, &room)), size(library); 2*ours > narrow {
		t.Errorf("%d bytes, in the narrowest widths %d", ours, narrow)
	}
}
