package main

import (
	"context"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/etl2parquet/etl2parquet/internal/base/text/bytesize"
	"github.com/etl2parquet/etl2parquet/internal/lake/dataset"
)

func (a *app) cleanCommand() *cobra.Command {
	o := dataset.CleanOptions{Active: dataset.ActiveTime}
	var f datasetFlags
	return newCommand("clean", &cobra.Command{
		Args:              oneDataset,
		ValidArgsFunction: completeFolders,
		RunE: func(cmd *cobra.Command, args []string) error {
			return a.clean(cmd.Context(), args[0], &f, o)
		},
	}, []option{
		{flag: "dry-run", value: &o.DryRun, usage: "only list what would be removed"},
		{flag: "older-than", value: &o.Active, usage: "age from which files are removed even if another run may be writing them"},
	}, f.flags())
}

// strayKinds name the kinds of files and folders that clean removes.
var strayKinds = [...]string{
	dataset.TemporaryFile: "temporary file of", dataset.UncommittedFile: "file without a record", dataset.EmptyFolder: "empty folder",
}

func (a *app) clean(ctx context.Context, name string, f *datasetFlags, o dataset.CleanOptions) error {
	d, err := f.open(ctx, a.patience, name)
	if err != nil {
		return err
	}
	verb := "removed"
	if o.DryRun {
		verb = "would remove"
	}
	var count, bytes int64
	kept, err := d.Clean(ctx, o, func(s *dataset.Stray) {
		count++
		bytes += max(s.Size, 0)
		fmt.Fprintf(a.out, "%s %s %s\n", verb, strayKinds[s.Kind], printable(s.Name))
	})
	if err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	if o.DryRun {
		verb = "would be removed"
	}
	fmt.Fprintf(a.out, "%s, %s %s\n", counted(count, "item"), bytesize.Round(bytes), verb)
	if kept > 0 {
		a.warn("%s kept: another run may be writing them", counted(int64(kept), "item"))
	}
	return nil
}
