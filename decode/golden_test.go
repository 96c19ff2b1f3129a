package decode_test

import (
	"flag"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/etl2parquet/etl2parquet/decode/etltest"
	"github.com/etl2parquet/etl2parquet/tools/testenv"
)

var update = flag.Bool("update", false, "rewrite the expect part of testdata/golden")

// golden is a txtar archive of two files.
type golden struct {
	comment, trace, expect string
}

const (
	traceMark  = "-- trace --\n"
	expectMark = "-- expect --\n"
)

// goldens returns the archives in testdata/golden by name.
func goldens(t testing.TB) map[string]golden {
	t.Helper()
	paths, err := filepath.Glob("testdata/golden/*.txtar")
	if err != nil || len(paths) == 0 {
		t.Fatalf("no goldens: %v", err)
	}
	archives := make(map[string]golden)
	for _, path := range paths {
		text := testenv.ReadFile(t, path)
		var g golden
		var ok bool
		if g.comment, g.trace, ok = strings.Cut(string(text), traceMark); !ok || g.comment == "" {
			t.Fatalf("%s: no comment, or no file named trace", path)
		}
		g.trace, g.expect, _ = strings.Cut(g.trace, expectMark)
		archives[strings.TrimSuffix(filepath.Base(path), ".txtar")] = g
	}
	return archives
}

const failureMark = "FAILURE\n"

// TestGolden decodes the traces in testdata/golden. The file expect holds the
// dump or, after FAILURE, a regexp for the error of NewFile.
func TestGolden(t *testing.T) {
	for name, g := range goldens(t) {
		t.Run(name, func(t *testing.T) {
			got, err := dump(etltest.MustParse(t, g.trace))
			if err != nil {
				got = failureMark + regexp.QuoteMeta(err.Error()) + "\n"
			}
			if pattern, ok := strings.CutPrefix(g.expect, failureMark); ok && err != nil {
				if regexp.MustCompile("^" + strings.TrimSpace(pattern) + "$").MatchString(err.Error()) {
					return
				}
			}
			if got == g.expect {
				return
			}
			if !*update {
				t.Fatalf("-want +got, or use -update:\n%s", cmp.Diff(g.expect, got))
			}
			text := g.comment + traceMark + g.trace + expectMark + got
			testenv.WriteFile(t, "testdata/golden/"+name+".txtar", text)
		})
	}
}
