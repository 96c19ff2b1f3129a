package bundle

import (
	"context"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/etl2parquet/etl2parquet/decode/etltest"
	"github.com/etl2parquet/etl2parquet/internal/engine/pipeline"
)

// convertFile converts the trace in a file.
func convertFile(ctx context.Context, d *Dataset, path, trace string, o Options) (*Report, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	info, err := file.Stat()
	if err != nil {
		return nil, err
	}
	return d.Convert(ctx, pipeline.Input{Name: path, ModTime: info.ModTime(), Size: info.Size(), Trace: file}, trace, o)
}

// TestConverted detects a converted input by size and time, or by its contents if the time
// is unknown.
func TestConverted(t *testing.T) {
	t.Parallel()
	data := string(etltest.MustParse(t, "trace\nevent64"))
	in := pipeline.Input{Name: "x.zip/a.etl", ModTime: time.Unix(1, 0), Size: int64(len(data)), Trace: strings.NewReader(data)}
	d := openDataset(t, t.TempDir())
	if _, err := d.Convert(t.Context(), in, "a", testOptions); err != nil {
		t.Fatal(err)
	}
	later, longer, timeless := in, in, in
	later.ModTime = time.Unix(2, 0)
	longer.Size++
	timeless.ModTime = time.Time{}
	forced := testOptions
	forced.Force = true
	for name, test := range map[string]struct {
		in   pipeline.Input
		o    *Options
		want bool
	}{
		"unchanged": {in, &testOptions, true},
		"later":     {later, &testOptions, false},
		"longer":    {longer, &testOptions, false},
		"no time":   {timeless, &testOptions, false},
		"forced":    {in, &forced, false},
	} {
		got, _, err := d.Converted(t.Context(), test.in, "a", test.o)
		if err != nil || (got != nil) != test.want || got != nil && !got.Skipped {
			t.Errorf("%s: %+v, %v", name, got, err)
		}
	}
	for _, same := range []pipeline.Input{later, timeless} {
		if got, err := d.Convert(t.Context(), same, "a", testOptions); err != nil || !got.Skipped {
			t.Errorf("time %v: %+v, %v", same.ModTime, got, err)
		}
	}
	record, err := d.Record(t.Context(), "a")
	if err != nil || record.Input != in.Name {
		t.Errorf("record %+v, %v", record, err)
	}
}
