package interop_test

import (
	"encoding/csv"
	"fmt"
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/etl2parquet/etl2parquet"
	"github.com/etl2parquet/etl2parquet/interop"
	"github.com/etl2parquet/etl2parquet/tools/testenv"
)

// TestSearch compares the fields that search finds in real traces with those that have the text in the
// library's events.
func TestSearch(t *testing.T) {
	program := builtProgram(t)
	t.Setenv("ETL2PARQUET_DUCKDB", interop.FindDuckDB(t))
	for _, test := range []struct {
		trace, text string
		want        int
	}{
		{"KernelNetwork.etl", "port 443", 8543},
		{"KernelNetwork.etl", "443", 8548},
		{"HTTP_Server.etl", "GEORGIS2:80/wind", 16},
		{"HTTP_Server.etl", `perflogs\admin`, 1},
		{"net.4.5.2.x86.etl", `system32\Shell32.dll`, 25},
		{"net.4.5.2.x86.etl", "1900", 328},
		{"WindowsUpdate.20251008.140245.443.8.etl", "update", 23},
	} {
		t.Run(test.trace+" "+strings.NewReplacer("/", " ", `\`, " ").Replace(test.text), func(t *testing.T) {
			path := testenv.Shared(t, "traces/"+test.trace)
			want := searchEvents(t, path, test.text)
			cmd := exec.Command(program, "query", "--format", "csv", path, "SELECT event_ref, field FROM search('"+test.text+"')")
			cmd.Stderr = os.Stderr
			out, err := cmd.Output()
			if err != nil {
				t.Fatal(err)
			}
			rows, err := csv.NewReader(strings.NewReader(string(out))).ReadAll()
			if err != nil {
				t.Fatal(err)
			}
			var got []string
			for _, row := range rows[1:] {
				got = append(got, strings.Join(row, " "))
			}
			slices.Sort(got)
			if diff := cmp.Diff(want, got); diff != "" || len(got) != test.want {
				t.Errorf("%d fields, want %d; -library +search:\n%s", len(got), test.want, diff)
			}
		})
	}
}

// searchEvents returns the fields that have a text, each after the reference of its event, sorted.
func searchEvents(t *testing.T, path, text string) (found []string) {
	t.Helper()
	trace, err := etl2parquet.Open(t.Context(), path, etl2parquet.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer trace.Close()
	text = strings.ToLower(text)
	for event, err := range trace.Events(t.Context(), etl2parquet.Scan{}) {
		if err != nil {
			t.Fatal(err)
		}
		var walk func(path, name string, value any)
		walk = func(path, name string, value any) {
			switch value := value.(type) {
			case nil:
			case []etl2parquet.Field:
				for _, f := range value {
					walk(strings.TrimPrefix(path+"."+f.Name, "."), f.Name+" ", f.Value)
				}
			case []any:
				for i, element := range value {
					walk(fmt.Sprintf("%s[%d]", path, i), "", element)
				}
			default:
				if strings.Contains(strings.ToLower(fmt.Sprint(name, value)), text) {
					found = append(found, fmt.Sprint(event.Ref, " ", path))
				}
			}
		}
		walk("", "", event.Fields())
		if event.Message != "" && strings.Contains(strings.ToLower("message "+event.Message), text) {
			found = append(found, fmt.Sprint(event.Ref, " message"))
		}
	}
	slices.Sort(found)
	return found
}
