package interop

import (
	"encoding/json"
	"fmt"
	"os/exec"
	"path/filepath"
	"sync"
	"testing"

	"github.com/etl2parquet/etl2parquet/tools/testenv"
)

// PageCheck is what Chromium found on a page of report.
type PageCheck struct {
	Errors, Requests, Axe, Wide []string
	Act                         struct {
		Markup                     int
		Range, Zoomed, Frame, Hits string
		Follows, Back, Keys, Out   bool
		Searching, SQL             bool
		Cut, Rest                  []string // of tables with rows that the page does not carry: their counts, and SQL for the range
	}
}

// browserPackages installs the script that opens pages with its packages, once per process.
var browserPackages = sync.OnceValues(func() (string, error) { return makeNodePackages("page", browserScript) })

const browserScript = "check.mjs"

// CheckPages opens pages in Chromium, in light and dark, on a desktop and on a phone. Without Chromium, Node
// or a network it skips the test, or fails it in CI.
func CheckPages(t *testing.T, pages ...string) (found []PageCheck) {
	t.Helper()
	testenv.All(t, "Chromium with pages of report")
	chromium, err := exec.LookPath("chromium")
	if err != nil {
		testenv.Missing(t, "the program chromium", "run .ci/tools", err)
	}
	folder, err := browserPackages()
	if err != nil {
		testenv.Missing(t, "the packages of interop/page", "run .ci/tools, and let npm download", err)
	}
	script := filepath.Join(folder, browserScript)
	out, err := exec.Command("node", append([]string{script, chromium}, pages...)...).Output()
	if err != nil {
		said := ""
		if exit, ok := err.(*exec.ExitError); ok {
			said = string(exit.Stderr)
		}
		t.Fatalf("%s: %v\n%s", script, err, said)
	}
	if err := json.Unmarshal(out, &found); err != nil || len(found) != len(pages) {
		t.Fatal(fmt.Errorf("%d answers for %d pages: %w", len(found), len(pages), err))
	}
	return found
}
