package etl2parquet

import (
	"slices"

	"github.com/etl2parquet/etl2parquet/internal/engine/index"
	"github.com/etl2parquet/etl2parquet/internal/inputs/siblings"
)

// Recordings finds which of several described traces are of one recording. The zero value has none.
type Recordings struct {
	members []*siblings.Member
	of      map[*siblings.Member]*Info
}

// Add adds the description of a trace, by [ReadInfo] or [Trace.Info]. head is the start of the trace:
// at least its first 4 KiB, or all of it if it is shorter. If the trace continues a series of files,
// and the file before it was added shortly before, Add subtracts the losses of that file: see
// Info.LostSince.
func (r *Recordings) Add(trace *Info, head []byte) {
	m, ok := siblings.Read(head, trace.Size)
	if !ok {
		return
	}
	if r.of == nil {
		r.of = make(map[*siblings.Member]*Info)
	}
	r.members = append(r.members, m)
	r.of[m] = trace
	recent := r.members[max(0, len(r.members)-recentMembers):]
	r.follow(m, siblings.Earlier(recent)[m])
}

// recentMembers bounds the earlier traces that a new one is compared with: traces are mostly added in
// the order of their series.
const recentMembers = 32

// follow subtracts the losses of the preceding file of a series, or nil, from the losses of a file.
func (r *Recordings) follow(m, earlier *siblings.Member) {
	if earlier != nil && r.of[m].LostSince == nil {
		r.of[m].follow(earlier.AsEarlier(r.of[earlier].File))
	}
}

// Find returns the traces of each recording of which several were added. It sets Info.Siblings and
// Info.Recording of all traces, and Info.ComputerName where only a sibling has it, and subtracts the losses of the file before each file of a series, in whatever order
// they were added.
func (r *Recordings) Find() [][]*Info {
	for m, earlier := range siblings.Earlier(r.members) {
		r.follow(m, earlier)
	}
	var found [][]*Info
	for _, recording := range siblings.Find(r.members) {
		var traces []*Info
		id, computer := recording[0].Recording(), r.computerOf(recording)
		for i, m := range recording {
			trace := r.of[m]
			trace.Siblings, trace.Recording = nil, &id
			if trace.ComputerName == nil {
				trace.ComputerName = computer
			}
			for k, o := range recording {
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

// computerOf returns the name of the computer by the first trace of a recording that has it, or nil.
func (r *Recordings) computerOf(recording []*siblings.Member) *string {
	for _, m := range recording {
		if name := r.of[m].ComputerName; name != nil {
			return name
		}
	}
	return nil
}

// follow records that the trace is the next in a series after an earlier file.
func (i *Info) follow(e index.Earlier) {
	l := e.Losses(i.EventsLost, i.BuffersLost)
	i.EventsLost, i.BuffersLost, i.LostSince = l.Events, l.Buffers, &e.Name
	counts := map[string]struct {
		count uint32
		what  string
	}{"events_lost": {l.Events, "events"}, "buffers_lost": {l.Buffers, "buffers"}}
	i.Problems = slices.DeleteFunc(i.Problems, func(p Problem) bool {
		lost, ok := counts[p.Code]
		return ok && lost.count == 0
	})
	for k := range i.Problems {
		if lost, ok := counts[i.Problems[k].Code]; ok {
			i.Problems[k].Count, i.Problems[k].Message = int64(lost.count), l.Text(lost.what)
		}
	}
}
