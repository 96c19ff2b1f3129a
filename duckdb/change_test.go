package main_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestChanges changes files between queries: a trace and a manifest are read again, and a query that
// was prepared before, whose columns may have changed, is refused unless DuckDB prepares it again.
func TestChanges(t *testing.T) {
	loaded(t)
	eachVersion(t, func(t *testing.T, version string) {
		folder := t.TempDir()
		trace, manifest := filepath.Join(folder, "x.etl"), filepath.Join(folder, "x.man")
		copyFile(t, sample, trace)
		copyFile(t, "../internal/engine/catalog/known.man", manifest)
		described := "SELECT count(*) FROM read_etl(" + quoted(trace) + ", manifest := " + quoted(manifest) + ")"
		steps := []step{
			{SQL: "SELECT count(*) FROM " + quoted(trace)},
			{SQL: "PREPARE p AS SELECT max(event_name) FROM " + quoted(trace)},
			{SQL: described},
			{Do: "change", Path: manifest, Mode: "wb"},
			{SQL: described},
			{Do: "change", Path: trace, Mode: "ab"},
			{SQL: "EXECUTE p"},
			{SQL: "SELECT count(*) FROM " + quoted(trace)},
		}
		answers := session(t, version, steps...)
		if refused := &answers[4]; !strings.Contains(refused.Error, "x.man") {
			t.Errorf("another manifest: %v, error %q", refused.Rows, refused.Error)
		}
		answers[4].Error = ""
		const changed = "x.etl: it has changed since the query was prepared"
		if prepared := &answers[6]; strings.Contains(prepared.Error, changed) {
			prepared.Error = ""
		}
		for i := range answers {
			if answers[i].Error != "" {
				t.Errorf("%s: %s", steps[i].SQL, answers[i].Error)
			}
		}
	})
}

func copyFile(t testing.TB, from, to string) {
	t.Helper()
	data, err := os.ReadFile(from)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(to, data, 0o666); err != nil {
		t.Fatal(err)
	}
}
