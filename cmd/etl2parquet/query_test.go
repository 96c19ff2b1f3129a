package main

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/etl2parquet/etl2parquet/internal/query"
	"github.com/etl2parquet/etl2parquet/interop"
)

// TestQueryScripts runs testdata/duckdb, scripts that need DuckDB's program.
func TestQueryScripts(t *testing.T) {
	program := interop.NewDuckDB(t)
	sample, err := os.ReadFile(sampleTrace)
	if err != nil {
		t.Fatal(err)
	}
	testscript.Run(t, testscript.Params{
		Dir: "testdata/duckdb", UpdateScripts: *update, RequireExplicitExec: true, RequireUniqueNames: true,
		Setup: func(env *testscript.Env) error {
			env.Setenv(query.Variable, program)
			temp := filepath.Join(env.WorkDir, "temp")
			env.Setenv("TMPDIR", temp)
			if err := os.Mkdir(temp, 0o777); err != nil {
				return err
			}
			return os.WriteFile(filepath.Join(env.WorkDir, "sample.etl"), sample, 0o666)
		},
		Cmds: map[string]func(*testscript.TestScript, bool, []string){
			"exits": exits, "trace": makeTrace, "damage": damage, "pack": pack, "glob": glob, "copies": copyTrace, "tree": writeTree, "replace": replace,
		},
	})
}

// TestQueryInterrupt interrupts a query while DuckDB runs, and while the trace is converted:
// nothing of it is left.
func TestQueryInterrupt(t *testing.T) {
	t.Setenv(query.Variable, interop.NewDuckDB(t))
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
