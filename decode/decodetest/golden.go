package decodetest

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/etl2parquet/etl2parquet/tools/testenv"
)

const expectMark = "-- expect --\n"

// Golden is a file of definitions and its expected dump. On disk it is a txtar archive of a comment,
// the file and the dump.
type Golden struct {
	path, head string
	File, Want string
}

// Goldens returns the goldens in testdata/golden, at least least of them. The file
// in each archive is called name.
func Goldens(t testing.TB, name string, least int) []Golden {
	t.Helper()
	paths, err := filepath.Glob("testdata/golden/*.txtar")
	if err != nil || len(paths) < least {
		t.Fatalf("%d goldens, want at least %d: %v", len(paths), least, err)
	}
	var all []Golden
	fileMark := "-- " + name + " --\n"
	for _, path := range paths {
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		comment, rest, ok := strings.Cut(string(text), fileMark)
		if !ok || comment == "" {
			t.Fatalf("%s: no comment, or no %s", path, name)
		}
		g := Golden{path: path}
		g.File, g.Want, _ = strings.Cut(rest, expectMark)
		g.head = comment + fileMark + g.File + expectMark
		all = append(all, g)
	}
	return all
}

// RunGoldens compares the dump of each file with its golden.
func RunGoldens(t *testing.T, goldens []Golden, dump func(file []byte) string) {
	for _, g := range goldens {
		t.Run(filepath.Base(g.path), func(t *testing.T) {
			got := dump([]byte(g.File))
			if got == g.Want {
				return
			}
			if !*testenv.Update {
				t.Fatalf("-want +got, or use -update:\n%s", cmp.Diff(g.Want, got))
			}
			if err := os.WriteFile(g.path, []byte(g.head+got), 0o644); err != nil {
				t.Fatal(err)
			}
		})
	}
}
