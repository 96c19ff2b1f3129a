package index

import (
	"cmp"
	"context"
	"errors"
	"io"
	"runtime"
	"sync"

	"github.com/zeebo/xxh3"

	"github.com/etl2parquet/etl2parquet/decode"
	"github.com/etl2parquet/etl2parquet/facts"
	"github.com/etl2parquet/etl2parquet/internal/base/fileid"
	"github.com/etl2parquet/etl2parquet/internal/base/ordered"
	"github.com/etl2parquet/etl2parquet/internal/base/temporary"
	"github.com/etl2parquet/etl2parquet/internal/engine/attribution"
	"github.com/etl2parquet/etl2parquet/internal/engine/catalog"
	"github.com/etl2parquet/etl2parquet/internal/engine/fits"
	"github.com/etl2parquet/etl2parquet/internal/engine/problems"
	"github.com/etl2parquet/etl2parquet/internal/engine/redact"
	"github.com/etl2parquet/etl2parquet/schema"
)

// DefaultMemory is the default memory limit of a conversion.
const DefaultMemory = 512 << 20

// Index is the result of the index pass. It is immutable once made.
type Index struct {
	File    *decode.File
	Clock   decode.Clock
	Buffers []BufferSummary
	Types   []catalog.EventType // in the order of first appearance in the trace
	// Types beyond the limit are counted together.
	UnlistedEvents int64
	Problems       *problems.List
	Session        Session
	Tables         func() *attribution.Tables // processes, threads, images and files; made when first needed
	Temporary      *temporary.Pool            // for what does not fit in memory
	overflow       *temporary.File            // or nil
	Running        []uint32                   // by buffer: the thread on its processor at its start, or attribution.NoThread
	Switches       []bool                     // by buffer: its context switches show which thread runs
	Sums           []uint64                   // by buffer: a hash of its bytes in the file; nil unless Options.Sums
	Identity       func() (Identity, error)   // made when first needed; nil unless Options.Sums

	Counts        *Counts           // of payloads; see Count
	firstRecorded span              // see recorded: of the first buffer
	without       Facts             // see Options
	found         []facts.Problem   // by the pass; nil unless Options.Sums
	judged        []judged          // by type; see Options.Judge
	expected      *catalog.Expected // nil if payloads are not judged
	types         catalog.TypeMerger
	learned       catalog.Learned
	nearby        catalog.Learned // of the siblings
	Catalog       *catalog.Catalog
	Descriptions  []catalog.Description // the user's files that describe events of the trace; in no order
	ByInputs      []catalog.Description // the other inputs that describe events of the trace; in no order
	Unknown       []schema.GUID         // see catalog.Sources
	Described     []schema.GUID         // providers and classes of events that the trace describes, sorted
	Siblings      []string              // the names of Options.Siblings
	Place         Place                 // see Options
	Computer      string                // the name of the computer, by the trace or a sibling; "" if unknown
	Unread        []bool                // by sibling: it could not be read completely, for another reason than damage
	Mask          *redact.Mask          // replaces the names in rows and summaries; nil keeps them
	Serious       int64                 // number of warnings and errors found by this pass

	Events   int64
	ByHeader [256]int64 // by decode.HeaderType
	First    decode.Ticks
	Last     decode.Ticks

	ClockSteps *ClockSteps // nil if the clock was not set
}

// BufferSummary summarizes a buffer, so that the convert pass reads only the buffers it needs.
type BufferSummary struct {
	First, Last decode.Ticks // earliest and latest event; First > Last if there are no events
	Events      int32
	Bytes       int32 // up to the end of its data, decompressed
	Damaged     bool  //
	RunsBack    bool  // an event is earlier than one before it by minRunBack, if the clock is the system's
	Families    uint8 // a bit per family of headers
	Kinds       catalog.Bits
	Processes   uint64 // a bit per possible process of its events, by processBits
	Switches    attribution.Switches
}

// HasEvents reports whether the buffer has any event.
func (s *BufferSummary) HasEvents() bool { return s.Events > 0 }

// StartNS returns the start of the session, in ns since 1970-01-01 UTC: that of the header, or where that
// cannot be, or is not known, the time of the header. The seconds of events count from it.
func (x *Index) StartNS() int64 {
	h := x.File.Header()
	start, ok := decode.FiletimeTime(h.StartTime)
	if !ok {
		start, ok = x.Clock.Time(h.EventTicks)
	}
	if last := x.Clock.UnixNano(x.Last); x.Events > 0 && (!ok || start < last && last-start < 0) { // it must fit 64 bits
		return x.Clock.UnixNano(x.First)
	}
	return start
}

// manyBytes is the trace size from which on the pass collects its garbage before it joins its
// facts. The facts can take most of the memory, and joining them takes as much again for a moment.
// Uncollected garbage in addition could exceed the memory limit.
const manyBytes = 256 << 20

// Bytes returns the bytes of all buffers up to the end of their data, decompressed.
func (x *Index) Bytes() (n int64) {
	for i := range x.Buffers {
		n += int64(x.Buffers[i].Bytes)
	}
	return n
}

// chunkBytes is the number of bytes that a worker indexes at a time. It does not affect the result.
const chunkBytes = 4 << 20

// chunk is a sequence of buffers, with the results of indexing it.
type chunk struct {
	from, to int
	number   int // of the chunk that is hashed, if Options.Hash
	types    catalog.TypeCounter
	learned  catalog.Learned
	unlisted catalog.Unlisted
	problems problems.List
	session  Session
	records  attribution.Records
	byHeader [256]int64
	recent   *catalog.RecentKinds // of the worker
	reads    []bool               // by index in types: more than headers are read
	sizes    []catalog.Sizes      // by index in types
	fitter   *fits.Fitter         // of the worker
	judged   []*judged            // by index in types
	keeper   *keeper              // nil unless Options.Keep
}

// Options are the options of the index pass.
type Options struct {
	Workers     int
	Schemas     *catalog.Files // the user's files, or nil
	MaxTables   int            // for events that schemas describe; 0 is DefaultMaxTables
	MaxFields   int            // that are described; 0 is DefaultMaxFields
	MaxTypes    int            // kinds of event that are distinguished; 0 is DefaultMaxTypes
	Messages    catalog.MessageMode
	Memory      int64                      // more than DefaultMemory allows for more stacks; 0 is DefaultMemory
	TempDir     string                     // for a temporary file, if stacks need one; "" is the system's folder
	StackFrames int64                      // bytes of stack frames in memory; 0 means the default
	Progress    func(bytes, events int64)  // if not nil, called from any goroutine when a part of the file is done
	Sums        bool                       // hash the buffers, for Identity
	Hash        *fileid.Hash               // of the trace: the pass hashes it, too; nil if it need not be hashed
	Siblings    []Sibling                  // traces of the same session, in an order that depends on their contents only
	Inputs      *catalog.InputDescriptions // of the other traces of the run; nil for none
	Input       string                     // the trace among Inputs
	Before      int                        // the number of siblings that come before the trace in that order
	Place       Place                      // the trace's among the others of the run; the zero value: it is alone
	Without     Facts                      // facts that nothing needs; without owners there must be no methods either
	Keep        func(KeptEvent)            // called for the events that later parts of the trace need, in file order; may be nil
	KeepFrom    int                        // the first buffer whose events are kept
	Judge       bool                       // Count will be called, and no rows are made: the pass checks how payloads fit; see SmallTrace
}

func newIndex(f *decode.File, o *Options) *Index {
	x := &Index{
		File:      f,
		Clock:     f.Header().Clock(),
		Problems:  new(problems.List),
		Temporary: temporary.NewPool(o.TempDir),
		Counts:    new(Counts),
		without:   o.Without,
		Place:     o.Place, firstRecorded: noSpan,
		First: decode.MaxTicks,
		Last:  decode.MinTicks,
	}
	if x.Place == (Place{}) {
		x.Place = PlaceOf(f.Header())
	}
	return x
}

// Build makes the index pass. The index must be closed.
func Build(ctx context.Context, f *decode.File, o Options) (*Index, error) {
	x := newIndex(f, &o)
	x.Buffers = make([]BufferSummary, f.Buffers())
	if o.Sums {
		x.Sums, x.Identity = make([]uint64, f.Buffers()), sync.OnceValues(x.identify)
	}
	x.Problems.Container(f)
	if o.Judge {
		x.expected = catalog.NewExpected(o.Schemas, int(f.Header().ProviderVersion))
	}
	tables := attribution.NewBuilder(o.limits(), func() (attribution.Overflow, error) { return x.createOverflow() })
	siblings := siblingReader{builder: tables, learned: &x.nearby, workers: o.Workers, without: o.Without, near: clockFrequency(f.Header()) / nearPerSecond}
	err := siblings.read(ctx, o.Siblings[:o.Before])
	if err == nil {
		tables.Own()
		err = x.read(ctx, &o, tables)
		x.expected = nil
	}
	if err == nil {
		err = siblings.read(ctx, o.Siblings[o.Before:])
	}
	if err = errors.Join(err, tables.Flush()); err != nil {
		return nil, errors.Join(err, x.Close())
	}
	x.sum()
	if o.Keep == nil { // a part of a trace does not have all steps
		if err := x.noteClock(); err != nil {
			return nil, errors.Join(err, x.Close())
		}
	}
	x.Session.finish()
	x.noteLosses()
	x.noteSiblings(&o, &siblings)
	x.Computer = tables.Computer
	if o.Sums {
		x.found = x.Problems.All()
	}
	x.notePlace()
	x.Tables = sync.OnceValue(func() *attribution.Tables {
		if x.Bytes() > manyBytes {
			runtime.GC()
		}
		return tables.Build(o.Workers)
	})
	if err := x.describe(&o, &tables.Tables); err != nil {
		return nil, errors.Join(err, x.Close())
	}
	return x, nil
}

// read reads the whole file.
func (x *Index) read(ctx context.Context, o *Options, tables *attribution.Builder) error {
	chunks := chunksOf(x.File)
	if o.Hash != nil {
		chunks = hashedChunks(x.File)
	}
	return ordered.Do(ctx, o.Workers, len(chunks),
		func(worker *indexWorker, i int) (*chunk, error) { return x.indexChunk(worker, chunks[i], o) },
		func(c *chunk) error {
			x.types.Add(&c.types, x.learned.Merge(&c.learned))
			x.mergeJudged(c)
			x.types.Unlisted.Merge(c.unlisted)
			x.Problems.Merge(&c.problems)
			x.Session.merge(&c.session)
			c.keeper.handOver(o.Keep)
			tables.Add(&c.records)
			for t, n := range c.byHeader {
				x.ByHeader[t] += n
			}
			return nil
		})
}

// maxNames bounds the names of methods whatever the memory: their offsets have 32 bits.
const maxNames = 2 << 30

// limits returns the limits on the tables of processes, threads, images, files and stacks.
func (o *Options) limits() attribution.Limits {
	l := attribution.DefaultLimits
	bytesPerKey := DefaultMemory / int64(l.Keys)
	l.Keys = max(l.Keys, int(o.Memory/bytesPerKey))
	l.Names = max(l.Names, min(o.Memory/(DefaultMemory/l.Names), maxNames))
	l.Frames = cmp.Or(o.StackFrames, l.Frames)
	return l
}

// runningAtStart returns, for each buffer, the thread that runs at its start, and whether the
// context switches in the buffer show which thread runs. They do not in sessions without
// per-processor buffers, nor on processors with packed switches, which may have happened in
// between.
func (x *Index) runningAtStart() (running []uint32, shown []bool) {
	h := x.File.Header()
	lossless := h.Finalised() && h.EventsLost == 0 && h.BuffersLost == 0 && int64(h.BuffersWritten) <= int64(x.File.Buffers())
	packed := make(map[uint16]bool)
	for i := range x.Buffers {
		if x.Buffers[i].Switches.Packed > 0 {
			packed[x.File.BufferInfo(i).Header.Processor] = true
		}
	}
	buffers := make([]attribution.ProcessorBuffer, len(x.Buffers))
	shown = make([]bool, len(x.Buffers))
	for i := range x.Buffers {
		s := &x.Buffers[i]
		processor := x.File.BufferInfo(i).Header.Processor
		buffers[i] = attribution.ProcessorBuffer{Processor: processor, First: s.First}
		if h.PerProcessor() && !packed[processor] {
			buffers[i].Switches, shown[i] = s.Switches, s.Switches.Any
		}
		lossless = lossless && !s.Damaged
	}
	return attribution.RunningAtStart(buffers, lossless), shown
}

// chunksOf divides a file into chunks.
func chunksOf(f *decode.File) []chunk {
	var chunks []chunk
	from, bytes := 0, int64(0)
	for i := range f.Buffers() {
		bytes += f.BufferInfo(i).UncompressedSize()
		if bytes >= chunkBytes || i == f.Buffers()-1 {
			chunks = append(chunks, chunk{from: from, to: i + 1})
			from, bytes = i+1, 0
		}
	}
	return chunks
}

// hashedChunks divides a file into the chunks that are hashed. A buffer belongs to the chunk
// in which it begins.
func hashedChunks(f *decode.File) []chunk {
	chunks := make([]chunk, fileid.Chunks(f.Size()))
	at := 0
	for i := range chunks {
		c := &chunks[i]
		c.number, c.from = i, at
		for at < f.Buffers() && f.BufferInfo(at).Offset < int64(i+1)*fileid.ChunkBytes {
			at++
		}
		c.to = at
	}
	return chunks
}

// indexWorker is the memory that a worker reuses for every chunk.
type indexWorker struct {
	buffer decode.Buffer
	hash   fileid.Hasher
	known  attribution.Known
	recent catalog.RecentKinds
	fitter fits.Fitter
}

func (x *Index) indexChunk(w *indexWorker, c chunk, o *Options) (*chunk, error) {
	c.types.Init(o.MaxTypes)
	c.records.Share(&w.known)
	c.records.Without = o.Without
	w.recent.Begin()
	c.recent = &w.recent
	c.fitter = &w.fitter
	c.keeper = newKeeper(o)
	if o.Hash != nil {
		w.hash.Begin(o.Hash, c.number)
	}
	for i := c.from; i < c.to; i++ {
		if err := x.indexBuffer(&w.buffer, &c, i); err != nil {
			return nil, err
		}
		if o.Hash != nil {
			if err := w.hash.Add(x.File.BufferInfo(i).Offset, w.buffer.Stored()); err != nil {
				return nil, err
			}
		}
		if o.Progress != nil {
			o.Progress(int64(x.File.BufferInfo(i).Size), int64(x.Buffers[i].Events))
		}
	}
	if o.Hash != nil {
		if err := w.hash.End(); err != nil {
			return nil, err
		}
	}
	for i := range c.types.List {
		c.types.List[i].Sizes = c.sizes[i].List()
	}
	c.sizes, c.fitter = nil, nil
	return &c, nil
}

func (x *Index) indexBuffer(b *decode.Buffer, c *chunk, i int) error {
	s := BufferSummary{First: decode.MaxTicks, Last: decode.MinTicks, Damaged: x.File.BufferInfo(i).Damaged}
	defer func() {
		x.Buffers[i] = s
		if i == 0 {
			x.firstRecorded = recordedIn(b)
		}
	}()
	if err := x.File.ReadBuffer(i, b); err != nil {
		if !c.problems.Decode("buffer_damaged", err) {
			return err
		}
		s.Damaged = true
	}
	if x.Sums != nil {
		x.Sums[i] = xxh3.Hash(b.Stored())
	}
	s.Bytes = int32(b.End())
	if b.PacksSwitches() {
		c.readBatch(b, &s, decode.BufferHeaderSize, b.Data[decode.BufferHeaderSize:b.End()])
	}
	c.records.Begin(i)
	var ev decode.Event
	for {
		start := b.Pos()
		err := b.Next(&ev)
		switch {
		case err == nil:
			x.indexEvent(b, c, &s, &ev)
		case errors.Is(err, io.EOF):
			return nil
		default:
			s.Damaged = true
			c.problems.Decode("event_damaged", err)
			c.problems.LostBytes(b, start)
			return nil
		}
	}
}
