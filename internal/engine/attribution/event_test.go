package attribution_test

import (
	"encoding/binary"
	"testing"

	"github.com/etl2parquet/etl2parquet/decode"
	"github.com/etl2parquet/etl2parquet/decode/decodetest"
	"github.com/etl2parquet/etl2parquet/decode/etltest"
	"github.com/etl2parquet/etl2parquet/schema"
)

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

// providerEvent returns an event of a provider.
func providerEvent(f *decode.File, provider string, process uint32, id uint16, version uint8, wide bool, t int64, payload []byte) *decode.Event {
	kind := decode.TypeEvent32
	if wide {
		kind = decode.TypeEvent64
	}
	guid, err := schema.ParseGUID(provider)
	if err != nil {
		panic(err)
	}
	raw := make([]byte, 0x50, 0x50+len(payload))
	binary.LittleEndian.PutUint16(raw, uint16(0x50+len(payload)))
	raw[2], raw[3] = byte(kind), 0xc0
	binary.LittleEndian.PutUint32(raw[0x0c:], process)
	copy(raw[0x18:], guid[:])
	binary.LittleEndian.PutUint16(raw[0x28:], id)
	raw[0x2a] = version
	ev := new(decode.Event)
	f.Event(ev, append(raw, payload...), kind)
	ev.Time = t
	return ev
}

// classicEvent returns an event of a class, with a classic header.
func classicEvent(f *decode.File, process uint32, t int64, payload []byte) *decode.Event {
	raw := make([]byte, 0x30, 0x30+len(payload))
	binary.LittleEndian.PutUint16(raw, uint16(0x30+len(payload)))
	raw[2], raw[3] = byte(decode.TypeFull64), 0xc0
	binary.LittleEndian.PutUint32(raw[0x0c:], process)
	ev := new(decode.Event)
	f.Event(ev, append(raw, payload...), decode.TypeFull64)
	ev.Time = t
	return ev
}

// emptyFile returns a trace without events, which events are made for.
func emptyFile(t testing.TB) *decode.File {
	t.Helper()
	header := etltest.Trace{}
	data := header.MustBytes(t)
	return decodetest.Open(t, data)
}
