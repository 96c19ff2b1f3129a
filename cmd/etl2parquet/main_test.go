package main

import (
	"encoding/hex"
	"errors"
	"flag"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
)

var update = flag.Bool("update", false, "rewrite the expected output in testdata/script")

func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){"etl2parquet": main})
}

// TestScripts runs testdata/script. Each script has a copy of the sample
// trace, and commands beyond those of testscript:
//
//	exits STATUS COMMAND...   run a command that must exit with a status
//	damage FILE OFFSET HEX    overwrite bytes of a file
//	cut FILE SIZE             shorten a file
//	pack ARCHIVE FILE...      make a zip, tar, tar.gz, tar.zst, gz, 7z or cab
//	glob COUNT PATTERN        there must be so many files
func TestScripts(t *testing.T) {
	sample, err := os.ReadFile(sampleTrace)
	if err != nil {
		t.Fatal(err)
	}
	testscript.Run(t, testscript.Params{
		Dir:                 "testdata/script",
		UpdateScripts:       *update,
		RequireExplicitExec: true,
		RequireUniqueNames:  true,
		Setup: func(env *testscript.Env) error {
			return os.WriteFile(filepath.Join(env.WorkDir, "sample.etl"), sample, 0o666)
		},
		Cmds: map[string]func(*testscript.TestScript, bool, []string){
			"exits": exits, "damage": damage, "cut": cut, "pack": pack, "glob": glob,
		},
	})
}

const sampleTrace = "../../testdata/sample.etl"

func exits(ts *testscript.TestScript, _ bool, args []string) {
	want, err := strconv.Atoi(args[0])
	ts.Check(err)
	got := 0
	if err := ts.Exec(args[1], args[2:]...); err != nil {
		var exit *exec.ExitError
		if !errors.As(err, &exit) {
			ts.Fatalf("%v", err)
		}
		got = exit.ExitCode()
	}
	if got != want {
		ts.Fatalf("exit status %d, want %d", got, want)
	}
}

func damage(ts *testscript.TestScript, _ bool, args []string) {
	path := ts.MkAbs(args[0])
	offset, err := strconv.ParseInt(args[1], 0, 64)
	ts.Check(err)
	bytes, err := hex.DecodeString(args[2])
	ts.Check(err)
	contents, err := os.ReadFile(path)
	ts.Check(err)
	copy(contents[offset:], bytes)
	ts.Check(os.WriteFile(path, contents, 0o666))
}

func glob(ts *testscript.TestScript, _ bool, args []string) {
	files, err := filepath.Glob(ts.MkAbs(args[1]))
	ts.Check(err)
	if strconv.Itoa(len(files)) != args[0] {
		ts.Fatalf("%d files, want %s: %v", len(files), args[0], files)
	}
}

func cut(ts *testscript.TestScript, _ bool, args []string) {
	size, err := strconv.ParseInt(args[1], 0, 64)
	ts.Check(err)
	ts.Check(os.Truncate(ts.MkAbs(args[0]), size))
}
