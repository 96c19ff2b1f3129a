package upkeep

import (
	"context"
	"fmt"
	"io"
	"time"

	"github.com/etl2parquet/etl2parquet/internal/base/texts"
	"github.com/etl2parquet/etl2parquet/internal/inputs"
	"github.com/etl2parquet/etl2parquet/internal/lake/dataset"
	"github.com/etl2parquet/etl2parquet/internal/lake/views"
)

// strayKinds name the kinds of files and folders that Clean removes.
var strayKinds = [...]string{
	dataset.TemporaryFile: "temporary file of", dataset.UncommittedFile: "file without a record", dataset.EmptyFolder: "empty folder",
}

// Clean removes leftovers from a dataset, and prints a line for each and a summary. Leftovers that
// another run may be writing stay, and have a line each too; Clean returns their number. If files of
// tables were removed, it writes views.sql anew, for the traces that are left.
func Clean(ctx context.Context, w io.Writer, name string, d *dataset.Dataset, o dataset.CleanOptions) (kept int, err error) {
	verb := "removed"
	if o.DryRun {
		verb = "would remove"
	}
	var count, bytes int64
	kind := func(s *dataset.Stray) string {
		if s.Kind == dataset.TemporaryFile && inputs.IsBucketURL(name) {
			return "unfinished upload of"
		}
		return strayKinds[s.Kind]
	}
	o.Kept = func(s *dataset.Stray, until time.Time) {
		fmt.Fprintf(w, "kept %s %s: removed from %s on\n", kind(s), texts.Printable(s.Name), until.UTC().Format("2006-01-02 15:04 UTC"))
	}
	o.Changed = func() error {
		if some, err := d.HasRecords(ctx); !some {
			return err
		}
		return views.Write(ctx, d)
	}
	kept, err = d.Clean(ctx, o, func(s *dataset.Stray) {
		count++
		bytes += max(s.Size, 0)
		fmt.Fprintf(w, "%s %s %s\n", verb, kind(s), texts.Printable(s.Name))
	})
	if err != nil {
		return kept, fmt.Errorf("%s: %w", name, err)
	}
	if o.DryRun {
		verb = "would be removed"
	}
	fmt.Fprintf(w, "%s, %s %s\n", texts.Counted(count, "item"), texts.RoundSize(bytes), verb)
	return kept, nil
}
