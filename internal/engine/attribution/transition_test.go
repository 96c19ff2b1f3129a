package attribution

import (
	"fmt"
	"strings"
	"testing"

	"github.com/etl2parquet/etl2parquet/decode"
)

// livesOf joins records of one thread id. A record is a word such as start@10: the kind of event
// and its time; ~ before it means that a sibling of the trace has it, and /2 after it that the
// thread is of process 2 instead of 1. Records of one trace are at most 5 ticks apart from the same
// in another. A life is printed as [10 20]: [ if its start is recorded, else (; its bounds, ? if
// unknown; and ] if its end is recorded, else ).
func livesOf(t *testing.T, records string) string {
	t.Helper()
	sources := map[string]Sources{"start": FromStart, "end": FromEnd, "rundown": FromRundownStart, "rundown_end": FromRundownEnd, "name": 0}
	var all list[Thread]
	var run []observation
	for word := range strings.FieldsSeq(records) {
		own := strings.TrimPrefix(word, "~")
		kind, rest, _ := strings.Cut(own, "@")
		v := Thread{ID: 7, Process: 1}
		var at decode.Ticks
		if n, _ := fmt.Sscanf(rest, "%d/%d", &at, &v.Process); n == 0 {
			t.Fatalf("no time in %q", word)
		}
		source, ok := sources[kind]
		if !ok {
			t.Fatalf("no record %q", kind)
		}
		if v.Sources = source; own != word {
			v.Sources |= FromSibling
		}
		run = append(run, observation{at, all.facts.push(v)})
	}
	all.observations, all.n = [][]observation{run}, len(run)
	var lives []string
	for _, thread := range join(&all, 5, 1) {
		l := &thread.Life
		open, from, to, end := "(", "?", "?", ")"
		if l.Started {
			open = "["
		}
		if l.HasFrom() {
			from = fmt.Sprint(l.From)
		}
		if l.HasTo() {
			to = fmt.Sprint(l.To)
		}
		if l.Ended {
			end = "]"
		}
		lives = append(lives, open+from+" "+to+end)
	}
	return strings.Join(lives, " ")
}

// TestTransitions checks each state of a life with each report of the next record.
func TestTransitions(t *testing.T) {
	for _, test := range []struct{ records, want string }{
		// No life: an unknown start reaches back to the start of the trace.
		{"", ""},
		{"start@10", "[10 ?)"},
		{"rundown@10", "(? ?)"},
		{"rundown_end@10", "(? ?)"},
		{"name@10", "(? ?)"},
		{"end@10", "(? 10]"},

		// A life that was only seen ends when the next one starts.
		{"rundown@10 start@20", "(? 19) [20 ?)"},
		{"rundown@10 start@10", "(? 9) [10 ?)"},
		{"rundown@10 name@20", "(? ?)"},
		{"rundown@10 end@20", "(? 20]"},
		{"rundown@10 rundown@20/2", "(? 10) (20 ?)"},
		{"rundown@10 end@20/2", "(? 10) (20 20]"},
		{"rundown@10 start@20/2", "(? 19) [20 ?)"},
		{"rundown@10 ~start@12", "(? 11) [12 ?)"},

		// A life with a start: another start begins the next, unless it is the same one.
		{"start@10 start@20", "[10 19) [20 ?)"},
		{"start@10 start@10", "[10 ?)"},
		{"start@10 start@12", "[10 11) [12 ?)"},
		{"start@10 ~start@12", "[10 ?)"},
		{"~start@10 start@15", "[10 ?)"},
		{"~start@10 start@16", "[10 15) [16 ?)"},
		{"start@10 start@10/2", "[10 10) [10 ?)"},
		{"start@10 rundown@20", "[10 ?)"},
		{"start@10 end@20", "[10 20]"},
		{"start@10 rundown@20/2", "[10 10) (20 ?)"},
		{"start@10 end@20/2", "[10 10) (20 20]"},
		{"start@10 rundown@13 ~start@14", "[10 ?)"},

		// A life with an end: an end of about the same time is the same one.
		{"end@10 start@20", "(? 10] [20 ?)"},
		{"end@10 start@10", "(? 9] [10 ?)"},
		{"end@10 rundown@20", "(? 10] (11 ?)"},
		{"end@10 rundown@10", "(? 10]"},
		{"end@10 rundown@10/2", "(? 9] (10 ?)"},
		{"end@10 ~rundown@12", "(? 10] (11 ?)"},
		{"end@10 end@20", "(? 10] (11 20]"},
		{"end@10 end@10", "(? 10]"},
		{"end@10 end@12", "(? 10] (11 12]"},
		{"end@10 ~end@12", "(? 12]"},
		{"~end@10 end@15", "(? 15]"},
		{"~end@10 end@16", "(? 10] (11 16]"},
		{"end@10 end@20/2", "(? 10] (11 20]"},
		{"end@10 ~start@12", "(? 10] [12 ?)"},

		// A life with both: the time up to the next start belongs to none.
		{"start@5 end@10 start@20", "[5 10] [20 ?)"},
		{"start@10 end@10 start@10", "[10 10]"},
		{"start@10 end@10 ~start@12", "[10 10] [12 ?)"},
		{"start@5 end@10 start@10", "[5 9] [10 ?)"},
		{"start@5 end@10 rundown@20", "[5 10] (11 ?)"},
		{"start@5 end@10 rundown@10", "[5 10]"},
		{"start@5 end@10 ~rundown@12", "[5 10] (11 ?)"},
		{"start@5 end@10 end@20", "[5 10] (11 20]"},
		{"start@5 end@10 end@10", "[5 10]"},
		{"start@5 end@10 ~end@14", "[5 14]"},
		{"start@5 end@10 rundown@20/2", "[5 10] (11 ?)"},

		// Two sessions that record the same, and ids that are reused.
		{"start@10 ~start@11 end@20 ~end@21 start@30 ~start@31 end@40 ~end@41", "[10 21] [30 41]"},
		{"rundown@1 end@5 start@8 rundown_end@9", "(? 5] [8 ?)"},
	} {
		if got := livesOf(t, test.records); got != test.want {
			t.Errorf("%s: %s, want %s", test.records, got, test.want)
		}
	}
}

// TestTransitionsAreComplete checks that the table has no row of zeros, which would be one that is
// missing.
func TestTransitionsAreComplete(t *testing.T) {
	for state, row := range transitions {
		if row == ([reports]transition{}) {
			t.Errorf("state %d has no transitions", state)
		}
	}
}
