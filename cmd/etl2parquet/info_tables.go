package main

import (
	"github.com/etl2parquet/etl2parquet"
	"github.com/etl2parquet/etl2parquet/internal/doors/describe"
	"github.com/etl2parquet/etl2parquet/internal/inputs"
)

// describe makes the index pass for info, without the facts about processes, images and files.
func (r *reading) describe(t *inputs.Trace) (*etl2parquet.Info, error) {
	if err := t.Open(); err != nil {
		return nil, err
	}
	p := r.bar.Next(t.Name(), t.Taken)
	defer r.bar.Finish(p, false)
	p.FileBytes.Store(t.Size)
	o := r.library
	o.OnIndexed = func(bytes, events int64) { p.IndexedBytes.Add(bytes); p.Events.Add(events) }
	return etl2parquet.ReadInfo(r.ctx, t.Reader(), t.Size, t.Name(), o)
}

// infoTables lists the tables in which each trace has rows, or may have.
func (r *reading) infoTables(asJSON bool) error {
	var all describe.TraceTables
	err := r.eachTrace(func(t *inputs.Trace, trace *etl2parquet.Trace) error {
		all.Add(t.Name(), trace.Tables())
		return nil
	})
	if err != nil {
		return err
	}
	if err := all.Write(r.out, describe.Options{JSON: asJSON, Width: pageWidth(r.out)}); err != nil {
		return err
	}
	return r.result()
}
