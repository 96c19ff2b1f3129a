package main

import (
	"github.com/etl2parquet/etl2parquet/internal/base/text/grid"
	"github.com/etl2parquet/etl2parquet/internal/base/text/number"
)

// printable and counted have short names here, because most messages need one of them.

func printable(text string) string { return grid.Printable(text) }

func counted(n int64, thing string) string { return number.Counted(n, thing) }
