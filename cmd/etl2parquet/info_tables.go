package main

import (
	"github.com/etl2parquet/etl2parquet/internal/doors/describe"
	"github.com/etl2parquet/etl2parquet/internal/inputs"
)

// infoTables lists the tables in which each trace has rows, or may have.
func (f *infoFlags) printTables(r *reading) error {
	all := []describe.TraceTable{}
	err := r.each(func(t *inputs.Trace) error {
		source, err := r.source(t)
		if err != nil {
			return err
		}
		all = append(all, describe.TablesOf(t.Name(), source)...)
		return source.Close()
	})
	if err != nil {
		return err
	}
	if !f.asJSON {
		describe.WriteTraceTables(r.out, pageWidth(r.out), all, r.done > 1)
	} else if err := printJSON(r.out, all); err != nil {
		return err
	}
	return r.result()
}
