package decodetest

import (
	"bytes"
	"encoding/binary"
	"math/rand/v2"

	"github.com/etl2parquet/etl2parquet/decode"
)

// DamagedTimes are times that damage makes: the bounds of 64 bits, and what counts from 0 or -1.
var DamagedTimes = []uint64{0x8000000000000000, 0x7fffffffffffffff, 0, 0xffffffffffffffff, 1}

// DamageTime changes the time stamp of one event of a trace, to one of DamagedTimes or a random one. It
// returns nil if no event has its time stamp at the usual place of an uncompressed buffer.
func DamageTime(random *rand.Rand, trace []byte) []byte {
	f, err := decode.NewFile(bytes.NewReader(trace), int64(len(trace)))
	if err != nil {
		return nil
	}
	var places []int64
	var b decode.Buffer
	for i := range f.Buffers() {
		info := f.BufferInfo(i)
		if info.Header.Compressed() || f.ReadBuffer(i, &b) != nil {
			continue
		}
		var ev decode.Event
		for b.Next(&ev) == nil {
			for _, at := range []int{0x10, 8} { // an EVENT_HEADER and others, a PERFINFO_TRACE_HEADER
				if ev.Timed && len(ev.Raw) >= at+8 && decode.Ticks(binary.LittleEndian.Uint64(ev.Raw[at:])) == ev.Time {
					places = append(places, info.Offset+int64(ev.Offset+at))
					break
				}
			}
		}
	}
	if len(places) == 0 {
		return nil
	}
	stamp := random.Uint64()
	if i := random.IntN(len(DamagedTimes) + 1); i < len(DamagedTimes) {
		stamp = DamagedTimes[i]
	}
	mutant := bytes.Clone(trace)
	binary.LittleEndian.PutUint64(mutant[places[random.IntN(len(places))]:], stamp)
	return mutant
}
