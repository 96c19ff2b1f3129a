package index

import (
	"github.com/etl2parquet/etl2parquet/decode"
	"github.com/etl2parquet/etl2parquet/facts"
	"github.com/etl2parquet/etl2parquet/internal/engine/catalog"
	"github.com/etl2parquet/etl2parquet/schema"
)

// EndsOf reads them from a trace: buffers at its start, until one has more than records of what
// existed, and the last buffers of each processor. Steps of the clock are in events anywhere, and are
// not looked for.
func EndsOf(f *decode.File) *facts.Ends {
	e := &facts.Ends{FirstSequence: FirstSequence(f)}
	var b decode.Buffer
	var rundown rundownOnly
	for i := 0; i < f.Buffers() && !rundown.ended; i++ {
		if f.ReadBuffer(i, &b) != nil {
			break
		}
		var ev decode.Event
		for b.Next(&ev) == nil && !rundown.ended {
			var k catalog.Key
			k.Of(&ev)
			rundown.add(&k)
		}
	}
	e.Rundown = rundown.isOnly()
	last := noSpan
	for i := range lastBuffers(f) {
		if f.ReadBuffer(i, &b) == nil {
			s := recordedIn(&b)
			last.add(s.First, s.Last)
		}
	}
	setLast(e, f, last)
	return e
}

// lastBuffers returns, for each processor, the buffers with the highest number and with the last place.
func lastBuffers(f *decode.File) map[int]bool {
	type latest struct{ numbered, placed int }
	of := make(map[uint16]latest)
	for i := range f.Buffers() {
		h := &f.BufferInfo(i).Header
		l, ok := of[h.Processor]
		if l.placed = i; !ok || h.SequenceNumber >= f.BufferInfo(l.numbered).Header.SequenceNumber {
			l.numbered = i
		}
		of[h.Processor] = l
	}
	list := make(map[int]bool)
	for _, l := range of {
		list[l.numbered], list[l.placed] = true, true
	}
	return list
}

// setLast sets the time of the last event.
func setLast(e *facts.Ends, f *decode.File, s span) {
	const unixEpoch = 116_444_736_000_000_000 // as a FILETIME
	if s.First <= s.Last {
		clock := f.Header().Clock()
		e.Last = clock.UnixNano(s.Last)/filetimeNS + unixEpoch
	}
}

// Ends returns the same of a trace that has been read.
func (x *Index) Ends() *facts.Ends {
	e := &facts.Ends{FirstSequence: FirstSequence(x.File)}
	var rundown rundownOnly
	for i := range x.Types {
		rundown.add(&x.Types[i].Key)
	}
	e.Rundown = rundown.isOnly() && x.UnlistedEvents == 0
	if s, ok := x.recorded(); ok {
		setLast(e, x.File, s)
	}
	if x.ClockSteps != nil {
		e.Steps = x.ClockSteps.Steps
	}
	return e
}

// rundownOnly reports whether all kinds of event of a trace are records of what existed when they were
// logged: names of code that .NET had compiled, processes, threads, images and files.
type rundownOnly struct{ some, ended bool }

func (r *rundownOnly) isOnly() bool { return r.some && !r.ended }

// add adds a kind of event.
func (r *rundownOnly) add(k *catalog.Key) {
	switch {
	case k.HasGUID && (k.GUID == clrRundown || k.GUID == imageID):
		r.some = true
	case k.HasGUID || k.Family != decode.FamilySystem && k.Family != decode.FamilyPerfInfo:
		r.ended = true
	case k.ID>>8 == groupHeader || k.ID>>8 == groupConfig:
	case k.ID == hookFileRundown, rundownGroups[k.ID>>8] && (k.ID&0xff == typeDCStart || k.ID&0xff == typeDCEnd):
		r.some = true
	default:
		r.ended = true
	}
}

// Groups and types of the kernel's events (evntrace.h, "EVENT_TRACE_TYPE_DC_START").
const (
	groupHeader     = 0x00
	groupConfig     = 0x0b
	hookFileRundown = 0x0424
	typeDCStart     = 3
	typeDCEnd       = 4
)

// rundownGroups are processes, threads and images.
var rundownGroups = map[uint32]bool{0x03: true, 0x05: true, 0x14: true}

var (
	clrRundown = schema.MustGUID("a669021c-c450-4609-a035-5af59af4df18") // Microsoft-Windows-DotNETRuntimeRundown
	imageID    = schema.MustGUID("b3e675d7-2554-4f18-830b-2762732560de") // KernelTraceControl's ImageID
)
