package bundle

import (
	"context"
	"slices"

	"github.com/etl2parquet/etl2parquet/internal/engine/index"
	"github.com/etl2parquet/etl2parquet/internal/engine/pipeline"
	"github.com/etl2parquet/etl2parquet/internal/lake/dataset"
	"github.com/etl2parquet/etl2parquet/schema"
)

// noteDescriptions records which events a trace describes, and what describes its own.
func noteDescriptions(r *dataset.TraceRecord, x *index.Index) {
	r.Describes, r.Unknown, r.DescribedBy = idTexts(x.Described), idTexts(x.Unknown), slices.Clone(x.ByInputs)
	for i := range r.DescribedBy {
		if x.Mask != nil {
			r.DescribedBy[i].Name = "" // of a file
		}
	}
}

// maxListedIDs bounds the providers that a record lists: traces can be hostile.
const maxListedIDs = 1000

func idTexts(ids []schema.GUID) (texts []string) {
	for _, id := range ids[:min(len(ids), maxListedIDs)] {
		texts = append(texts, id.String())
	}
	return texts
}

// LacksDescriptions reports whether the dataset has a trace as it is now, and knows that it describes no events.
func (d *Dataset) LacksDescriptions(ctx context.Context, in *pipeline.Input, trace string, o *Options) bool {
	old, err := d.Record(ctx, trace)
	if err != nil || old == nil || old.Describes != nil {
		return false
	}
	now := o.record(in, trace)
	return old.Tool == now.Tool && old.InputSize == now.InputSize && sameTime(old, now)
}
