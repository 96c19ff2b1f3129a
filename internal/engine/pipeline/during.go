package pipeline

import (
	"math"
	"slices"

	"github.com/etl2parquet/etl2parquet/internal/engine/rows/slabs"
	"github.com/etl2parquet/etl2parquet/schema"
)

// IsOfEvents reports whether the rows of a table are of events, in the order of their times, and
// independent of each other. The empty name is that of no table.
func IsOfEvents(table string) bool {
	return table == schema.StackEvents.Name || table != "" && !slices.ContainsFunc(schema.FixedTables(), func(t *schema.Table) bool { return t.Name == table })
}

// During makes o select the rows of events from one time in ns up to, but not including, another.
// math.MinInt64 and math.MaxInt64 are no bounds. It replaces a split.
func (s *Source) During(o *Options, from, to int64) {
	part := slabs.Whole()
	if from > math.MinInt64 {
		part.From = slabs.Key{Time: s.Index.Clock.Ticks(from)}
	}
	if to < math.MaxInt64 {
		part.To = slabs.Key{Time: s.Index.Clock.Ticks(to)}
	}
	o.part = &part
}

// Stretch is a time in which a buffer has events, in ns, and the number of these.
type Stretch struct{ First, Last, Events int64 }

// Stretches returns the times of the buffers that have events.
func (s *Source) Stretches() []Stretch {
	x := s.Index
	var list []Stretch
	for i := s.Input.Part.facts(); i < len(x.Buffers); i++ {
		if b := &x.Buffers[i]; b.HasEvents() {
			list = append(list, Stretch{x.Clock.UnixNano(b.First), x.Clock.UnixNano(b.Last), int64(b.Events)})
		}
	}
	return list
}
