package convert

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/etl2parquet/etl2parquet/internal/base/version"
	"github.com/etl2parquet/etl2parquet/tools/testenv"
)

// TestVersions converts a trace again: it is skipped, unless another version of the module has
// converted it.
func TestVersions(t *testing.T) {
	out := t.TempDir()
	record := filepath.Join(out, "_traces", "sample.json")
	isSkipped := func() bool {
		t.Helper()
		report, err := Run(t.Context(), []string{"../testdata/sample.etl"}, out, Options{})
		if err != nil || report.Failed() > 0 {
			t.Fatal(report, err)
		}
		return report.Results[0].Skipped
	}
	if isSkipped() || !isSkipped() {
		t.Error("the first run skips the trace, or the second one does not")
	}
	text := testenv.ReadFile(t, record)
	tool := module + "/convert " + version.Of()
	const earlier = `"tool": "v0.0.1"`
	older := strings.Replace(string(text), `"tool": "`+tool+`"`, earlier, 1)
	if !strings.Contains(older, earlier) {
		t.Fatalf("the record has another version than %s: %s", tool, text)
	}
	testenv.WriteFile(t, record, older)
	if isSkipped() || !isSkipped() {
		t.Error("a trace that an earlier version converted is skipped, or not only once converted again")
	}
}

// TestUnsigned converts with each type of unsigned 64-bit columns: views of files that are missing
// have it, too.
func TestUnsigned(t *testing.T) {
	const sample = "../testdata/sample.etl"
	for unsigned, want := range map[string]bool{"": true, "uint64": true, "int64": false} {
		out := t.TempDir()
		report, err := Run(t.Context(), []string{sample}, out, Options{Unsigned: unsigned})
		if err != nil || report.Failed() > 0 {
			t.Fatal(err, report)
		}
		views := testenv.ReadFile(t, filepath.Join(out, "views.sql"))
		if got := strings.Contains(string(views), "UBIGINT"); got != want {
			t.Errorf("%q: the views have unsigned columns: %t", unsigned, got)
		}
		other := map[bool]string{true: "int64", false: "uint64"}[want]
		if _, err := Run(t.Context(), []string{sample}, out, Options{Unsigned: other, Force: true}); err == nil || !strings.Contains(err.Error(), "this run would write "+other) {
			t.Errorf("%q, then %q: %v", unsigned, other, err)
		}
	}
	if _, err := Run(t.Context(), []string{sample}, t.TempDir(), Options{Unsigned: "int32"}); err == nil {
		t.Error("an unknown type is no error")
	}
}
