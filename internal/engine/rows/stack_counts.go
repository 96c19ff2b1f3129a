package rows

import (
	"github.com/etl2parquet/etl2parquet/facts"
	"github.com/etl2parquet/etl2parquet/internal/engine/problems"
)

// StackCounts count the incomplete stacks.
type StackCounts struct{ unmatched, unresolved, omitted int64 }

// Add adds the counts of a slab.
func (c *StackCounts) Add(p *stackParts) {
	c.unmatched += p.unmatched
	c.unresolved += p.missing
	c.omitted += p.omitted
}

// Note reports the incomplete stacks.
func (c *StackCounts) Note(p *problems.List) {
	if c.unmatched > 0 {
		p.Trace(facts.SeverityInfo, "stacks_unmatched", c.unmatched, "", "stacks whose event is not in the trace; kept in the table stack_events without event_ref")
	}
	if c.unresolved > 0 {
		p.Trace(facts.SeverityInfo, "stack_keys_unresolved", c.unresolved, "", "parts of stacks have keys that the trace does not define; their frames are unknown")
	}
	if c.omitted > 0 {
		p.Trace(facts.SeverityWarning, "stacks_limit", c.omitted, "", "parts of stacks are dropped: the events of one point in time have more than fit in memory")
	}
}
