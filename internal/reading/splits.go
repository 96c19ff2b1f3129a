package reading

import (
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/etl2parquet/etl2parquet/internal/engine/pipeline"
	"github.com/etl2parquet/etl2parquet/internal/engine/splits"
	"github.com/etl2parquet/etl2parquet/schema"
)

// Splits divides the rows of a scan into at most n splits, whose rows, one split after another, are the
// rows of the scan in their order. The columns are chosen when a split is read.
func (t *Trace) Splits(ctx context.Context, s Scan, n int) ([]pipeline.PlannedSplit, error) {
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
	list, err := t.source.Splits(p.table, p.options, n)
	if err != nil {
		return nil, err
	}
	if t.path != "" {
		for i := range list {
			list[i].Path = t.path
		}
	}
	return list, nil
}

// WriteIndex writes the index of the trace, for Options.Index of other processes.
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
	if s.Selection.From.IsSet() || s.Selection.To.IsSet() || len(s.Selection.Options()) > 0 || s.Payload != 0 {
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
	if t.options.Once && t.options.Index == "" {
		return ErrOnly
	}
	return nil
}
