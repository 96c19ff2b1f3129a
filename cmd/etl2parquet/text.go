package main

import (
	"github.com/etl2parquet/etl2parquet/internal/base/texts"
)

// printable and counted have short names here, because most messages need one of them.

func printable(text string) string { return texts.Printable(text) }

func counted(n int64, thing string) string { return texts.Counted(n, thing) }
