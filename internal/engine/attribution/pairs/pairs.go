// Package pairs finds the process of a thread by the events that name both.
package pairs

import (
	"cmp"
	"slices"
	"sort"

	"github.com/etl2parquet/etl2parquet/decode"
)

// None means no process or thread.
const None uint32 = 0xffffffff

// Pair is an interval of time in which a thread belongs to a process by events that name both:
// those whose headers do, and records of stacks. What events of the class Thread say counts more.
type Pair struct {
	Thread, Process uint32
	From, To        decode.Ticks // inclusive
}

// pairing is a thread and a process that events name together, and the first and the last time.
type pairing struct {
	thread, process uint32
	first, last     decode.Ticks
}

// Seen is the pairings in a sequence of buffers. Each buffer has its own, so that the result
// does not depend on which worker reads which buffers.
type Seen struct {
	list []pairing
	from int // the first of the current buffer
	last int // the one that was seen last
}

// Slots is a hash table of the pairings of the current buffer: their places in the list, plus
// 1. Those of earlier buffers are free. It belongs to a worker, and is empty for each list.
type Slots [1 << pairBits]uint32

const (
	pairBits   = 9
	pairProbes = 8
)

// Begin begins a buffer.
func (s *Seen) Begin() { s.from = len(s.list) }

// Add notes that an event names a thread and its process.
func (s *Seen) Add(slots *Slots, process, thread uint32, t decode.Ticks) {
	if s.last >= s.from && s.last < len(s.list) {
		if l := &s.list[s.last]; l.thread == thread && l.process == process {
			l.first, l.last = min(l.first, t), max(l.last, t)
			return
		}
	}
	if thread-1 >= None-1 || process-1 >= None-1 { // the threads of process 0 are all 0
		return
	}
	s.last = len(s.list)
	slot := (thread>>2 ^ process<<3) * 0x9e3779b1 >> (32 - pairBits)
	for i := range uint32(pairProbes) {
		at := &slots[(slot+i)%uint32(len(slots))]
		if int(*at) <= s.from {
			*at = uint32(len(s.list)) + 1
			break
		}
		if l := &s.list[*at-1]; l.thread == thread && l.process == process {
			l.first, l.last = min(l.first, t), max(l.last, t)
			s.last = int(*at - 1)
			return
		}
	}
	s.list = append(s.list, pairing{thread, process, t, t})
}

// HeaderIDs returns the process and the thread in the header of an event, None where it has none.
func HeaderIDs(ev *decode.Event) (process, thread uint32) {
	switch ev.Family {
	case decode.FamilySystem:
		h := ev.System()
		return h.ProcessID(), h.ThreadID()
	case decode.FamilyEventTrace, decode.FamilyInstance:
		h := ev.EventTrace()
		return h.ProcessID(), h.ThreadID()
	case decode.FamilyEvent:
		h := ev.Header()
		return h.ProcessID(), h.ThreadID()
	case decode.FamilyMessage:
		h := ev.Message()
		if process, ok := h.ProcessID(); ok {
			thread, _ := h.ThreadID()
			return process, thread
		}
	}
	return None, None
}

// Header notes the thread and the process in the header of an event, if it has both and Windows
// wrote it. Merge tools write events with classic headers, in which the process is that of an
// image and the thread another one: those do not count.
func (s *Seen) Header(slots *Slots, ev *decode.Event) {
	if ev.Family == decode.FamilyEvent || ev.Family == decode.FamilySystem {
		process, thread := HeaderIDs(ev)
		s.Add(slots, process, thread, ev.Time)
	}
}

// List joins pairings in file order.
type List struct {
	list   []pairing
	latest map[uint32]int32 // by thread: the place of its latest in the list
}

// maxPairings bounds the list: a trace has few threads at a time, and those that events of the
// class Thread list take no more than one each.
const maxPairings = 1 << 19

// Add adds the pairings of the next buffers, and returns how many are beyond a limit.
func (l *List) Add(s *Seen, limit int) (beyond int64) {
	if l.latest == nil {
		l.latest = make(map[uint32]int32)
	}
	for _, v := range s.list {
		at, ok := l.latest[v.thread]
		if ok && l.list[at].process == v.process {
			to := &l.list[at]
			to.first, to.last = min(to.first, v.first), max(to.last, v.last)
			continue
		}
		if len(l.list) >= min(limit, maxPairings) {
			beyond++
			continue
		}
		l.latest[v.thread] = int32(len(l.list))
		l.list = append(l.list, v)
	}
	return beyond
}

// Life is a time in which an id means a thread of a process, or a process.
type Life struct {
	Process        uint32
	From, To       decode.Ticks // inclusive; decode's bounds of Ticks if unknown
	Started, Ended bool         // From and To are the times of such events
}

// Known is what other events say of threads and processes.
type Known struct {
	// Threads appends the lives of a thread, by time.
	Threads func(id uint32, lives []Life) []Life
	// Process returns the life that the id of a process has at a time, and its number, or -1.
	Process func(id uint32, at decode.Ticks) (number int, l Life)
}

// joiner makes pairs.
type joiner struct {
	*Known
	pairs []Pair
}

// Join makes the pairs, sorted by thread and time, from what events name.
//
//  1. The lives of a thread id leave gaps, in which no event of the class Thread says what the id
//     means. Only what events name in a gap counts there.
//  2. Where events name several processes in overlapping times, the process is unknown.
//  3. A thread belongs to a process from the first to the last event that names both, and before
//     and after that up to what else is known of the id: between two processes it is not known
//     whose the thread was.
//  4. A thread does not outlive its process, and does not exist before it.
func (l *List) Join(known *Known) []Pair {
	j := joiner{Known: known}
	slices.SortFunc(l.list, func(a, b pairing) int {
		return cmp.Or(cmp.Compare(a.thread, b.thread), cmp.Compare(a.first, b.first), cmp.Compare(a.last, b.last), cmp.Compare(a.process, b.process))
	})
	var lives []Life
	var seen []pairing // in a gap
	for rest := l.list; len(rest) > 0; {
		id, n := rest[0].thread, 1
		for n < len(rest) && rest[n].thread == id {
			n++
		}
		lives = known.Threads(id, lives[:0])
		for i := 0; i <= len(lives); i++ {
			g := gapBefore(lives, i)
			if seen = g.within(seen[:0], rest[:n]); len(seen) > 0 {
				j.addGap(&g, seen)
			}
		}
		rest = rest[n:]
	}
	*l = List{}
	return j.pairs
}

// gap is a time in which no event of the class Thread says what the id of a thread means, with
// what it means before and after.
type gap struct {
	from, to      decode.Ticks
	before, after *Life // or nil
	isEmpty       bool
}

// gapBefore returns the gap before a life of an id, or after the last one.
func gapBefore(lives []Life, i int) gap {
	g := gap{from: decode.MinTicks, to: decode.MaxTicks}
	if i > 0 {
		g.before = &lives[i-1]
		g.isEmpty = g.before.To == decode.MaxTicks
		g.from = g.before.To + 1
	}
	if i < len(lives) {
		g.after = &lives[i]
		g.isEmpty = g.isEmpty || g.after.From == decode.MinTicks
		g.to = g.after.From - 1
	}
	g.isEmpty = g.isEmpty || g.from > g.to
	return g
}

// within appends the parts of pairings that lie in the gap. Of a pairing that is longer than the
// gap only its first and its last time are known to be times of events.
func (g *gap) within(dst, all []pairing) []pairing {
	if g.isEmpty {
		return dst
	}
	for _, p := range all {
		hasFirst, hasLast := p.first >= g.from && p.first <= g.to, p.last >= g.from && p.last <= g.to
		if !hasFirst && !hasLast {
			continue
		}
		if !hasFirst {
			p.first = p.last
		}
		if !hasLast {
			p.last = p.first
		}
		dst = append(dst, p)
	}
	slices.SortFunc(dst, func(a, b pairing) int {
		return cmp.Or(cmp.Compare(a.first, b.first), cmp.Compare(a.last, b.last), cmp.Compare(a.process, b.process))
	})
	return dst
}

// addGap adds the pairs in a gap, of which seen are the pairings by time.
func (j *joiner) addGap(g *gap, seen []pairing) {
	joined := seen[:0]
	for _, p := range seen {
		n := len(joined)
		switch {
		case n == 0 || p.first > joined[n-1].last && p.process != joined[n-1].process:
			joined = append(joined, p)
			continue
		case p.process != joined[n-1].process:
			joined[n-1].process = None
		}
		joined[n-1].last = max(joined[n-1].last, p.last)
	}
	for i, p := range joined {
		isKnown := len(joined) == 1 && g.before != nil && g.before.Ended && g.before.Process == p.process // its last events
		if p.process == None || isKnown {
			continue
		}
		v := Pair{p.thread, p.process, p.first, p.last}
		if i == 0 && (g.before == nil || g.before.Process == p.process) {
			v.From = g.from
		}
		if i == len(joined)-1 && (g.after == nil || g.after.Started || g.after.Process == p.process) {
			v.To = g.to
		}
		j.add(v, p.first, p.last)
	}
}

// add adds a pair of which events are known from first to last, as far as the process lives.
func (j *joiner) add(v Pair, first, last decode.Ticks) {
	a, from := j.Process(v.Process, first)
	b, to := j.Process(v.Process, last)
	if a >= 0 && from.Started {
		v.From = max(v.From, min(first, from.From))
	}
	if b >= 0 && to.Ended {
		v.To = min(v.To, max(last, to.To))
	}
	if a >= 0 && b >= 0 && a != b { // the id of the process was reused: so may that of the thread have been
		j.pairs = append(j.pairs, Pair{v.Thread, v.Process, v.From, max(first, from.To)})
		v.From = min(last, to.From)
	}
	j.pairs = append(j.pairs, v)
}

// At returns the index of the pair of a thread at a time, or -1.
func At(pairs []Pair, thread uint32, at decode.Ticks) int {
	i := sort.Search(len(pairs), func(i int) bool {
		p := &pairs[i]
		return p.Thread > thread || p.Thread == thread && p.From > at
	}) - 1
	if i < 0 || pairs[i].Thread != thread || at > pairs[i].To {
		return -1
	}
	return i
}
