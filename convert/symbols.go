package convert

import (
	"context"

	"github.com/etl2parquet/etl2parquet/internal/engine/rows"
	"github.com/etl2parquet/etl2parquet/internal/engine/symbols"
	"github.com/etl2parquet/etl2parquet/schema"
)

// Symbols name functions of native code. They are safe for use from many goroutines, and
// for many traces.
type Symbols = symbols.Set

// SymbolOptions say where symbols are.
type SymbolOptions = symbols.Options

// SymbolProgress is the state of a transfer from a symbol server.
type SymbolProgress = symbols.Progress

// SymbolUse is an image in which code of a trace lies, and its symbols.
type SymbolUse = symbols.Use

// SymbolImage identifies an image and its PDB.
type SymbolImage = symbols.Image

// FirstNames returns the first of a list of names, and how many there are beside them.
func FirstNames(list []string) string { return symbols.FirstNames(list) }

// SymbolsFromExports means that functions have the names that their image exports.
const SymbolsFromExports = symbols.FromExports

// OpenSymbols returns the symbols in some places. Nothing is looked for before code needs
// it. The context ends what is fetched from servers. They must be closed.
func OpenSymbols(ctx context.Context, o SymbolOptions) (*Symbols, error) { return symbols.New(ctx, o) }

// SymbolUses returns the images in which the frames of stacks and other addresses of code
// of the events lie that o.Selection takes, and what o.Symbols have of them, in order.
func (s *Source) SymbolUses(ctx context.Context, o *Options) ([]SymbolUse, error) {
	wanted := *o
	wanted.Selection.Tables, wanted.Selection.Columns = schema.CodeColumnsOfTables()
	x := s.Index.ForRows()
	filter, err := rows.NewFilter(&wanted.Selection, x)
	if err != nil {
		return nil, err
	}
	p := newPipeline(x, &wanted, filter, new(Counter))
	if err := p.run(ctx, o.Workers); err != nil {
		return nil, s.Input.because(err)
	}
	return p.rows.Symbols.Uses(), s.Input.check()
}
