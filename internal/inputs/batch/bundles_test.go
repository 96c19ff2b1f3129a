package batch

import (
	"fmt"
	"testing"

	"github.com/etl2parquet/etl2parquet/internal/inputs"
	"github.com/etl2parquet/etl2parquet/internal/lake/bundle"
)

// TestBundling decides for new traces, and for one that is a single trace in the dataset.
func TestBundling(t *testing.T) {
	const large = inputs.SmallTrace
	for _, test := range []struct {
		name     string
		bundling Bundling
		small    int // among the files
		traces   []*inputs.Trace
		isNew    bool
		want     string
	}{
		{"one small one", Bundling{Mode: BundleAuto}, 1, []*inputs.Trace{{Size: 1}}, true, "-"},
		{"two small ones", Bundling{Mode: BundleAuto}, 2, []*inputs.Trace{{Size: 1}, {Size: large}}, true, "b-"},
		{"one in an archive", Bundling{Mode: BundleAuto}, 1, []*inputs.Trace{{Size: 1, Inner: "/a.etl", Among: true}, {Size: large, Inner: "/b.etl", Among: true}}, true, "b-"},
		{"a compressed one", Bundling{Mode: BundleAuto}, 1, []*inputs.Trace{{Size: 1, Inner: "/a.etl"}}, true, "-"},
		{"in the dataset", Bundling{Mode: BundleAuto}, 2, []*inputs.Trace{{Size: 1}}, false, "-"},
		{"never", Bundling{Mode: BundleNever}, 2, []*inputs.Trace{{Size: 1}}, true, "-"},
		{"a size", Bundling{Mode: BundleSmaller, Bytes: 10}, 0, []*inputs.Trace{{Size: 9}, {Size: 10}}, true, "b-"},
	} {
		t.Run(test.name, func(t *testing.T) {
			d, err := bundle.OpenDataset(t.TempDir())
			if err != nil {
				t.Fatal(err)
			}
			b, err := newBundler(t.Context(), d, test.bundling, &inputs.List{Small: test.small})
			if err != nil {
				t.Fatal(err)
			}
			got := ""
			for i, trace := range test.traces {
				if b.takes(trace, fmt.Sprint(i), test.isNew) {
					got += "b"
				} else {
					got += "-"
				}
			}
			if got != test.want {
				t.Errorf("got %s, want %s", got, test.want)
			}
		})
	}
}
