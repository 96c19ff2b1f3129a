package attribution_test

import (
	"bytes"
	"encoding/binary"
	"io"

	"github.com/etl2parquet/etl2parquet/decode"
)

func readerOf(data []byte) io.ReaderAt { return bytes.NewReader(data) }

// eventOf returns a kernel event of the PERFINFO kind.
func eventOf(f *decode.File, hook uint16, wide bool, t int64, payload []byte) *decode.Event {
	kind := decode.TypePerfInfo32
	if wide {
		kind = decode.TypePerfInfo64
	}
	raw := make([]byte, 0x10, 0x10+len(payload))
	raw[2], raw[3] = byte(kind), 0xc0
	binary.LittleEndian.PutUint16(raw[4:], uint16(0x10+len(payload)))
	binary.LittleEndian.PutUint16(raw[6:], hook)
	ev := new(decode.Event)
	f.Event(ev, append(raw, payload...), kind)
	ev.Time = t
	return ev
}
