package repeats

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"path/filepath"
	"slices"
	"strconv"
	"testing"

	"github.com/etl2parquet/etl2parquet/decode"
	"github.com/etl2parquet/etl2parquet/decode/decodetest"
	"github.com/etl2parquet/etl2parquet/decode/etltest"
	"github.com/etl2parquet/etl2parquet/tools/testenv"
)

// memory is a file in memory.
type memory struct{ data []byte }

func (m *memory) WriteAt(p []byte, at int64) (int, error) {
	if end := int(at) + len(p); end > len(m.data) {
		m.data = append(m.data, make([]byte, end-len(m.data))...)
	}
	return copy(m.data[at:], p), nil
}

func (m *memory) open(t testing.TB) *decode.File {
	t.Helper()
	return decodetest.Open(t, m.data)
}

func amplify(t testing.TB, f *decode.File, o Options) (*memory, Result) {
	t.Helper()
	var m memory
	r, err := Amplify(&m, f, o)
	if err != nil {
		t.Fatal(err)
	}
	if r.Size != int64(len(m.data)) {
		t.Errorf("the result says %d bytes, %d were written", r.Size, len(m.data))
	}
	return &m, r
}

// walked is a buffer and its events.
type walked struct {
	header decode.BufferHeader
	data   []byte // from the end of the header to the end of the events
	events []decode.Event
}

func walk(t testing.TB, f *decode.File) []walked {
	t.Helper()
	faults, more := f.Faults()
	for _, fault := range faults {
		t.Errorf("fault: %v", fault.Err)
	}
	if more != 0 {
		t.Errorf("%d more faults", more)
	}
	buffers := make([]walked, f.Buffers())
	for i := range buffers {
		var b decode.Buffer
		if err := f.ReadBuffer(i, &b); err != nil {
			t.Fatal(err)
		}
		w := &buffers[i]
		w.header, w.data = b.Header, slices.Clone(b.Data[decode.BufferHeaderSize:b.End()])
		b.Data = append(make([]byte, decode.BufferHeaderSize), w.data...)
		for {
			var ev decode.Event
			err := b.Next(&ev)
			if errors.Is(err, io.EOF) {
				break
			}
			if err != nil {
				t.Fatal(err)
			}
			if _, err := b.Check(&ev); err != nil {
				t.Error(err)
			}
			w.events = append(w.events, ev)
		}
	}
	return buffers
}

func countTypes(buffers []walked, times int, into map[decode.HeaderType]int) {
	for _, b := range buffers {
		for _, ev := range b.events {
			into[ev.Type] += times
		}
	}
}

// TestAmplifyRealTraces repeats every real trace, plain and compressed, and checks
// everything that the result must share with the trace and everything that must differ.
func TestAmplifyRealTraces(t *testing.T) {
	testenv.Sequential(t)
	for _, name := range testenv.SharedFiles(t, "traces/*.etl") {
		t.Run(filepath.Base(name), func(t *testing.T) {
			t.Parallel()
			data := testenv.ReadFile(t, name)
			f := decodetest.Open(t, data)
			if f.Buffers() == 1 {
				if _, err := Amplify(&memory{}, f, Options{}); !errors.Is(err, ErrNothingToRepeat) {
					t.Errorf("error %v for a trace without data buffers", err)
				}
				return
			}
			checkAmplified(t, f, false)
		})
	}
}

// TestAmplifySynthetic repeats what no real trace has: all headers, and a circular file that has
// wrapped around.
func TestAmplifySynthetic(t *testing.T) {
	const wrapped = "wrapped"
	for _, c := range []struct{ name, trace string }{
		{"all headers", `
			trace buffersize=4096
			buffer cpu=1
			system32 hook=0x0524 ver=4 t=+1ms payload=u32:8,u32:4
			system64 hook=0x0524 ver=4 t=+2ms payload=u32:8,u32:4
			compact32 hook=0x0524 ver=4 t=+3ms payload=u32:8,u32:4
			compact64 hook=0x0524 ver=4 t=+4ms pebs=1 pmc=1,2 payload=u32:8,u32:4
			perfinfo32 hook=0x0f44 ver=2 t=+5ms payload=ticks:+4500us,u32:4
			perfinfo64 hook=0x0f44 ver=2 t=+6ms pmc=1,2 payload=ticks:+5500us,u64:4
			perfinfo64 hook=0x1820 ver=2 t=+7ms payload=ticks:+6ms,u32:4,u32:8,u64:1
			full32 t=+8ms payload=u32:1
			full64 t=+9ms payload=u32:1
			instance32 t=+10ms payload=u32:1
			instance64 t=+11ms payload=u32:1
			event32 t=+12ms related=11111111-2222-3333-4444-555555555555 payload=u32:1
			event64 t=+13ms payload=u32:1
			message t=+14ms seq=7 number=3 payload=u32:1
			message t=+15ms flags=0 payload=u32:1
			wnode t=+16ms payload=u32:1
			error payload=u32:1`},
		{wrapped, `
			trace mode=circular wrap=3 maxsize=1 buffersize=1024
			repeat 7 dt=1ms {
			buffer
			event64 t=+0 payload=u32:$i
			}`},
	} {
		t.Run(c.name, func(t *testing.T) {
			checkAmplified(t, decodetest.Open(t, etltest.MustParse(t, c.trace)), c.name == wrapped)
		})
	}
}

const testRepeats = 3

// checkAmplified amplifies a trace, plain and compressed. The buffers of a wrapped
// trace are expected in the order of their sequence numbers.
func checkAmplified(t *testing.T, f *decode.File, wrapped bool) {
	t.Helper()
	faults, _ := f.Faults()
	if len(faults) != 0 && faults[0].Kind == decode.FaultSlack {
		m, _ := amplify(t, f, Options{}) // without the unused space, and its fault
		f = m.open(t)
	}
	input := walk(t, f)
	plain, plainResult := amplify(t, f, Options{Repeats: testRepeats, Same: true})
	packed, packedResult := amplify(t, f, Options{Repeats: testRepeats, Compressed: true, Same: true})
	plainFile, packedFile := plain.open(t), packed.open(t)
	output := walk(t, plainFile)
	checkHeader(t, f.Header(), plainFile, plainResult, false)
	checkHeader(t, f.Header(), packedFile, packedResult, true)
	checkPlainLayout(t, plain.data, plainFile)
	checkEvents(t, f, input, output, plainResult, wrapped)
	checkOrder(t, output)

	unpacked := walk(t, packedFile)
	if len(unpacked) != len(output) {
		t.Fatalf("%d buffers compressed, %d plain", len(unpacked), len(output))
	}
	for i := 1; i < len(output); i++ {
		if !bytes.Equal(unpacked[i].data, output[i].data) {
			t.Fatalf("buffer %d: the events differ between compressed and plain", i)
		}
		p, u := output[i].header, unpacked[i].header
		if !u.Compressed() || p.Compressed() {
			t.Errorf("buffer %d: flags %#x plain, %#x compressed", i, p.BufferFlag, u.BufferFlag)
		}
		u.BufferFlag &^= decode.BufferCompressed
		u.BufferSize = p.BufferSize
		if p != u {
			t.Errorf("buffer %d: header %+v plain, %+v compressed", i, p, u)
		}
	}
	if f.Size() < 1<<20 { // larger traces take long and test nothing more
		again, _ := amplify(t, packedFile, Options{Compressed: true, Same: true})
		if !bytes.Equal(again.data, packed.data) {
			t.Error("repeating the result once changes it")
		}
	}
}

func checkHeader(t *testing.T, in *decode.TraceHeader, f *decode.File, r Result, compressed bool) {
	t.Helper()
	out := *f.Header()
	if int(out.BuffersWritten) != f.Buffers() || r.Buffers != f.Buffers() {
		t.Errorf("BuffersWritten %d, result %d, buffers %d", out.BuffersWritten, r.Buffers, f.Buffers())
	}
	if got := out.LogFileMode&modeCompressed != 0; got != compressed {
		t.Errorf("LogFileMode %#x", out.LogFileMode)
	}
	inClock, outClock := in.Clock(), out.Clock()
	if inClock != outClock {
		t.Errorf("clock %+v, was %+v", outClock, inClock)
	}
	if in.EndTime != 0 {
		shift := inClock.UnixNano(in.EventTicks+(testRepeats-1)*r.Shift) - inClock.UnixNano(in.EventTicks)
		if got := (out.EndTime - in.EndTime) * 100; got-shift > 200 || shift-got > 200 {
			t.Errorf("EndTime is %d ns later, want the last repeat's %d", got, shift)
		}
	} else if !out.Finalised() {
		t.Error("the result is not finalised")
	}
	if out.LogFileMode&modeCircular != 0 || out.MaximumFileSize != 0 {
		t.Errorf("LogFileMode %#x, MaximumFileSize %d", out.LogFileMode, out.MaximumFileSize)
	}
	if in.SubVersion >= 1 && in.SubMinorVersion >= 1 || in.SubVersion == 2 {
		want := [2]uint8{1, 5}
		if compressed {
			want = [2]uint8{2, 0}
		}
		if got := [2]uint8{out.SubVersion, out.SubMinorVersion}; got != want {
			t.Errorf("version %d.%d", got[0], got[1])
		}
	}
	if state := f.BufferInfo(0).Header.State & 0xffff; compressed && state != formatXpress {
		t.Errorf("State %#x", state)
	}
	// All other fields must be equal.
	out.BuffersWritten, out.EndTime, out.LogFileMode, out.MaximumFileSize = in.BuffersWritten, in.EndTime, in.LogFileMode, in.MaximumFileSize
	out.SubVersion, out.SubMinorVersion = in.SubVersion, in.SubMinorVersion
	if out.BufferSize > in.BufferSize {
		out.BufferSize = in.BufferSize
	}
	if out != *in {
		t.Errorf("trace header %+v, was %+v", out, *in)
	}
}

// checkPlainLayout checks that buffers are of one size and filled up with 0xFF.
func checkPlainLayout(t *testing.T, data []byte, f *decode.File) {
	t.Helper()
	size := int(f.Header().BufferSize)
	if len(data) != size*f.Buffers() {
		t.Fatalf("%d bytes for %d buffers of %d", len(data), f.Buffers(), size)
	}
	ones := bytes.Repeat([]byte{0xff}, size)
	for i := range f.Buffers() {
		h := &f.BufferInfo(i).Header
		if tail := data[i*size:][h.Offset:size]; !bytes.Equal(tail, ones[:len(tail)]) {
			t.Errorf("buffer %d: the fill is not all 0xFF", i)
		}
	}
}

// checkEvents checks that each repeat has the events of the input at later times.
func checkEvents(t *testing.T, f *decode.File, input, output []walked, r Result, wrapped bool) {
	t.Helper()
	want, got := make(map[decode.HeaderType]int), make(map[decode.HeaderType]int)
	countTypes(input[:1], 1, want)
	countTypes(input[1:], testRepeats, want)
	countTypes(output, 1, got)
	if !maps.Equal(got, want) {
		t.Errorf("events by type: %v, want %v", got, want)
	}
	var events int64
	for _, n := range got {
		events += int64(n)
	}
	if events != r.Events {
		t.Errorf("the result says %d events, the file has %d", r.Events, events)
	}
	if len(output) != 1+testRepeats*(len(input)-1) {
		t.Fatalf("%d buffers from %d", len(output), len(input))
	}
	if len(input[0].events) != len(output[0].events) {
		t.Fatal("events of the header buffer are missing")
	}
	for i, ev := range output[0].events[1:] {
		if !bytes.Equal(ev.Raw, input[0].events[i+1].Raw) {
			t.Errorf("event %d of the header buffer changed", i+1)
		}
	}
	data := input[1:]
	if wrapped {
		slices.SortFunc(data, func(a, b walked) int { return int(a.header.SequenceNumber - b.header.SequenceNumber) })
	}
	for i, b := range output[1:] {
		k := int64(i / len(data))
		checkShifted(t, f.Header(), &data[i%len(data)], &b, k*r.Shift)
		if t.Failed() {
			t.Fatalf("in buffer %d, repeat %d", i+1, k)
		}
	}
}

// checkShifted compares a buffer with the buffer that it repeats.
func checkShifted(t *testing.T, h *decode.TraceHeader, in, out *walked, shift decode.Ticks) {
	t.Helper()
	clock := h.Clock()
	nanoseconds := clock.UnixNano(h.EventTicks+shift) - clock.UnixNano(h.EventTicks)
	if a, b := in.header.TimeStamp, out.header.TimeStamp; a != 0 {
		want := shift
		if a > filetimeLikely && h.ClockType != decode.ClockSystemTime {
			want = nanoseconds / 100
		}
		if d := b - a - want; d < -1 || d > 1 {
			t.Errorf("flush time is %d later, want %d", b-a, want)
		}
	}
	if len(in.events) != len(out.events) {
		t.Fatalf("%d events of %d", len(out.events), len(in.events))
	}
	var want []byte
	for i := range out.events {
		ev, was := &out.events[i], &in.events[i]
		want = append(want[:0], was.Raw...)
		if ev.Timed {
			if ev.Time != was.Time+shift {
				t.Fatalf("event %d (%s) at %d, want %d", i, ev.Type, ev.Time, was.Time+shift)
			}
			replace(want, was.Time, ev.Time)
		} else if ev.Family == decode.FamilyMessage {
			if a, _, ok := was.Message().Time(); ok {
				b, _, _ := ev.Message().Time()
				if d := b - a - nanoseconds/1000*h.PerfFreq/1e6; d < -20 || d > 20 {
					t.Errorf("event %d: the counter is %d later, the trace %d ns", i, b-a, nanoseconds)
				}
				replace(want, a, b)
			}
		}
		if beginsWithTime(ev) {
			a, b := int64(le.Uint64(was.Payload())), int64(le.Uint64(ev.Payload()))
			if b != a+shift {
				t.Errorf("event %d: the payload's time is %d, want %d", i, b, a+shift)
			}
			le.PutUint64(want[was.PayloadOffset():], uint64(b))
		}
		if !bytes.Equal(ev.Raw, want) {
			t.Fatalf("event %d (%s) differs in more than its times:\n% x\n% x", i, ev.Type, want, ev.Raw)
		}
	}
}

// replace overwrites a time with another.
func replace(b []byte, from, to decode.Ticks) {
	old := le.AppendUint64(nil, uint64(from))
	if at := bytes.Index(b, old); at >= 0 {
		le.PutUint64(b[at:], uint64(to))
	}
}

// checkOrder checks the order of each processor's times, and that the sequence numbers
// of a repeat are above those of the previous repeat.
func checkOrder(t *testing.T, output []walked) {
	t.Helper()
	last := make(map[uint16]decode.Ticks)
	n := (len(output) - 1) / testRepeats
	var before, highest int64
	for i, b := range output[1:] {
		if i%n == 0 {
			before = highest
		}
		if b.header.SequenceNumber <= before {
			t.Errorf("buffer %d: sequence number %d, but an earlier repeat has %d", i+1, b.header.SequenceNumber, before)
		}
		highest = max(highest, b.header.SequenceNumber)
		for _, ev := range b.events {
			if !ev.Timed {
				continue
			}
			if t0, ok := last[b.header.Processor]; ok && ev.Time < t0 {
				t.Fatalf("buffer %d: event at %d after one at %d", i+1, ev.Time, t0)
			}
			last[b.header.Processor] = ev.Time
		}
	}
}

func TestAmplifySize(t *testing.T) {
	f := decodetest.Open(t, etltest.MustParse(t, "trace buffersize=1024\nbuffer\nevent64 t=+1ms\nbuffer\nevent64 t=+2ms\n"))
	for size, repeats := range map[int64]int{0: 1, 1: 1, 3072: 1, 3073: 2, 5120: 2, 5121: 3} {
		if _, r := amplify(t, f, Options{Size: size}); r.Repeats != repeats {
			t.Errorf("size %d: %d repeats, want %d", size, r.Repeats, repeats)
		}
	}
	const size = 100_000
	_, r := amplify(t, f, Options{Size: size, Compressed: true})
	if perRepeat := r.Size / int64(r.Repeats); r.Size < size || r.Size > size+perRepeat {
		t.Errorf("%d bytes, want at least %d; a repeat has %d", r.Size, size, perRepeat)
	}
}

func TestAmplifyErrors(t *testing.T) {
	const two = "trace buffersize=1024 %s\nbuffer\nevent64 t=+1ms\nbuffer\nevent64 t=%s\n"
	for _, c := range []struct {
		name, trace string
		want        error // nil: any
	}{
		{"no data", "trace", ErrNothingToRepeat},
		{"cut", fmt.Sprintf(two, "truncate=100", "+2ms"), decode.ErrTruncated},
		{"bad event", fmt.Sprintf(two, "", "+2ms patch=3:00"), decode.ErrCorrupt},
		{"bad buffer size", "trace\nlogfile buffersize=0x7fffffff\nbuffer\nevent64\n", decode.ErrCorrupt},
		{"too late", fmt.Sprintf(two, "", "2200-01-01T00:00:00Z"), nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			f := decodetest.Open(t, etltest.MustParse(t, c.trace))
			var m memory
			_, err := Amplify(&m, f, Options{Repeats: 2})
			if err == nil || c.want != nil && !errors.Is(err, c.want) {
				t.Fatalf("error %v, want %v", err, c.want)
			}
			t.Log(err)
			if len(m.data) > 0 && m.data[0] != 0 {
				t.Error("the header buffer was written")
			}
		})
	}
}

// TestMessageTimeAt compares with package decode for all flags.
func TestMessageTimeAt(t *testing.T) {
	for flags := range decode.MessageFlags(0x100) {
		raw := make(decode.MessageHeader, 64)
		le.PutUint16(raw[6:], uint16(flags))
		at := messageTimeAt(flags)
		if at != 0 {
			le.PutUint64(raw[at:], 0x0123456789abcdef)
		}
		if got, _, ok := raw.Time(); ok != (at != 0) || ok && got != 0x0123456789abcdef {
			t.Errorf("flags %#x: no time at %#x", uint16(flags), at)
		}
	}
}

// TestPayloadTimes compares with the collected layouts of kernel events.
func TestPayloadTimes(t *testing.T) {
	text := testenv.ReadFile(t, testenv.Shared(t, "format/kernel-events.json"))
	var dossier struct {
		Events []struct {
			HookID, Name string
			Version      *uint8 // nil: all
			Fields       []struct{ Type string }
		}
	}
	if err := json.Unmarshal(text, &dossier); err != nil {
		t.Fatal(err)
	}
	if len(dossier.Events) == 0 {
		t.Fatal("no events in kernel-events.json")
	}
	for _, e := range dossier.Events {
		if e.HookID == "" { // known by its class only
			continue
		}
		hook, err := strconv.ParseUint(e.HookID, 0, 16)
		if err != nil {
			t.Fatal(err)
		}
		var version uint8
		if e.Version != nil {
			version = *e.Version
		}
		want := len(e.Fields) > 0 && e.Fields[0].Type == "wintime"
		if got := hasPayloadTime(uint16(hook), version); got != want {
			t.Errorf("%s %s version %d: begins with a time: %v, want %v", e.HookID, e.Name, version, got, want)
		}
		for i, field := range e.Fields {
			if i > 0 && field.Type == "wintime" {
				t.Errorf("%s %s version %d: field %d is a time", e.HookID, e.Name, version, i)
			}
		}
	}
}
