package indextest

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/etl2parquet/etl2parquet/decode/etltest"
	"github.com/etl2parquet/etl2parquet/tools/testenv"
)

const (
	TraceMark  = "-- trace --\n"
	ExpectMark = "-- expect --\n"
)

// Goldens runs the txtar archives of a folder: comment, trace and expect.
func Goldens(t *testing.T, folder string, dump func(t *testing.T, trace []byte) string) {
	paths, err := filepath.Glob(folder + "/*.txtar")
	if err != nil || len(paths) == 0 {
		t.Fatalf("no goldens: %v", err)
	}
	for _, path := range paths {
		t.Run(strings.TrimSuffix(filepath.Base(path), ".txtar"), func(t *testing.T) {
			text, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			comment, rest, ok := strings.Cut(string(text), TraceMark)
			if !ok || comment == "" {
				t.Fatal("no comment, or no file named trace")
			}
			trace, want, _ := strings.Cut(rest, ExpectMark)
			got := dump(t, etltest.MustParse(t, trace))
			CompareGolden(t, path, comment+TraceMark+trace+ExpectMark, want, got)
		})
	}
}

// TraceIn returns the trace of such an archive.
func TraceIn(t testing.TB, path string) []byte {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	_, rest, ok := strings.Cut(string(text), TraceMark)
	if !ok {
		t.Fatalf("%s has no trace", path)
	}
	trace, _, _ := strings.Cut(rest, ExpectMark)
	return etltest.MustParse(t, trace)
}

// CompareGolden compares got with a golden file that begins with head.
func CompareGolden(t *testing.T, path, head, want, got string) {
	t.Helper()
	if got == want {
		return
	}
	if !*testenv.Update {
		t.Fatalf("-want +got, or use -update:\n%s", cmp.Diff(want, got))
	}
	if err := os.WriteFile(path, []byte(head+got), 0o666); err != nil {
		t.Fatal(err)
	}
}
