package attribution

import (
	"cmp"
	"slices"
	"sort"

	"github.com/etl2parquet/etl2parquet/decode"
)

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

// pairings is the pairings in a sequence of buffers. Each buffer has its own, so that the result
// does not depend on which worker reads which buffers.
type pairings struct {
	list []pairing
	from int // the first of the current buffer
	last int // the one that was seen last
}

// pairSlots is a hash table of the pairings of the current buffer: their places in the list, plus
// 1. Those of earlier buffers are free. It belongs to a worker, and is empty for each list.
type pairSlots [1 << pairBits]uint32

const (
	pairBits   = 9
	pairProbes = 8
)

// begin begins a buffer.
func (s *pairings) begin() { s.from = len(s.list) }

// add notes that an event names a thread and its process.
func (s *pairings) add(slots *pairSlots, process, thread uint32, t decode.Ticks) {
	if s.last >= s.from && s.last < len(s.list) {
		if l := &s.list[s.last]; l.thread == thread && l.process == process {
			l.first, l.last = min(l.first, t), max(l.last, t)
			return
		}
	}
	if thread-1 >= NoID-1 || process-1 >= NoID-1 { // the threads of process 0 are all 0
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

// headerIDs returns the process and the thread in the header of an event, NoID where it has none.
func headerIDs(ev *decode.Event) (process, thread uint32) {
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
	return NoID, NoID
}

// header notes the thread and the process in the header of an event, if it has both and Windows
// wrote it. Merge tools write events with classic headers, in which the process is that of an
// image and the thread another one: those do not count.
func (s *pairings) header(slots *pairSlots, ev *decode.Event) {
	if ev.Family == decode.FamilyEvent || ev.Family == decode.FamilySystem {
		process, thread := headerIDs(ev)
		s.add(slots, process, thread, ev.Time)
	}
}

// pairList joins pairings in file order.
type pairList struct {
	list   []pairing
	latest map[uint32]int32 // by thread: the place of its latest in the list
}

// maxPairings bounds the list: a trace has few threads at a time, and those that events of the
// class Thread list take no more than one each.
const maxPairings = 1 << 19

// add adds the pairings of the next buffers, and returns how many are beyond a limit.
func (l *pairList) add(s *pairings, limit int) (beyond int64) {
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

// pairJoiner makes pairs.
type pairJoiner struct {
	tables *Tables // with the processes and threads
	pairs  []Pair
}

// join makes the pairs, sorted by thread and time, from what events name. Of the tables it needs the
// processes and threads.
//
//  1. The lives of a thread id leave gaps, in which no event of the class Thread says what the id
//     means. Only what events name in a gap counts there.
//  2. Where events name several processes in overlapping times, the process is unknown.
//  3. A thread belongs to a process from the first to the last event that names both, and before
//     and after that up to what else is known of the id: between two processes it is not known
//     whose the thread was.
//  4. A thread does not outlive its process, and does not exist before it.
func (l *pairList) join(t *Tables) []Pair {
	j := pairJoiner{tables: t}
	slices.SortFunc(l.list, func(a, b pairing) int {
		return cmp.Or(cmp.Compare(a.thread, b.thread), cmp.Compare(a.first, b.first), cmp.Compare(a.last, b.last), cmp.Compare(a.process, b.process))
	})
	var seen []pairing // in a gap
	for rest := l.list; len(rest) > 0; {
		id, n := rest[0].thread, 1
		for n < len(rest) && rest[n].thread == id {
			n++
		}
		lives := t.threadsOf(id)
		for i := 0; i <= len(lives); i++ {
			g := gapBefore(lives, i)
			if seen = g.within(seen[:0], rest[:n]); len(seen) > 0 {
				j.addGap(&g, seen)
			}
		}
		rest = rest[n:]
	}
	*l = pairList{}
	return j.pairs
}

// threadGap is a time in which no event of the class Thread says what the id of a thread means, with
// what it means before and after.
type threadGap struct {
	from, to      decode.Ticks
	before, after *Thread // or nil
	isEmpty       bool
}

// gapBefore returns the gap before a life of an id, or after the last one.
func gapBefore(lives []Thread, i int) threadGap {
	g := threadGap{from: decode.MinTicks, to: decode.MaxTicks}
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
func (g *threadGap) within(dst, all []pairing) []pairing {
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
func (j *pairJoiner) addGap(g *threadGap, seen []pairing) {
	joined := seen[:0]
	for _, p := range seen {
		n := len(joined)
		switch {
		case n == 0 || p.first > joined[n-1].last && p.process != joined[n-1].process:
			joined = append(joined, p)
			continue
		case p.process != joined[n-1].process:
			joined[n-1].process = NoID
		}
		joined[n-1].last = max(joined[n-1].last, p.last)
	}
	for i, p := range joined {
		isKnown := len(joined) == 1 && g.before != nil && g.before.Ended && g.before.Process == p.process // its last events
		if p.process == NoID || isKnown {
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
func (j *pairJoiner) add(v Pair, first, last decode.Ticks) {
	from, to := j.process(v.Process, first), j.process(v.Process, last)
	if from != nil && from.Started {
		v.From = max(v.From, min(first, from.From))
	}
	if to != nil && to.Ended {
		v.To = min(v.To, max(last, to.To))
	}
	if from != nil && to != nil && from != to { // the id of the process was reused: so may that of the thread have been
		j.pairs = append(j.pairs, Pair{v.Thread, v.Process, v.From, max(first, from.To)})
		v.From = min(last, to.From)
	}
	j.pairs = append(j.pairs, v)
}

// process returns the life of the process that has an id at a time, or nil.
func (j *pairJoiner) process(id uint32, at decode.Ticks) *Life {
	if i := j.tables.Process(id, at); i >= 0 {
		return &j.tables.Processes[i].Life
	}
	return nil
}

// findPair returns the index of the pair of a thread at a time, or -1.
func findPair(pairs []Pair, thread uint32, at decode.Ticks) int {
	i := sort.Search(len(pairs), func(i int) bool {
		p := &pairs[i]
		return p.Thread > thread || p.Thread == thread && p.From > at
	}) - 1
	if i < 0 || pairs[i].Thread != thread || at > pairs[i].To {
		return -1
	}
	return i
}
