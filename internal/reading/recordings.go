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
	traces  map[*siblings.Member]*facts.Info
}

// Add adds the description of a trace, and sets what only a file before it in its series tells, if that file
// was added shortly before. head is the start of the trace: at least 4 KiB, or all of it.
func (r *Recordings) Add(trace *facts.Info, head []byte) {
	m, ok := siblings.Read(head, trace.Size)
	if !ok {
		return
	}
	if r.traces == nil {
		r.traces = make(map[*siblings.Member]*facts.Info)
	}
	m.Know(trace.Ends)
	r.members = append(r.members, m)
	r.traces[m] = trace
	recent := r.members[max(0, len(r.members)-recentMembers):]
	setPlace(trace, siblings.Places(recent)[m])
}

// recentMembers bounds the earlier traces that a new one is compared with: traces are mostly added in
// the order of their series.
const recentMembers = 32

// Find returns the groups of traces that share facts if they are converted together. It sets all that their
// descriptions say of other traces.
func (r *Recordings) Find() [][]*facts.Info {
	for m, place := range siblings.Places(r.members) {
		setPlace(r.traces[m], place)
	}
	var found [][]*facts.Info
	for _, group := range siblings.Find(r.members) {
		var traces []*facts.Info
		computer := r.computerOf(group)
		for i, m := range group {
			trace := r.traces[m]
			trace.Siblings = nil
			if trace.ComputerName == nil {
				trace.ComputerName = computer
			}
			for k, o := range group {
				if i != k && m.Compare(o) != 0 {
					trace.Siblings = append(trace.Siblings, r.traces[o].File)
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
		if name := r.traces[m].ComputerName; name != nil {
			return name
		}
	}
	return nil
}

// setPlace sets what the place of a trace among others says.
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
