package etl2parquet

import (
	"context"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"time"

	"github.com/etl2parquet/etl2parquet/internal/engine/index"
	"github.com/etl2parquet/etl2parquet/internal/engine/pipeline"
	"github.com/etl2parquet/etl2parquet/internal/engine/splits"
	"github.com/etl2parquet/etl2parquet/schema"
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
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	if s.Split != "" {
		return nil, errors.New("a split cannot be split again")
	}
	if s.Limit != 0 {
		return nil, errors.New("splits have no limit on rows")
	}
	if err := t.checkWhole(); err != nil {
		return nil, err
	}
	p, err := t.plan(&s)
	if err != nil {
		return nil, err
	}
	planned, err := t.source.Splits(p.table, p.options, max)
	if err != nil {
		return nil, err
	}
	var list []Split
	for _, p := range planned {
		if t.path != "" {
			p.Path = t.path
		}
		list = append(list, Split{p.Token(), p.Table, p.Rows, p.First, p.Last})
	}
	return list, nil
}

// WriteIndex writes the index that [Open] has made, for Options.Index of other processes, which
// then need not read the whole trace to read a split. The indexes of several traces, written one
// after another, form one file. The index does not depend on Options.Descriptions and
// Options.Messages; Options.Siblings must name the same traces.
func (t *Trace) WriteIndex(w io.Writer) error {
	if err := t.checkWhole(); err != nil {
		return err
	}
	return t.source.WriteIndex(w)
}

// splitTable returns the table of a scan that names a split, and makes o select the split's rows.
func (t *Trace) splitTable(s *Scan, o *pipeline.Options) (*schema.Table, error) {
	split, err := splits.Parse(s.Split)
	if err != nil {
		return nil, err
	}
	if !s.IsAll() || s.Payload != PayloadUndecoded {
		return nil, errors.New("a split has the selection that it was made with; the scan must have none")
	}
	if err := t.checkWhole(); err != nil {
		return nil, err
	}
	if err := t.source.Select(split, o); err != nil {
		return nil, err
	}
	table, err := t.source.Table(split.Table)
	if err != nil {
		return nil, err
	}
	if s.Table != "" && !table.Matches(s.Table) {
		return nil, fmt.Errorf("the split is a part of the table %s, and the scan reads %s", split.Table, s.Table)
	}
	return table, nil
}

// checkWhole returns an error if the trace was opened for one scan only: then the sums that identify
// it are missing.
func (t *Trace) checkWhole() error {
	if t.options.Only != nil && t.options.Index == "" {
		return ErrOnly
	}
	return nil
}

// absolute returns a path that other processes can use.
func absolute(path string) string {
	if abs, err := filepath.Abs(path); err == nil {
		return abs
	}
	return path
}
