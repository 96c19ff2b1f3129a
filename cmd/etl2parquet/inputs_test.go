package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/etl2parquet/etl2parquet/internal/answers"
	"github.com/etl2parquet/etl2parquet/internal/lake/store/storetest"
	"github.com/etl2parquet/etl2parquet/interop"
	"github.com/etl2parquet/etl2parquet/tools/testenv"
)

// TestInputScripts runs testdata/inputs: every kind of input through the commands that read traces. The
// scripts have a bucket on a server, DuckDB, and a home folder, home.
func TestInputScripts(t *testing.T) {
	program := interop.NewDuckDB(t)
	storetest.MinIO(t)
	sample := testenv.ReadFile(t, sampleTrace)
	testscript.Run(t, testscript.Params{
		Dir: "testdata/inputs", UpdateScripts: *testenv.Update, RequireExplicitExec: true, RequireUniqueNames: true,
		Setup: func(env *testscript.Env) error {
			for _, v := range os.Environ() {
				if strings.HasPrefix(v, "AWS_") || strings.HasPrefix(v, "NO_PROXY=") {
					env.Vars = append(env.Vars, v)
				}
			}
			home := filepath.Join(env.WorkDir, "home")
			env.Setenv(answers.Variable, program)
			env.Setenv(cacheVariable, noCache)
			env.Setenv("HOME", home)
			env.Setenv("USERPROFILE", home)
			env.Setenv("URL", "file://"+"/"+strings.TrimPrefix(filepath.ToSlash(env.WorkDir), "/"))
			return os.WriteFile(filepath.Join(env.WorkDir, "sample.etl"), sample, 0o666)
		},
		Cmds: map[string]func(*testscript.TestScript, bool, []string){
			"exits": exits, "trace": makeTrace, "pack": pack,
			"object": func(ts *testscript.TestScript, _ bool, args []string) { putObject(t, args[0], ts.ReadFile(args[1])) },
		},
	})
}
