// Package indextest makes traces and indexes them. It is for tests.
package indextest

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
	"github.com/etl2parquet/etl2parquet/internal/engine/catalog"
	"github.com/etl2parquet/etl2parquet/internal/engine/index"
)

// Write writes a trace to a file of its own.
func Write(t testing.TB, name string, data []byte) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(path, data, 0o666); err != nil {
		t.Fatal(err)
	}
	return path
}

// Data indexes a trace in memory.
func Data(t testing.TB, data []byte) *index.Index {
	t.Helper()
	return Reader(t, bytes.NewReader(data), int64(len(data)))
}

// Reader indexes the trace that r reads.
func Reader(t testing.TB, r io.ReaderAt, size int64) *index.Index {
	t.Helper()
	return With(t, r, size, nil)
}

// With indexes a trace with the user's files.
func With(t testing.TB, r io.ReaderAt, size int64, files *catalog.Files) *index.Index {
	t.Helper()
	f, err := decode.NewFile(r, size)
	if err != nil {
		t.Fatal(err)
	}
	return Of(t, f, files)
}

// Of indexes a trace with the user's files.
func Of(t testing.TB, f *decode.File, files *catalog.Files) *index.Index {
	t.Helper()
	x, err := index.Build(context.Background(), f, index.Options{Workers: 2, Schemas: files, Messages: catalog.MessagesAll})
	if err != nil {
		t.Fatal(err)
	}
	return x
}

// Located is an event, and its place in the order of all events.
type Located struct {
	Time      decode.Ticks
	Processor uint16
	Buffer    int
	Offset    int
	Sum       string // of its bytes
}

// Walk returns all events that can be read, in file order.
func Walk(t testing.TB, f *decode.File) []Located {
	t.Helper()
	var list []Located
	Each(t, f, func(i int, b *decode.Buffer, ev *decode.Event) {
		list = append(list, Located{ev.Time, b.Header.Processor, i, ev.Offset, Sum(ev.Raw)})
	})
	return list
}

// Each calls do for all events that can be read, in file order, with their buffers.
func Each(t testing.TB, f *decode.File, do func(buffer int, b *decode.Buffer, ev *decode.Event)) {
	t.Helper()
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
			do(i, &b, &ev)
		}
	}
}

// Sum returns a short hash of data.
func Sum(data []byte) string {
	sum := sha256.Sum256(data)
	return hex.EncodeToString(sum[:8])
}

// Shape describes a random trace.
type Shape struct {
	Buffers, Events int // at most; events per buffer
	Processors      int
	Time            func(r *rand.Rand, buffer, event int) int64
	Untimed         bool // some events have no time of their own
	Compressed      bool
}

// Shapes are traces that are hard to sort or to cut.
var Shapes = map[string]Shape{
	"in order":           {Buffers: 40, Events: 60, Processors: 4, Time: func(_ *rand.Rand, b, e int) int64 { return int64(1000*b + 10*e) }},
	"compressed":         {Buffers: 20, Events: 60, Processors: 3, Compressed: true, Time: func(_ *rand.Rand, b, e int) int64 { return int64(1000*b + 10*e) }},
	"300 processors":     {Buffers: 600, Events: 4, Processors: 300, Time: func(r *rand.Rand, b, e int) int64 { return int64(100*(b/300) + 10*e) }},
	"all at one tick":    {Buffers: 60, Events: 50, Processors: 5, Time: func(*rand.Rand, int, int) int64 { return 77 }},
	"few ticks":          {Buffers: 60, Events: 50, Processors: 5, Time: func(r *rand.Rand, _, _ int) int64 { return r.Int64N(3) }},
	"one tick but two":   {Buffers: 60, Events: 50, Processors: 5, Time: oneTickButTwo},
	"buffers span all":   {Buffers: 50, Events: 40, Processors: 7, Time: func(r *rand.Rand, b, e int) int64 { return int64(e)<<32 + r.Int64N(1<<31) }},
	"unsorted":           {Buffers: 50, Events: 40, Processors: 7, Time: func(r *rand.Rand, _, _ int) int64 { return r.Int64N(1e9) }},
	"backwards":          {Buffers: 30, Events: 40, Processors: 2, Time: func(_ *rand.Rand, b, e int) int64 { return int64(-1000*b - e) }},
	"end of time":        {Buffers: 30, Events: 20, Processors: 3, Time: endOfTime},
	"untimed":            {Buffers: 40, Events: 30, Processors: 3, Untimed: true, Time: func(_ *rand.Rand, b, e int) int64 { return int64(1000*b + 10*e) }},
	"untimed, few ticks": {Buffers: 40, Events: 30, Processors: 3, Untimed: true, Time: func(r *rand.Rand, _, _ int) int64 { return r.Int64N(4) }},
}

// oneTickButTwo has one event long before and one long after all others, so that the buffer that
// contains them seems to span all that time.
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

// RandomTrace returns a trace of a shape. Some of its buffers are empty.
func RandomTrace(t testing.TB, r *rand.Rand, s Shape) []byte {
	t.Helper()
	trace := etltest.Trace{BufferSize: 16 << 10}
	if s.Compressed {
		trace.Compression = etltest.Xpress
	}
	for b := range s.Buffers {
		buffer := etltest.Buffer{Processor: uint16(r.IntN(s.Processors))}
		if b < s.Processors {
			buffer.Processor = uint16(b)
		}
		events := s.Events
		if r.IntN(10) == 0 {
			events = r.IntN(2)
		}
		for e := range events {
			event := RandomEvent(r, s.Untimed)
			event.Time = s.Time(r, b, e)
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

// RandomEvent returns an event without a time.
func RandomEvent(r *rand.Rand, untimed bool) etltest.Event {
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

// Name returns the name of a trace file, for a subtest.
func Name(path string) string { return filepath.Base(path) }

// File indexes a file.
func File(t testing.TB, path string) *index.Index {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return Data(t, data)
}

// Chunks returns the most pieces in which the index pass may have read a trace.
func Chunks(x *index.Index) int { return 1 + int(x.File.Size()>>22) }
