package main

import (
	"bytes"
	"encoding/json"
	"fmt"

	"slices"
	"strings"
	"testing"

	"github.com/etl2parquet/etl2parquet/tools/testenv"
)

// TestBenchKeys compares the members of the JSON of bench with a golden file: programs that
// compare machines read them.
func TestBenchKeys(t *testing.T) {
	testenv.Slow(t, "a measurement")
	var out, errs bytes.Buffer
	if status := run(t.Context(), []string{"bench", sampleTrace, "--json", "--rounds", "1", "--workers", "1", "--temp-dir", t.TempDir()}, nil, &out, &errs); status != exitDone {
		t.Fatalf("exit status %d: %s", status, errs.String())
	}
	var report map[string]any
	if err := json.Unmarshal(out.Bytes(), &report); err != nil {
		t.Fatal(err)
	}
	keys := make(map[string]bool)
	addKeys(keys, "", report)
	var list []string
	for key := range keys {
		list = append(list, key)
	}
	slices.Sort(list)
	testenv.Golden(t, "testdata/bench.keys", strings.Join(list, "\n")+"\n")
}

// addKeys adds the paths of all members, and the types of their values.
func addKeys(keys map[string]bool, path string, value any) {
	switch value := value.(type) {
	case map[string]any:
		if strings.HasSuffix(path, "events_by_header") {
			keys[path+" object"] = true
			return
		}
		for name, member := range value {
			addKeys(keys, path+"."+name, member)
		}
	case []any:
		for _, element := range value {
			addKeys(keys, path+"[]", element)
		}
	default:
		keys[fmt.Sprintf("%s %T", path, value)] = true
	}
}
