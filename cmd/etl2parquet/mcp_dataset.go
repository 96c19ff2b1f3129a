package main

import (
	"github.com/etl2parquet/etl2parquet/internal/answers"
	"github.com/etl2parquet/etl2parquet/internal/doors/agent"
	"github.com/etl2parquet/etl2parquet/internal/doors/describe"
	"github.com/etl2parquet/etl2parquet/internal/lake/bundle"
)

// datasetContents adds the facts of a dataset: its tables, and what its traces say about their recording.
func (r *job) datasetContents(d *bundle.Dataset, name string, c *agent.Contents) error {
	summary, err := d.Summary(r.ctx)
	if err != nil {
		return err
	}
	for _, t := range summary.Tables {
		c.AddRows(t.Name, t.Rows)
	}
	duckdb, err := answers.Find()
	if err != nil {
		return err
	}
	r.flags.resources.bound(duckdb, true)
	source := &answers.Source{Inputs: []string{name}}
	source.Use(d)
	err = r.withTemp(func(folder string) error {
		c.Traces, err = duckdb.Recordings(r.ctx, source, &answers.Options{Temp: folder, Threads: r.options.Workers})
		return err
	})
	if err != nil {
		return err
	}
	return describe.Dataset(r.ctx, r.out, d.Dataset, name, "", describe.Options{Width: agentWidth, Note: r.note})
}
