package reading

import (
	"slices"

	"github.com/etl2parquet/etl2parquet/decode"
	"github.com/etl2parquet/etl2parquet/facts"
	"github.com/etl2parquet/etl2parquet/internal/engine/index"
	"github.com/etl2parquet/etl2parquet/internal/inputs/siblings"
)

// Recordings finds which of several described traces belong together. The zero value has none.
type Recordings struct {
	members []*siblings.Member
	of      map[*siblings.Member]*facts.Info
}

// Add adds the description of a trace, by [ReadInfo] or [Trace.Info]. head is the start of the trace:
// at least its first 4 KiB, or all of it if it is shorter. If the trace continues a series of files,
// and the file before it was added shortly before, Add sets what only that file tells, as Find does.
func (r *Recordings) Add(trace *facts.Info, head []byte) {
	m, ok := siblings.Read(head, trace.Size)
	if !ok {
		return
	}
	if r.of == nil {
		r.of = make(map[*siblings.Member]*facts.Info)
	}
	m.Know(trace.Ends)
	r.members = append(r.members, m)
	r.of[m] = trace
	recent := r.members[max(0, len(r.members)-recentMembers):]
	setPlace(trace, siblings.Places(recent)[m])
}

// recentMembers bounds the earlier traces that a new one is compared with: traces are mostly added in
// the order of their series.
const recentMembers = 32

// Find returns the groups of traces that share facts if they are converted together. It sets
// Info.Siblings of all traces, and Info.ComputerName where only a sibling has it. It also sets
// Info.Session, Info.SessionFile and Info.Recording, and of the later files of a series what was lost
// in the file, from when on it is covered, and how long it is, in whatever order they were added.
func (r *Recordings) Find() [][]*facts.Info {
	for m, place := range siblings.Places(r.members) {
		setPlace(r.of[m], place)
	}
	var found [][]*facts.Info
	for _, group := range siblings.Find(r.members) {
		var traces []*facts.Info
		computer := r.computerOf(group)
		for i, m := range group {
			trace := r.of[m]
			trace.Siblings = nil
			if trace.ComputerName == nil {
				trace.ComputerName = computer
			}
			for k, o := range group {
				if i != k && m.Compare(o) != 0 {
					trace.Siblings = append(trace.Siblings, r.of[o].File)
				}
			}
			slices.Sort(trace.Siblings)
			traces = append(traces, trace)
		}
		found = append(found, traces)
	}
	return found
}

// computerOf returns the name of the computer by the first trace of a group that has it, or nil.
func (r *Recordings) computerOf(group []*siblings.Member) *string {
	for _, m := range group {
		if name := r.of[m].ComputerName; name != nil {
			return name
		}
	}
	return nil
}

// place sets what the place of a trace among others says.
func setPlace(i *facts.Info, p index.Place) {
	i.Session, i.Recording, i.SessionFile = &p.Session, &p.Recording, nil
	if p.File > 0 {
		i.SessionFile = &p.File
	}
	if !p.Earlier.Known {
		return
	}
	if i.SessionEvents != nil {
		lost := index.Losses{Known: true, SessionEvents: *i.SessionEvents, SessionBuffers: *i.SessionBuffers, Series: true}
		lost.Since(&p.Earlier)
		i.EventsLost, i.BuffersLost = &lost.Events, &lost.Buffers
		i.Problems = slices.DeleteFunc(i.Problems, func(p facts.Problem) bool { return index.IsLoss(p.Code) })
		i.Problems = append(i.Problems, lost.Problems()...)
	}
	if ns, ok := decode.FiletimeTime(p.Earlier.End); ok {
		from := facts.Instant(ns)
		if i.DurationNS != nil && i.Start != nil {
			begin := i.Start
			if i.CoveredFrom != nil {
				begin = i.CoveredFrom
			}
			length := *i.DurationNS + int64(*begin-from)
			i.DurationNS = &length
		}
		i.CoveredFrom = &from
	}
}
