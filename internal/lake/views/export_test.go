package views

import (
	"context"

	"github.com/etl2parquet/etl2parquet/internal/lake/dataset"
)

// ScriptOf is Script for views other than the program's, given as SQL by name. It defines the views
// needed by a statement that reads these names, or all views if there are none.
func ScriptOf(ctx context.Context, d *dataset.Dataset, sql map[string]string, names ...string) (string, error) {
	s, err := viewsOf(sql)
	if err != nil {
		return "", err
	}
	var only map[string]bool
	if names != nil {
		only = s.Needed(names)
	}
	c, err := readContents(ctx, []Piece{{Dataset: d}})
	if err != nil {
		return "", err
	}
	return s.script(ctx, c, only)
}

// PairsOf returns the SQL for the pairs of a relation with one key.
func PairsOf(steps, key string, order Order, within string) (string, error) {
	p := pairing{steps: steps, key: []string{key}, order: order, within: within}
	return p.sql(), order.check()
}
