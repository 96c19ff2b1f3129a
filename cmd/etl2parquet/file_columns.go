package main

import (
	"slices"

	"github.com/etl2parquet/etl2parquet/internal/engine/pipeline"
	"github.com/etl2parquet/etl2parquet/schema"
)

// fileColumns checks the columns to write into the files of a dataset. Every file has the column
// trace, named or not.
func fileColumns(names []string) ([]string, error) {
	if names == nil {
		return nil, nil
	}
	if err := pipeline.CheckColumns(names); err != nil {
		return nil, usagef("--columns: %w", err)
	}
	others := slices.DeleteFunc(slices.Clone(names), func(name string) bool { return name == schema.TraceColumn.Name })
	if len(others) == 0 {
		return nil, usagef("--columns %s: every file has this column; name others", schema.TraceColumn.Name)
	}
	return others, nil
}
