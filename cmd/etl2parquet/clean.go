package main

import (
	"context"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/etl2parquet/etl2parquet/internal/dataset"
)

func (a *app) cleanCommand() *cobra.Command {
	o := dataset.CleanOptions{Active: dataset.ActiveTime}
	var f datasetFlags
	cmd := &cobra.Command{
		Use:   "clean DATASET",
		Short: "Remove what interrupted runs have left in a dataset",
		Long: `Removes what runs that were interrupted have left in a dataset: temporary
files, files that belong to no commit record, and empty folders. What has not a
name that this program gives is never removed, nor is what another run writes at
the moment. Where that cannot be known, in a bucket, on a share without locks, or
of files without a record while others write, only what is a day old is removed;
--older-than says otherwise.

A run of convert does the same by itself for what an interrupted one has left.`,
		Example: `  etl2parquet clean dataset --dry-run
  etl2parquet clean dataset
  etl2parquet clean s3://bucket/dataset --older-than 1h`,
		Args:              oneDataset,
		ValidArgsFunction: completeFolders,
		RunE: func(cmd *cobra.Command, args []string) error {
			return a.clean(cmd.Context(), args[0], &f, o)
		},
	}
	cmd.Flags().BoolVar(&o.DryRun, "dry-run", false, "only list what would be removed")
	cmd.Flags().DurationVar(&o.Active, "older-than", o.Active, "remove what is older than this, where it is not known whether someone writes it")
	f.add(cmd)
	return cmd
}

// strayKinds are the words for what is removed.
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
	fmt.Fprintf(a.out, "%s, %s %s\n", counted(count, "item"), roundSize(bytes), verb)
	if kept > 0 {
		a.complain("%s kept, which another run may be writing", counted(int64(kept), "item"))
	}
	return nil
}
