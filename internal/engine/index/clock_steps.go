package index

import (
	"cmp"
	"encoding/binary"
	"errors"
	"fmt"
	"slices"
	"sort"
	"time"

	"github.com/etl2parquet/etl2parquet/decode"
	"github.com/etl2parquet/etl2parquet/facts"
	"github.com/etl2parquet/etl2parquet/internal/base/texts"
	"github.com/etl2parquet/etl2parquet/internal/engine/catalog"
	"github.com/etl2parquet/etl2parquet/schema"
)

// ClockSteps say how a clock was set while the trace was written. Only the system's time can be set:
// traces with the ticks of a counter have none.
type ClockSteps struct {
	Offsets []ClockOffset `json:"offsets"`          // in the order of their events
	Breaks  []int64       `json:"breaks,omitempty"` // by clock_ns, rising: where a step that nothing states has been taken out

	Events span           `json:"-"` // the times of the first and the last event, without the steps
	Steps  []decode.Ticks `json:"-"` // those that events state, in their order
}

// ClockOffset is by how much the clock of some events, from one in the order of event_ref on, is ahead
// of a clock that was never set.
type ClockOffset struct {
	Ref int64 `json:"event_ref"`
	NS  int64 `json:"ns"`
}

// Offset returns time_ns less clock_ns of an event, in ns. It is 0 if c is nil.
func (c *ClockSteps) Offset(ref int64) int64 {
	if c == nil {
		return 0
	}
	i := sort.Search(len(c.Offsets), func(i int) bool { return c.Offsets[i].Ref > ref })
	if i == 0 {
		return 0
	}
	return c.Offsets[i-1].NS
}

// sum returns by how much the steps that events state have set the clock in all, in ns.
func (c *ClockSteps) sum() (ns int64) {
	for _, step := range c.Steps {
		ns += step * filetimeNS
	}
	return ns
}

// Bounds of what hostile traces can make: further steps stay in the times.
const (
	maxClockSteps   = 4096
	maxClockOffsets = 1 << 16
	maxClockSum     = decode.Ticks(1) << 56 // 228 years
)

// Bounds of steps, as FILETIMEs.
const (
	minClockStep = decode.Ticks(100*time.Millisecond) / filetimeNS // what makes a step a problem; events may be out of order by less
	minRunBack   = decode.Ticks(time.Second) / filetimeNS          // what shows one that nothing states

	filetimeNS = 100
)

// The event that states a step is SystemTimeChange of Microsoft-Windows-Kernel-General. Its payload begins with
// NewTime and OldTime, FILETIMEs, in all versions.
var kernelGeneral = schema.MustGUID("a68ca8b7-004f-d7b6-a698-07e2de0f1f5d")

const systemTimeChange = 1

// clockStep is one change of the clock.
type clockStep struct {
	old, new decode.Ticks // the last time before, the first time after
	ref      int64        // of the event that states it, or of the first one after it
	stated   bool
}

// amount returns by how much the clock was set. After a step that nothing states, time goes on from the
// event before it by one tick, so that the moment between the two has a number.
func (s *clockStep) amount() decode.Ticks {
	if s.stated {
		return s.new - s.old
	}
	return s.new - s.old - 1
}

// clockPoint is an event, or a buffer whose events are in order and between two steps.
type clockPoint struct {
	ref         int64
	first, last decode.Ticks
	isStep      bool // it states a step
}

// clockReader finds the steps of a trace.
type clockReader struct {
	x       *Index
	streams [][]int // the buffers of each processor, in the order in which they were filled
	stating catalog.Bits
	steps   []*clockStep   // in their order
	bounds  []decode.Ticks // old and new times of the steps that events state, rising
	buffer  decode.Buffer
}

// noteClock finds by how much the clock was set, and when. It reads only buffers around the steps.
func (x *Index) noteClock() error {
	if !x.Clock.IsSystemTime() {
		return nil
	}
	r := &clockReader{x: x, streams: x.streams()}
	for i := range x.Types {
		if k := &x.Types[i].Key; isSystemTimeChange(k.GUID, k.ID) {
			r.stating.Add(k.Bits())
		}
	}
	if r.stating == (catalog.Bits{}) && !r.runsBack() {
		return nil
	}
	if err := r.readStated(); err != nil {
		return err
	}
	for _, stream := range r.streams {
		if err := r.walk(stream, true, nil); err != nil {
			return err
		}
	}
	if len(r.steps) == 0 {
		return nil
	}
	c, err := r.offsets()
	if err != nil {
		return err
	}
	if c == nil || len(r.steps) >= maxClockSteps || len(c.Offsets) > maxClockOffsets {
		x.Problems.Trace(facts.SeverityWarning, "clock_set", int64(len(r.steps)), "", "the clock seems to have been set in a way that cannot be followed: times are as stated, and durations may be wrong")
		return nil
	}
	x.ClockSteps = c
	for _, s := range r.steps {
		r.report(s)
	}
	return nil
}

func isSystemTimeChange(provider schema.GUID, id uint32) bool {
	return id == systemTimeChange && provider == kernelGeneral
}

// streams returns the buffers with events of each processor. A circular file has them in the order of
// their numbers.
func (x *Index) streams() (list [][]int) {
	stream := make(map[uint16]int)
	for i := range x.Buffers {
		if !x.Buffers[i].HasEvents() {
			continue
		}
		processor := x.File.BufferInfo(i).Header.Processor
		at, ok := stream[processor]
		if !ok {
			at = len(list)
			stream[processor], list = at, append(list, nil)
		}
		list[at] = append(list[at], i)
	}
	if x.File.Header().Circular() {
		for _, buffers := range list {
			slices.SortStableFunc(buffers, func(a, b int) int {
				return cmp.Compare(x.File.BufferInfo(a).Header.SequenceNumber, x.File.BufferInfo(b).Header.SequenceNumber)
			})
		}
	}
	return list
}

// spanOf returns the times of the events of a buffer, without the records of the session about itself.
func (x *Index) spanOf(i int) span {
	if i == 0 {
		return x.firstRecorded
	}
	return span{x.Buffers[i].First, x.Buffers[i].Last}
}

// runsBack reports whether the times of a processor run back.
func (r *clockReader) runsBack() bool {
	for _, stream := range r.streams {
		last := noSpan.Last
		for _, i := range stream {
			s := r.x.spanOf(i)
			if r.x.Buffers[i].RunsBack || runsBack(last, s.First) {
				return true
			}
			last = s.Last
		}
	}
	return false
}

// readStated reads the steps that events state.
func (r *clockReader) readStated() error {
	for i := range r.x.Buffers {
		if !r.x.Buffers[i].Kinds.MayHave(r.stating) {
			continue
		}
		err := r.events(i, func(ev *decode.Event, p clockPoint) {
			if payload := ev.Payload(); p.isStep && len(payload) >= 16 && len(r.steps) < maxClockSteps {
				s := &clockStep{old: filetime(payload[8:]), new: filetime(payload), ref: p.ref, stated: true}
				_, known := decode.FiletimeTime(s.old)
				if _, ok := decode.FiletimeTime(s.new); ok && known && s.old != s.new {
					r.steps = append(r.steps, s)
					r.bounds = append(r.bounds, s.old, s.new)
				}
			}
		})
		if err != nil {
			return err
		}
	}
	slices.Sort(r.bounds)
	return nil
}

func filetime(b []byte) decode.Ticks { return decode.Ticks(binary.LittleEndian.Uint64(b)) }

// events calls do for the events of a buffer that have times, but for records of the session about
// itself. Of a damaged buffer it reads what can be read.
func (r *clockReader) events(i int, do func(*decode.Event, clockPoint)) error {
	var damage *decode.Error
	if err := r.x.File.ReadBuffer(i, &r.buffer); err != nil && !errors.As(err, &damage) {
		return err
	}
	var ev decode.Event
	for r.buffer.Next(&ev) == nil {
		if ev.BadTime || isHeaderRecord(&ev) {
			continue
		}
		p := clockPoint{ref: int64(i)<<32 | int64(ev.Offset), first: ev.Time, last: ev.Time}
		if ev.Family == decode.FamilyEvent {
			h := ev.Header()
			p.isStep = isSystemTimeChange(h.ProviderID(), uint32(h.Descriptor().ID))
		}
		do(&ev, p)
	}
	return nil
}

// points calls do for the points of a stream, each with the one after it, or nil.
func (r *clockReader) points(stream []int, do func(p, next *clockPoint)) error {
	var waiting *clockPoint
	each := func(p clockPoint) {
		if waiting != nil {
			do(waiting, &p)
		}
		waiting = &p
	}
	for _, i := range stream {
		s := r.x.spanOf(i)
		if s.First > s.Last {
			continue
		}
		near := sort.Search(len(r.bounds), func(i int) bool { return r.bounds[i] >= s.First-minClockStep })
		b := &r.x.Buffers[i]
		if !b.RunsBack && !b.Kinds.MayHave(r.stating) && (near == len(r.bounds) || r.bounds[near] > s.Last+minClockStep) {
			each(clockPoint{ref: int64(i) << 32, first: s.First, last: s.Last})
			continue
		}
		if err := r.events(i, func(_ *decode.Event, p clockPoint) { each(p) }); err != nil {
			return err
		}
	}
	if waiting != nil {
		do(waiting, nil)
	}
	return nil
}

// walk goes through the events of a processor and calls do with the number of steps before each. find
// adds steps that nothing states.
func (r *clockReader) walk(stream []int, find bool, do func(p *clockPoint, steps int)) error {
	passed, prev, before := 0, decode.MinTicks, decode.MinTicks
	return r.points(stream, func(p, next *clockPoint) {
		was, ignore := passed, false // an event whose time is wrong, among others that go on
		switch {
		case p.isStep && r.stated(p.ref) >= passed:
			passed = r.stated(p.ref) + 1
		case !isBefore(p.first, prev) && (passed == len(r.steps) || !isBefore(r.steps[passed].old, p.last)):
		case r.passTo(&passed, p):
		case !isBefore(p.first, prev): // later than the next step, and than all others
		case next != nil && !isBefore(next.first, prev):
			ignore = true
		case before != decode.MinTicks && !isBefore(p.first, before): // the event before it was wrong
		case find && runsBack(prev, p.first) && len(r.steps) < maxClockSteps:
			r.add(&passed, prev, p)
		}
		if do != nil {
			do(p, passed)
		}
		if !ignore {
			before = prev
			if passed != was || p.first != p.last { // after a step, or a whole buffer
				before = p.first
			}
			prev = p.last
		}
	})
}

// isBefore reports whether a time is before another one by more than events may be out of order.
func isBefore(t, other decode.Ticks) bool {
	return other > decode.MinTicks+minClockStep && t < other-minClockStep
}

// runsBack reports whether a time after another one shows that the clock was set back.
func runsBack(prev, t decode.Ticks) bool {
	return prev > decode.MinTicks+minRunBack && t < prev-minRunBack
}

// stated returns the place of the step that an event states, or -1.
func (r *clockReader) stated(ref int64) int {
	return slices.IndexFunc(r.steps, func(s *clockStep) bool { return s.stated && s.ref == ref })
}

// passTo passes the steps after which the clock can have had the times of a point.
func (r *clockReader) passTo(passed *int, p *clockPoint) bool {
	for n := *passed + 1; n <= len(r.steps); n++ {
		if !isBefore(p.first, r.steps[n-1].new) && (n == len(r.steps) || !isBefore(r.steps[n].old, p.last)) {
			*passed = n
			return true
		}
	}
	return false
}

// add adds a step back that nothing states, or widens it if another processor has shown it: each shows
// its own last time before, and first time after.
func (r *clockReader) add(passed *int, old decode.Ticks, p *clockPoint) {
	for n := *passed; n < len(r.steps); n++ {
		s := r.steps[n]
		if back := s.old - s.new; !s.stated && 2*max(old-p.first-back, back-old+p.first) <= back {
			s.old, s.new, *passed = max(s.old, old), min(s.new, p.first), n+1
			return
		}
	}
	r.steps = slices.Insert(r.steps, *passed, &clockStep{old: old, new: p.first, ref: p.ref})
	*passed++
}

// offsets returns the offset of each event, or nil if the clock would have times that cannot be.
func (r *clockReader) offsets() (*ClockSteps, error) {
	c := &ClockSteps{Events: noSpan}
	sums := make([]decode.Ticks, 1, len(r.steps)+1)
	for i, s := range r.steps {
		if sums = append(sums, sums[i]+s.amount()); max(sums[i+1], -sums[i+1]) > maxClockSum {
			return nil, nil
		}
		if s.stated {
			c.Steps = append(c.Steps, s.amount())
		} else {
			c.Breaks = append(c.Breaks, r.x.Clock.UnixNano(s.new-sums[i+1]))
		}
	}
	follows := true
	for _, stream := range r.streams {
		buffer, steps := int64(-1), -1
		err := r.walk(stream, false, func(p *clockPoint, passed int) {
			first, last := p.first-sums[passed], p.last-sums[passed]
			_, ok := r.x.Clock.Time(first)
			_, fits := r.x.Clock.Time(last)
			if follows = follows && ok && fits; !follows {
				return
			}
			c.Events.add(first, last)
			if len(c.Offsets) > maxClockOffsets+len(r.x.Buffers) || p.ref>>32 == buffer && passed == steps {
				return
			}
			if p.ref>>32 != buffer {
				p.ref = p.ref >> 32 << 32
			}
			buffer, steps = p.ref>>32, passed
			c.Offsets = append(c.Offsets, ClockOffset{p.ref, int64(sums[passed]) * filetimeNS})
		})
		if err != nil {
			return nil, err
		}
	}
	if !follows {
		return nil, nil
	}
	slices.SortFunc(c.Offsets, func(a, b ClockOffset) int { return cmp.Compare(a.Ref, b.Ref) })
	c.Offsets = slices.CompactFunc(c.Offsets, func(a, b ClockOffset) bool { return a.NS == b.NS })
	slices.Sort(c.Breaks)
	return c, nil
}

// report adds the problem of a step, if it is long enough to be one.
func (r *clockReader) report(s *clockStep) {
	amount := s.new - s.old
	if max(amount, -amount) < minClockStep {
		return
	}
	buffer := int(s.ref >> 32)
	p := facts.Problem{Severity: facts.SeverityInfo, Code: "clock_set", Count: 1, Buffer: int64(buffer), FileOffset: r.x.File.BufferInfo(buffer).Offset, Position: s.ref & (1<<32 - 1), Field: "SystemTimeChange"}
	from, to := r.x.instant(s.old), r.x.instant(s.new)
	if !s.stated {
		p.Severity, p.Field = facts.SeverityWarning, ""
		p.Message = fmt.Sprintf("the times run back from %s to %s, and nothing says by how much the clock was set: seconds go on from the event before, and durations over it are not known", from, to)
	} else {
		way := "forward"
		if amount < 0 {
			way, amount = "back", -amount
		}
		p.Message = fmt.Sprintf("the clock was set %s by %s, from %s to %s: seconds and durations leave that out", way, texts.Elapsed(time.Duration(amount)*filetimeNS), from, to)
	}
	r.x.Problems.Add(p)
}
