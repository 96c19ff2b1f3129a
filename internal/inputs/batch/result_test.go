package batch

import (
	"errors"
	"testing"

	"github.com/etl2parquet/etl2parquet/facts"
	"github.com/etl2parquet/etl2parquet/internal/engine/pipeline"
	"github.com/etl2parquet/etl2parquet/internal/lake/bundle"
)

// TestJudge checks that a strict run fails damaged traces that an earlier run without strict
// has converted.
func TestJudge(t *testing.T) {
	gone := errors.New("gone")
	for _, test := range []struct {
		name     string
		severity facts.Severity
		skipped  bool
		err      error
		strict   bool
		want     error
	}{
		{"damaged and skipped", facts.SeverityError, true, nil, true, pipeline.ErrStrict},
		{"not strict", facts.SeverityError, true, nil, false, nil},
		{"loss only", facts.SeverityWarning, true, nil, true, nil},
		{"converted", facts.SeverityError, false, nil, true, nil}, // the conversion has already decided
		{"failed", "", false, gone, true, gone},
	} {
		t.Run(test.name, func(t *testing.T) {
			r := &Result{Err: test.err}
			if test.err == nil {
				r.Report = &bundle.Report{Skipped: test.skipped, Problems: []facts.Problem{{Severity: facts.SeverityInfo}, {Severity: test.severity}}}
			}
			if r.judge(test.strict); !errors.Is(r.Err, test.want) {
				t.Errorf("error %v, want %v", r.Err, test.want)
			}
		})
	}
}
