package etl2parquet_test

import (
	"strings"
	"testing"

	"github.com/etl2parquet/etl2parquet"
	"github.com/etl2parquet/etl2parquet/facts"
)

// TestMismatches checks the reports about a selection that matches nothing: before the trace is read,
// and at the end of a scan.
func TestMismatches(t *testing.T) {
	trace := open(t, sample, 2)
	for name, test := range map[string]struct {
		scan    etl2parquet.Scan
		nothing bool   // that is known before reading
		before  string // part of the first message before reading; "": there is none
		after   string // of the first message of a scan
	}{
		"nothing selected":   {scan: etl2parquet.Scan{}},
		"all match":          {scan: etl2parquet.Scan{Selection: facts.Selection{Providers: []string{"Thread"}, Processes: []string{"explorer.exe"}}}},
		"provider":           {etl2parquet.Scan{Selection: facts.Selection{Providers: []string{"Thraed"}}}, true, "did you mean Thread?", "did you mean Thread?"},
		"one of two":         {etl2parquet.Scan{Selection: facts.Selection{Providers: []string{"Thraed", "Process"}}}, false, "did you mean Thread?", "did you mean Thread?"},
		"event":              {etl2parquet.Scan{Selection: facts.Selection{Events: []string{"CSwich"}}}, true, "did you mean CSwitch?", "did you mean CSwitch?"},
		"process":            {etl2parquet.Scan{Selection: facts.Selection{Processes: []string{"explorre.exe"}}}, true, "did you mean explorer.exe?", "did you mean explorer.exe?"},
		"process by id":      {etl2parquet.Scan{Selection: facts.Selection{Processes: []string{"99999"}}}, false, "", "no selected event belongs to this process"},
		"time":               {etl2parquet.Scan{Selection: facts.Selection{From: bound(t, "2100-01-01")}}, true, "its events are from", "its events are from"},
		"nothing together":   {etl2parquet.Scan{Selection: facts.Selection{Providers: []string{"Process"}, Events: []string{"CSwitch"}}}, false, "", "together"},
		"whatever the table": {etl2parquet.Scan{Table: "processes", Selection: facts.Selection{Providers: []string{"Thraed"}}}, true, "did you mean Thread?", "did you mean Thread?"},
	} {
		t.Run(name, func(t *testing.T) {
			before, nothing, err := trace.Mismatches(test.scan)
			if err != nil || nothing != test.nothing {
				t.Errorf("nothing is selected: %v, error %v", nothing, err)
			}
			is(t, "before", before, test.before)
			var after []facts.Mismatch
			test.scan.OnMismatch = func(m facts.Mismatch) { after = append(after, m) }
			rowsOf(t, trace, test.scan)
			is(t, "after", after, test.after)
		})
	}
	if _, _, err := trace.Mismatches(etl2parquet.Scan{Selection: facts.Selection{Events: []string{"["}}}); err == nil {
		t.Error("a bad pattern is accepted")
	}
}

// is checks that the first message has a text, or that there is none.
func is(t *testing.T, when string, list []facts.Mismatch, want string) {
	t.Helper()
	if want == "" && len(list) == 0 {
		return
	}
	if want == "" || len(list) == 0 || !strings.Contains(list[0].Message, want) {
		t.Errorf("%s: %v, want %q", when, list, want)
	}
}
