package batch

import (
	"bytes"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/etl2parquet/etl2parquet/facts"
	"github.com/etl2parquet/etl2parquet/internal/inputs"
	"github.com/etl2parquet/etl2parquet/internal/lake/bundle"
	"github.com/etl2parquet/etl2parquet/tools/testenv"
)

// wholeReport is a report as other programs parse it.
type wholeReport struct {
	Tool, Output string
	Inputs       []struct {
		Input, Result, Error string
		Lost, Problems       map[string]int64
	}
	Run    RunState
	Counts Counts
}

func readReport(t *testing.T, path string) *wholeReport {
	t.Helper()
	text := testenv.ReadFile(t, path)
	r := new(wholeReport)
	if err := json.Unmarshal(text, r); err != nil {
		t.Fatalf("%v: %s", err, text)
	}
	return r
}

// TestReport writes results of each kind, with absent inputs before and after them.
func TestReport(t *testing.T) {
	path := filepath.Join(t.TempDir(), "r.json")
	message := func(name string, err error) string { return name + " " + err.Error() }
	r, err := NewReport(path, ReportOptions{Tool: "v1", Output: "out", Message: message})
	if err != nil {
		t.Fatal(err)
	}
	gone := errors.New("gone")
	r.Absent([]inputs.Absent{{Name: "x", Err: gone, Before: 0}, {Name: "z", Err: gone, Before: 3}})
	problems := []facts.Problem{
		{Severity: facts.SeverityWarning, Code: "events_lost", Count: 9},
		{Severity: facts.SeverityError, Code: "bad_payload", Count: 2},
	}
	r.Add(&Result{File: &inputs.File{Order: 0}, Name: "a", Report: &bundle.Report{Problems: problems}, Took: time.Second})
	r.Add(&Result{File: &inputs.File{Order: 1}, Name: "b", Report: &bundle.Report{Skipped: true}})
	r.Add(&Result{File: &inputs.File{Order: 2}, Name: "c", Err: gone})
	if err := r.Close(RunComplete); err != nil {
		t.Fatal(err)
	}
	want := &wholeReport{Tool: "v1", Output: "out", Run: RunComplete, Counts: Counts{Converted: 1, Skipped: 1, Failed: 3}}
	add := func(name, result, message string, lost, problems map[string]int64) {
		want.Inputs = append(want.Inputs, struct {
			Input, Result, Error string
			Lost, Problems       map[string]int64
		}{name, result, message, lost, problems})
	}
	none := map[string]int64{}
	add("x", "failed", "x gone", none, none)
	add("a", "converted", "", map[string]int64{"events_lost": 9}, map[string]int64{"warning": 1, "error": 2})
	add("b", "skipped", "", none, none)
	add("c", "failed", "c gone", none, none)
	add("z", "failed", "z gone", none, none)
	if diff := cmp.Diff(want, readReport(t, path)); diff != "" {
		t.Error(diff)
	}
	if _, err := os.Stat(path + partialSuffix); !os.IsNotExist(err) {
		t.Errorf("something is left: %v", err)
	}
}

// TestReportToOutput writes a report to a writer, and leaves no file.
func TestReportToOutput(t *testing.T) {
	t.Chdir(t.TempDir())
	var out bytes.Buffer
	r, err := NewReport("-", ReportOptions{Tool: "v1", Output: "out", Out: &out})
	if err != nil {
		t.Fatal(err)
	}
	r.Add(&Result{File: &inputs.File{}, Name: "b", Report: &bundle.Report{Skipped: true}})
	if err := r.Close(RunComplete); err != nil {
		t.Fatal(err)
	}
	var got wholeReport
	if err := json.Unmarshal(out.Bytes(), &got); err != nil || got.Counts.Skipped != 1 || got.Run != RunComplete {
		t.Errorf("%+v, %v: %s", got, err, &out)
	}
	if files, err := os.ReadDir("."); err != nil || len(files) > 0 {
		t.Errorf("files: %v, %v", files, err)
	}
}

// TestReportFailed writes the report of a run that failed as a whole.
func TestReportFailed(t *testing.T) {
	path := filepath.Join(t.TempDir(), "r.json")
	r, err := NewReport(path, ReportOptions{Output: "out"})
	if err != nil {
		t.Fatal(err)
	}
	if err := r.Close(RunFailed); err != nil {
		t.Error(err)
	}
	if r := readReport(t, path); r.Run != RunFailed || len(r.Inputs) > 0 || r.Output != "out" {
		t.Errorf("%+v", r)
	}
}
