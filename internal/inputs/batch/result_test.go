package batch

import (
	"errors"
	"testing"

	"github.com/etl2parquet/etl2parquet/convert"
)

// TestJudge checks that a strict run fails damaged traces that an earlier run without strict
// has converted.
func TestJudge(t *testing.T) {
	gone := errors.New("gone")
	for _, test := range []struct {
		name     string
		severity convert.Severity
		skipped  bool
		err      error
		strict   bool
		want     error
	}{
		{"damaged and skipped", convert.Failure, true, nil, true, convert.ErrStrict},
		{"not strict", convert.Failure, true, nil, false, nil},
		{"loss only", convert.Warning, true, nil, true, nil},
		{"converted", convert.Failure, false, nil, true, nil}, // the conversion has already decided
		{"failed", "", false, gone, true, gone},
	} {
		t.Run(test.name, func(t *testing.T) {
			r := &Result{Err: test.err}
			if test.err == nil {
				r.Report = &convert.Report{Skipped: test.skipped, Problems: []convert.Problem{{Severity: convert.Info}, {Severity: test.severity}}}
			}
			if r.judge(test.strict); !errors.Is(r.Err, test.want) {
				t.Errorf("error %v, want %v", r.Err, test.want)
			}
		})
	}
}
