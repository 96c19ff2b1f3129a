package convert

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"

	"github.com/etl2parquet/etl2parquet/decode"
	"github.com/etl2parquet/etl2parquet/decode/etltest"
	"github.com/etl2parquet/etl2parquet/internal/catalog"
	"github.com/etl2parquet/etl2parquet/internal/index"
)

// writeTrace writes a trace to a file of its own.
func writeTrace(t testing.TB, name string, data []byte) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(path, data, 0o666); err != nil {
		t.Fatal(err)
	}
	return path
}

// indexData indexes a trace in memory.
func indexData(t testing.TB, data []byte) *index.Index {
	t.Helper()
	return indexReader(t, bytes.NewReader(data), int64(len(data)))
}

// openFile opens a trace for the time of a test.
func openFile(t testing.TB, path string) *decode.File {
	t.Helper()
	file, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { file.Close() })
	info, err := file.Stat()
	if err != nil {
		t.Fatal(err)
	}
	f, err := decode.NewFile(file, info.Size())
	if err != nil {
		t.Fatal(err)
	}
	return f
}

func indexReader(t testing.TB, r io.ReaderAt, size int64) *index.Index {
	t.Helper()
	return indexWith(t, r, size, nil)
}

// indexWith indexes a trace with the files of a user.
func indexWith(t testing.TB, r io.ReaderAt, size int64, files *catalog.Files) *index.Index {
	t.Helper()
	f, err := decode.NewFile(r, size)
	if err != nil {
		t.Fatal(err)
	}
	return indexOf(t, f, files)
}

func indexOf(t testing.TB, f *decode.File, files *catalog.Files) *index.Index {
	t.Helper()
	x, err := index.Build(context.Background(), f, index.Options{Workers: 2, Schemas: files})
	if err != nil {
		t.Fatal(err)
	}
	return x
}

// located is an event, and its place in the order of all events.
type located struct {
	time      decode.Ticks
	processor uint16
	buffer    int
	offset    int
	sum       string // of its bytes
}

// walkTrace returns all events that can be read, in file order.
func walkTrace(t testing.TB, f *decode.File) []located {
	t.Helper()
	var list []located
	var b decode.Buffer
	var damage *decode.Error
	for i := range f.Buffers() {
		if err := f.ReadBuffer(i, &b); err != nil && !errors.As(err, &damage) {
			t.Fatal(err)
		}
		var ev decode.Event
		for {
			err := b.Next(&ev)
			if errors.Is(err, io.EOF) || errors.As(err, &damage) {
				break
			}
			if err != nil {
				t.Fatal(err)
			}
			list = append(list, located{ev.Time, b.Header.Processor, i, ev.Offset, sumOf(ev.Raw)})
		}
	}
	return list
}

func sumOf(data []byte) string {
	sum := sha256.Sum256(data)
	return hex.EncodeToString(sum[:8])
}

// shape says what a random trace is like.
type shape struct {
	buffers, events int // at most so many of each, events per buffer
	processors      int
	time            func(r *rand.Rand, buffer, event int) int64
	untimed         bool // some events have no time of their own
	compressed      bool
}

// shapes are traces that are hard to bring into order, or to cut.
var shapes = map[string]shape{
	"in order":           {buffers: 40, events: 60, processors: 4, time: func(_ *rand.Rand, b, e int) int64 { return int64(1000*b + 10*e) }},
	"compressed":         {buffers: 20, events: 60, processors: 3, compressed: true, time: func(_ *rand.Rand, b, e int) int64 { return int64(1000*b + 10*e) }},
	"300 processors":     {buffers: 600, events: 4, processors: 300, time: func(r *rand.Rand, b, e int) int64 { return int64(100*(b/300) + 10*e) }},
	"all at one tick":    {buffers: 60, events: 50, processors: 5, time: func(*rand.Rand, int, int) int64 { return 77 }},
	"few ticks":          {buffers: 60, events: 50, processors: 5, time: func(r *rand.Rand, _, _ int) int64 { return r.Int64N(3) }},
	"one tick but two":   {buffers: 60, events: 50, processors: 5, time: oneTickButTwo},
	"buffers span all":   {buffers: 50, events: 40, processors: 7, time: func(r *rand.Rand, b, e int) int64 { return int64(e)<<32 + r.Int64N(1<<31) }},
	"unsorted":           {buffers: 50, events: 40, processors: 7, time: func(r *rand.Rand, _, _ int) int64 { return r.Int64N(1e9) }},
	"backwards":          {buffers: 30, events: 40, processors: 2, time: func(_ *rand.Rand, b, e int) int64 { return int64(-1000*b - e) }},
	"end of time":        {buffers: 30, events: 20, processors: 3, time: endOfTime},
	"untimed":            {buffers: 40, events: 30, processors: 3, untimed: true, time: func(_ *rand.Rand, b, e int) int64 { return int64(1000*b + 10*e) }},
	"untimed, few ticks": {buffers: 40, events: 30, processors: 3, untimed: true, time: func(r *rand.Rand, _, _ int) int64 { return r.Int64N(4) }},
}

// oneTickButTwo has one event long before and one long after all others, so
// that the buffer they are in seems to be spread over all that time.
func oneTickButTwo(_ *rand.Rand, b, e int) int64 {
	switch {
	case b == 0 && e == 0:
		return 0
	case b == 1 && e == 0:
		return 1 << 40
	}
	return 1 << 39
}

func endOfTime(r *rand.Rand, _, _ int) int64 {
	ends := []int64{int64(decode.MinTicks), int64(decode.MinTicks) + 1, 0, int64(decode.MaxTicks) - 1, int64(decode.MaxTicks)}
	return ends[r.IntN(len(ends))]
}

// randomTrace returns a trace of a shape. Some of its buffers are empty.
func randomTrace(t testing.TB, r *rand.Rand, s shape) []byte {
	t.Helper()
	trace := etltest.Trace{BufferSize: 16 << 10}
	if s.compressed {
		trace.Compression = etltest.Xpress
	}
	for b := range s.buffers {
		buffer := etltest.Buffer{Processor: uint16(r.IntN(s.processors))}
		if b < s.processors {
			buffer.Processor = uint16(b)
		}
		events := s.events
		if r.IntN(10) == 0 {
			events = r.IntN(2)
		}
		for e := range events {
			event := randomEvent(r, s.untimed)
			event.Time = s.time(r, b, e)
			if err := buffer.Add(&event); err != nil {
				t.Fatal(err)
			}
		}
		trace.Buffers = append(trace.Buffers, buffer)
	}
	return trace.MustBytes(t)
}

// eventKinds has a kind of event for each table.
var eventKinds = []etltest.Kind{etltest.System64, etltest.Compact32, etltest.PerfInfo64, etltest.Full64, etltest.Instance64,
	etltest.Event64, etltest.Event32, etltest.Message, etltest.Timed}

// randomEvent returns an event without a time.
func randomEvent(r *rand.Rand, untimed bool) etltest.Event {
	e := etltest.Event{
		Kind: eventKinds[r.IntN(len(eventKinds))],
		PID:  r.Uint32N(8), TID: r.Uint32N(64), Hook: uint16(r.IntN(0x20)<<8 | r.IntN(64)), ID: uint16(r.IntN(20)),
		GUID: etltest.GUID{byte(r.IntN(6)), 1}, Payload: make([]byte, 4+r.IntN(60)),
	}
	for i := range e.Payload {
		e.Payload[i] = byte(r.Uint32())
	}
	if e.Kind == etltest.Event64 && r.IntN(3) == 0 {
		e.Items = []etltest.Item{{Type: etltest.ItemStack64, Data: etltest.StackData(8, 1, r.Uint64(), 2)}, {Type: etltest.ItemType(0x77), Data: []byte{1}}}
	}
	if e.Kind == etltest.Message {
		e.Flags = etltest.MessageGUID | etltest.MessageSystemInfo
		if !untimed || r.IntN(2) == 0 {
			e.Flags |= etltest.MessageTime
		}
	}
	return e
}

// traceOf returns the name of a trace file, for a subtest.
func traceOf(path string) string { return filepath.Base(path) }

func indexFile(t testing.TB, path string) *index.Index {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return indexData(t, data)
}

// chunksOf returns the most pieces in which the index pass may have read a trace.
func chunksOf(x *index.Index) int { return 1 + int(x.File.Size()>>22) }
