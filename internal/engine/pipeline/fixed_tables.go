package pipeline

import (
	"context"
	"errors"
	"iter"
	"math"
	"slices"

	"github.com/etl2parquet/etl2parquet/internal/engine/columns"
	"github.com/etl2parquet/etl2parquet/internal/engine/index"
	"github.com/etl2parquet/etl2parquet/internal/engine/rows"
	"github.com/etl2parquet/etl2parquet/internal/engine/rows/fixed"
	"github.com/etl2parquet/etl2parquet/schema"
)

// rowsPerGroup is the number of rows made at a time for a table that may have many.
const rowsPerGroup = 32 << 10

// fixedTable is a table that does not hold events. Its rows are made on demand.
type fixedTable struct {
	table *schema.Table
	rows  func(x *index.Index) int
	make  func(x *index.Index, from, to int) (*columns.Batch, error) // the error is from reading the trace
	kind  fixedKind
}

// fixedKind says how the rows of a table are made.
type fixedKind int

const (
	inParts  fixedKind = iota // a part at a time
	atTheEnd                  // all at once, after the convert pass, because they depend on it
)

// parts returns the ranges of rows that are made together: [from, to).
func (t *fixedTable) parts(x *index.Index) iter.Seq2[int, int] {
	rows := t.rows(x)
	step := rows
	if t.kind == inParts {
		step = rowsPerGroup
	}
	return func(yield func(from, to int) bool) {
		for from := 0; from < rows && yield(from, min(from+step, rows)); from += step {
		}
	}
}

// allRows adapts a function that makes all rows of a table.
func allRows(make func(x *index.Index) *columns.Batch) func(*index.Index, int, int) (*columns.Batch, error) {
	return func(x *index.Index, _, _ int) (*columns.Batch, error) { return make(x), nil }
}

// someRows adapts a function that makes some rows of a table from memory.
func someRows(make func(x *index.Index, from, to int) *columns.Batch) func(*index.Index, int, int) (*columns.Batch, error) {
	return func(x *index.Index, from, to int) (*columns.Batch, error) { return make(x, from, to), nil }
}

// fixedTables returns the tables that do not hold events, in the order in which they are written.
func fixedTables(of fixed.Source) []fixedTable {
	traces := func(x *index.Index) *columns.Batch { return fixed.Traces(x, of) }
	return []fixedTable{
		{schema.Traces, func(*index.Index) int { return 1 }, allRows(traces), atTheEnd},
		{schema.Providers, func(x *index.Index) int { return len(x.Providers()) }, allRows(fixed.Providers), atTheEnd},
		{schema.EventTypes, func(x *index.Index) int { return len(x.Types) }, allRows(fixed.EventTypes), atTheEnd},
		{schema.Problems, func(x *index.Index) int { return len(x.Problems.All()) }, allRows(fixed.Problems), atTheEnd},
		{schema.Buffers, func(x *index.Index) int { return len(x.Buffers) }, someRows(fixed.Buffers), inParts},
		{schema.Processes, func(x *index.Index) int { return len(x.Tables().Processes) }, someRows(fixed.Processes), inParts},
		{schema.Threads, func(x *index.Index) int { return len(x.Tables().Threads) }, someRows(fixed.Threads), inParts},
		{schema.Images, func(x *index.Index) int { return len(x.Tables().Images) }, someRows(fixed.Images), inParts},
		{schema.Methods, func(x *index.Index) int { return len(x.Tables().Methods) }, someRows(fixed.Methods), inParts},
		{schema.Files, func(x *index.Index) int { return len(x.Tables().Files) }, someRows(fixed.Files), inParts},
		{schema.CompactSwitches, func(x *index.Index) int { return int(x.CompactSwitches()) }, fixed.CompactSwitches, inParts},
	}
}

// FixedRows makes the rows of all tables that do not hold events and that a filter selects, after
// the convert pass.
func FixedRows(ctx context.Context, x *index.Index, of fixed.Source, f *rows.Filter, workers int, do func(*columns.Batch) error) error {
	return fixedRows(ctx, x, of, f, workers, (*fixedTable).isAny, func(b *columns.Batch, _ bool) error { return do(b) })
}

// WriteFixed gives a sink the tables that [Events], with beside, has not made.
func WriteFixed(ctx context.Context, x *index.Index, of fixed.Source, f *rows.Filter, sink Sink, workers int) error {
	_, err := writeFixed(ctx, x, of, f, sink, workers, (*fixedTable).isAtEnd, math.MaxInt64)
	return err
}

// writeFixed gives a sink the tables that do not hold events, or only those that are made
// at the end. It ends when a table has as many rows as limit, and reports whether it did.
func writeFixed(ctx context.Context, x *index.Index, of fixed.Source, f *rows.Filter, sink Sink, workers int, which func(*fixedTable) bool, limit int64) (enough bool, err error) {
	writers, given := make(map[*schema.Table]Writer), make(map[*schema.Table]int64)
	err = fixedRows(ctx, x, of, f, workers, which, func(b *columns.Batch, only bool) error {
		if left := limit - given[b.Table]; int64(b.Rows) >= left {
			b.Truncate(int(left))
			enough = true
		}
		given[b.Table] += int64(b.Rows)
		if enough && b.Rows == 0 {
			return errEnough
		}
		if writers[b.Table] == nil {
			w, err := sink.Table(b.Table)
			if err != nil {
				return err
			}
			writers[b.Table] = w
		}
		encoded, err := writers[b.Table].Encode(&Group{Batches: []*columns.Batch{b}, Only: only})
		if err != nil {
			return err
		}
		if err := encoded.Commit(); err != nil || !enough {
			return err
		}
		return errEnough
	})
	if errors.Is(err, errEnough) {
		err = nil
	}
	return enough, err
}

// errEnough ends the making of rows.
var errEnough = errors.New("as many rows as wanted")

func (t *fixedTable) isAny() bool   { return true }
func (t *fixedTable) isAtEnd() bool { return t.kind == atTheEnd }

// fixedRows makes the rows of some of the tables that do not hold events. It tells do whether a batch
// has all rows of its table.
func fixedRows(ctx context.Context, x *index.Index, of fixed.Source, f *rows.Filter, workers int, which func(*fixedTable) bool, do func(b *columns.Batch, only bool) error) error {
	if wantsPayloads(f) {
		if _, err := x.Count(ctx, workers); err != nil {
			return err
		}
	}
	for _, t := range fixedTables(of) {
		wanted := f.FixedTable(t.table)
		if wanted == nil || !which(&t) {
			continue
		}
		for from, to := range t.parts(x) {
			b, err := t.make(x, from, to)
			if err != nil {
				return err
			}
			b = b.Project(wanted)
			if x.Mask != nil {
				x.Mask.Batch(b)
			}
			if err := do(b, from == 0 && to == t.rows(x)); err != nil {
				return err
			}
		}
	}
	return nil
}

// wantsPayloads reports whether a column that counts payloads is wanted.
func wantsPayloads(f *rows.Filter) bool {
	for _, t := range []*schema.Table{schema.Traces, schema.Providers, schema.EventTypes} {
		wanted := f.FixedTable(t)
		if wanted != nil && slices.ContainsFunc(wanted.Columns, func(c schema.Column) bool { return schema.CountsPayloads(c.Name) }) {
			return true
		}
	}
	return false
}

// fixedJobs returns the row groups of the tables that do not hold events and need not wait for the
// end of the convert pass, the largest first.
func fixedJobs(x *index.Index, f *rows.Filter) (jobs []*groupJob) {
	for _, t := range fixedTables(fixed.Source{}) {
		wanted := f.FixedTable(t.table)
		if wanted == nil || t.isAtEnd() {
			continue
		}
		out := &tableOutput{table: wanted}
		for from, to := range t.parts(x) {
			jobs = append(jobs, &groupJob{
				table: out, number: out.jobs,
				make: func() (*columns.Batch, error) {
					b, err := t.make(x, from, to)
					if err != nil {
						return nil, err
					}
					return b.Project(wanted), nil
				},
				only:  from == 0 && to == t.rows(x),
				bytes: int64(to-from) * int64(len(t.table.Columns)) * bytesPerValue,
			})
			out.jobs++
		}
	}
	largestFirst(jobs)
	return jobs
}

// bytesPerValue is the approximate memory of a value in a batch. It is high because methods have
// three long texts each.
const bytesPerValue = 40
