package convert

import "github.com/etl2parquet/etl2parquet/internal/problems"

// stackCounts count the stacks that are not whole.
type stackCounts struct{ unmatched, unresolved, omitted int64 }

func (c *stackCounts) add(p *stackParts) {
	c.unmatched += p.unmatched
	c.unresolved += p.missing
	c.omitted += p.omitted
}

// note adds the stacks that are not whole.
func (c *stackCounts) note(p *problems.List) {
	if c.unmatched > 0 {
		p.Trace(problems.Info, "stacks_unmatched", c.unmatched, "", "stacks of events that are not in the trace: the table stacks has them without event_ref")
	}
	if c.unresolved > 0 {
		p.Trace(problems.Info, "stack_keys_unresolved", c.unresolved, "", "parts of stacks have keys that the trace does not explain")
	}
	if c.omitted > 0 {
		p.Trace(problems.Warning, "stacks_limit", c.omitted, "", "parts of stacks are left out: events of one time have more than there is memory for")
	}
}
