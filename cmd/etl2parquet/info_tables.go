package main

import (
	"fmt"

	"github.com/etl2parquet/etl2parquet"
	"github.com/etl2parquet/etl2parquet/facts"
	"github.com/etl2parquet/etl2parquet/internal/doors/describe"
	"github.com/etl2parquet/etl2parquet/internal/inputs"
	"github.com/etl2parquet/etl2parquet/internal/reading"
)

// describe makes the index pass for info, without the facts about processes, images and files.
func (r *job) describe(t *inputs.Trace) (*facts.Info, error) {
	if err := t.Open(); err != nil {
		return nil, err
	}
	p := r.bar.Next(t.Name(), t.Taken)
	defer r.bar.Finish(p, false)
	p.FileBytes.Store(t.Size)
	o := r.Reading()
	o.Indexed = func(bytes, events int64) { p.IndexedBytes.Add(bytes); p.Events.Add(events) }
	info, err := reading.ReadInfo(r.ctx, t.Reader(), t.Size, t.Path(), o)
	if err == nil {
		info.File = t.Name()
	}
	return info, err
}

// infoTables lists the tables in which each trace has rows, or may have.
func (r *job) infoTables(asJSON bool) error {
	return r.describeTables("", describe.Options{JSON: asJSON})
}

// describeTables explains the tables of each trace that match a name, or lists all.
func (r *job) describeTables(table string, o describe.Options) error {
	o.Width, o.Style = pageWidth(r.out), r.style()
	several := false
	r.ShareDescriptions(r.ctx)
	err := r.eachTrace(func(t *inputs.Trace, trace *etl2parquet.Trace) error {
		if several && !o.JSON {
			fmt.Fprintln(r.out)
		}
		several = true
		return describe.Trace(r.ctx, r.out, t.Name(), trace, table, o)
	})
	if err != nil {
		return err
	}
	return r.result()
}
