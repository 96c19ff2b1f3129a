package ccswap_test

import (
	"encoding/binary"
	"io"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/etl2parquet/etl2parquet/decode/ccswap"
)

// encode makes a batch of switches from a table of threads and their base priorities. It shares no
// code with the reader.
func encode(start int64, threads [16]uint32, base [16]int8, switches []ccswap.Switch) []byte {
	le := binary.LittleEndian
	b := le.AppendUint64(nil, uint64(start))
	for _, id := range threads {
		b = le.AppendUint32(b, id)
	}
	for _, p := range base {
		b = append(b, byte(p))
	}
	for _, s := range switches {
		delta := uint32(s.Time - start)
		start = s.Time
		i := uint32(slices.Index(threads[:], s.OldThread))
		switch increment := s.OldPriority - int32(base[i&15]); {
		case s.IsIdle && delta < 1<<14:
			b = le.AppendUint16(b, uint16(delta<<2))
		case s.IsIdle:
			b = le.AppendUint32(b, 1|delta<<2)
		case !s.HasWaitTime && delta < 1<<17 && increment >= 0 && increment < 8:
			b = le.AppendUint32(b, 2|i<<2|uint32(increment)<<6|uint32(s.OldStateWr)<<9|delta<<15)
		default:
			b = le.AppendUint32(b, 3|delta<<2)
			b = le.AppendUint32(b, i|uint32(s.OldStateWr)<<4|uint32(s.OldPriority)<<10|s.NewWaitTime<<15)
		}
	}
	return b
}

func read(t *testing.T, batch []byte) []ccswap.Switch {
	t.Helper()
	r, err := ccswap.New(batch)
	if err != nil {
		t.Fatal(err)
	}
	var list []ccswap.Switch
	for {
		var s ccswap.Switch
		err := r.Next(&s)
		if err == io.EOF {
			return list
		}
		if err != nil {
			t.Fatal(err)
		}
		list = append(list, s)
	}
}

// TestRoundTrip reads batches that were made of known switches.
func TestRoundTrip(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	total := 0
	for range 2000 {
		var threads [16]uint32
		var base [16]int8
		for i := range threads {
			threads[i], base[i] = uint32(4*(i+1)+64*r.IntN(1000)), int8(1+r.IntN(15))
		}
		start := r.Int64N(1 << 50)
		now := start
		var want []ccswap.Switch
		for range 1 + r.IntN(100) {
			now += 1 + []int64{r.Int64N(1 << 13), r.Int64N(1 << 16), r.Int64N(1 << 29)}[r.IntN(3)]
			s := ccswap.Switch{Time: now}
			if i := r.IntN(len(threads) + 1); i == len(threads) {
				s.IsIdle = true
			} else {
				s.OldThread, s.OldStateWr = threads[i], uint8(r.IntN(64))
				s.OldPriority = min(31, int32(base[i])+int32(r.IntN(9)))
				if s.HasWaitTime = s.OldPriority-int32(base[i]) > 7 || r.IntN(2) == 0 || now-start >= 1<<17; s.HasWaitTime {
					s.NewWaitTime = uint32(r.IntN(1 << 17))
				}
			}
			want = append(want, s)
			start = now
		}
		first := want[0].Time - r.Int64N(1<<13)
		if d := want[0].Time - first; d >= 1<<17 {
			t.Fatal(d)
		}
		batch := encode(first, threads, base, want)
		if diff := cmp.Diff(want, read(t, batch)); diff != "" {
			t.Fatalf("-want +got:\n%s", diff)
		}
		for len(batch)%8 != 0 {
			batch = append(batch, 0)
		}
		if n, err := ccswap.Count(batch); n != len(want) || err != nil {
			t.Fatalf("%d of %d switches, %v", n, len(want), err)
		}
		total += len(want)
	}
	t.Logf("%d switches", total)
}

// TestCut reads batches that are cut off.
func TestCut(t *testing.T) {
	batch := encode(1000, [16]uint32{4, 8}, [16]int8{8, 9}, []ccswap.Switch{
		{Time: 1001, IsIdle: true},
		{Time: 1005, OldThread: 8, OldPriority: 10, OldStateWr: 6},
		{Time: 1 << 20, IsIdle: true},
		{Time: 1<<20 + 9, OldThread: 4, OldPriority: 31, OldStateWr: 1, NewWaitTime: 77, HasWaitTime: true},
	})
	want := map[int]int{ccswap.HeaderSize: 0, ccswap.HeaderSize + 2: 1, ccswap.HeaderSize + 6: 2, ccswap.HeaderSize + 10: 3, ccswap.HeaderSize + 18: 4}
	switches := 0
	for n := range len(batch) + 1 {
		whole, isEnd := want[n]
		if isEnd {
			switches = whole
		}
		got, err := ccswap.Count(batch[:n])
		if got != switches || (err == nil) != isEnd {
			t.Errorf("%d bytes: %d switches, %v; want %d, whole %v", n, got, err, switches, isEnd)
		}
	}
}

func FuzzCount(f *testing.F) {
	f.Add(encode(1, [16]uint32{4}, [16]int8{8}, []ccswap.Switch{{Time: 2, OldThread: 4, OldPriority: 8}, {Time: 4, IsIdle: true}}))
	f.Fuzz(func(t *testing.T, batch []byte) {
		n, err := ccswap.Count(batch)
		if n > len(batch)/2 || err == nil && len(batch) < ccswap.HeaderSize {
			t.Fatalf("%d switches in %d bytes, %v", n, len(batch), err)
		}
	})
}
