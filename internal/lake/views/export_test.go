package views

import (
	"context"

	"github.com/etl2parquet/etl2parquet/internal/lake/dataset"
)

// ScriptOf is Script for other views than those of the program, given as SQL by name. It defines
// what a statement needs that reads tables and views of these names, or everything if there are none.
func ScriptOf(ctx context.Context, d *dataset.Dataset, sql map[string]string, names ...string) (string, error) {
	s, err := viewsOf(sql)
	if err != nil {
		return "", err
	}
	var only map[string]bool
	if names != nil {
		only = s.needed(names)
	}
	return s.script(ctx, d, only)
}
