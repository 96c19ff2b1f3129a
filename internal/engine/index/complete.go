package index

import (
	"cmp"

	"github.com/etl2parquet/etl2parquet/internal/engine/attribution"
	"github.com/etl2parquet/etl2parquet/internal/engine/catalog"
)

// sum adds up the counts of buffers and kinds.
func (x *Index) sum() {
	x.Types = x.types.List
	x.UnlistedEvents = x.types.Unlisted.Events
	for i := range x.Buffers {
		if s := &x.Buffers[i]; s.HasEvents() {
			x.First, x.Last = min(x.First, s.First), max(x.Last, s.Last)
		}
	}
	for _, n := range x.ByHeader {
		x.Events += n
	}
}

// describe finds the descriptions of the events, and completes everything in the index that depends
// on options in addition to the contents of the trace.
func (x *Index) describe(o *Options, t *attribution.Tables) error {
	sources := catalog.NewSources(&x.learned, catalog.SourceOptions{
		Files: o.Schemas, Siblings: &x.nearby, Names: x.Siblings, Inputs: o.Inputs, Input: o.Input, Build: int(x.File.Header().ProviderVersion), MaxFields: o.MaxFields,
	}, x.Problems)
	x.Catalog = catalog.New(&x.types.TypeCounter, &x.learned, sources, x.Problems, cmp.Or(o.MaxTables, catalog.DefaultMaxTables), o.Messages)
	if err := sources.Err(); err != nil {
		return err
	}
	x.Descriptions, x.ByInputs, x.Unknown, x.Described = sources.Descriptions(), sources.Inputs(), sources.Unknown(), sources.Described()
	noteAttribution(x.Problems, t)
	x.noteBatches()
	x.Running, x.Switches = x.runningAtStart()
	x.Serious = x.Problems.Serious()
	return nil
}
