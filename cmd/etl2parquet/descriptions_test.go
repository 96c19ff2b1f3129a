package main

import (
	"bytes"
	"path/filepath"
	"strings"
	"testing"

	"github.com/etl2parquet/etl2parquet/decode/etltest"
	"github.com/etl2parquet/etl2parquet/tools/testenv"
)

// TestDescriptionsAgree reads an event of a process that sent no manifest and that two differing ones of other
// processes fit: they agree on nothing, so its payload stays raw.
func TestDescriptionsAgree(t *testing.T) {
	text := string(testenv.ReadFile(t, testenv.Shared(t, "cases/two-versions.txt")))
	text = strings.TrimRight(text, "\n") + "\n" +
		`event64 provider=5a1fca11-0001-4000-8000-000000000001 id=1 ver=0 level=4 task=65533 kw=0xF00000000000 pid=300 tid=301 t=+6ms payload=i32:7,str16:"old"` + "\n"
	path := filepath.Join(t.TempDir(), "t.etl")
	testenv.WriteFile(t, path, etltest.MustParse(t, text))
	var stdout, stderr bytes.Buffer
	args := []string{"cat", path, "--format", "ndjson", "--provider", "Demo-Orders", "--process", "300", "--columns", "event_name,fields,payload"}
	if status := run(t.Context(), args, nil, &stdout, &stderr); status != exitDone {
		t.Fatalf("exit status %d: %s", status, &stderr)
	}
	const want = `{"event_name":"Order","fields":{"payload_rest":"070000006f006c0064000000"}}`
	if got := strings.TrimSpace(stdout.String()); got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}
