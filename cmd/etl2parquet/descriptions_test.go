package main

import (
	"bytes"
	"encoding/json"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/etl2parquet/etl2parquet/decode/etltest"
	"github.com/etl2parquet/etl2parquet/internal/answers"
	"github.com/etl2parquet/etl2parquet/internal/formats/parquet/parquettest"
	"github.com/etl2parquet/etl2parquet/interop"
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

// TestInputDescriptions reads a trace whose manifest only another trace has, with other inputs in any order.
func TestInputDescriptions(t *testing.T) {
	const id = "5a1fca11-0001-4000-8000-000000000001" // of the provider
	folder := t.TempDir()
	first := string(testenv.ReadFile(t, testenv.Shared(t, "cases/rotated/rotated_1.txt")))
	write := func(name, text string) string {
		path := filepath.Join(folder, name)
		testenv.WriteFile(t, path, etltest.MustParse(t, text))
		return path
	}
	one, same := write("1.etl", first), write("0.etl", strings.ReplaceAll(first, `str16:"first"`, `str16:"again"`))
	other := write("3.etl", strings.ReplaceAll(first, "name='who'", "name='whom'"))
	two := write("2.etl", string(testenv.ReadFile(t, testenv.Shared(t, "cases/rotated/rotated_2.txt"))))
	for name, test := range map[string]struct {
		inputs []string
		want   string // fields of its event, and from where
		whole  int    // payloads
	}{
		"alone":                     {[]string{two}, `null, null`, 0},
		"with the manifest":         {[]string{one, two}, `{"id":8,"who":"second"}, "input 1.etl"`, 1},
		"twice, in the other order": {[]string{two, one, same}, `{"id":8,"who":"second"}, "input 0.etl"`, 1},
		"with two that differ":      {[]string{one, two, other}, `{"id":8,"payload_rest":"7300650063006f006e0064000000"}, "input 1.etl"`, 0},
	} {
		t.Run(name, func(t *testing.T) {
			for _, workers := range []string{"1", "4"} {
				for range test.inputs {
					test.inputs = append(test.inputs[1:], test.inputs[0])
					print := func(command ...string) []byte {
						t.Helper()
						var stdout, stderr bytes.Buffer
						if status := run(t.Context(), slices.Concat(command, test.inputs), nil, &stdout, &stderr); status != exitDone {
							t.Fatalf("exit status %d: %s", status, &stderr)
						}
						return stdout.Bytes()
					}
					got := [2]string{"null", "null"}
					for i, table := range []string{"events", "event_types"} {
						for line := range bytes.Lines(print("cat", "--workers", workers, "--format", "ndjson", "--table", table, "--provider", id)) {
							var r map[string]json.RawMessage
							if err := json.Unmarshal(line, &r); err != nil {
								t.Fatal(err)
							}
							if trace, table := string(r["trace"]), string(r["header_table"]); trace != "" && trace != `"2"` || table != "" && table != `"event_header"` {
								continue
							}
							if value := r[[]string{"fields", "known_from"}[i]]; value != nil {
								got[i] = string(value)
							}
						}
					}
					if got := strings.Join(got[:], ", "); got != test.want {
						t.Errorf("%s workers, %q: got %s, want %s", workers, test.inputs, got, test.want)
					}
					for d := json.NewDecoder(bytes.NewReader(print("info", "--json"))); d.More(); {
						var about struct {
							File      string `json:"file"`
							Providers []struct {
								ID    string `json:"provider_id"`
								Whole int    `json:"payloads_whole"`
							} `json:"providers"`
						}
						if err := d.Decode(&about); err != nil {
							t.Fatal(err)
						}
						for _, p := range about.Providers {
							if about.File == two && p.ID == id && p.Whole != test.whole {
								t.Errorf("info counts %d whole payloads, want %d", p.Whole, test.whole)
							}
						}
					}
				}
			}
		})
	}
}

// TestInputDescriptionsAgain converts a trace alone and with the trace that has its manifest: the dataset keeps the
// bytes, and convert says that it could have fields.
func TestInputDescriptionsAgain(t *testing.T) {
	one, two, out := testenv.Shared(t, "cases/rotated/rotated_1.etl"), testenv.Shared(t, "cases/rotated/rotated_2.etl"), t.TempDir()
	const better = "force its conversion"
	for _, step := range []struct {
		args   []string
		better bool
		want   string
	}{
		{[]string{two}, false, "NULL"},
		{[]string{two, one}, true, "NULL"},
		{[]string{two, one}, true, "NULL"}, // from the records of both
		{[]string{two, one, "--force"}, false, "input rotated_1.etl"},
		{[]string{two, one}, false, "input rotated_1.etl"},
		{[]string{two}, false, "input rotated_1.etl"},
	} {
		var stdout, stderr bytes.Buffer
		if status := run(t.Context(), append([]string{"convert", "-q", "-o", out}, step.args...), nil, &stdout, &stderr); status != exitDone {
			t.Fatalf("%q: exit status %d: %s", step.args, status, &stderr)
		}
		if is := strings.Contains(stderr.String(), better); is != step.better {
			t.Errorf("%q: better descriptions %t, want %t: %s", step.args, is, step.better, &stderr)
		}
		got := ""
		files, err := filepath.Glob(filepath.Join(out, "event_types", "*.parquet"))
		if err != nil {
			t.Fatal(err)
		}
		for _, file := range files {
			for _, row := range parquettest.Rows(t, testenv.ReadFile(t, file)) {
				if row["trace"] == "rotated_2" && row["header_table"] == "event_header" {
					got += row["known_from"]
				}
			}
		}
		if got != step.want {
			t.Errorf("%q: known from %q, want %q", step.args, got, step.want)
		}
	}
}

// TestInputDescriptionsCache asks about a trace alone and with others: each time the answer is of these inputs.
func TestInputDescriptionsCache(t *testing.T) {
	t.Setenv(answers.Variable, interop.NewDuckDB(t))
	a := &asker{T: t, cache: t.TempDir()}
	one, two := testenv.Shared(t, "cases/rotated/rotated_1.etl"), testenv.Shared(t, "cases/rotated/rotated_2.etl")
	for range 2 {
		for _, test := range []struct {
			inputs []string
			want   string
		}{{[]string{two}, "NULL"}, {[]string{one, two}, "second"}, {[]string{two, one}, "second"}} {
			sql := "SELECT coalesce(fields->>'who', 'NULL') AS who FROM events WHERE process_id = 100 AND event_id = 1 AND trace = 'rotated_2'"
			if got, _ := a.ask(sql, test.inputs...); got != "who\n"+test.want+"\n" {
				t.Errorf("%q: got %q, want %s", test.inputs, got, test.want)
			}
		}
	}
	if n := len(a.pieces()); n != 3 {
		t.Errorf("%d pieces in the cache, want 3", n)
	}
}
