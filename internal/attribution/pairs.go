package attribution

import (
	"cmp"
	"slices"

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

// pairings are the pairings in a sequence of buffers. Each buffer has its own, so that the result
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
func (p *pairings) begin() { p.from = len(p.list) }

// see notes that an event names a thread and its process.
func (p *pairings) see(slots *pairSlots, process, thread uint32, t decode.Ticks) {
	if p.last >= p.from && p.last < len(p.list) {
		if l := &p.list[p.last]; l.thread == thread && l.process == process {
			l.first, l.last = min(l.first, t), max(l.last, t)
			return
		}
	}
	if thread-1 >= NoThread-1 || process-1 >= NoID-1 { // the threads of process 0 are all 0
		return
	}
	p.last = len(p.list)
	slot := (thread>>2 ^ process<<3) * 0x9e3779b1 >> (32 - pairBits)
	for i := range uint32(pairProbes) {
		at := &slots[(slot+i)%uint32(len(slots))]
		if int(*at) <= p.from {
			*at = uint32(len(p.list)) + 1
			break
		}
		if l := &p.list[*at-1]; l.thread == thread && l.process == process {
			l.first, l.last = min(l.first, t), max(l.last, t)
			p.last = int(*at - 1)
			return
		}
	}
	p.list = append(p.list, pairing{thread, process, t, t})
}

// See notes the thread and the process in the header of an event, if it has both and Windows
// wrote it. Merge tools write events with classic headers, in which the process is that of an
// image and the thread another one: those do not count.
func (r *Records) See(ev *decode.Event) {
	if r.Without&OwnerFacts != 0 || ev.Family != decode.FamilyEvent && ev.Family != decode.FamilySystem {
		return
	}
	process, thread := headerIDs(ev)
	r.pairings.see(&r.reading().pairs, process, thread, ev.Time)
}

// seeWalk notes the thread and the process of the event that a record of a stack belongs to. The
// record follows the event.
func (r *Records) seeWalk(ev *decode.Event, p *StackPart) {
	if r.Without&OwnerFacts == 0 && p.Event <= ev.Time {
		r.pairings.see(&r.reading().pairs, p.Process, p.Thread, p.Event)
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

// add adds the pairings of the next buffers.
func (l *pairList) add(b *Builder, p *pairings) {
	if l.latest == nil {
		l.latest = make(map[uint32]int32)
	}
	for _, v := range p.list {
		at, ok := l.latest[v.thread]
		if ok && l.list[at].process == v.process {
			to := &l.list[at]
			to.first, to.last = min(to.first, v.first), max(to.last, v.last)
			continue
		}
		if len(l.list) >= min(b.limits.Records, maxPairings) {
			b.Unlisted++
			continue
		}
		l.latest[v.thread] = int32(len(l.list))
		l.list = append(l.list, v)
	}
}

// joinPairs makes the pairs of a trace from what its events name. Threads and Processes must be
// built.
//
//  1. The lives of a thread id leave gaps, in which no event of the class Thread says what the id
//     means. Only what events name in a gap counts there.
//  2. Where events name several processes in overlapping times, the thread is unknown.
//  3. A thread belongs to a process from the first to the last event that names both, and before
//     and after that up to what else is known of the id: it is not known whose the thread was
//     between two processes.
//  4. A thread does not outlive its process, and does not exist before it.
func (t *Tables) joinPairs(l *pairList) {
	slices.SortFunc(l.list, func(a, b pairing) int {
		return cmp.Or(cmp.Compare(a.thread, b.thread), cmp.Compare(a.first, b.first), cmp.Compare(a.last, b.last), cmp.Compare(a.process, b.process))
	})
	threads := t.Threads
	var seen []pairing // in a gap
	for rest := l.list; len(rest) > 0; {
		id, n := rest[0].thread, 1
		for n < len(rest) && rest[n].thread == id {
			n++
		}
		at, _ := slices.BinarySearchFunc(threads, id, func(v Thread, id uint32) int { return cmp.Compare(v.ID, id) })
		threads = threads[at:]
		lives := 0
		for lives < len(threads) && threads[lives].ID == id {
			lives++
		}
		for i := 0; i <= lives; i++ {
			g := gapBefore(threads[:lives], i)
			if seen = g.within(seen[:0], rest[:n]); len(seen) > 0 {
				t.pairsIn(&g, seen)
			}
		}
		rest = rest[n:]
	}
	*l = pairList{}
}

// unlisted is a time in which no event of the class Thread says what the id of a thread means, with
// what it means before and after.
type unlisted struct {
	from, to      decode.Ticks
	before, after *Thread // or nil
	isEmpty       bool
}

// gapBefore returns the gap before a life of an id, or after the last one.
func gapBefore(lives []Thread, i int) unlisted {
	g := unlisted{from: minTicks, to: maxTicks}
	if i > 0 {
		g.before = &lives[i-1]
		g.isEmpty = g.before.To == maxTicks
		g.from = g.before.To + 1
	}
	if i < len(lives) {
		g.after = &lives[i]
		g.isEmpty = g.isEmpty || g.after.From == minTicks
		g.to = g.after.From - 1
	}
	g.isEmpty = g.isEmpty || g.from > g.to
	return g
}

// within appends the parts of pairings that lie in the gap. Of a pairing that is longer than the
// gap only its first and its last time are known to be times of events.
func (g *unlisted) within(dst, all []pairing) []pairing {
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

// pairsIn adds the pairs in a gap, of which seen are the pairings by time.
func (t *Tables) pairsIn(g *unlisted, seen []pairing) {
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
		t.addPair(v, p.first, p.last)
	}
}

// addPair adds a pair of which events are known from first to last, as far as the process lives.
func (t *Tables) addPair(v Pair, first, last decode.Ticks) {
	a, b := t.Process(v.Process, first), t.Process(v.Process, last)
	if a >= 0 && t.Processes[a].Started {
		v.From = max(v.From, min(first, t.Processes[a].From))
	}
	if b >= 0 && t.Processes[b].Ended {
		v.To = min(v.To, max(last, t.Processes[b].To))
	}
	if a >= 0 && b >= 0 && a != b { // the id of the process was reused: so may that of the thread have been
		t.Pairs = append(t.Pairs, Pair{v.Thread, v.Process, v.From, max(first, t.Processes[a].To)})
		v.From = min(last, t.Processes[b].From)
	}
	t.Pairs = append(t.Pairs, v)
}

// Pair returns the index of the pair of a thread at a time, or -1.
func (t *Tables) Pair(thread uint32, at decode.Ticks) int {
	i := find(len(t.Pairs), func(i int) bool {
		p := &t.Pairs[i]
		return p.Thread < thread || p.Thread == thread && p.From <= at
	})
	if i < 0 || t.Pairs[i].Thread != thread || at > t.Pairs[i].To {
		return -1
	}
	return i
}
