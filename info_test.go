package etl2parquet_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/etl2parquet/etl2parquet"
	"github.com/etl2parquet/etl2parquet/facts"
	"github.com/etl2parquet/etl2parquet/internal/engine/index/indextest"
	"github.com/etl2parquet/etl2parquet/tools/testenv"
)

// TestInfoIsWhole checks that Info has everything that the command info prints, in the same JSON:
// each of the two has its own types.
func TestInfoIsWhole(t *testing.T) {
	for _, path := range append(testenv.SharedTraces(t), sample, "testdata/sample-compressed.etl") {
		t.Run(filepath.Base(path), func(t *testing.T) {
			data := testenv.ReadFile(t, path)
			info, err := etl2parquet.ReadInfo(t.Context(), bytes.NewReader(data), int64(len(data)), path, etl2parquet.Options{})
			if err != nil {
				t.Fatal(err)
			}
			printed := indextest.Summary(t, indextest.Data(t, data), path)
			texts := make([]string, 2)
			for i, v := range []any{printed, info} {
				text, err := json.MarshalIndent(v, "", " ")
				if err != nil {
					t.Fatal(err)
				}
				texts[i] = string(text)
			}
			if diff := cmp.Diff(texts[0], texts[1]); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// TestOnIndexed checks that the parts that are read add up to the buffers and events of a trace.
func TestOnIndexed(t *testing.T) {
	data := testenv.ReadFile(t, sample)
	var bytesRead, events atomic.Int64
	o := etl2parquet.Options{OnIndexed: func(b, e int64) { bytesRead.Add(b); events.Add(e) }}
	info, err := etl2parquet.ReadInfo(t.Context(), bytes.NewReader(data), int64(len(data)), sample, o)
	if err != nil {
		t.Fatal(err)
	}
	if bytesRead.Load() != info.Size || events.Load() != info.Events {
		t.Errorf("%d bytes and %d events, want %d and %d", bytesRead.Load(), events.Load(), info.Size, info.Events)
	}
}

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

// TestSiblings opens a trace with others: the trace of the same recording adds images, and the others
// are ignored.
func TestSiblings(t *testing.T) {
	path := testenv.Shared(t, "traces/diaghub.user_paged.1.etl")
	sibling, stranger := testenv.Shared(t, "traces/diaghub.kernel.1.etl"), testenv.Shared(t, "traces/gcevents.etl")
	images := func(paths ...string) int64 {
		trace := openWith(t, path, etl2parquet.Options{Siblings: paths})
		tables := trace.Tables()
		if i := slices.IndexFunc(tables, func(x etl2parquet.Table) bool { return x.Name == "images" }); i >= 0 {
			return tables[i].Rows
		}
		return 0
	}
	alone := images()
	if got := images(stranger, path); got != alone {
		t.Errorf("%d images with traces of other recordings and itself, %d alone", got, alone)
	}
	if got := images(stranger, sibling, path); got <= alone {
		t.Errorf("%d images with a sibling, %d alone", got, alone)
	}
	if _, err := etl2parquet.Open(t.Context(), path, etl2parquet.Options{Siblings: []string{"missing.etl"}}); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("a missing sibling: error %v", err)
	}
}
