package bundle

import (
	"errors"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/etl2parquet/etl2parquet/internal/lake/dataset"
)

// TestRewrite follows the rewriting of a bundle of three traces, of which two have changed.
func TestRewrite(t *testing.T) {
	t.Parallel()
	records := func(names ...string) (list []dataset.TraceRecord) {
		for _, name := range names {
			list = append(list, dataset.TraceRecord{Trace: name, Input: "in/" + name + ".etl"})
		}
		return list
	}
	for _, test := range []struct {
		name     string
		seen     []string
		added    []string
		failed   string // the trace that fails
		missing  []string
		complete bool
		want     outcomes
	}{
		{"none seen", nil, nil, "", []string{"in/a.etl", "in/b.etl", "in/c.etl"}, false, outcomes{"a": "bad", "c": "bad"}},
		{"a neighbour is missing", []string{"a", "c"}, nil, "", []string{"in/b.etl"}, false, outcomes{"a": "bad", "c": "bad"}},
		{"a changed trace fails", []string{"a", "b", "c"}, []string{"b"}, "a", nil, false, outcomes{"a": "bad", "c": "it shares files with a, which cannot be converted again: bad"}},
		{"a neighbour fails", []string{"a", "b", "c", "d"}, []string{"a"}, "b", nil, false, outcomes{
			"a": "it shares files with b, which cannot be converted again: bad", "c": "it shares files with b, which cannot be converted again: bad",
		}},
		{"all are added", []string{"c", "b", "a"}, []string{"c", "a", "b"}, "", nil, true, outcomes{"a": "bad", "c": "bad"}},
	} {
		t.Run(test.name, func(t *testing.T) {
			got, seen := make(outcomes), make(map[string]bool)
			r := &rewrite{
				old:     &dataset.Record{Traces: records("a", "b", "c")},
				changed: []changedTrace{{"a", "its size", got.of("a")}, {"c", "its time", got.of("c")}},
				bundle:  &openBundle{openPart: &openPart{record: &dataset.Record{Traces: records(test.added...)}}},
			}
			for _, name := range test.seen {
				seen[name] = true
			}
			// Without its neighbours a rewrite ends, and the changed trace hears which are missing.
			var lack *NeighboursError
			asked := &rewrite{old: r.old, changed: []changedTrace{{"a", "its size", func(_ *Report, err error) { errors.As(err, &lack) }}}}
			b := &Bundler{rewrites: map[*dataset.Record]*rewrite{r.old: asked}, seen: seen}
			if again := b.Changed(); len(again) != 3 && len(test.missing) == 0 || len(again) > 0 && len(test.missing) > 0 ||
				(lack == nil) != (len(test.missing) == 0) || lack != nil && !slices.Equal(lack.Missing, test.missing) {
				t.Errorf("again %v, %v, want %q missing", again, lack, test.missing)
			}
			for _, name := range test.added {
				if !r.has(name) {
					t.Errorf("it has no %s", name)
				}
			}
			if r.has("d") || r.isComplete() != test.complete {
				t.Errorf("it has d: %t; it is complete: %t", r.has("d"), r.isComplete())
			}
			if r.change("b").done != nil || r.change("c").again != "its time" {
				t.Errorf("changes: %v, %v", r.change("b"), r.change("c"))
			}
			r.fail(test.failed, errors.New("bad"))
			if diff := cmp.Diff(test.want, got); diff != "" {
				t.Error(diff)
			}
		})
	}
}
