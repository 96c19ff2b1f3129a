package export

import (
	"bufio"
	"cmp"
	"context"
	"io"
	"math"
	"strings"

	"github.com/etl2parquet/etl2parquet"
)

var perfettoFormat = &Format{
	Name: "perfetto", Extension: ".pftrace", Binary: true, IsProfile: true, Write: writePerfetto,
	Doc: "a timeline for ui.perfetto.dev",
}

// Numbers of fields of TracePacket:
// https://github.com/google/perfetto/blob/main/protos/perfetto/trace/trace_packet.proto.
const (
	packetFtrace, packetProcessTree, packetClocks, packetTime, packetSequence = 1, 2, 6, 8, 10
	packetTrackEvent, packetInterned, packetFlags, packetDefaults             = 11, 12, 13, 59
	packetTrack, packetPerfSample                                             = 60, 66
)

// Sequences of packets: interned data belong to a sequence.
const (
	sequenceFacts = 1 + iota
	sequenceSamples
	sequenceSpans
	sequenceSwitches
)

const (
	flagCleared    = 1 // interned data begin here
	flagNeedsState = 2 // the packet needs interned data
)

// perfettoFile writes packets. Readers sort them by time, so they are written as they are made.
type perfettoFile struct {
	*profile
	w       *bufio.Writer // keeps the first error until Flush
	first   int64         // time of the earliest packet
	written int64         // packets with data of events

	ids     ids
	named   map[string]int64 // functions, modules and build ids with an iid
	located table[int32]     // frames with an iid; the iid of the first is 1
	stacks  map[int32]bool   // stacks with an iid: that of the node
	builds  map[string]string
	modules table[string]
	began   map[int64]bool // sequences that have a packet

	tracks        map[trackKey]*track
	processTracks map[int32]int64
	uuids         int64
	switches      map[int32]*switches // by processor
	packet        message
	body          message
}

// writePerfetto writes processes and threads, context switches as the kernel of Linux would log them,
// samples as those of its perf, and spans as track events, so that every release of the viewer reads
// them.
func writePerfetto(ctx context.Context, traces *etl2parquet.Traces, w io.Writer, o Options) error {
	p, err := newProfile(ctx, traces, &o)
	if err != nil {
		return err
	}
	f := &perfettoFile{profile: p, w: bufio.NewWriterSize(w, 64<<10), first: math.MaxInt64, named: make(map[string]int64), stacks: make(map[int32]bool), began: make(map[int64]bool), tracks: make(map[trackKey]*track), processTracks: make(map[int32]int64), switches: make(map[int32]*switches)}
	if f.builds, err = buildIDs(ctx, traces); err != nil {
		return err
	}
	f.clocks()
	if err := f.readSwitches(ctx); err != nil {
		return err
	}
	if err := p.each(ctx, func(s *sample) error { return f.sample(s) }); err != nil {
		return err
	}
	if err := p.eachSpan(ctx, f.span, f.counter); err != nil {
		return err
	}
	if f.written == 0 && len(p.failed) == 0 {
		return f.lackOfAll(ctx)
	}
	if err := f.processTree(ctx); err != nil {
		return err
	}
	if err := f.w.Flush(); err != nil {
		return err
	}
	return p.joined()
}

// add writes a packet on a sequence, with the time if it is not negative.
func (f *perfettoFile) add(sequence, time int64, field int, body *message) {
	p := f.packet.reset()
	if time >= 0 {
		p.int(packetTime, time)
		f.first = min(f.first, time)
	}
	p.int(packetSequence, sequence)
	if sequence == sequenceSamples {
		if f.began[sequence] {
			p.int(packetFlags, flagNeedsState)
		} else {
			f.began[sequence] = true
			p.int(packetFlags, flagCleared).message(packetDefaults, f.sampleDefaults())
		}
	}
	p.message(field, body)
	f.w.Write(new(message).message(1, p).b)
}

// clocks says that the times of the trace are UTC.
func (f *perfettoFile) clocks() {
	const realtime, boottime = 1, 6
	clocks := new(message)
	for _, clock := range []int64{boottime, realtime} {
		clocks.message(1, new(message).int(1, clock).int(2, f.start))
	}
	f.add(sequenceFacts, -1, packetClocks, clocks)
}

// processTree writes the names of processes and threads, before the first event.
func (f *perfettoFile) processTree(ctx context.Context) error {
	names, err := f.threadNames(ctx)
	if err != nil {
		return err
	}
	tree := new(message)
	for i := range f.processes.list {
		p := &f.processes.list[i]
		tree.message(1, new(message).int(1, f.ids.process(f.profile, int32(i))).text(3, validText(p.short())))
	}
	for i := range f.threads.list {
		t := &f.threads.list[i]
		body := new(message).int(1, f.ids.thread(f.profile, int32(i)))
		if name := names[int32(i)]; name != "" {
			body.text(2, validText(name))
		}
		tree.message(2, body.int(3, f.ids.process(f.profile, t.process)))
	}
	f.add(sequenceFacts, max(min(f.first, math.MaxInt64-1), 0), packetProcessTree, tree)
	return nil
}

// sample writes a sample, and the parts of its stack that are new.
func (f *perfettoFile) sample(s *sample) error {
	f.written++
	kernel := false
	if s.stack != noStack {
		kernel = f.frames.list[f.nodes.list[s.stack].frame].kernel
		if !f.stacks[s.stack] {
			f.stacks[s.stack] = true
			f.addStack(s)
		}
	}
	const modeKernel, modeUser = 1, 2
	mode := int64(modeUser)
	if kernel {
		mode = modeKernel
	}
	t := &f.threads.list[s.thread]
	b := f.body.reset().int(1, int64(s.processor)).int(2, f.ids.process(f.profile, t.process)).int(3, f.ids.thread(f.profile, s.thread))
	if s.stack != noStack {
		b.int(4, int64(s.stack))
	}
	f.add(sequenceSamples, s.time, packetPerfSample, b.int(5, mode))
	return nil
}

// sampleDefaults names what the samples are.
func (f *perfettoFile) sampleDefaults() *message {
	const counter, clock, period, name = 4, 1, 1, 10
	base := new(message).int(counter, clock)
	if f.kind.name == Samples && f.timed {
		base.int(period, f.intervals[0])
	}
	return new(message).message(12, new(message).message(1, base.text(name, cmp.Or(f.kind.measure, "count"))))
}

// Fields of InternedData: protos/perfetto/trace/interned_data/interned_data.proto.
const (
	internedFunctions, internedFrames, internedStacks, internedBuilds, internedPaths, internedMappings = 5, 6, 7, 16, 17, 19
)

// addStack writes the stack of a sample as interned data, in a packet before the sample.
func (f *perfettoFile) addStack(s *sample) {
	in, stack := new(message), new(message).int(1, int64(s.stack))
	var frames []int32
	f.stack(s.stack, func(frame int32) { frames = append(frames, frame) })
	for i := len(frames) - 1; i >= 0; i-- {
		number, isNew := f.located.id(frames[i], nil)
		if isNew {
			f.addFrame(in, int64(number)+1, &f.frames.list[frames[i]])
		}
		stack.int(2, int64(number)+1)
	}
	in.message(internedStacks, stack)
	f.add(sequenceSamples, s.time, packetInterned, in)
}

func (f *perfettoFile) addFrame(in *message, iid int64, called *frame) {
	module, isNew := f.modules.id(called.module, nil)
	if isNew {
		m := new(message).int(1, int64(module)+1)
		if build := f.builds[strings.ToLower(called.module)]; build != "" {
			m.int(2, f.name(in, internedBuilds, build))
		}
		in.message(internedMappings, m.int(7, f.name(in, internedPaths, cmp.Or(called.module, "unknown"))))
	}
	in.message(internedFrames, new(message).int(1, iid).int(2, f.name(in, internedFunctions, called.name())).int(3, int64(module)+1).int(4, int64(called.offset)))
}

// name returns the iid of a text, which it adds to the interned data the first time.
func (f *perfettoFile) name(in *message, field int, text string) int64 {
	text = validText(text)
	key := string(rune(field)) + text
	iid, ok := f.named[key]
	if !ok {
		iid = int64(len(f.named)) + 1
		f.named[key] = iid
		in.message(field, new(message).int(1, iid).text(2, text))
	}
	return iid
}
