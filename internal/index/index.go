package index

import (
	"cmp"
	"context"
	"errors"
	"io"
	"sync"

	"github.com/etl2parquet/etl2parquet/decode"
	"github.com/etl2parquet/etl2parquet/internal/attribution"
	"github.com/etl2parquet/etl2parquet/internal/catalog"
	"github.com/etl2parquet/etl2parquet/internal/ordered"
	"github.com/etl2parquet/etl2parquet/internal/problems"
	"github.com/etl2parquet/etl2parquet/internal/spool"
)

// DefaultMemory is what a conversion uses at most if nothing else is asked.
const DefaultMemory = 512 << 20

// Index is what the index pass learns of a trace. It is immutable once made.
type Index struct {
	File    *decode.File
	Clock   decode.Clock
	Buffers []BufferSummary
	Types   []catalog.EventType // in the order in which the trace first has them
	// Types beyond the limit are counted together.
	UnlistedEvents int64
	Problems       *problems.List
	Session        Session
	Tables         func() *attribution.Tables // whose the events were; made when first asked for
	overflow       *spool.File                // nil if there is none
	Running        []uint32                   // per buffer: the thread on its processor at its start, or attribution.NoThread
	Switches       []bool                     // per buffer: whether the context switches in it say which thread runs

	types        catalog.TypeMerger
	learned      catalog.Learned
	Catalog      *catalog.Catalog
	Descriptions []catalog.Description // of the user, that describe events of the trace; in no order
	Serious      int64                 // problems that are more than information, of this pass

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
	Processes   uint64 // the same per process whose events they may be, by processBits
	Switches    attribution.Switches
}

// HasEvents reports whether the buffer has any event.
func (s *BufferSummary) HasEvents() bool { return s.Events > 0 }

// chunkBytes is how much of a trace a worker indexes at a time. It decides
// only the grain of the work, never the result.
const chunkBytes = 4 << 20

// chunk is a run of buffers, and what was found in it.
type chunk struct {
	from, to int
	types    catalog.TypeCounter
	learned  catalog.Learned
	unlisted catalog.Unlisted
	problems problems.List
	session  Session
	records  attribution.Records
	byHeader [256]int64
}

// Options are how to index.
type Options struct {
	Workers     int
	Schemas     *catalog.Files            // of the user; nil: only what the trace carries describes its events
	MaxTables   int                       // for events that schemas describe; 0 is DefaultMaxTables
	Memory      int64                     // more than DefaultMemory leaves room for more stacks
	TempDir     string                    // for a temporary file, if stacks need one; "" is the system's
	StackFrames int64                     // bytes of frames of stacks in memory; 0 is the default
	Progress    func(bytes, events int64) // if not nil, is told the bytes of the file as they are done, from any goroutine
}

// Build makes the index pass. The index must be closed.
func Build(ctx context.Context, f *decode.File, o Options) (*Index, error) {
	x := &Index{
		File:     f,
		Clock:    f.Header().Clock(),
		Buffers:  make([]BufferSummary, f.Buffers()),
		Problems: new(problems.List),
		First:    decode.MaxTicks,
		Last:     decode.MinTicks,
	}
	x.Problems.Container(f)
	tables := attribution.NewBuilder(o.limits(), func() (attribution.Overflow, error) { return x.createOverflow(o.TempDir) })
	chunks := x.chunks()
	err := ordered.Do(ctx, o.Workers, len(chunks),
		func(worker *indexWorker, i int) (*chunk, error) { return x.indexChunk(worker, chunks[i], o.Progress) },
		func(c *chunk) error {
			x.types.Add(&c.types, x.learned.Merge(&c.learned))
			x.types.Unlisted.Merge(c.unlisted)
			x.Problems.Merge(&c.problems)
			x.Session.merge(&c.session)
			tables.Add(&c.records)
			for t, n := range c.byHeader {
				x.ByHeader[t] += n
				x.Events += n
			}
			return nil
		})
	if err = errors.Join(err, tables.Flush()); err != nil {
		return nil, errors.Join(err, x.Close())
	}
	x.Types = x.types.List
	x.UnlistedEvents = x.types.Unlisted.Events
	for i := range x.Buffers {
		if s := &x.Buffers[i]; s.HasEvents() {
			x.First, x.Last = min(x.First, s.First), max(x.Last, s.Last)
		}
	}
	x.Session.finish()
	x.noteLosses()
	sources := catalog.NewSources(&x.learned, o.Schemas, x.Problems)
	x.Catalog = catalog.New(&x.types.TypeCounter, &x.learned, sources, x.Problems, cmp.Or(o.MaxTables, catalog.DefaultMaxTables))
	x.Descriptions = sources.Descriptions()
	x.Tables = sync.OnceValue(tables.Build)
	noteAttribution(x.Problems, &tables.Tables)
	x.Running, x.Switches = x.runningAtStart()
	x.Serious = x.Problems.Serious()
	return x, nil
}

// limits are those of what the trace says about itself.
func (o *Options) limits() attribution.Limits {
	l := attribution.DefaultLimits
	bytesPerKey := DefaultMemory / int64(l.Keys)
	l.Keys = max(l.Keys, int(o.Memory/bytesPerKey))
	l.Frames = cmp.Or(o.StackFrames, l.Frames)
	return l
}

// createOverflow makes the file of stacks that have no room in memory.
func (x *Index) createOverflow(folder string) (attribution.Overflow, error) {
	f, err := spool.NewPool(folder).Create()
	if err != nil {
		return nil, err
	}
	x.overflow = f
	return f, nil
}

// Close removes the temporary file of the index, if there is one.
func (x *Index) Close() error {
	if x.overflow == nil {
		return nil
	}
	return x.overflow.Close()
}

// runningAtStart returns the thread that runs where each buffer begins, and
// whether the context switches in the buffer say which runs then. They do not
// in sessions without buffers per processor, nor on processors that have some
// switches in a packed form, which may have happened in between.
func (x *Index) runningAtStart() (running []uint32, told []bool) {
	h := x.File.Header()
	lossless := h.Finalised() && h.EventsLost == 0 && h.BuffersLost == 0 && int64(h.BuffersWritten) <= int64(x.File.Buffers())
	packed, batches := make(map[uint16]bool), int64(0)
	for i := range x.Buffers {
		if n := x.Buffers[i].Switches.Packed; n > 0 {
			packed[x.File.BufferInfo(i).Header.Processor] = true
			batches += int64(n)
		}
	}
	notePackedSwitches(x.Problems, batches)
	buffers := make([]attribution.Stream, len(x.Buffers))
	told = make([]bool, len(x.Buffers))
	for i := range x.Buffers {
		s := &x.Buffers[i]
		processor := x.File.BufferInfo(i).Header.Processor
		buffers[i] = attribution.Stream{Processor: processor, First: s.First}
		if h.PerProcessor() && !packed[processor] {
			buffers[i].Switches, told[i] = s.Switches, s.Switches.Any
		}
		lossless = lossless && !s.Damaged
	}
	return attribution.RunningAtStart(buffers, lossless), told
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
type indexWorker struct {
	buffer decode.Buffer
	known  attribution.Known
}

func (x *Index) indexChunk(w *indexWorker, c chunk, progress func(bytes, events int64)) (*chunk, error) {
	c.types.Init()
	c.records.Share(&w.known)
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
	s := BufferSummary{First: decode.MaxTicks, Last: decode.MinTicks, Damaged: x.File.BufferInfo(i).Damaged}
	defer func() { x.Buffers[i] = s }()
	if err := x.File.ReadBuffer(i, b); err != nil {
		if !c.problems.Decode("buffer_damaged", err) {
			return err
		}
		s.Damaged = true
	}
	s.Bytes = int32(b.End())
	if b.PacksSwitches() {
		s.Switches.Packed++
	}
	c.records.Begin(i)
	var ev decode.Event
	for {
		start := b.Pos()
		err := b.Next(&ev)
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			s.Damaged = true
			c.problems.Decode("event_damaged", err)
			c.problems.LostBytes(b, start)
			return nil
		}
		x.indexEvent(b, c, &s, &ev)
	}
}

func (x *Index) indexEvent(b *decode.Buffer, c *chunk, s *BufferSummary, ev *decode.Event) {
	s.Events++
	s.First, s.Last = min(s.First, ev.Time), max(s.Last, ev.Time)
	s.Families |= 1 << ev.Family
	s.Processes |= processBits(ev)
	c.byHeader[ev.Type]++
	var key catalog.Key
	key.Of(ev)
	if ev.Family == decode.FamilyEvent && ev.Header().Flags()&decode.EventFlagExtended != 0 {
		key.Meta = c.learned.TraceLogging(ev.Header().TraceLogging())
	}
	t := c.types.Count(&key, ev.Time)
	if t != nil {
		s.Providers |= t.Bit
		if t.Events == 1 {
			t.Descriptor = catalog.DescriptorOf(ev)
		}
	} else {
		s.Providers |= catalog.ProviderBit(&key)
	}
	payload := -1 // where it begins
	switch ev.Family {
	case decode.FamilyEvent:
		c.learned.Note(ev, &key)
		c.records.Manifest(ev, ev.Header())
		if ev.Header().Flags()&decode.EventFlagExtended != 0 {
			payload = x.indexItems(b, c, s, ev, t)
		} else {
			payload = ev.PayloadOffset()
		}
	case decode.FamilyEventTrace, decode.FamilyInstance:
		payload = ev.PayloadOffset()
		if ev.Family == decode.FamilyEventTrace {
			c.learned.Note(ev, &key)
		}
		c.session.addClass(ev, key.GUID, key.ID)
		c.records.Class(ev, key.GUID, uint8(key.ID), key.LayoutVersion())
	case decode.FamilySystem, decode.FamilyPerfInfo:
		hook := uint16(key.ID)
		switch {
		case isSessionRecord(hook):
			c.problems.NoteIf(b, ev, c.session.add(ev, hook))
		case attribution.IsSwitch(hook):
			s.Switches.Add(ev)
		case attribution.IsPacked(hook):
			s.Switches.Packed++
		default:
			c.records.Hook(ev, hook, uint8(key.Version))
		}
		var err error
		if payload, err = b.Check(ev); err != nil {
			s.Damaged = true
			c.problems.Decode("header_damaged", err)
		}
	case decode.FamilyMessage:
		payload = ev.PayloadOffset()
	}
	empty := int64(0)
	if payload == len(ev.Raw) {
		empty = 1
	}
	if t == nil {
		c.unlisted.Add(&catalog.EventType{Key: key, Events: 1, Empty: empty})
		return
	}
	t.Empty += empty
}

// indexItems looks for what a provider says about itself, and returns where the
// payload begins.
func (x *Index) indexItems(b *decode.Buffer, c *chunk, s *BufferSummary, ev *decode.Event, t *catalog.EventType) (payload int) {
	items := ev.Header().Items()
	for items.Next() {
		if items.Type == decode.ItemProviderTraits && t != nil && t.Traits == nil {
			t.Traits = append([]byte{}, items.Data...)
		}
		c.records.Item(ev, items.Type, items.Data, int64(b.Index)<<32|int64(ev.Offset))
	}
	if items.Err() != nil {
		s.Damaged = true
		_, err := b.Check(ev)
		c.problems.Decode("header_damaged", err)
	}
	return items.End()
}
