// Package access lets packages above the library reach the internal state of values of the root package, whose
// fields only the root package can read. The root package sets the functions when the program
// starts.
package access

import (
	"context"

	"github.com/etl2parquet/etl2parquet/internal/engine/catalog"
	"github.com/etl2parquet/etl2parquet/internal/engine/symbols"
)

// The argument of each function is a pointer to the root package's type of that name; nil is allowed.
var (
	Descriptions func(of any) *catalog.Files
	Symbols      func(of any) *symbols.Set
)

// OpenTraces opens the traces in files that were found. The arguments are an *inputs.List, an
// *inputs.Reader with the options for archives, and Options of the root package; the result is its
// *Traces.
var OpenTraces func(ctx context.Context, found, reader, options any) (any, error)

// ShareDescriptions makes traces that are opened or described with Options of the root package, given by a pointer,
// ask the other traces of a run about their events.
var ShareDescriptions func(options any, of *catalog.InputDescriptions)

// KeepIndexes makes traces that are opened with Options of the root package, given by a pointer, take their
// indexes from a store, a pipeline.IndexStore, and add those that it lacks.
var KeepIndexes func(options, store any)
