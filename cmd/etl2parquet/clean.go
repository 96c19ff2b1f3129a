package main

import (
	"context"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/etl2parquet/etl2parquet/convert"
)

func (a *app) cleanCommand() *cobra.Command {
	dryRun := false
	cmd := &cobra.Command{
		Use:   "clean DATASET",
		Short: "Remove what interrupted runs have left in a dataset",
		Long: `Removes what runs that were interrupted have left in a dataset: temporary
files, files that belong to no commit record, and empty folders. What has not a
name that this program gives is never removed, nor is what another run writes at
the moment. Where that cannot be known, in a bucket, on a share without locks, or
while others write, only what is a day old is removed.

A run of convert does the same by itself for what an interrupted one has left.`,
		Example: `  etl2parquet clean dataset --dry-run
  etl2parquet clean dataset`,
		Args:              oneDataset,
		ValidArgsFunction: completeFolders,
		RunE: func(cmd *cobra.Command, args []string) error {
			return a.clean(cmd.Context(), args[0], dryRun)
		},
	}
	cmd.Flags().BoolVar(&dryRun, "dry-run", false, "only list what would be removed")
	return cmd
}

// strayKinds are the words for what is removed.
var strayKinds = [...]string{
	convert.TemporaryFile: "temporary file of", convert.UncommittedFile: "file without a record", convert.EmptyFolder: "empty folder",
}

func (a *app) clean(ctx context.Context, name string, dryRun bool) error {
	d, err := openDataset(ctx, name)
	if err != nil {
		return err
	}
	verb := "removed"
	if dryRun {
		verb = "would remove"
	}
	var count, bytes int64
	kept, err := d.Clean(ctx, dryRun, func(s *convert.Stray) {
		count++
		bytes += max(s.Size, 0)
		fmt.Fprintf(a.out, "%s %s %s\n", verb, strayKinds[s.Kind], printable(s.Name))
	})
	if err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	if dryRun {
		verb = "would be removed"
	}
	fmt.Fprintf(a.out, "%s, %s %s\n", counted(count, "item"), roundSize(bytes), verb)
	if kept > 0 {
		a.complain("%s kept, which another run may be writing", counted(int64(kept), "item"))
	}
	return nil
}
