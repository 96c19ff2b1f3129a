package upkeep

import (
	"context"
	"fmt"
	"io"

	"github.com/etl2parquet/etl2parquet/internal/base/text/bytesize"
	"github.com/etl2parquet/etl2parquet/internal/base/text/grid"
	"github.com/etl2parquet/etl2parquet/internal/base/text/number"
	"github.com/etl2parquet/etl2parquet/internal/lake/dataset"
)

// strayKinds name the kinds of files and folders that Clean removes.
var strayKinds = [...]string{
	dataset.TemporaryFile: "temporary file of", dataset.UncommittedFile: "file without a record", dataset.EmptyFolder: "empty folder",
}

// Clean removes leftovers from a dataset, and prints a line for each and a summary. It returns the
// number of leftovers that stay because another run may be writing them.
func Clean(ctx context.Context, w io.Writer, name string, d *dataset.Dataset, o dataset.CleanOptions) (kept int, err error) {
	verb := "removed"
	if o.DryRun {
		verb = "would remove"
	}
	var count, bytes int64
	kept, err = d.Clean(ctx, o, func(s *dataset.Stray) {
		count++
		bytes += max(s.Size, 0)
		fmt.Fprintf(w, "%s %s %s\n", verb, strayKinds[s.Kind], grid.Printable(s.Name))
	})
	if err != nil {
		return kept, fmt.Errorf("%s: %w", name, err)
	}
	if o.DryRun {
		verb = "would be removed"
	}
	fmt.Fprintf(w, "%s, %s %s\n", number.Counted(count, "item"), bytesize.Round(bytes), verb)
	return kept, nil
}
