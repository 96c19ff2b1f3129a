package problems

import (
	"errors"
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/etl2parquet/etl2parquet/decode"
	"github.com/etl2parquet/etl2parquet/facts"
)

func TestProblemString(t *testing.T) {
	for want, p := range map[string]facts.Problem{
		"error: m":                             {Severity: facts.SeverityError, Count: 1, Buffer: -1, FileOffset: -1, Position: -1, Message: "m"},
		"warning: F: m":                        {Severity: facts.SeverityWarning, Count: 1, Buffer: -1, FileOffset: -1, Position: -1, Field: "F", Message: "m"},
		"info: m (buffer 0)":                   {Severity: facts.SeverityInfo, Count: 1, Buffer: 0, FileOffset: -1, Position: -1, Message: "m"},
		"info: m (buffer 2, file offset 0x10)": {Severity: facts.SeverityInfo, Count: 1, Buffer: 2, FileOffset: 16, Position: -1, Message: "m"},
		"error: F: m (buffer 2, file offset 0x0, position 0x48) [3 times]": {Severity: facts.SeverityError, Count: 3, Buffer: 2, Position: 0x48, Field: "F", Message: "m"},
	} {
		if got := p.String(); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

func damage(buffer int) *decode.Error {
	return &decode.Error{Buffer: buffer, Offset: int64(4096 * buffer), Pos: 72, Where: "event marker", Err: errors.New("wrong")}
}

// TestProblemsPerCode checks that problems are listed in order, up to a limit for each
// code, and that the others are counted.
func TestProblemsPerCode(t *testing.T) {
	const n = 3*ProblemsPerCode + 7
	var all, merged List
	parts := make([]List, 10)
	for i := range n {
		for _, code := range []string{"a", "b"} {
			all.Decode(code, damage(i))
			parts[i*len(parts)/n].Decode(code, damage(i))
		}
	}
	for i := range parts {
		merged.Merge(&parts[i])
	}
	if diff := cmp.Diff(all.All(), merged.All()); diff != "" {
		t.Errorf("-one list +merged:\n%s", diff)
	}
	list := merged.All()
	if len(list) != 2*ProblemsPerCode+2 {
		t.Fatalf("%d problems listed", len(list))
	}
	for i, p := range list[:2*ProblemsPerCode] {
		if p.Buffer != int64(i/2) || p.Code != []string{"a", "b"}[i%2] || p.Count != 1 || p.Position != 72 || p.FileOffset != int64(4096*(i/2)) {
			t.Fatalf("problem %d: %+v", i, p)
		}
	}
	for i, code := range []string{"a", "b"} {
		want := facts.Problem{Severity: facts.SeverityError, Code: code, Count: n - ProblemsPerCode, Buffer: -1, FileOffset: -1, Position: -1, Message: "more problems with this code, not listed"}
		if diff := cmp.Diff(want, list[2*ProblemsPerCode+i]); diff != "" {
			t.Error(diff)
		}
	}
	if got := merged.Serious(); got != 2*n {
		t.Errorf("%d serious problems, want %d", got, 2*n)
	}
}

func TestProblemsDamaged(t *testing.T) {
	var p List
	if p.Damaged() || p.FirstDamage() != "" || p.Serious() != 0 || len(p.All()) != 0 {
		t.Error("an empty list has a problem")
	}
	p.Trace(facts.SeverityInfo, "a", 1, "", "worth knowing")
	p.Trace(facts.SeverityWarning, "b", 5, "F", "%d lost", 5)
	if p.Damaged() || p.Serious() != 5 {
		t.Error("losses count as damage")
	}
	if p.Decode("c", errors.New("disk on fire")) {
		t.Error("an error of the reader counts as damage")
	}
	if !p.Decode("c", fmt.Errorf("wrapped: %w", damage(3))) || !p.Damaged() {
		t.Error("damage does not count as damage")
	}
	if want := "error: event marker: wrong (buffer 3, file offset 0x3000, position 0x48)"; p.FirstDamage() != want {
		t.Errorf("first damage %q, want %q", p.FirstDamage(), want)
	}
}
