package main

import (
	"errors"

	"github.com/etl2parquet/etl2parquet/internal/doors/describe"
	"github.com/etl2parquet/etl2parquet/internal/engine/index"
	"github.com/etl2parquet/etl2parquet/internal/inputs"
)

// summary makes the index pass for info, without the facts about processes, images and files.
func (r *reading) summary(t *inputs.Trace) (*index.Summary, error) {
	if err := t.Open(); err != nil {
		return nil, err
	}
	p := r.bar.Next(t.Name(), t.Taken)
	defer r.bar.Finish(p, false)
	o := r.options
	o.Progress = &p.Progress
	p.FileBytes.Store(t.Size)
	x, err := o.IndexForInfo(r.ctx, t.Input())
	if err != nil {
		return nil, err
	}
	summary, err := x.Summary(r.ctx, t.Name(), o.Workers)
	return summary, errors.Join(err, x.Close())
}

// infoTables lists the tables in which each trace has rows, or may have.
func (r *reading) infoTables(asJSON bool) error {
	var all describe.TraceTables
	err := r.each(func(t *inputs.Trace) error {
		source, err := r.source(t)
		if err != nil {
			return err
		}
		all.Add(t.Name(), source)
		return source.Close()
	})
	if err != nil {
		return err
	}
	if err := all.Write(r.out, describe.Options{JSON: asJSON, Width: pageWidth(r.out)}); err != nil {
		return err
	}
	return r.result()
}
