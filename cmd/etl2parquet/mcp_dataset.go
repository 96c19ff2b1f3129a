package main

import (
	"errors"

	"github.com/etl2parquet/etl2parquet/internal/base/temporary"
	"github.com/etl2parquet/etl2parquet/internal/doors/agent"
	"github.com/etl2parquet/etl2parquet/internal/doors/describe"
	"github.com/etl2parquet/etl2parquet/internal/doors/query"
	"github.com/etl2parquet/etl2parquet/internal/lake/bundle"
)

// datasetContents adds the facts of a dataset: its tables, and what its traces say about their recording.
func (r *reading) datasetContents(source *query.Source, c *agent.Contents) (err error) {
	d, err := r.openDataset(source.Inputs[0])
	if err != nil {
		return err
	}
	summary, err := d.Summary(r.ctx)
	if err != nil {
		return err
	}
	for _, t := range summary.Tables {
		c.AddRows(t.Name, t.Rows)
	}
	duckdb, err := query.Find()
	if err != nil {
		return err
	}
	r.flags.resources.bound(duckdb, true)
	folder, err := temporary.NewFolder(r.flags.source.tempDir, "etl2parquet-query-")
	if err != nil {
		return fileError("temp-dir", r.flags.source.tempDir, err)
	}
	defer func() { err = errors.Join(err, folder.Remove()) }()
	o := &query.Options{Temp: folder.Path(), Threads: r.options.Workers}
	if c.Traces, err = duckdb.Recordings(r.ctx, source, o); err != nil {
		return err
	}
	return r.describeDataset(source.Inputs[0], "", describe.Options{Width: agentWidth, Note: r.note})
}

// openDataset opens a dataset.
func (r *reading) openDataset(name string) (*bundle.Dataset, error) {
	return (&datasetFlags{r.flags.source.servers, r.flags.source.tempDir}).open(r.ctx, r.app, name)
}

// describeDataset explains the tables of a dataset that match a name, or lists all.
func (r *reading) describeDataset(name, table string, o describe.Options) error {
	d, err := r.openDataset(name)
	if err != nil {
		return err
	}
	return describe.Dataset(r.ctx, r.out, d.Dataset, name, table, o)
}
