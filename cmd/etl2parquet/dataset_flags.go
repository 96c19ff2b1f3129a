package main

import (
	"context"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/etl2parquet/etl2parquet/internal/inputs"
	"github.com/etl2parquet/etl2parquet/internal/lake/bundle"
)

// datasetFlags are the flags of the commands that read an existing dataset.
type datasetFlags struct {
	servers serverFlags
	tempDir string
}

func (f *datasetFlags) flags() []option {
	return append(f.servers.flags(), option{flag: "temp-dir", value: &f.tempDir, complete: completeFolders, usage: "`folder` for temporary files, which are needed to read from s3://"})
}

// oneDataset checks the arguments of a command over a dataset.
func oneDataset(cmd *cobra.Command, args []string) error {
	if len(args) != 1 || args[0] == "" {
		return usagef("name one dataset; see %s --help", cmd.CommandPath())
	}
	return nil
}

// fetchedBytes bounds the temporary files for data from a bucket. It can be
// small because nothing is read twice.
const fetchedBytes = 256 << 20

// open opens an existing dataset.
func (f *datasetFlags) open(ctx context.Context, a *app, name string) (*bundle.Dataset, error) {
	name, err := inputs.LocalPath(name)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	if text := obstacle(name); text != "" {
		return nil, fmt.Errorf("%s: %s; a dataset is a folder", name, text)
	}
	p := a.patienceOf(&f.servers, func(string) bool { return false }, func(print func()) { print() })
	servers, _, err := newServers(&f.servers, f.tempDir, fetchedBytes, p)
	if err != nil {
		return nil, err
	}
	s, err := servers.Store(name)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	d := bundle.NewDataset(s)
	if err := d.Exists(ctx); err != nil {
		return nil, fmt.Errorf("%s: %w", name, inputs.WithoutPath(name, err))
	}
	return d, nil
}
