package attribution

import (
	"cmp"
	"slices"
	"sort"

	"github.com/etl2parquet/etl2parquet/decode"
)

// Pair is an interval of time in which a thread belongs to a process, according to events that name
// both: in their headers, or in records of stacks. Events of the class Thread take precedence.
type Pair struct {
	Thread, Process uint32
	From, To        decode.Ticks // inclusive
}

// pairing is a thread and a process that events name together, with the first and the last time.
type pairing struct {
	thread, process uint32
	first, last     decode.Ticks
}

// pairings are the pairings in a sequence of buffers. Each buffer has its own pairings, so that the
// result does not depend on which worker reads which buffers.
type pairings struct {
	list []pairing
	from int // the first of the current buffer
	last int // index of the one seen last
}

// pairSlots is a hash table of the pairings of the current buffer: their indices in the list plus
// 1. Slots of earlier buffers count as free. It belongs to a worker, and is empty for each list.
type pairSlots [1 << pairBits]uint32

const (
	pairBits   = 9
	pairProbes = 8
)

// beginBuffer begins a buffer.
func (s *pairings) beginBuffer() { s.from = len(s.list) }

// add records that an event names a thread and its process.
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

// headerIDs returns the process and the thread in the header of an event, or NoID for either.
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

// header records the thread and the process in the header of an event, if the header has both and
// Windows wrote it. It ignores classic headers of merge tools, which have the process of an image
// and an unrelated thread.
func (s *pairings) header(slots *pairSlots, ev *decode.Event) {
	if ev.Family == decode.FamilyEvent || ev.Family == decode.FamilySystem {
		process, thread := headerIDs(ev)
		s.add(slots, process, thread, ev.Time)
	}
}

// pairList joins pairings in file order.
type pairList struct {
	list   []pairing
	latest map[uint32]int32 // by thread: the index of its latest pairing in list
}

// maxPairings bounds the list. A trace has few threads at a time, and threads that events of the
// class Thread list need at most one pairing each.
const maxPairings = 1 << 19

// add adds the pairings of the next buffers, and returns how many exceed a limit.
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

// join makes the pairs, sorted by thread and time, from the pairings. It needs the processes and
// threads of the tables.
//
//  1. The lives of a thread id leave gaps, in which no event of the class Thread says what the id
//     means. Only pairings in a gap count there.
//  2. If pairings with several processes overlap in time, the process is unknown.
//  3. A thread belongs to a process from the first to the last event that names both, and before
//     and after that until another fact about the id is known. Between two processes, the owner is
//     unknown.
//  4. A thread does not exist before its process, and ends with it.
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

// threadGap is a time in which no event of the class Thread says what a thread id means, with the
// lives before and after it.
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
		g.isEmpty = !g.before.HasTo()
		g.from = g.before.To + 1
	}
	if i < len(lives) {
		g.after = &lives[i]
		g.isEmpty = g.isEmpty || !g.after.HasFrom()
		g.to = g.after.From - 1
	}
	g.isEmpty = g.isEmpty || g.from > g.to
	return g
}

// within appends the parts of pairings that lie in the gap. If a pairing is longer than the gap,
// only its first and its last time are known to be times of events.
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

// addGap adds the pairs in a gap. seen are its pairings by time.
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
		isKnown := len(joined) == 1 && g.before != nil && g.before.Ended && g.before.Process == p.process // the last events of a thread that ended
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

// add adds a pair whose events lie from first to last, within the life of its process.
func (j *pairJoiner) add(v Pair, first, last decode.Ticks) {
	from, to := j.process(v.Process, first), j.process(v.Process, last)
	if from != nil && from.Started {
		v.From = max(v.From, min(first, from.From))
	}
	if to != nil && to.Ended {
		v.To = min(v.To, max(last, to.To))
	}
	if from != nil && to != nil && from != to { // the id of the process was reused, so the id of the thread may have been reused too
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
