package main

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"strings"

	"github.com/etl2parquet/etl2parquet/convert"
	"github.com/etl2parquet/etl2parquet/internal/batch/input"
	"github.com/etl2parquet/etl2parquet/internal/describe"
	"github.com/etl2parquet/etl2parquet/internal/grid"
	"github.com/etl2parquet/etl2parquet/internal/number"
)

// traceTable is a table of a trace in the output of info --tables --json. Its form is stable:
// fields may be added, but none is renamed or changes its meaning.
type traceTable struct {
	File string `json:"file"` // as the user named it
	describe.TableDoc
	Rows *int64 `json:"rows"` // null if the number is not known before the rows are made
}

// infoTables lists the tables in which each trace has rows, or may have.
func (a *app) infoTables(ctx context.Context, from *sourceFlags, args []string, files *convert.SchemaFiles, index string, asJSON bool) error {
	options, servers, err := from.options(a.patience)
	if err != nil {
		return err
	}
	failed := 0
	fail := func(name string, err error) { failed++; a.failInput(name, err) }
	in, err := from.find(ctx, args, a.in, servers, fail)
	if err != nil {
		return err
	}
	all, traces := []traceTable{}, 0
	s := &input.Reader{Options: options, Stdin: a.in, Progress: input.NewProgress(len(in.Files), in.Size())}
	s.Fail = func(_ *input.File, name string, err error) { fail(name, err) }
	s.Visit = func(t *input.Trace) error {
		tables, err := tablesOf(ctx, t, &convert.Options{Workers: runtime.GOMAXPROCS(0), Memory: convert.DefaultMemory, Schemas: files, Index: index, TempDir: from.tempDir})
		if err = errors.Join(err, t.Close()); err != nil && ctx.Err() == nil {
			s.Fail(t.File, t.Name(), input.WithoutPath(t.File.Path, err))
			return nil
		}
		all, traces = append(all, tables...), traces+1
		return ctx.Err()
	}
	if err := s.Each(ctx, in.Files); err != nil {
		return err
	}
	if asJSON {
		err = printJSON(a.out, all)
	} else {
		a.printTraceTables(all, traces > 1)
	}
	return errors.Join(err, resultOf(ctx, traces, failed))
}

func tablesOf(ctx context.Context, t *input.Trace, o *convert.Options) ([]traceTable, error) {
	if err := t.Open(); err != nil {
		return nil, err
	}
	source, err := convert.OpenSource(ctx, t.Input(), o)
	if err != nil {
		return nil, err
	}
	var list []traceTable
	for _, table := range source.Tables() {
		row := traceTable{File: t.Name(), TableDoc: describe.DocOf(table.Table)}
		if table.Rows >= 0 {
			row.Rows = &table.Rows
		}
		list = append(list, row)
	}
	return list, source.Close()
}

// printTraceTables prints the tables of traces, each trace's under its name if there are more.
func (a *app) printTraceTables(tables []traceTable, more bool) {
	for first := 0; first < len(tables); {
		g := grid.Grid{Indent: "  ", Right: []bool{false, true, true}}
		g.Add("table", "rows", "columns", "meaning")
		end := first
		for ; end < len(tables) && tables[end].File == tables[first].File; end++ {
			t := &tables[end]
			rows := "unknown"
			if t.Rows != nil {
				rows = number.Grouped(*t.Rows)
			}
			sentence, _, _ := strings.Cut(t.Doc, ". ")
			g.Add(printable(t.Name), rows, fmt.Sprint(len(t.Columns)), printable(strings.TrimSuffix(sentence, ".")))
		}
		if more {
			fmt.Fprintf(a.out, "%s\n\n", printable(tables[first].File))
		}
		g.Print(a.out, pageWidth(a.out))
		if first = end; first < len(tables) {
			fmt.Fprintln(a.out)
		}
	}
}
