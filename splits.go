package etl2parquet

import (
	"context"
	"io"
	"time"

	"github.com/etl2parquet/etl2parquet/internal/engine/index"
	"github.com/etl2parquet/etl2parquet/internal/engine/pipeline"
	"github.com/etl2parquet/etl2parquet/internal/engine/splits"
)

// Split is a part of the rows of a scan. Several readers, also in other processes and on other
// machines, read a table in parallel by reading its splits: set Scan.Split to a token.
type Split struct {
	Token       string    // letters, digits, - and _
	Table       string    // such as events/Thread/CSwitch
	Rows        int64     // -1 if unknown before they are read
	First, Last time.Time // bounds of the rows' times; zero if the table has no times or the split no rows
}

// The errors of reading a split.
var (
	ErrToken   = splits.ErrToken     // the text is not the token of a split
	ErrChanged = pipeline.ErrChanged // the trace has changed since its splits were made
	ErrContext = pipeline.ErrContext // the trace was opened with other options that rows depend on

	// ErrStaleIndex means that a file of indexes has no index of the trace, or one from before
	// the trace changed. Opening the trace returns it, or reading a buffer that has changed.
	ErrStaleIndex = index.ErrStale
)

// Splits divides the rows of a scan into at most max splits. The rows of all splits, one split
// after another, are the rows of the scan in their order. The splits depend only on the trace and
// the scan, not on workers or memory. The columns are chosen when a split is read.
//
// A table that does not hold events, such as processes or stacks, has one split. So has a table
// without rows.
func (t *Trace) Splits(ctx context.Context, s Scan, max int) ([]Split, error) {
	planned, err := t.reading().Splits(ctx, s.reading(), max)
	var list []Split
	for _, p := range planned {
		list = append(list, Split{p.Token(), p.Table, p.Rows, p.First, p.Last})
	}
	return list, err
}

// WriteIndex writes the index that [Open] has made, for Options.Index of other processes, which
// then need not read the whole trace to read a split. The indexes of several traces, written one
// after another, form one file. The index does not depend on Options.Descriptions and
// Options.Messages; Options.Siblings must name the same traces.
func (t *Trace) WriteIndex(w io.Writer) error { return t.reading().WriteIndex(w) }
