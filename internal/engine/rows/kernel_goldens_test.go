package rows

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/etl2parquet/etl2parquet/decode"
	"github.com/etl2parquet/etl2parquet/decode/decodetest"
	"github.com/etl2parquet/etl2parquet/decode/etltest"
	"github.com/etl2parquet/etl2parquet/internal/engine/catalog"
	"github.com/etl2parquet/etl2parquet/internal/engine/index/indextest"
	"github.com/etl2parquet/etl2parquet/schema"
	"github.com/etl2parquet/etl2parquet/tools/testenv"
)

const withoutGolden = "testdata/kernel_without_golden.txt"

// TestKernelLiteralsHaveGoldens checks that each literal of a kernel event has a payload among the
// goldens in testdata/kernel, or is in the list of literals without one. The list may only shrink:
// -update removes literals that have a golden now, and adds none.
func TestKernelLiteralsHaveGoldens(t *testing.T) {
	text := testenv.ReadFile(t, withoutGolden)
	listed := strings.Split(string(text), "\n")
	golden := goldenLiterals(t)
	var kept []string
	for _, table := range schema.KernelCatalog().Tables() {
		for _, e := range table.Literals() {
			name := literalName(table, e)
			switch {
			case golden[e]:
			case slices.Contains(listed, name):
				kept = append(kept, name)
			default:
				t.Errorf("%s has no golden: add its payload to a trace in testdata/kernel", name)
			}
		}
	}
	if *testenv.Update {
		testenv.WriteFile(t, withoutGolden, strings.Join(kept, "\n")+"\n")
		return
	}
	if diff := cmp.Diff(listed, append(kept, "")); diff != "" {
		t.Errorf("-listed +without golden: the list is stale, use -update:\n%s", diff)
	}
}

// literalName names a literal by its table and its first version.
func literalName(table *schema.EventTable, e *schema.Event) string {
	return fmt.Sprintf("%s from version %d", strings.TrimPrefix(table.Table.Name, schema.EventsFolder), e.Since)
}

// goldenLiterals returns the literals that a payload in testdata/kernel fits, if the golden's
// expected output names the table.
func goldenLiterals(t *testing.T) map[*schema.Event]bool {
	t.Helper()
	paths, err := filepath.Glob("testdata/kernel/*.txtar")
	if err != nil || len(paths) == 0 {
		t.Fatalf("no goldens: %v", err)
	}
	golden := make(map[*schema.Event]bool)
	for _, path := range paths {
		text := testenv.ReadFile(t, path)
		_, rest, _ := strings.Cut(string(text), indextest.TraceMark)
		trace, expect, ok := strings.Cut(rest, indextest.ExpectMark)
		if !ok {
			t.Fatalf("%s: no trace, or no expected output", path)
		}
		tables := strings.Split(expect, "\n")
		decodetest.Walk(t, decodetest.Open(t, etltest.MustParse(t, trace)), func(_ *decode.Buffer, ev *decode.Event) {
			var key catalog.Key
			key.Of(ev)
			literal, ok := key.KernelLiteral()
			if !ok || !slices.Contains(tables, literal.Table.Table.Name) {
				return
			}
			if _, fit := decode.NewLayout(literal.Event, key.LayoutVersion(), ev.PointerSize()).Locate(ev.Payload(), nil); fit.Err == nil {
				golden[literal.Event] = true
			}
		})
	}
	return golden
}
