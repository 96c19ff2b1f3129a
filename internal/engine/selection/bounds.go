package selection

import (
	"math"
	"slices"
	"strings"

	"github.com/etl2parquet/etl2parquet/schema"
)

// Bounds say which events a question can use at most: it finds the same without all others. Tables about
// the trace have all rows, whatever the bounds.
type Bounds struct {
	From      int64    `json:"from"`                // ns since 1970, as in columns time_ns
	To        int64    `json:"to"`                  // not after it
	Providers []string `json:"providers,omitempty"` // names and GUIDs; none means all
}

// Unbounded returns bounds that leave nothing out.
func Unbounded() Bounds { return Bounds{From: math.MinInt64, To: math.MaxInt64} }

// IsUnbounded reports whether the bounds leave nothing out.
func (b *Bounds) IsUnbounded() bool {
	return b == nil || b.From == math.MinInt64 && b.To == math.MaxInt64 && len(b.Providers) == 0
}

// Covers reports whether the bounds have all events of other ones. Nil bounds leave nothing out.
func (b *Bounds) Covers(other *Bounds) bool {
	switch {
	case b.IsUnbounded():
		return true
	case other == nil:
		return false
	}
	return b.From <= other.From && b.To >= other.To &&
		(len(b.Providers) == 0 || len(other.Providers) > 0 && !slices.ContainsFunc(other.Providers, func(p string) bool { return !slices.Contains(b.Providers, p) }))
}

// Widen makes the bounds have the events of other ones, too.
func (b *Bounds) Widen(other *Bounds) {
	b.From, b.To = min(b.From, other.From), max(b.To, other.To)
	if len(b.Providers) == 0 || len(other.Providers) == 0 {
		b.Providers = nil
		return
	}
	b.Providers = slices.Concat(b.Providers, other.Providers)
	slices.Sort(b.Providers)
	b.Providers = slices.Compact(b.Providers)
}

// HasProvider reports whether the bounds have events of a provider.
func (b *Bounds) HasProvider(id schema.GUID, name string) bool {
	return b == nil || len(b.Providers) == 0 ||
		slices.ContainsFunc(b.Providers, func(p string) bool { return strings.EqualFold(p, name) || strings.EqualFold(p, id.String()) })
}

// unbounded are tables about the trace: what else is read of it does not change their rows.
var unbounded = []*schema.Table{schema.Buffers, schema.Processes, schema.Threads, schema.Images, schema.Methods, schema.Files, schema.CompactSwitches}

// IsUnbounded reports whether a question gets the same values of these columns of a table, by any of its
// names, whatever the bounds are.
func (n *Need) IsUnbounded() bool {
	named := func(t *schema.Table) bool { return t.Named(n.Table) }
	if slices.ContainsFunc(unbounded, named) {
		return true
	}
	switch {
	case len(n.Columns) == 0:
		return false
	case named(schema.EventTypes):
		return !slices.ContainsFunc(n.Columns, schema.CountsPayloads)
	case named(schema.Traces):
		return !slices.ContainsFunc(n.Columns, func(name string) bool { return name != schema.TraceColumn.Name && !slices.Contains(factless, name) })
	}
	return false
}
