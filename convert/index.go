package convert

import (
	"context"
	"errors"
	"io"

	"github.com/etl2parquet/etl2parquet/decode"
)

// Index is what the index pass learns of a trace. It is immutable once made.
type Index struct {
	File    *decode.File
	Clock   decode.Clock
	Buffers []BufferSummary
	Types   []EventType // in the order in which the trace first has them
	// Types beyond the limit are counted together.
	UnlistedEvents int64
	Problems       *Problems
	Session        Session

	Events   int64
	ByHeader [256]int64 // by decode.HeaderType
	First    decode.Ticks
	Last     decode.Ticks
}

// BufferSummary says what is in a buffer, so that the convert pass reads only
// the buffers it needs.
type BufferSummary struct {
	First, Last decode.Ticks // earliest and latest event; First > Last if there is none
	Events      int32
	Bytes       int32  // up to the end of its data, decompressed
	Damaged     bool   //
	Families    uint8  // a bit per family of headers
	Providers   uint64 // a bit per provider, by providerBit: some share one
}

// HasEvents reports whether the buffer has any event.
func (s *BufferSummary) HasEvents() bool { return s.Events > 0 }

// chunkBytes is how much of a trace a worker indexes at a time. It decides
// only the grain of the work, never the result.
const chunkBytes = 4 << 20

// chunk is a run of buffers, and what was found in it.
type chunk struct {
	from, to int
	types    typeCounter
	unlisted int64
	problems Problems
	session  Session
	byHeader [256]int64
}

// BuildIndex makes the index pass with a number of workers. progress, if not
// nil, is told the bytes of the file as they are done, from any goroutine.
func BuildIndex(ctx context.Context, f *decode.File, workers int, progress func(bytes, events int64)) (*Index, error) {
	x := &Index{
		File:     f,
		Clock:    f.Header().Clock(),
		Buffers:  make([]BufferSummary, f.Buffers()),
		Problems: new(Problems),
		First:    maxTicks,
		Last:     minTicks,
	}
	x.Problems.container(f)
	var types typeMerger
	chunks := x.chunks()
	err := inOrder(ctx, workers, len(chunks),
		func(worker *indexWorker, i int) (*chunk, error) { return x.indexChunk(worker, chunks[i], progress) },
		func(c *chunk) error {
			types.add(&c.types)
			x.UnlistedEvents += c.unlisted
			x.Problems.merge(&c.problems)
			x.Session.merge(&c.session)
			for t, n := range c.byHeader {
				x.ByHeader[t] += n
				x.Events += n
			}
			return nil
		})
	if err != nil {
		return nil, err
	}
	x.Types = types.list
	x.UnlistedEvents += types.unlisted
	for i := range x.Buffers {
		if s := &x.Buffers[i]; s.HasEvents() {
			x.First, x.Last = min(x.First, s.First), max(x.Last, s.Last)
		}
	}
	x.Problems.losses(x)
	return x, nil
}

func (x *Index) chunks() []chunk {
	var chunks []chunk
	from, bytes := 0, int64(0)
	for i := range x.Buffers {
		bytes += x.File.BufferInfo(i).UncompressedSize()
		if bytes >= chunkBytes || i == len(x.Buffers)-1 {
			chunks = append(chunks, chunk{from: from, to: i + 1})
			from, bytes = i+1, 0
		}
	}
	return chunks
}

// indexWorker is the memory one worker uses again for every chunk.
type indexWorker struct{ buffer decode.Buffer }

func (x *Index) indexChunk(w *indexWorker, c chunk, progress func(bytes, events int64)) (*chunk, error) {
	c.types.init()
	for i := c.from; i < c.to; i++ {
		if err := x.indexBuffer(&w.buffer, &c, i); err != nil {
			return nil, err
		}
		if progress != nil {
			progress(int64(x.File.BufferInfo(i).Size), int64(x.Buffers[i].Events))
		}
	}
	return &c, nil
}

func (x *Index) indexBuffer(b *decode.Buffer, c *chunk, i int) error {
	s := BufferSummary{First: maxTicks, Last: minTicks, Damaged: x.File.BufferInfo(i).Damaged}
	defer func() { x.Buffers[i] = s }()
	if err := x.File.ReadBuffer(i, b); err != nil {
		if !c.problems.decode("buffer_damaged", err) {
			return err
		}
		s.Damaged = true
	}
	s.Bytes = int32(b.End())
	var ev decode.Event
	for {
		start := b.Pos()
		err := b.Next(&ev)
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			s.Damaged = true
			c.problems.decode("event_damaged", err)
			c.problems.lostBytes(b, start)
			return nil
		}
		x.indexEvent(b, c, &s, &ev)
	}
}

func (x *Index) indexEvent(b *decode.Buffer, c *chunk, s *BufferSummary, ev *decode.Event) {
	s.Events++
	s.First, s.Last = min(s.First, ev.Time), max(s.Last, ev.Time)
	s.Families |= 1 << ev.Family
	c.byHeader[ev.Type]++
	key := keyOf(ev)
	t := c.types.count(&key, ev.Time)
	if t != nil {
		s.Providers |= t.bit
	} else {
		s.Providers |= providerBit(&key)
		c.unlisted++
	}
	switch ev.Family {
	case decode.FamilyEvent:
		if ev.Header().Flags()&decode.EventFlagExtended != 0 {
			x.indexItems(b, c, s, ev, t)
		}
	case decode.FamilySystem, decode.FamilyPerfInfo:
		if hook := uint16(key.id); hook <= decode.HookPartitionInfo {
			c.problems.noteIf(b, ev, c.session.add(ev, hook))
		}
		if err := b.Check(ev); err != nil {
			s.Damaged = true
			c.problems.decode("header_damaged", err)
		}
	}
}

// indexItems looks for what a provider says about itself.
func (x *Index) indexItems(b *decode.Buffer, c *chunk, s *BufferSummary, ev *decode.Event, t *EventType) {
	items := ev.Header().Items()
	for items.Next() {
		if items.Type == decode.ItemProviderTraits && t != nil && t.traits == nil {
			t.traits = append([]byte{}, items.Data...)
		}
	}
	if items.Err() != nil {
		s.Damaged = true
		c.problems.decode("header_damaged", b.Check(ev))
	}
}
