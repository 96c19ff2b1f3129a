package etl2parquet_test

import (
	"flag"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/etl2parquet/etl2parquet/tools/testenv"
)

// isUpdate reports whether the flag -update is given. Packages for tests declare it, too.
func isUpdate() bool {
	f := flag.Lookup("update")
	return f != nil && f.Value.String() == "true"
}

func init() {
	if flag.Lookup("update") == nil {
		flag.Bool("update", false, "rewrite the golden files")
	}
}

// TestAPI compares the documentation of each public package with its golden file, so that a review
// shows a change of the API. No exported name may be an alias of a name in an internal package,
// because go doc would not show its documentation.
func TestAPI(t *testing.T) {
	testenv.Sequential(t)
	out, err := exec.Command("go", "list", "./...").Output()
	if err != nil {
		t.Fatal(err)
	}
	for _, path := range strings.Fields(string(out)) {
		name := strings.TrimPrefix(strings.TrimPrefix(path, "github.com/etl2parquet/etl2parquet"), "/")
		first, _, _ := strings.Cut(name, "/")
		if first != "" && first != "convert" && first != "schema" && first != "decode" || strings.HasSuffix(name, "test") {
			continue
		}
		t.Run("package "+name, func(t *testing.T) {
			doc, err := exec.Command("go", "doc", "-all", path).Output()
			if err != nil {
				t.Fatal(err)
			}
			if alias := regexp.MustCompile(`(?m)^type \w+ = \S*\..*$`).Find(doc); alias != nil {
				t.Errorf("an alias: %s", alias)
			}
			golden := filepath.Join("testdata", "api", strings.ReplaceAll("etl2parquet/"+name, "/", "_")+".txt")
			golden = strings.Replace(golden, "_.txt", ".txt", 1)
			if isUpdate() {
				if err := os.WriteFile(golden, doc, 0o666); err != nil {
					t.Fatal(err)
				}
			}
			want, err := os.ReadFile(golden)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(string(want), string(doc)); diff != "" {
				t.Errorf("the API differs (go test . -run TestAPI -update):\n%s", diff)
			}
		})
	}
}
