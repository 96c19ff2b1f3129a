package policy

import (
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/etl2parquet/etl2parquet/tools/testenv"
)

// TestAPI compares the documentation of each public package with its golden file, so that a review
// shows a change of the API. No exported name may be an alias of a name in an internal package,
// because go doc would not show its documentation.
func TestAPI(t *testing.T) {
	for _, p := range goPackages(t) {
		first, _, _ := strings.Cut(p.name, "/")
		isPublic := p.name == root || first == "convert" || first == "schema" || first == "facts" || first == "decode"
		if p.other || !isPublic || strings.HasSuffix(p.name, "test") {
			continue
		}
		folder, golden := "./"+p.name, filepath.Join("testdata", "api", "etl2parquet_"+strings.ReplaceAll(p.name, "/", "_")+".txt")
		if p.name == root {
			folder, golden = ".", filepath.Join("testdata", "api", "etl2parquet.txt")
		}
		t.Run("package "+p.name, func(t *testing.T) {
			doc, err := exec.Command("go", "doc", "-all", folder).Output()
			if err != nil {
				t.Fatal(err)
			}
			if alias := regexp.MustCompile(`(?m)^type \w+ = \S*\..*$`).Find(doc); alias != nil {
				t.Errorf("an alias: %s", alias)
			}
			testenv.Golden(t, golden, string(doc))
		})
	}
}
