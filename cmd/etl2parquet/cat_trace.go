package main

import (
	"errors"
	"strings"

	"github.com/etl2parquet/etl2parquet"
	"github.com/etl2parquet/etl2parquet/facts"
	"github.com/etl2parquet/etl2parquet/internal/formats"
	"github.com/etl2parquet/etl2parquet/internal/reading"
	"github.com/etl2parquet/etl2parquet/schema"
)

// choose chooses the rows and columns to print.
func (f *catFlags) choose(r *job) (err error) {
	f.opening, f.scan = r.Reading(), r.scan()
	f.scan.Columns, f.scan.Limit = f.columns, f.most()
	if f.scan.As, err = f.rowsAs(r.Files, r.app.in); err != nil {
		return err
	}
	format, err := formats.Find(f.format.value)
	if err != nil {
		return err
	}
	needed := f.columns
	if f.columns == nil && f.as == "" && f.table == "" && (f.part == nil || f.part.Brief) {
		if needed, err = format.Columns(schema.EventsTable()); err != nil {
			return err
		}
		if needed == nil { // the format has no columns of its own
			needed = formats.EventColumns
			f.scan.Columns = needed
		}
	}
	if f.part != nil {
		f.scan.Split, f.opening.Messages = f.split, f.part.Messages
		return nil
	}
	f.scan.Table = f.table
	// With the columns: that of the stack would cost the facts about code.
	only := reading.Scan{Table: f.table, Columns: needed, Selection: r.Options.Selection}
	if len(f.columns) == 1 && f.columns[0] == schema.TraceColumn.Name {
		only.Columns = nil // the rows are counted by another column
	}
	f.opening.Once, f.opening.Selection = true, only.TableSelection()
	return nil
}

// most returns the limit on rows as an option: --limit 0 means no rows.
func (f *catFlags) most() int64 {
	if f.limit == 0 {
		return -1
	}
	return max(f.limit, 0)
}

// catTraces prints the rows of the traces: of one without the column trace.
func (r *job) catTraces(f *catFlags, traces *etl2parquet.Traces) error {
	var mismatches []string
	s := f.scan
	s.OnMismatch = func(m facts.Mismatch) { mismatches = append(mismatches, m.Message) }
	write := traces.Write
	if one := traces.One(); one != nil {
		write = one.Write
	} else if s.Split != "" {
		write = traces.All()[0].Write
	}
	out, end := forFormat(r.out, f.format.value)
	if r.sent = r.sender(f); r.sent != nil {
		out = r.sent
	}
	rows, err := write(r.ctx, out, s, etl2parquet.WriteOptions{
		Format: etl2parquet.Format(f.format.value), Width: terminalWidth(r.out), Keep: f.grep.Regexp, Zone: f.zone(),
	})
	err = errors.Join(err, end())
	if r.sent != nil {
		r.sent.end(r, err)
	}
	if err != nil {
		return err
	}
	switch {
	case len(mismatches) > 0:
		r.warn("%s", printable(strings.Join(mismatches, "; ")))
	case rows == 0 && f.limit != 0 && f.part == nil && f.logFlags.grep.Regexp == nil: // a split may well have no rows
		if err := r.warnEmpty(traces, f.table); err != nil {
			return err
		}
	}
	var found problemLog
	for _, trace := range traces.All() {
		found.add(trace.Input(), trace.Problems())
	}
	const where = "cat --table problems"
	r.warnAll(found.lines(where, func(string) string { return "see " + where }))
	return nil
}

// warnEmpty explains an empty output if all names of the selection are right.
func (r *job) warnEmpty(traces *etl2parquet.Traces, name string) error {
	table, err := traces.Table(name)
	if err != nil {
		return err
	}
	with := ""
	if options := r.Options.Selection.Options(); len(options) > 0 {
		with = " with " + strings.Join(options, " and ")
	}
	r.warn("the table %s has no rows%s", table.Name, with)
	return nil
}
