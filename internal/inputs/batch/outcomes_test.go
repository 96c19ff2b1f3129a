package batch

import (
	"slices"
	"testing"
)

// TestOutcomes checks that results are reported in order, for any order of completion.
func TestOutcomes(t *testing.T) {
	var q outcomes
	var got []int
	report := func(n int) func() { return func() { got = append(got, n) } }
	expect := func(want ...int) {
		t.Helper()
		if !slices.Equal(got, want) {
			t.Errorf("got %v, want %v", got, want)
		}
	}
	q.now(report(0))
	expect(0)
	first, second := q.later(), q.later()
	q.now(report(3))
	q.ready(second, report(2))
	expect(0)
	q.ready(first, report(1))
	expect(0, 1, 2, 3)
	q.later() // never completed: the run is interrupted
	q.now(report(5))
	expect(0, 1, 2, 3)
	q.end()
	expect(0, 1, 2, 3, 5)
}
