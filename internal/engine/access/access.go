// Package access lets package convert reach what values of the root package hold: the root package
// hands them out as types of its own, whose fields only it can read. The root package sets the
// functions when the program starts.
package access

import (
	"github.com/etl2parquet/etl2parquet/internal/engine/catalog"
	"github.com/etl2parquet/etl2parquet/internal/engine/index"
	"github.com/etl2parquet/etl2parquet/internal/engine/symbols"
)

// The argument of each function is a pointer to the root package's type of that name; nil is allowed.
var (
	Descriptions func(of any) *catalog.Files
	Symbols      func(of any) *symbols.Set
	TimeBound    func(of any) index.TimeBound
)
