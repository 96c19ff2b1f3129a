package rows

import (
	"bytes"
	"encoding/binary"
	"path/filepath"
	"strings"
	"testing"

	"github.com/etl2parquet/etl2parquet/decode"
	"github.com/etl2parquet/etl2parquet/decode/etltest"
	"github.com/etl2parquet/etl2parquet/decode/wpp"
	"github.com/etl2parquet/etl2parquet/internal/engine/catalog"
	"github.com/etl2parquet/etl2parquet/internal/engine/index/indextest"
	"github.com/etl2parquet/etl2parquet/schema"
	"github.com/etl2parquet/etl2parquet/tools/testenv"
)

// The sources of schemas that FuzzUserEvents tries.
const (
	fuzzTraceLogging = iota
	fuzzEventInfo
	fuzzMapInfo
	fuzzManifest
	fuzzTMF
	fuzzSources
)

// fuzzTrace returns a trace of events with the payload, and with their description.
func fuzzTrace(t testing.TB, source uint8, text, payload []byte, wide bool) ([]byte, *catalog.Files) {
	provider := etltest.GUID{7}
	event := etltest.Event{Kind: etltest.Event32, GUID: provider, ID: 1, Payload: payload}
	classic := etltest.Event{Kind: etltest.Full32, GUID: etltest.GUID(schema.EventMetadataClass), Payload: text}
	if wide {
		event.Kind, classic.Kind = etltest.Event64, etltest.Full64
	}
	events := []etltest.Event{event}
	var files *catalog.Files
	switch source % fuzzSources {
	case fuzzTraceLogging:
		events[0].Items = []etltest.Item{{Type: etltest.ItemSchema, Data: text}}
		traits := etltest.Traits{Name: strings.ReplaceAll(string(text[:len(text)/4]), "\x00", "")}
		events[0].Items = append(events[0].Items, etltest.Item{Type: etltest.ItemTraits, Data: traits.Bytes()})
	case fuzzEventInfo:
		classic.Opcode = schema.EventInfoType
		events = append(events, classic)
		if len(text) >= 0x30 {
			copy(events[0].GUID[:], text)
			events[0].ID, events[0].Version = binary.LittleEndian.Uint16(text[0x20:]), uint16(text[0x22])
			old := classic
			old.GUID, old.Opcode, old.Version, old.Payload = etltest.GUID(text[0x10:0x20]), text[0x25], events[0].Version, payload
			events = append(events, old)
		}
	case fuzzMapInfo:
		info := etltest.EventInfo{Provider: provider, ID: 1, ProviderName: "P", Message: "%1 %2", Fields: []etltest.InfoField{{Name: "a", In: 8, Map: "M"}, {Name: "b", In: 4, Map: "M"}}}
		record := classic
		record.Opcode = schema.EventInfoType
		var err error
		if record.Payload, err = info.Bytes(); err != nil {
			t.Fatal(err)
		}
		classic.Opcode = schema.MapInfoType
		classic.Payload = append(bytes.Clone(provider[:]), text...)
		events = append(events, record, classic)
	case fuzzManifest:
		chunk := event
		chunk.ID = 0xfffe
		chunk.Payload = append([]byte{1, 1, 0, 0x5b, 1, 0, 0, 0}, text...)
		events = append(events, chunk)
	case fuzzTMF:
		parsed, err := wpp.ParseTMF(text)
		if err != nil {
			break
		}
		files = catalog.FilesOfMessages(parsed.Messages)
		for _, m := range parsed.Messages[:min(len(parsed.Messages), 20)] {
			message := etltest.Event{Kind: etltest.Message, GUID: etltest.GUID(m.GUID), ID: m.ID, Payload: payload, Flags: etltest.MessageGUID | etltest.MessageTime}
			events = append(events, message)
		}
	}
	trace := etltest.Trace{BufferSize: 4 << 20, Buffers: []etltest.Buffer{{}}}
	for i := range events {
		if err := trace.Buffers[0].Add(&events[i]); err != nil {
			t.Skip(err) // too large for an event
		}
	}
	return trace.MustBytes(t), files
}

// FuzzUserEvents decodes arbitrary payloads by arbitrary descriptions: every event has a row, and
// the JSON of its fields parses and has the values of the columns.
func FuzzUserEvents(f *testing.F) {
	const numbers = "0102030405060708090a0b0c0d0e0f10"
	seeds := 0
	add := func(source uint8, text []byte) {
		for _, payload := range []string{"", "\x01\x00\x02\x00\x03\x00\x00\x00", strings.Repeat(numbers, 4), strings.Repeat("\x00", 40)} {
			f.Add(source, text, []byte(payload), len(payload)%3 > 0)
			seeds++
		}
	}
	for _, s := range []etltest.Schema{
		{Name: "E", Fields: []etltest.SchemaField{{Name: "a", In: 8}, {Name: "b", In: 1}, {Name: "c", In: 10, Array: etltest.VariableArray}}},
		{Name: "S", Fields: []etltest.SchemaField{{Name: "s", Array: etltest.VariableArray, Fields: []etltest.SchemaField{{Name: "x", In: 4}, {Name: "t", Fields: []etltest.SchemaField{{Name: "y", In: 22}}}}}}},
		{Name: "T", Fields: []etltest.SchemaField{{Name: "a", In: 17}, {Name: "b", In: 18}, {Name: "c", In: 19}, {Name: "d", In: 11}, {Name: "e", In: 12, Array: etltest.ConstantArray, Count: 2}}},
	} {
		add(fuzzTraceLogging, s.Bytes())
	}
	info := etltest.EventInfo{Provider: etltest.GUID{1}, ID: 3, Version: 1, ProviderName: "P", TaskName: "T", Message: "%1 %2 %3", Fields: []etltest.InfoField{
		{Name: "n", In: 6}, {Name: "s", CountOf: "n", Fields: []etltest.InfoField{{Name: "x", In: 4}, {Name: "b", In: 14, LengthOf: "n"}}}, {Name: "r", In: 1}}}
	record, err := info.Bytes()
	if err != nil {
		f.Fatal(err)
	}
	add(fuzzEventInfo, record)
	info.Source, info.Class = 1, etltest.GUID{2}
	if record, err = info.Bytes(); err != nil {
		f.Fatal(err)
	}
	add(fuzzEventInfo, record)
	m := etltest.MapInfo{Name: "M", Flags: 1, Numbers: []uint32{0, 1, 2}, Names: []string{"off", "on", "gone"}}
	add(fuzzMapInfo, m.Bytes()[16:])
	m.Flags = 2
	add(fuzzMapInfo, m.Bytes()[16:])
	for name, source := range map[string]uint8{"eventsource": fuzzManifest, "manifest": fuzzManifest, "wpp": fuzzTMF} {
		data := testenv.ReadFile(f, filepath.Join("testdata/user", name+".txtar"))
		for file, text := range indextest.ParseArchive(string(data)).Files {
			if file != "trace" && file != "expect" {
				add(source, []byte(strings.ReplaceAll(text, "{00000000-0000-0000-0000-000000000006}", "{00000007-0000-0000-0000-000000000000}")))
			}
		}
	}
	if seeds < 40 {
		f.Fatalf("%d seeds", seeds)
	}
	f.Fuzz(func(t *testing.T, source uint8, text, payload []byte, wide bool) {
		if len(text) > 40000 || len(payload) > 16000 {
			t.Skip("too large for an event")
		}
		trace, files := fuzzTrace(t, source, text, payload, wide)
		u := newUserTrace(t, trace, files)
		rows := 0
		for id, filler := range u.of {
			if int(id) < decode.Families {
				rows += filler.start().batch.Rows
			} else if filler.start().batch.Table.IsPayload() && filler.start().batch.Rows > len(u.rows) {
				t.Errorf("table %d has %d rows of %d events", id, filler.start().batch.Rows, len(u.rows))
			}
		}
		if rows != len(u.rows) || int64(rows) != u.x.Events {
			t.Errorf("%d rows of %d events", rows, u.x.Events)
		}
	})
}
