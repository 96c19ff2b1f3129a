package pipeline

import (
	"context"

	"github.com/etl2parquet/etl2parquet/internal/engine/rows"
	"github.com/etl2parquet/etl2parquet/internal/engine/symbols"
	"github.com/etl2parquet/etl2parquet/schema"
)

// SymbolUses returns the images that contain frames of stacks and other code addresses of the
// events that o.Selection selects, and what o.Symbols knows about them, in order.
func (s *Source) SymbolUses(ctx context.Context, o *Options) ([]symbols.Use, error) {
	wanted := *o
	wanted.Selection.Tables, wanted.Selection.Columns = schema.CodeColumnsOfTables()
	x := s.Index.ForRows()
	filter, err := rows.NewFilter(&wanted.Selection, x)
	if err != nil {
		return nil, err
	}
	p := newPipeline(x, &wanted, filter, new(Counter))
	if err := p.run(ctx, o.Workers); err != nil {
		return nil, s.Input.Because(err)
	}
	return p.rows.Symbols.Uses(), s.Input.Unchanged()
}
