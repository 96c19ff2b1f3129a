package decode_test

import (
	"bytes"
	"errors"
	"io"
	"path/filepath"
	"slices"
	"testing"
	"unicode/utf8"

	"github.com/etl2parquet/etl2parquet/decode"
	"github.com/etl2parquet/etl2parquet/decode/decodetest"
	"github.com/etl2parquet/etl2parquet/decode/etltest"
	"github.com/etl2parquet/etl2parquet/tools/testenv"
)

// seeds returns complete files: the goldens, the samples, and small real traces if shared/ has
// them.
func seeds(f *testing.F) [][]byte {
	f.Helper()
	const most = 16 << 10
	var files [][]byte
	for _, g := range goldens(f) {
		files = append(files, etltest.MustParse(f, g.File))
	}
	for _, settings := range smallTraces {
		files = append(files, smallFile(f, settings))
	}
	samples, err := filepath.Glob("../testdata/sample*.etl")
	if err != nil || len(samples) == 0 {
		f.Fatalf("no samples in ../testdata: %v", err)
	}
	for _, path := range append(samples, testenv.SharedOr(f, "traces/*.etl")...) {
		file := testenv.ReadFile(f, path)
		files = append(files, file)
	}
	return slices.DeleteFunc(files, func(file []byte) bool { return len(file) > most })
}

// FuzzFile reads arbitrary bytes as a file.
func FuzzFile(f *testing.F) {
	for _, file := range seeds(f) {
		f.Add(file)
	}
	f.Fuzz(func(t *testing.T, file []byte) {
		r := &countingReader{file: file}
		opened, err := decode.NewFile(r, int64(len(file)))
		if err != nil {
			var e *decode.Error
			if !errors.As(err, &e) || !errors.Is(err, decode.ErrNotETL) && !errors.Is(err, decode.ErrUnsupported) {
				t.Fatalf("not opened, but the error is not about the file's form: %v", err)
			}
			return
		}
		if most := 16*int64(len(file)) + 1<<20; r.read > most {
			t.Fatalf("%d bytes read of %d", r.read, len(file))
		}
		fingerprints(t, file, opened)
		clock := opened.Header().Clock()
		var b, again decode.Buffer
		for i := range opened.Buffers() {
			checkBuffer(t, opened, i, &b, &clock)
			// Reading a buffer does not depend on earlier reads.
			err, errAgain := opened.ReadBuffer(i, &b), opened.ReadBuffer(i, &again)
			if (err == nil) != (errAgain == nil) || b.End() != again.End() || !bytes.Equal(b.Data[:b.End()], again.Data[:again.End()]) {
				t.Fatalf("buffer %d differs when read again: %v, %v", i, err, errAgain)
			}
			again = decode.Buffer{}
		}
	})
}

// checkBuffer walks a buffer twice and checks the properties of all events.
func checkBuffer(t *testing.T, f *decode.File, i int, b *decode.Buffer, clock *decode.Clock) {
	t.Helper()
	if err := f.ReadBuffer(i, b); err != nil {
		checkError(t, f, i, err)
	}
	if b.Pos() != decode.BufferHeaderSize || b.End() < b.Pos() || b.End() > len(b.Data) || b.End() > decode.MaxBufferSize {
		t.Fatalf("buffer %d: position %#x, end %#x, %#x bytes", i, b.Pos(), b.End(), len(b.Data))
	}
	type seen struct {
		offset, size int
		time         decode.Ticks
		err          string
	}
	var first, second []seen
	for _, walk := range []*[]seen{&first, &second} {
		b.Rewind()
		end := decode.BufferHeaderSize
		for {
			var ev decode.Event
			before := b.Pos()
			err := b.Next(&ev)
			if err != nil {
				*walk = append(*walk, seen{err: err.Error()})
				if !errors.Is(err, io.EOF) {
					checkError(t, f, i, err)
					if next := b.Next(&ev); !errors.Is(next, io.EOF) {
						t.Fatalf("buffer %d: goes on after %v: %v", i, err, next)
					}
				}
				if b.Pos() != b.End() {
					t.Fatalf("buffer %d: ended at %#x, not %#x", i, b.Pos(), b.End())
				}
				break
			}
			if b.Pos() <= before || ev.Offset != before || ev.Offset%8 != 0 || ev.Offset < end || len(ev.Raw) == 0 ||
				ev.Offset+len(ev.Raw) > b.End() || &ev.Raw[0] != &b.Data[ev.Offset] || cap(ev.Raw) != len(ev.Raw) {
				t.Fatalf("buffer %d: event of %d bytes at %#x, read from %#x to %#x", i, len(ev.Raw), ev.Offset, before, b.Pos())
			}
			end = ev.Offset + len(ev.Raw)
			checkEvent(t, f, b, &ev)
			clock.UnixNano(ev.Time)
			*walk = append(*walk, seen{offset: ev.Offset, size: len(ev.Raw), time: ev.Time})
		}
	}
	if !slices.Equal(first, second) {
		t.Fatalf("buffer %d differs when walked again:\n%+v\n%+v", i, first, second)
	}
}

// checkEvent reads every part of an event.
func checkEvent(t *testing.T, f *decode.File, b *decode.Buffer, ev *decode.Event) {
	t.Helper()
	if at := ev.PayloadOffset(); at < 0 || at > len(ev.Raw) || len(ev.Payload()) != len(ev.Raw)-at {
		t.Fatalf("payload at %#x in %#x bytes", at, len(ev.Raw))
	}
	if _, err := b.Check(ev); err != nil {
		checkError(t, f, b.Index, err)
	}
	d := dumper{file: f}
	d.event(b, ev)
	var copied decode.Event
	f.Event(&copied, bytes.Clone(ev.Raw), ev.Type)
	if copied.Family != ev.Family || copied.PayloadOffset() != ev.PayloadOffset() || !bytes.Equal(copied.Payload(), ev.Payload()) {
		t.Fatalf("event %+v, parsed again from its bytes: %+v", ev, copied)
	}
}

// FuzzBuffer reads arbitrary bytes as the events of a buffer.
func FuzzBuffer(f *testing.F) {
	for _, file := range seeds(f) {
		opened, err := decode.NewFile(bytes.NewReader(file), int64(len(file)))
		if err != nil {
			continue
		}
		var b decode.Buffer
		for i := range opened.Buffers() {
			if err := opened.ReadBuffer(i, &b); err == nil && b.End() < 8<<10 {
				f.Add(uint8(0), bytes.Clone(b.Data[decode.BufferHeaderSize:b.End()]))
			}
		}
	}
	var headers [4][]byte
	for i, settings := range []string{"", "version=1.0", "clock=system", "mode=private"} {
		headers[i] = etltest.MustParse(f, "trace buffersize=512 "+settings)
	}
	f.Fuzz(func(t *testing.T, kind uint8, data []byte) {
		if len(data) > 64<<10 {
			return
		}
		h := bufferHeader(uint32(decode.BufferHeaderSize+len(data)), uint32(decode.BufferHeaderSize+len(data)))
		h[0x36] = kind >> 2 & 3 // the type of the buffer
		file := slices.Concat(headers[kind&3], h, data)
		opened := decodetest.Open(t, file)
		if opened.Buffers() < 2 || opened.BufferInfo(1).Offset != 512 {
			t.Fatalf("%d buffers", opened.Buffers())
		}
		clock := opened.Header().Clock()
		var b decode.Buffer
		checkBuffer(t, opened, 1, &b, &clock)
	})
}

// FuzzTraceHeader reads arbitrary bytes as the payload of the trace header event.
func FuzzTraceHeader(f *testing.F) {
	for _, file := range seeds(f) {
		if len(file) < 0x200 || file[0x4b] != 0xc0 {
			continue
		}
		size := int(le.Uint16(file[0x4c:]))
		if 0x68 <= 0x48+size && 0x48+size <= len(file) {
			f.Add(file[0x4a] == 2, file[0x68:0x48+size])
		}
	}
	f.Fuzz(func(t *testing.T, wide bool, payload []byte) {
		if len(payload) > 0xf000 {
			return
		}
		e := make([]byte, 0x20, 0x20+len(payload))
		kind := decode.TypeSystem32
		if wide {
			kind = decode.TypeSystem64
		}
		le.PutUint32(e, 0xc0000002|uint32(kind)<<16)
		le.PutUint16(e[4:], uint16(0x20+len(payload)))
		e = append(e, payload...)
		h := bufferHeader(uint32(decode.BufferHeaderSize+len(e)), uint32(decode.BufferHeaderSize+len(e)))
		h[0x36] = 4
		file := append(h, e...)
		opened, err := decode.NewFile(bytes.NewReader(file), int64(len(file)))
		if errors.Is(err, decode.ErrUnsupported) {
			return
		}
		if err != nil {
			t.Fatal(err)
		}
		got := opened.Header()
		if len(payload) >= 0x38 && (got.BufferSize != le.Uint32(payload) || got.CPUSpeedInMHz != le.Uint32(payload[0x34:])) {
			t.Fatalf("%+v", got)
		}
		shift := 0
		if wide {
			shift = 8
		}
		full := len(payload) >= 0x110+shift
		if full && (uint32(got.TimeZone.Bias) != le.Uint32(payload[0x40+shift:]) || got.BuffersLost != le.Uint32(payload[0x10c+shift:]) || uint64(got.StartTime) != le.Uint64(payload[0x100+shift:])) {
			t.Fatalf("%+v", got)
		}
		faults, _ := opened.Faults()
		if full != (len(faults) == 0) && got.MajorVersion >= 6 {
			t.Fatalf("%d bytes, faults %v", len(payload), faults)
		}
		for _, text := range []string{got.LoggerName, got.LogFileName, got.TimeZone.StandardName, got.TimeZone.DaylightName} {
			if !utf8.ValidString(text) {
				t.Fatalf("%q", text)
			}
		}
		c := got.Clock()
		for _, tick := range []decode.Ticks{0, got.EventTicks, got.StartTime, -1 << 63, 1<<63 - 1} {
			ns := c.UnixNano(tick)
			if first := c.Ticks(ns); first > tick || c.UnixNano(first) != ns {
				t.Fatalf("tick %d is at %d, but the first tick of that time is %d", tick, ns, first)
			}
		}
		if _, err := dump(file); err != nil {
			t.Fatal(err)
		}
	})
}

// FuzzProviderTraits reads arbitrary bytes as provider traits and as the payloads of the header
// group.
func FuzzProviderTraits(f *testing.F) {
	guid := etltest.GUID{1, 2, 3}
	for _, traits := range []etltest.Traits{{}, {Name: "Provider"}, {Name: "Ünïcödé", Group: &guid}, {Name: "x", Group: &guid, Decode: &guid}} {
		f.Add(traits.Bytes())
	}
	for _, hex := range []string{"", "\x00", "\x00\x00", "\x03\x00\x00", "\x02\x00a\x00", "\xff\xffa\x00", "\x05\x00ab\x00", "\x09\x00a\x00\x02\x00\x01\x01\x01"} {
		f.Add([]byte(hex))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		traits, err := decode.ParseProviderTraits(data)
		var e *decode.Error
		if err != nil && (!errors.As(err, &e) || e.Pos > len(data) || traits != decode.ProviderTraits{}) {
			t.Fatalf("%+v, %v", traits, err)
		}
		if err == nil && !utf8.ValidString(traits.Name) {
			t.Fatalf("%q", traits.Name)
		}
		if err == nil && utf8.Valid(data[2:]) && !bytes.HasPrefix(data[2:], append([]byte(traits.Name), 0)) {
			t.Fatalf("%q of %q", traits.Name, data)
		}
		if !utf8.ValidString(decode.ParseBuildLab(data)) {
			t.Fatal("BuildLab is not valid text")
		}
		if !utf8.ValidString(decode.ParseBuildInfo(data)) {
			t.Fatal("BuildLab of BuildInfo is not valid text")
		}
		if g, err := decode.ParseGroupMasks(data); (err == nil) != (len(data) >= 32) || (g.KernelEventVersion != 0) && len(data) < 36 {
			t.Fatalf("%+v, %v", g, err)
		}
		if p, err := decode.ParseProviderPDB(data); (err == nil) != (len(data) >= 20) || !utf8.ValidString(p.Name) {
			t.Fatalf("%+v, %v", p, err)
		}
		if p, err := decode.ParsePartitionInfo(data); (err == nil) != (len(data) >= 48) {
			t.Fatalf("%+v, %v", p, err)
		}
	})
}
