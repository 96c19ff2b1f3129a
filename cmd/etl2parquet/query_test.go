package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/apache/arrow-go/v18/arrow/ipc"
	"github.com/google/go-cmp/cmp"
	"github.com/rogpeppe/go-internal/testscript"

	"github.com/etl2parquet/etl2parquet/internal/answers"
	"github.com/etl2parquet/etl2parquet/interop"
	"github.com/etl2parquet/etl2parquet/tools/testenv"
)

// TestQueryScripts runs testdata/duckdb, scripts that need DuckDB's program.
func TestQueryScripts(t *testing.T) {
	testenv.Slow(t, "two hundred questions, each by a process of DuckDB")
	program := interop.NewDuckDB(t)
	sample := testenv.ReadFile(t, sampleTrace)
	testscript.RunT(inTurn{t}, testscript.Params{
		Dir: "testdata/duckdb", UpdateScripts: *testenv.Update, RequireExplicitExec: true, RequireUniqueNames: true,
		Setup: func(env *testscript.Env) error {
			env.Setenv(answers.Variable, program)
			env.Setenv(cacheVariable, noCache)
			temp := filepath.Join(env.WorkDir, "temp")
			env.Setenv("TMPDIR", temp)
			if err := os.Mkdir(temp, 0o777); err != nil {
				return err
			}
			return os.WriteFile(filepath.Join(env.WorkDir, "sample.etl"), sample, 0o666)
		},
		Cmds: map[string]func(*testscript.TestScript, bool, []string){
			"run": runProgram, "exits": exits, "trace": makeTrace, "damage": damage, "pack": pack, "glob": glob, "copies": copyTrace, "tree": writeTree, "replace": replace,
		},
	})
}

// TestQueryArrow reads the stream that a query writes.
func TestQueryArrow(t *testing.T) {
	t.Setenv(answers.Variable, interop.NewDuckDB(t))
	var stdout, stderr bytes.Buffer
	sql := "SELECT event_name, timestamp, addresses, payload FROM events LEFT JOIN stacks ON stacks.stack_id = events.event_ref"
	if status := run(t.Context(), []string{"query", sampleTrace, sql, "--format", "arrow"}, nil, &stdout, &stderr); status != exitDone {
		t.Fatalf("exit status %d, %s", status, &stderr)
	}
	r, err := ipc.NewReader(&stdout)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Release()
	want := []string{"event_name: utf8", "timestamp: timestamp[us, tz=UTC]", "addresses: list<item: uint64, nullable>", "payload: binary"}
	var got []string
	for _, f := range r.Schema().Fields() {
		got = append(got, f.Name+": "+f.Type.String())
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
	rows := int64(0)
	for r.Next() {
		rows += r.RecordBatch().NumRows()
	}
	if r.Err() != nil || rows != 449 {
		t.Errorf("%d rows, %v", rows, r.Err())
	}
}

// TestQueryTexts checks that literals, parameters and quoted names of any characters come back as they were given.
func TestQueryTexts(t *testing.T) {
	t.Setenv(answers.Variable, interop.NewDuckDB(t))
	pieces := []string{"\r\n", "\r\r\n", "\r", "\n", "\n.print x\n", "\ngo\n", "\n/\n", ";", "'", `"`, `\`, "--", "/*", "*/", "$a", "$$", "E'", "\t", "\v", "\x1a", "\x1b[0m", "\x7f", "é", "\u00a0", "\u2028", "😀", "a"}
	random := rand.New(rand.NewPCG(1, 2))
	var sql strings.Builder
	args := []string{"query", sampleTrace, "", "--format", "ndjson", "--no-cache"}
	want := make(map[string]any)
	sql.WriteString("--texts\nSELECT 1 AS first")
	for i := range 200 {
		text := fmt.Sprintf("%d ", i)
		for range 1 + random.IntN(6) {
			text += pieces[random.IntN(len(pieces))]
		}
		name, hex := fmt.Sprintf("n%d", i), fmt.Sprintf("%X", text)
		fmt.Fprintf(&sql, `, hex('%s') AS literal%d, hex($%s) AS %[3]s, 1 AS "%[4]s"`, strings.ReplaceAll(text, "'", "''"), i, name, strings.ReplaceAll(text, `"`, `""`))
		args = append(args, "-p", name+"="+text)
		want[fmt.Sprintf("literal%d", i)], want[name], want[text] = hex, hex, 1.0
	}
	want["first"] = 1.0
	args[2] = sql.String()
	var stdout, stderr bytes.Buffer
	if status := run(t.Context(), args, nil, &stdout, &stderr); status != exitDone {
		t.Fatalf("exit status %d, %s", status, &stderr)
	}
	got := make(map[string]any)
	if err := json.Unmarshal(stdout.Bytes(), &got); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}

// TestQueryUnavailable runs queries without a suitable DuckDB.
func TestQueryUnavailable(t *testing.T) {
	program := filepath.Join(t.TempDir(), "duckdb")
	for _, test := range []struct{ name, script, want string }{
		{"missing", "", "DuckDB is needed to run SQL, and " + answers.Variable + " names "},
		{"old", "#!/bin/sh\necho v1.3.2\n", "DuckDB is needed to run SQL, version 1.4 or later, and " + program + " is v1.3.2: "},
		{"broken", "#!/bin/sh\necho Traceback >&2\necho no module duckdb_cli >&2\nexit 1\n", "DuckDB is needed to run SQL, and " + program + " does not answer like it (no module duckdb_cli): "},
		{"other", "#!/bin/sh\necho hello\n", "DuckDB is needed to run SQL, and " + program + " does not answer like it: "},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Setenv(answers.Variable, program)
			if test.script != "" {
				testenv.Tool(t, "sh")
				if err := os.WriteFile(program, []byte(test.script), 0o777); err != nil {
					t.Fatal(err)
				}
			}
			var stdout, stderr bytes.Buffer
			status := run(t.Context(), []string{"query", sampleTrace, "FROM events"}, nil, &stdout, &stderr)
			if status != exitUnavailable || !strings.HasPrefix(stderr.String(), "etl2parquet: "+test.want) || !strings.Contains(stderr.String(), "pip install duckdb-cli") {
				t.Errorf("exit status %d, %s", status, &stderr)
			}
		})
	}
}

// TestQueryInterrupt interrupts a query while DuckDB runs, and while the trace is converted:
// it leaves nothing behind.
func TestQueryInterrupt(t *testing.T) {
	t.Setenv(answers.Variable, interop.NewDuckDB(t))
	for _, test := range []struct {
		name, sql string
		times     int // the size of the trace
		begun     string
	}{
		{"duckdb", "SELECT count(*) FROM range(100000000000) a, range(1000000) b", 1, "etl2parquet-query-*/dataset/traces/large.parquet"},
		{"conversion", "SELECT count(*) FROM events", 600, "etl2parquet-query-*/dataset"},
	} {
		t.Run(test.name, func(t *testing.T) {
			trace, temp := filepath.Join(t.TempDir(), "large.etl"), t.TempDir()
			writeLargeTrace(t, trace, test.times)
			ctx, cancel := context.WithCancel(t.Context())
			defer cancel()
			go func() {
				for ctx.Err() == nil {
					if found, _ := filepath.Glob(filepath.Join(temp, test.begun)); len(found) > 0 {
						time.Sleep(20 * time.Millisecond)
						cancel()
					}
					time.Sleep(time.Millisecond)
				}
			}()
			var stdout, stderr bytes.Buffer
			status := run(ctx, []string{"query", trace, test.sql, "--temp-dir", temp}, nil, &stdout, &stderr)
			if status != exitInterrupted || !strings.HasSuffix(stderr.String(), "etl2parquet: interrupted\n") || stdout.Len() > 0 {
				t.Errorf("exit status %d, %s%s", status, &stdout, &stderr)
			}
			if left, err := os.ReadDir(temp); err != nil || len(left) > 0 {
				t.Errorf("%v is left, %v", left, err)
			}
		})
	}
}
