package info

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/etl2parquet/etl2parquet/internal/base/text/grid"
	"github.com/etl2parquet/etl2parquet/internal/engine/index"
	"github.com/etl2parquet/etl2parquet/internal/inputs"
	"github.com/etl2parquet/etl2parquet/internal/inputs/siblings"
)

// sessions finds the sessions among traces.
type sessions struct {
	members []*siblings.Member
	of      map[*siblings.Member]*index.Summary
}

// add adds a trace while it is being visited.
func (s *sessions) add(t *inputs.Trace, of *index.Summary) {
	if m, ok := siblings.Read(t.Head(), t.Size); ok {
		if s.of == nil {
			s.of = make(map[*siblings.Member]*index.Summary)
		}
		s.members = append(s.members, m)
		s.of[m] = of
		recent := s.members[max(0, len(s.members)-recentMembers):]
		s.follow(m, siblings.Earlier(recent)[m])
	}
}

// recentMembers bounds the earlier traces that a new one is compared with: inputs are mostly in the
// order of their series.
const recentMembers = 32

// follow subtracts the losses of the preceding file of a series, or nil, from the losses of a file.
func (s *sessions) follow(m, earlier *siblings.Member) {
	if earlier == nil || s.of[m].LostSince != nil {
		return
	}
	events, buffers := earlier.Lost()
	s.of[m].Follow(index.Earlier{Name: s.of[earlier].File, EventsLost: events, BuffersLost: buffers})
}

// find adds the siblings to the summaries, subtracts the losses of the preceding file of a series
// from the losses of each file, and returns the names of the traces of each session.
func (s *sessions) find() [][]string {
	for m, e := range siblings.Earlier(s.members) {
		s.follow(m, e)
	}
	var found [][]string
	for _, session := range siblings.Find(s.members) {
		var names []string
		for _, m := range session {
			names = append(names, s.of[m].File)
		}
		slices.Sort(names)
		for i, m := range session {
			for k, o := range session {
				if i != k && m.Compare(o) != 0 {
					s.of[m].Siblings = append(s.of[m].Siblings, s.of[o].File)
				}
			}
			slices.Sort(s.of[m].Siblings)
		}
		found = append(found, names)
	}
	return found
}

// writeSessions prints which traces belong together.
func writeSessions(w io.Writer, sessions [][]string) {
	for i, names := range sessions {
		if i == 0 {
			fmt.Fprintln(w)
		}
		fmt.Fprintf(w, "one session: %s; converted together, they share the names of processes and images\n", grid.Printable(strings.Join(names, ", ")))
	}
}
