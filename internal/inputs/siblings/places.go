package siblings

import (
	"cmp"
	"slices"
	"strconv"

	"github.com/etl2parquet/etl2parquet/facts"
	"github.com/etl2parquet/etl2parquet/internal/engine/index"
)

// Know adds what the head of a trace does not say.
func (m *Member) Know(e *facts.Ends) { m.ends = e }

// The limits of sessions and recordings, in units of FILETIME.
const (
	joined   = 1 * filetimeSecond // between the end of a file and the start of the next in a series
	together = nearby             // between the begins of sessions of a recording, and between their ends
	rounded  = 1 * filetimeSecond // Windows 10 rounds the time of the boot to it
)

// boot identifies a run of Windows, whatever the clock of the trace.
type boot struct {
	time         int64 // FILETIME
	major, minor uint8
	build, mhz   uint32
}

// run is a session: those of its files that are among the inputs, in order.
type run struct {
	into       *run // the session that it turned out to belong to, or nil
	members    []*Member
	begin, end int64
	boot       boot
}

// root returns the session that the files of a run belong to.
func (r *run) root() *run {
	for r.into != nil {
		r = r.into
	}
	return r
}

// Places returns the places of traces among each other: their sessions, the sessions that were
// recorded together, and the files before them in a series. It does not depend on the order of the
// members.
func Places(members []*Member) map[*Member]index.Place {
	sorted := slices.Clone(members)
	slices.SortFunc(sorted, func(a, b *Member) int { return cmp.Or(a.Compare(b), cmp.Compare(a.ID, b.ID)) })
	places := make(map[*Member]index.Place, len(sorted))
	for _, m := range sorted {
		places[m] = m.alone
	}
	boots := bootsOf(sorted)
	type start struct {
		boot   boot
		logger string
		start  int64
		ticks  int64
	}
	of := make(map[*Member]*run, len(sorted))
	byStart := make(map[start]*run)
	var runs []*run
	for _, m := range sorted {
		key := start{m.bootOf(boots), m.names[0], m.start, int64(m.ticks)}
		r := byStart[key]
		if r == nil {
			r = &run{boot: key.boot}
			byStart[key] = r
			runs = append(runs, r)
		}
		r.members = append(r.members, m)
		of[m] = r
	}
	for _, l := range linksOf(sorted, boots) {
		if a, b := of[l.before].root(), of[l.after].root(); a != b {
			b.into = a
		}
		place := places[l.after]
		place.File = l.number
		if before := places[l.before]; l.number > 0 {
			before.File = l.number - 1
			places[l.before] = before
		}
		if l.before.stopped {
			place.Earlier = index.Earlier{Known: true, EventsLost: l.before.lost[0], BuffersLost: l.before.lost[1], End: l.before.end}
		}
		places[l.after] = place
	}
	for _, r := range runs {
		if into := r.root(); into != r {
			into.members = append(into.members, r.members...)
		}
	}
	runs = slices.DeleteFunc(runs, func(r *run) bool { return r.into != nil })
	for _, r := range runs {
		r.bound()
	}
	for _, sessions := range recordingsOf(runs) {
		isMany := distinct(sessions[0].members) > 1 || len(sessions) > 1
		for _, r := range sessions {
			for _, m := range r.members {
				p := places[m]
				p.Session, p.Recording, p.Others = r.members[0].alone.Session, sessions[0].members[0].alone.Recording, isMany
				places[m] = p
			}
		}
	}
	return places
}

// bound sorts the files of a session, and sets when it began and ended: without an end, with the last
// event.
func (r *run) bound() {
	slices.SortFunc(r.members, func(a, b *Member) int { return cmp.Or(a.Compare(b), cmp.Compare(a.ID, b.ID)) })
	r.begin, r.end = r.members[0].start, r.members[0].start
	for _, m := range r.members {
		r.end = max(r.end, m.end)
		if !m.stopped && m.ends != nil {
			r.end = max(r.end, m.ends.Last)
		}
	}
}

// isRundown reports whether a session recorded nothing but what existed.
func (r *run) isRundown() bool {
	return !slices.ContainsFunc(r.members, func(m *Member) bool { return m.ends == nil || !m.ends.Rundown })
}

// recordingsOf groups sessions by what was recorded together, the first session first. Sessions are
// compared with the first alone, so that a chain of logs does not become one recording.
func recordingsOf(runs []*run) (list [][]*run) {
	slices.SortStableFunc(runs, func(a, b *run) int {
		first, second := a.members[0], b.members[0]
		return cmp.Or(a.boot.compare(b.boot), cmp.Compare(a.begin, b.begin), cmp.Compare(a.end, b.end),
			cmp.Compare(first.names[0], second.names[0]), cmp.Compare(first.names[1], second.names[1]), cmp.Compare(first.ID, second.ID))
	})
	isTaken := make([]bool, len(runs))
	for i, first := range runs {
		if isTaken[i] {
			continue
		}
		recording := []*run{first}
		for k := i + 1; k < len(runs) && runs[k].boot == first.boot && runs[k].begin <= first.end+together; k++ {
			r := runs[k]
			isBeside := (r.begin < first.end || r.begin == first.begin) && r.begin-first.begin <= together && max(r.end-first.end, first.end-r.end) <= together
			isAfter := r.begin >= first.end && r.isRundown()
			if !isTaken[k] && (isBeside || isAfter) {
				isTaken[k] = true
				recording = append(recording, r)
			}
		}
		list = append(list, recording)
	}
	return list
}

// link says that a file of a series follows another one.
type link struct {
	before, after *Member
	number        int64 // of the file after, in its name; 0 if the names have none
}

// linksOf finds the file before each file of a series: the one with the next lower number in its name, else
// the one whose last buffer has the next lower number.
func linksOf(sorted []*Member, boots map[int64]int64) (links []link) {
	type name struct {
		boot           boot
		logger         string
		before, behind string // the number
		number         int64
	}
	type sequence struct {
		boot   boot
		logger string
		next   int64
	}
	byName, bySequence := make(map[name][]*Member), make(map[sequence][]*Member)
	names := make(map[*Member][]name)
	for _, m := range sorted {
		if !m.newFile {
			continue
		}
		b := m.bootOf(boots)
		for _, n := range numbersIn(m.names[1]) {
			key := name{b, m.names[0], m.names[1][:n.from], m.names[1][n.to:], n.value}
			byName[key] = append(byName[key], m)
			names[m] = append(names[m], key)
		}
		if m.ends != nil && m.ends.FirstSequence > 0 && m.buffers > 1 {
			key := sequence{b, m.names[0], m.ends.FirstSequence + int64(m.buffers) - 1}
			bySequence[key] = append(bySequence[key], m)
		}
	}
	for _, m := range sorted {
		var before *Member
		number := int64(0)
		for _, key := range names[m] {
			number = key.number
			key.number--
			if before = precedingOf(m, byName[key]); before != nil {
				break
			}
		}
		if before == nil && m.newFile && m.ends != nil && m.ends.FirstSequence > 1 {
			number = 0
			before = precedingOf(m, bySequence[sequence{m.bootOf(boots), m.names[0], m.ends.FirstSequence}])
		}
		if before != nil {
			links = append(links, link{before, m, cmp.Or(number, m.alone.File)})
		}
	}
	return links
}

// precedingOf returns the first of several files that a file can follow by its times and losses, or nil.
// A session writes either its own start into each file, or the start of the file.
func precedingOf(m *Member, list []*Member) *Member {
	for _, o := range list {
		isShared := o.start == m.start && o.ticks == m.ticks
		isNext := o.stopped && max(m.start-o.end, o.end-m.start) <= joined
		if o != m && (isShared || isNext) && (!m.stopped || o.lost[0] <= m.lost[0] && o.lost[1] <= m.lost[1]) {
			return o
		}
	}
	return nil
}

// digits are a number in a name.
type digits struct {
	from, to int
	value    int64
}

// numbersIn returns the numbers in a name, the last one first.
func numbersIn(name string) (list []digits) {
	isDigit := func(i int) bool { return name[i] >= '0' && name[i] <= '9' }
	for to := len(name); to > 0; to-- {
		from := to
		for from > 0 && isDigit(from-1) {
			from--
		}
		if n, err := strconv.ParseInt(name[from:to], 10, 64); err == nil {
			list = append(list, digits{from, to, n})
		}
		to = min(to, from+1)
	}
	return list
}

// bootOf returns the boot of a member, by its earliest time.
func (m *Member) bootOf(boots map[int64]int64) boot {
	return boot{boots[m.system.boot], m.system.major, m.system.minor, m.system.build, m.system.mhz}
}

// bootsOf returns, for each time of a boot, the earliest time of the same boot: when the clock is set, the
// time of the boot is, too, so that times that differ by a stated step are of one boot.
func bootsOf(members []*Member) map[int64]int64 {
	boots := make(map[int64]int64)
	for _, m := range members {
		boots[m.system.boot] = m.system.boot
	}
	var times []int64
	for _, m := range members {
		if m.ends == nil {
			continue
		}
		for _, step := range m.ends.Steps {
			if times == nil {
				for time := range boots {
					times = append(times, time)
				}
				slices.Sort(times)
			}
			for _, other := range []int64{m.system.boot - step, m.system.boot + step} {
				for i, _ := slices.BinarySearch(times, other-rounded); i < len(times) && times[i] <= other+rounded; i++ {
					a, b := boots[times[i]], boots[m.system.boot]
					for time, first := range boots {
						if first == a || first == b {
							boots[time] = min(a, b)
						}
					}
				}
			}
		}
	}
	return boots
}

// Unclear returns the members whose places depend on more than their heads: see [Member.Know].
func Unclear(members []*Member) (list []*Member) {
	byBoot := make(map[boot][]*Member)
	series := make(map[[2]any]int)
	boots := bootsOf(members)
	places := make(map[*Member]bool) // those with a file before them
	for _, l := range linksOf(members, boots) {
		places[l.after] = true
	}
	for _, m := range members {
		b := m.bootOf(boots)
		byBoot[b] = append(byBoot[b], m)
		if m.newFile && !places[m] {
			series[[2]any{b, m.names[0]}]++
		}
	}
	for b, of := range byBoot {
		if len(of) == 1 {
			continue
		}
		slices.SortFunc(of, func(x, y *Member) int { return cmp.Compare(x.start, y.start) })
		var ends []int64
		for _, m := range of {
			if m.stopped {
				ends = append(ends, m.end)
			}
		}
		slices.Sort(ends)
		isOpen := false // an earlier member has no end
		for _, m := range of {
			i, _ := slices.BinarySearch(ends, m.start-together)
			follows := isOpen || i < len(ends) && ends[i] <= m.start
			isOpen = isOpen || !m.stopped
			if !m.stopped || follows || m.newFile && series[[2]any{b, m.names[0]}] > 1 {
				list = append(list, m)
			}
		}
	}
	return list
}

func (b boot) compare(o boot) int {
	return cmp.Or(cmp.Compare(b.time, o.time), cmp.Compare(b.major, o.major), cmp.Compare(b.minor, o.minor), cmp.Compare(b.build, o.build), cmp.Compare(b.mhz, o.mhz))
}
