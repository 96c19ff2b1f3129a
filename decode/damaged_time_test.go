package decode_test

import (
	"bytes"
	"encoding/binary"
	"slices"
	"testing"

	"github.com/etl2parquet/etl2parquet/decode"
	"github.com/etl2parquet/etl2parquet/decode/decodetest"
	"github.com/etl2parquet/etl2parquet/decode/etltest"
)

// TestDamagedHeaderTime damages the time of the trace header event, from which the QPC ticks of all other
// events count, or which is a FILETIME: the others keep their order and their distances.
func TestDamagedHeaderTime(t *testing.T) {
	for _, clock := range []string{"qpc", "system"} {
		trace := etltest.MustParse(t, "trace buffersize=1024 clock="+clock+`
header
system64 hook=0x0005 t=+1ms
system64 hook=0x0008 t=+2ms
buffer
perfinfo64 hook=1 t=+3ms`)
		for _, stamp := range decodetest.DamagedTimes[:2] {
			mutant := bytes.Clone(trace)
			binary.LittleEndian.PutUint64(mutant[decode.BufferHeaderSize+0x10:], stamp)
			f, err := decode.NewFile(bytes.NewReader(mutant), int64(len(mutant)))
			if err != nil {
				t.Fatal(err)
			}
			clockOf := f.Header().Clock()
			var times []int64
			var bad []bool
			var b decode.Buffer
			for i := range f.Buffers() {
				if err := f.ReadBuffer(i, &b); err != nil {
					t.Fatal(err)
				}
				var ev decode.Event
				for b.Next(&ev) == nil {
					times, bad = append(times, clockOf.UnixNano(ev.Time)), append(bad, ev.BadTime)
				}
			}
			for i := range times[1:] {
				times[i+1] -= times[0]
			}
			if !slices.Equal(times[1:], []int64{0, 1e6, 2e6}) || !slices.Equal(bad, []bool{true, false, false, false}) {
				t.Errorf("%s, %#x: times %d, bad %t", clock, stamp, times, bad)
			}
		}
	}
}
