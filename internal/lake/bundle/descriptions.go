package bundle

import (
	"context"
	"slices"

	"github.com/etl2parquet/etl2parquet/internal/engine/index"
	"github.com/etl2parquet/etl2parquet/internal/engine/pipeline"
	"github.com/etl2parquet/etl2parquet/internal/lake/dataset"
)

// noteDescriptions records what a trace says about events, and what is known about its own.
func noteDescriptions(r *dataset.TraceRecord, x *index.Index) {
	r.Describes, r.DescribedBy = x.Describes, slices.Clone(x.ByInputs)
	for i := range r.DescribedBy {
		if x.Mask != nil {
			r.DescribedBy[i].Name = ""
		}
	}
	for _, id := range x.Unknown[:min(len(x.Unknown), index.MaxListed)] {
		r.Unknown = append(r.Unknown, id.String())
	}
}

// LacksDescriptions reports whether the dataset has a trace as it is now, and knows that it contains no
// descriptions of events.
func (d *Dataset) LacksDescriptions(ctx context.Context, in *pipeline.Input, trace string, o *Options) bool {
	old, err := d.Record(ctx, trace)
	if err != nil || old == nil || old.Describes {
		return false
	}
	now := o.record(in, trace)
	return old.Tool == now.Tool && old.InputSize == now.InputSize && sameTime(old, now)
}
