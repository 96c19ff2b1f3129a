package fleets

import (
	"fmt"
	"slices"
	"time"
)

// plan is all that is decided before the traces are written, which happens in any order.
type plan struct {
	options     Options
	logs        []log
	kinds       []*kind // as in Truth.Kinds
	machines    []Machine
	traces      []*member
	errors      []Error
	differences []Difference
}

// member is a trace of the plan.
type member struct {
	index, log, machine, boot int
	path                      string
	start, end                time.Time
	events                    int // before losses; without the records that describe events
	processes                 bool
	sessionLost               int
	series                    string
	place                     int
	first                     *member // of a private series: its first file
	running                   bool
	later                     []*member // of the first file of a series: the others, in order
	circular                  bool
	damage                    string
	copies                    []*member // traces with the same bytes
	original                  *member

	homes   []*kind // occur at least once
	planted []planting
}

// planting is a number of events of a kind in a trace.
type planting struct {
	kind   *kind
	cause  *kind // precedes each of them in its activity; or nil
	events int   // pairs of a timed kind count once
	factor int   // of the times between the events of a pair
}

const (
	seriesFiles  = 4   // at most
	plantedSince = 100 // events of a trace with planted events or processes
	wrappedSince = 400 // events of a circular trace
)

func makePlan(o Options) (*plan, error) {
	if err := o.check(); err != nil {
		return nil, err
	}
	p := &plan{errors: []Error{}, differences: []Difference{}, options: o, logs: makeLogs(o), machines: makeMachines(o), kinds: make([]*kind, o.Kinds)}
	for i := range p.logs {
		for _, k := range p.logs[i].kinds {
			p.kinds[k.index] = k
		}
	}
	for i := range o.Traces {
		p.traces = append(p.traces, p.makeMember(i))
	}
	p.assignRoles()
	for i := range o.Errors {
		if err := p.plantError(i); err != nil {
			return nil, err
		}
	}
	for i := range o.Differences {
		if err := p.plantDifference(i); err != nil {
			return nil, err
		}
	}
	for i := range p.logs {
		if err := p.assignHomes(i); err != nil {
			return nil, err
		}
	}
	for _, k := range p.kinds {
		k.finish()
	}
	return p, nil
}

// firstDay is when the first machine boots.
var firstDay = time.Date(2024, 3, 1, 0, 0, 0, 0, time.UTC)

// makeMachines makes machines, whose boots do not overlap. Their builds rise from boot to boot.
func makeMachines(o Options) []Machine {
	machines := make([]Machine, o.Machines)
	for i := range machines {
		s := newStream(o.Seed, "machine", i)
		m := &machines[i]
		*m = Machine{Name: fmt.Sprintf("MADE-PC-%03d", 1+i), MHz: pick(s, speeds), Processors: pick(s, processors)}
		now := firstDay.Add(time.Duration(s.below(24*3600)) * time.Second)
		first := s.below(o.Builds)
		for range o.Boots {
			b := Boot{Time: now, Hours: s.between(8, 40), Build: build(first)}
			m.Boots = append(m.Boots, b)
			now = now.Add(time.Duration(b.Hours)*time.Hour + time.Duration(s.between(60, 8*3600))*time.Second)
			first = min(first+s.below(2), o.Builds-1)
		}
	}
	return machines
}

func build(i int) uint32 {
	if i < len(builds) {
		return builds[i]
	}
	return builds[len(builds)-1] + uint32(100*(1+i-len(builds)))
}

// makeMember makes a trace that has no role yet.
func (p *plan) makeMember(i int) *member {
	s := newStream(p.options.Seed, "trace", i)
	m := &member{index: i, log: i % len(p.logs), machine: s.below(len(p.machines)), boot: s.below(p.options.Boots), events: s.events()}
	boot := p.machines[m.machine].Boots[m.boot]
	last := (boot.Hours - 4) * 3600 // leaves time for a series
	m.start = boot.Time.Add(time.Minute + time.Duration(s.below(last*1000))*time.Millisecond)
	m.end = m.start.Add(time.Duration(s.between(20_000, 1_200_000)) * time.Millisecond)
	m.processes = s.chance(1, 2) && m.events >= plantedSince
	if s.chance(1, 25) {
		m.sessionLost = s.between(1, 500)
	}
	m.path = fmt.Sprintf("%s/%s-%04d.etl", p.machines[m.machine].Name, p.logs[m.log].name, i)
	return m
}

// assignRoles chooses the traces of series, circular ones, copies and damaged ones. A later role is
// chosen after these, from the traces that are left, with a stream of its own.
func (p *plan) assignRoles() {
	o := p.options
	free := make([]int, o.Traces)
	for i := range free {
		free[i] = i
	}
	for i := range o.Series {
		p.makeSeries(newStream(o.Seed, "series", i), &free, fmt.Sprintf("series-%03d", 1+i))
	}
	for _, i := range take(newStream(o.Seed, "circular"), &free, o.Circular) {
		p.traces[i].circular = true
		p.traces[i].events = max(p.traces[i].events, wrappedSince)
	}
	for i, k := range take(newStream(o.Seed, "damage"), &free, o.Damage) {
		m := p.traces[k]
		m.damage = []string{DamageZeros, DamageEvent, DamageMissing, DamageCut}[i%4]
		m.events = max(m.events, plantedSince)
	}
	copies := take(newStream(o.Seed, "copies"), &free, o.Copies)
	for _, i := range copies {
		m, original := p.traces[i], p.traces[pick(newStream(o.Seed, "copy", i), free)]
		path := fmt.Sprintf("archive/%s-%04d.etl", p.logs[original.log].name, i)
		*m = member{index: i, log: original.log, original: original, path: path}
		original.copies = append(original.copies, m)
	}
	free = slices.DeleteFunc(free, func(i int) bool { return len(p.traces[i].copies) > 0 })
	for i := range o.Sessions {
		s := newStream(o.Seed, "session", i)
		lost := 0
		files := p.makeSeries(s, &free, fmt.Sprintf("session-%03d", 1+i))
		for _, m := range files {
			lost += s.below(50)
			if m.sessionLost = lost; i%2 == 0 {
				m.first = files[0]
			}
		}
	}
	for _, i := range take(newStream(o.Seed, "running"), &free, o.Running) {
		m := p.traces[i]
		m.circular, m.running, m.sessionLost = true, true, 0
		m.events = max(m.events, wrappedSince)
	}
	for n, i := range take(newStream(o.Seed, "renamed"), &free, o.Renamed) {
		m := p.traces[i]
		m.path = fmt.Sprintf([]string{"%s/SCM-%04d.EVM", "%s/MpWppTracing-20240301-%08d-fffffffeffffffff.bin", "%s/EtwRTmade%d"}[n%3], p.machines[m.machine].Name, i)
	}
}

// describes reports whether a trace is the first of its log without a role: of logs that are described apart, the
// one that describes the events.
func (p *plan) describes(m *member) bool {
	first := slices.IndexFunc(p.traces, func(o *member) bool {
		return o.log == m.log && o.series == "" && !o.circular && o.damage == "" && o.original == nil && o.copies == nil
	})
	return first >= 0 && p.traces[first] == m
}

// makeSeries makes the files of a series of some of the free traces, and returns them in order.
func (p *plan) makeSeries(s stream, free *[]int, name string) (files []*member) {
	members := take(s, free, s.between(2, seriesFiles))
	slices.Sort(members)
	first := p.traces[members[0]]
	for place, k := range members {
		m := p.traces[k]
		m.series, m.place, m.sessionLost = name, 1+place, 0
		if place > 0 {
			length, before := m.end.Sub(m.start), p.traces[members[place-1]]
			m.log, m.machine, m.boot, m.processes = first.log, first.machine, first.boot, false
			m.start = before.end.Add(time.Duration(s.below(900)) * time.Millisecond)
			m.end = m.start.Add(length)
			first.later = append(first.later, m)
		}
		m.path = fmt.Sprintf("%s/%s-%s_%06d.etl", p.machines[m.machine].Name, p.logs[m.log].name, m.series, m.place)
		files = append(files, m)
	}
	return files
}

// plain returns the traces of a log that lose no events and are not copies.
func (p *plan) plain(log int) (list []*member) {
	for _, m := range p.traces {
		if m.log == log && m.original == nil && !m.circular && m.damage == "" {
			list = append(list, m)
		}
	}
	return list
}

// host returns the traces of a log that can have planted events, and the build of one of them.
func (p *plan) host(s stream, log int) (list []*member, build uint32, err error) {
	list = slices.DeleteFunc(p.plain(log), func(m *member) bool { return m.events < plantedSince })
	if len(list) == 0 {
		return nil, 0, fmt.Errorf("no trace of the log %s has the %d events for a planted one: make more traces", p.logs[log].name, plantedSince)
	}
	return list, p.build(pick(s, list)), nil
}

func (p *plan) build(m *member) uint32 { return p.machines[m.machine].Boots[m.boot].Build }

// plantedKind returns a rare kind of a log, for a rule.
func (p *plan) plantedKind(log int) *kind {
	l := &p.logs[log]
	l.spare--
	k := l.kinds[l.spare]
	k.planted, k.timed = true, false
	return k
}

// plantError plants the error with a number: what traces with it have in common is, in turn, the
// build, the machine, and an event before it.
func (p *plan) plantError(number int) error {
	log := number % len(p.logs)
	s := newStream(p.options.Seed, "error", number)
	list, build, err := p.host(s, log)
	if err != nil {
		return err
	}
	k, status := p.plantedKind(log), statuses[number%len(statuses)]
	k.level, k.status = 2, status.code
	k.fields = append([]fieldType{statusField}, k.fields...)
	e := Error{Kind: k.index, Status: status.code, Meaning: status.meaning, Cause: Cause{Kind: -1}}
	has := func(m *member) bool { return p.build(m) == build }
	var cause *kind
	switch number / len(p.logs) % 3 {
	case 0:
		e.Cause.Build = build
	case 1:
		machine := pick(s, list).machine
		e.Cause.Machine = p.machines[machine].Name
		has = func(m *member) bool { return m.machine == machine }
	case 2:
		cause = p.plantedKind(log)
		e.Cause.Kind = cause.index
		has = func(*member) bool { return len(e.Traces) == 0 || s.chance(1, 3) }
	}
	for _, m := range list {
		if !has(m) || len(e.Traces) > 0 && s.chance(1, 10) {
			continue
		}
		n := s.between(1, 2)
		m.planted = append(m.planted, planting{kind: k, cause: cause, events: n, factor: 1})
		e.Traces = append(e.Traces, Occurrence{m.path, n})
	}
	p.errors = append(p.errors, e)
	return nil
}

// plantDifference plants the difference with a number, between a build and the others.
func (p *plan) plantDifference(number int) error {
	const factor = 2
	log := number % len(p.logs)
	s := newStream(p.options.Seed, "difference", number)
	list, build, err := p.host(s, log)
	if err != nil {
		return err
	}
	k := p.plantedKind(log)
	d := Difference{Kind: k.index, Build: build, Factor: 1, Inside: []Occurrence{}, Others: []Occurrence{}}
	if !slices.ContainsFunc(list, func(m *member) bool { return p.build(m) != build }) {
		return fmt.Errorf("all traces of the log %s that can differ have the build %d: make more traces or builds", p.logs[log].name, build)
	}
	switch number % 3 {
	case 0:
		d.What = DifferenceOnly
	case 1:
		d.What, d.Factor = DifferenceMore, factor
	case 2:
		d.What, d.Factor = DifferenceSlower, factor
		k.describeItself()
		k.timed, k.duration = true, 100*s.between(20, 200)
	}
	for _, m := range list {
		plant, inside := planting{kind: k, events: m.events / 50, factor: 1}, p.build(m) == build
		switch {
		case !inside && d.What == DifferenceOnly:
			continue
		case inside && d.What == DifferenceMore:
			plant.events *= factor
		case inside && d.What == DifferenceSlower:
			plant.factor = factor
		}
		m.planted = append(m.planted, plant)
		o := Occurrence{m.path, plant.events}
		if k.timed {
			o.Events *= 2
		}
		if inside {
			d.Inside = append(d.Inside, o)
		} else {
			d.Others = append(d.Others, o)
		}
	}
	p.differences = append(p.differences, d)
	return nil
}

// assignHomes chooses a trace for each kind of a log that is not planted, so that it occurs at least
// once: large traces first, at most a sixth of the events of each, as a kind can need two.
func (p *plan) assignHomes(log int) error {
	l := &p.logs[log]
	homes := p.plain(log)
	slices.SortStableFunc(homes, func(a, b *member) int { return b.events - a.events })
	next := 0
	for rank, k := range l.kinds {
		weight := 1_000_000 / (1 + rank) // a power law
		if k.planted {
			weight = 0
		} else {
			homes = slices.DeleteFunc(homes, func(m *member) bool { return len(m.homes) >= m.events/6 })
			if len(homes) == 0 {
				return fmt.Errorf("the traces of the log %s have too few events for its %d kinds: make more traces", l.name, len(l.kinds))
			}
			m := homes[next%len(homes)]
			m.homes = append(m.homes, k)
			next++
		}
		if rank > 0 {
			weight += l.sums[rank-1]
		}
		l.sums = append(l.sums, weight)
	}
	return nil
}
