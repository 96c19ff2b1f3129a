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

// TestRuntimeNames reads flags of .NET 5 and later, whose names the manifests of Windows lack.
func TestRuntimeNames(t *testing.T) {
	const pdbs = `guid:11111111-2222-3333-4444-555555555555,u32:1,str16:"p",guid:11111111-2222-3333-4444-555555555555,u32:1,str16:"q"`
	const text = "trace os=10.0 build=22631\n" +
		`event64 provider=a669021c-c450-4609-a035-5af59af4df18 id=154 ver=2 op=36 pid=700 payload=u64:1,u64:2,u32:0x68,u32:0,str16:"a.dll",str16:"",u16:9,` + pdbs + "\n" +
		`event64 provider=a669021c-c450-4609-a035-5af59af4df18 id=144 ver=2 op=40 pid=700 dt=1ms payload=u64:1,u64:2,u64:3,u32:4,u32:5,u32:0x49,str16:"N",str16:"M",str16:"S",u16:9,u64:0` + "\n" +
		`event64 provider=e13c0d23-ccbc-4e12-931b-d9cc2eee27e4 id=152 ver=2 op=33 pid=700 dt=1ms payload=u64:1,u64:2,u32:0x68,u32:0,str16:"a.dll",str16:"",u16:9,` + pdbs + "\n" +
		`event64 provider=a669021c-c450-4609-a035-5af59af4df18 id=10 op=10 pid=700 dt=1ms payload=u64:1,u64:2,u64:3,u64:4,u64:5,u32:6,u32:0x15,u16:9` + "\n"
	path := filepath.Join(t.TempDir(), "t.etl")
	testenv.WriteFile(t, path, etltest.MustParse(t, text))
	var stdout, stderr bytes.Buffer
	if status := run(t.Context(), []string{"cat", path, "--format", "ndjson", "--process", "700", "--columns", "fields"}, nil, &stdout, &stderr); status != exitDone {
		t.Fatalf("exit status %d: %s", status, &stderr)
	}
	lines := strings.Split(strings.TrimSpace(stdout.String()), "\n")
	for i, want := range []string{
		`"module_flags_text":"Manifest|ReadyToRunModule|PartialReadyToRunModule"`, `"method_flags_text":"Dynamic|Jitted|ReadyToRunRejectedPrecompiledCode"`,
		`"module_flags_text":"Manifest|ReadyToRunModule|PartialReadyToRunModule"`, `"bit_settings_text":"Concurrent|FrozenSegs|NoAffinitize"`,
	} {
		if i >= len(lines) || !strings.Contains(lines[i], want) {
			t.Errorf("event %d has no %s: %s", i, want, lines)
		}
	}
}
