package views_test

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"

	"github.com/etl2parquet/etl2parquet/internal/lake/views"
	"github.com/etl2parquet/etl2parquet/interop"
	"github.com/etl2parquet/etl2parquet/tools/testenv"
)

// pairStep is a start or stop of a random trace.
type pairStep struct {
	trace, key, ref, processor int
	ns                         int64
	isStart                    bool
}

// pair is what becomes of a start, or of a stop without one.
type pair struct {
	trace, ref  int
	state       string
	stop        int // -1 without one
	isAmbiguous bool
}

// TestPairs compares pairs of random starts and stops with those of a stack, a queue and a single place.
func TestPairs(t *testing.T) {
	random := testenv.Seeded(t.Name())
	var steps []pairStep
	for trace := range 1400 {
		keys, share, grain, processors := 1+random.IntN(3), []float64{0.3, 0.5, 0.7}[random.IntN(3)], 1+random.IntN(4), 1+random.IntN(3)
		for ref := range 1 + random.IntN(20) {
			steps = append(steps, pairStep{trace, random.IntN(keys), ref, random.IntN(processors), int64(1000 + ref/grain), random.Float64() < share})
		}
	}
	if len(steps) < 13115 {
		t.Fatalf("%d steps", len(steps))
	}
	var values strings.Builder
	for i, s := range steps {
		step := -1
		if s.isStart {
			step = 1
		}
		fmt.Fprintf(&values, "%s(%d, %d, %d, %d, %d, %d)", map[bool]string{true: ", "}[i > 0], s.trace, s.key, s.ref, s.processor, s.ns, step)
	}
	table := "CREATE TABLE steps(trace INT, k INT, event_ref INT, processor INT, clock_ns BIGINT, step INT);\nINSERT INTO steps VALUES " + values.String() + ";\n"
	for order, within := range map[views.Order]string{"nested": "", "queue": "", "single": ""} {
		t.Run(string(order), func(t *testing.T) {
			sql, err := views.PairsOf("steps", "k", order, within)
			if err != nil {
				t.Fatal(err)
			}
			answer := interop.Ask(t, table, "SELECT trace, event_ref, state, coalesce(stop_ref, -1), CAST(ambiguous AS INT) FROM ("+sql+") AS p ORDER BY trace, event_ref")[0]
			var got []pair
			for line := range strings.Lines(answer[strings.IndexByte(answer, '\n')+1:]) {
				f := strings.Split(strings.TrimSpace(line), ",")
				var p pair
				if _, err := fmt.Sscan(f[0]+" "+f[1]+" "+f[3], &p.trace, &p.ref, &p.stop); err != nil {
					t.Fatal(err)
				}
				p.state, p.isAmbiguous = f[2], f[4] == "1"
				got = append(got, p)
			}
			want := pairsOf(steps, order)
			if !slices.Equal(got, want) {
				t.Errorf("-want +got:\n%s", gocmp.Diff(want, got, gocmp.AllowUnexported(pair{})))
			}
		})
	}
}

// pairsOf pairs steps as the documentation says.
func pairsOf(steps []pairStep, order views.Order) (all []pair) {
	groups := make(map[[2]int][]pairStep)
	for _, s := range steps {
		groups[[2]int{s.trace, s.key}] = append(groups[[2]int{s.trace, s.key}], s)
	}
	for _, list := range groups {
		all = append(all, pairsOfKey(list, order)...)
	}
	slices.SortFunc(all, func(a, b pair) int { return cmp.Or(cmp.Compare(a.trace, b.trace), cmp.Compare(a.ref, b.ref)) })
	return all
}

func pairsOfKey(list []pairStep, order views.Order) (pairs []pair) {
	slices.SortFunc(list, func(a, b pairStep) int { return cmp.Or(cmp.Compare(a.ns, b.ns), cmp.Compare(a.ref, b.ref)) })
	var open []int // places in pairs
	step := func(s pairStep) {
		switch {
		case s.isStart:
			if order == "single" && len(open) > 0 {
				open = nil
			}
			pairs = append(pairs, pair{s.trace, s.ref, "no stop", -1, false})
			open = append(open, len(pairs)-1)
		case len(open) == 0:
			pairs = append(pairs, pair{s.trace, s.ref, "no start", s.ref, false})
		default:
			last := len(open) - 1
			if order == "queue" {
				last = 0
			}
			p := &pairs[open[last]]
			p.state, p.stop = "complete", s.ref
			open = slices.Delete(open, last, last+1)
		}
	}
	var startsFirst []pairStep
	for rest := list; len(rest) > 0; {
		n, isTied := 1, false
		for n < len(rest) && rest[n].ns == rest[0].ns {
			isTied = isTied || rest[n].processor != rest[0].processor
			n++
		}
		tick, byStart := rest[:n], rest[:n]
		if isTied {
			var stops, starts []pairStep
			for _, s := range tick {
				if s.isStart {
					starts = append(starts, s)
				} else {
					stops = append(stops, s)
				}
			}
			first := min(len(stops), len(open))
			tick, byStart = slices.Concat(stops[:first], starts, stops[first:]), slices.Concat(starts, stops)
		}
		for _, s := range tick {
			step(s)
		}
		startsFirst = append(startsFirst, byStart...)
		rest = rest[n:]
	}
	if order == "single" {
		if len(open) > 0 {
			pairs[open[0]].state = "open at the end"
		}
		return pairs
	}
	ambiguous := openTogether(startsFirst)
	for i := range pairs {
		pairs[i].isAmbiguous = ambiguous[pairs[i].ref]
	}
	return pairs
}

// openTogether returns the starts that are in a stretch in which several are open.
func openTogether(list []pairStep) map[int]bool {
	together := make(map[int]bool)
	var stretch []int
	open, most := 0, 0
	end := func() {
		for _, ref := range stretch {
			together[ref] = most > 1
		}
		stretch, most = nil, 0
	}
	for _, s := range list {
		if !s.isStart {
			open = max(open-1, 0)
			continue
		}
		if open == 0 {
			end()
		}
		open++
		most, stretch = max(most, open), append(stretch, s.ref)
	}
	end()
	return together
}
