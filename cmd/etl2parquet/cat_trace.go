package main

import (
	"strings"

	"github.com/etl2parquet/etl2parquet"
	"github.com/etl2parquet/etl2parquet/internal/formats"
)

// choose chooses the rows and columns to print.
func (f *catFlags) choose(r *reading) {
	r.scan.Columns, r.scan.Limit = f.columns, f.most()
	if f.part != nil {
		r.scan.Split, r.library.Messages = f.split, etl2parquet.MessageMode(f.part.Messages)
		return
	}
	r.scan.Table = f.table
	only := r.scan
	r.library.Only = &only
	if f.columns == nil && f.table == "" {
		r.scan.Columns = formats.EventColumns
	}
}

// catTrace prints the rows of a trace.
func (r *reading) catTrace(f *catFlags, name string, trace *etl2parquet.Trace) error {
	var mismatches []string
	s := r.scan
	s.OnMismatch = func(m etl2parquet.Mismatch) { mismatches = append(mismatches, m.Message) }
	rows, err := trace.Write(r.ctx, r.out, s, etl2parquet.WriteOptions{Format: etl2parquet.Format(f.format.value), Width: terminalWidth(r.out)})
	switch {
	case err != nil:
		return err
	case len(mismatches) > 0:
		r.warn("%s", printable(strings.Join(mismatches, "; ")))
	case rows == 0 && f.limit != 0 && f.part == nil: // a split may well have no rows
		if err := r.warnEmpty(trace, f.table); err != nil {
			return err
		}
	}
	for _, line := range problemLines(trace.Problems(), "cat --table problems") {
		r.warn("%s: %s", printable(name), line)
	}
	return nil
}

// warnEmpty explains an empty output if all names of the selection are right.
func (r *reading) warnEmpty(trace *etl2parquet.Trace, name string) error {
	table, err := trace.Table(name)
	if err != nil {
		return err
	}
	with := ""
	if options := r.options.Selection.Options(); len(options) > 0 {
		with = " with " + strings.Join(options, " and ")
	}
	r.warn("the table %s has no rows%s", table.Name, with)
	return nil
}
