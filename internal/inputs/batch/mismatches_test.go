package batch

import (
	"fmt"
	"slices"
	"testing"

	"github.com/etl2parquet/etl2parquet/facts"
	"github.com/etl2parquet/etl2parquet/internal/lake/bundle"
)

// TestMismatches checks selections that match all, a part or nothing of the inputs.
func TestMismatches(t *testing.T) {
	took := func(patterns ...string) *bundle.Report { return reportWithout(false, patterns) }
	none := func(patterns ...string) *bundle.Report { return reportWithout(true, patterns) }
	for _, test := range []struct {
		name    string
		inputs  []*bundle.Report
		stopped bool
		want    []string
	}{
		{"all matches", []*bundle.Report{took(), took()}, false, nil},
		{"nothing in the only input", []*bundle.Report{none("a")}, false, []string{"end one 0 1 no a"}},
		{"a pattern in the only input", []*bundle.Report{took("a")}, false, []string{"end one 0 1 no a"}},
		{"a pattern in no input", []*bundle.Report{took("a"), took("a", "b"), took("a")}, false, []string{"end each 0 3 no a"}},
		{"a pattern in some inputs", []*bundle.Report{took("a"), took()}, false, nil},
		{"nothing in some inputs", []*bundle.Report{none("a"), took(), none("b")}, false, []string{"1 one 0 1 no a", "2 one 2 1 no b"}},
		{"nothing in any input", []*bundle.Report{none("a"), none("a")}, false, []string{"end each 0 2 no a"}},
		{"nothing in any input, for different reasons", []*bundle.Report{none("a"), none("b")}, false, []string{"end all 0 2 no a"}},
		{"interrupted", []*bundle.Report{none("a"), none("b")}, true, []string{"end one 0 1 no a", "end one 1 1 no b"}},
	} {
		t.Run(test.name, func(t *testing.T) {
			var m Mismatches
			var got []string
			note := func(when string, list []Mismatch) {
				for _, of := range list {
					scope := [...]string{OneTrace: "one", EachTrace: "each", MoreTraces: "more", AllTraces: "all"}[of.Scope]
					got = append(got, fmt.Sprintf("%s %s %s %d %s", when, scope, of.Input, of.Inputs, of.Message))
				}
			}
			for i, report := range test.inputs {
				note(fmt.Sprint(i), m.Add(fmt.Sprint(i), report))
			}
			note("end", m.End(test.stopped))
			if !slices.Equal(got, test.want) {
				t.Errorf("got %q, want %q", got, test.want)
			}
		})
	}
}

// TestMismatchesBound checks more inputs without events than are listed singly.
func TestMismatchesBound(t *testing.T) {
	var m Mismatches
	for i := range maxPending + 2 {
		if list := m.Add(fmt.Sprint(i), reportWithout(true, []string{"a"})); len(list) > 0 {
			t.Fatalf("%d: %+v", i, list)
		}
	}
	list := m.Add("last", reportWithout(false, nil))
	if len(list) != maxPending+1 || list[maxPending] != (Mismatch{Scope: MoreTraces, Inputs: 2}) {
		t.Errorf("%d mismatches, the last is %+v", len(list), list[len(list)-1])
	}
}

// reportWithout returns a report of a trace in which patterns match nothing.
func reportWithout(empty bool, patterns []string) *bundle.Report {
	r := &bundle.Report{Empty: empty}
	for _, p := range patterns {
		r.Mismatches = append(r.Mismatches, facts.Mismatch{Option: "event", Pattern: p, Message: "no " + p})
	}
	return r
}
