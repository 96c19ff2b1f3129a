package main

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/etl2parquet/etl2parquet/decode/etltest"
	"github.com/etl2parquet/etl2parquet/internal/answers"
	"github.com/etl2parquet/etl2parquet/internal/base/remote"
	"github.com/etl2parquet/etl2parquet/tools/testenv"
)

func TestMain(m *testing.M) {
	if strings.HasSuffix(strings.TrimSuffix(os.Args[0], ".exe"), ".test") { // else a program that a test runs
		os.Setenv(cacheVariable, noCache) // not the user's cache
	}
	testscript.Main(m, map[string]func(){"etl2parquet": func() {
		if os.Getenv(onlyParse) != "" {
			if err := parseOnly(os.Args); err != nil {
				fmt.Fprintln(os.Stderr, err)
				os.Exit(exitUsage)
			}
			os.Exit(exitDone)
		}
		start(neverTicks)
	}})
}

// neverTicks keeps progress lines out of the output. They appear after some seconds, so that
// tests that compare the output would depend on the speed of the machine.
func neverTicks(time.Duration) *time.Ticker { return time.NewTicker(math.MaxInt64) }

// newApp returns the program for this process.
func newApp(stdin io.Reader, stdout, stderr io.Writer) *app {
	return &app{in: stdin, out: &output{Writer: stdout}, err: stderr, patience: remote.DefaultPatience, ticker: neverTicks}
}

// run runs the program in this process and returns its exit status.
func run(ctx context.Context, args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	return newApp(stdin, stdout, stderr).run(ctx, args)
}

// TestScripts runs testdata/script. Each script has a copy of the sample
// trace, and commands beyond those of testscript:
//
//	run ARGUMENT...           run the program in this process: a start costs more than most commands
//	exits STATUS COMMAND...   run a command that must exit with a status, the program in this process
//	trace FILE TEXT           write a trace of the text form of package etltest
//	member OUT FILE PATH      write a member of a JSON file, such as inputs.0.size
//	damage FILE OFFSET HEX    overwrite bytes of a file
//	cut FILE SIZE             shorten a file
//	pack ARCHIVE FILE...      make a zip, tar, tar.gz, tar.zst, gz, 7z or cab
//	glob COUNT PATTERN        check the number of files that match
//	copies FILE FOLDER COUNT  copies of a trace, 00.etl, 01.etl, ...
//	tree FOLDER FILE          write the names, times and sums of the files of a folder into a file
//	replace FILE OLD NEW      replace a text, which the file must have
//	eachline FILE COMMAND...  run the command with each line of the file as its last argument
func TestScripts(t *testing.T) {
	sample := testenv.ReadFile(t, sampleTrace)
	testscript.RunT(inTurn{t}, testscript.Params{
		Files:               scripts(t),
		UpdateScripts:       *testenv.Update,
		RequireExplicitExec: true,
		RequireUniqueNames:  true,
		Setup: func(env *testscript.Env) error {
			env.Setenv("COLUMNS", "100") // so that most lines are not wrapped; TestWidths checks narrow pages
			return os.WriteFile(filepath.Join(env.WorkDir, "sample.etl"), sample, 0o666)
		},
		Cmds: map[string]func(*testscript.TestScript, bool, []string){
			"run": runProgram, "exits": exits, "trace": makeTrace, "member": member, "damage": damage, "cut": cut, "pack": pack, "glob": glob, "copies": copyTrace, "tree": writeTree, "replace": replace, "pdb": makePDB, "eachline": eachLine,
		},
	})
}

// scripts returns the scripts to run: in the quick tests without those that convert most often or measure,
// and under the race detector only some with much concurrency.
func scripts(t *testing.T) []string {
	all, err := filepath.Glob("testdata/script/*.txtar")
	if err != nil || len(all) == 0 {
		t.Fatalf("no scripts: %v", err)
	}
	var busy []string
	for _, name := range []string{"archives", "bundle", "convert", "progress"} {
		path := filepath.Join("testdata", "script", name+".txtar")
		at := slices.Index(all, path)
		if at < 0 {
			t.Fatalf("no script %s", path)
		}
		all = slices.Delete(all, at, at+1)
		busy = append(busy, path)
	}
	all = testenv.Unraced(all, busy...)
	for _, name := range []string{"bench", "bundle", "columns", "describe_dataset", "reruns", "select"}[:testenv.Times(t, 6, 0, 0, 0)] {
		all = slices.DeleteFunc(all, func(path string) bool { return filepath.Base(path) == name+".txtar" })
	}
	return all
}

const sampleTrace = "../../testdata/sample.etl"

// absoluteSample returns the path of the sample for programs and tests in other folders.
func absoluteSample(t testing.TB) string {
	t.Helper()
	path, err := filepath.Abs(sampleTrace)
	if err != nil {
		t.Fatal(err)
	}
	return path
}

// inTurn runs scripts one after another, because they share the folder and the environment of this process.
type inTurn struct{ *testing.T }

func (inTurn) Parallel()     {}
func (inTurn) Verbose() bool { return testing.Verbose() }

func (t inTurn) Run(name string, f func(testscript.T)) {
	t.T.Run(name, func(t *testing.T) { f(inTurn{t}) })
}

// scriptVariables are those of a script's environment that the program reads after its start.
var scriptVariables = []string{
	"COLUMNS", "HOME", "PATH", "TMPDIR", "XDG_CACHE_HOME", symbolPathVariable, catalogsVariable, cacheVariable, answers.Variable,
}

// status runs a command in the folder and the environment of a script, and returns its exit status. The
// program runs in this process, unless it reads standard input, which only a process is given.
func status(ts *testscript.TestScript, args []string) int {
	if args[0] != "etl2parquet" || slices.Contains(args, "-") {
		var exit *exec.ExitError
		switch err := ts.Exec(args[0], args[1:]...); {
		case err == nil:
			return 0
		case errors.As(err, &exit):
			return exit.ExitCode()
		default:
			ts.Fatalf("%v", err)
		}
	}
	before, err := os.Getwd()
	ts.Check(err)
	ts.Check(os.Chdir(ts.MkAbs(".")))
	defer os.Chdir(before) // the folder of the tests
	for _, name := range scriptVariables {
		old, isSet := os.LookupEnv(name)
		defer func() {
			if os.Setenv(name, old); !isSet {
				os.Unsetenv(name)
			}
		}()
		if os.Setenv(name, ts.Getenv(name)); ts.Getenv(name) == "" {
			os.Unsetenv(name)
		}
	}
	a := newApp(strings.NewReader(""), ts.Stdout(), ts.Stderr())
	a.program = args[0]
	return a.run(context.Background(), args[1:])
}

func runProgram(ts *testscript.TestScript, neg bool, args []string) {
	if got := status(ts, append([]string{"etl2parquet"}, args...)); neg != (got != 0) {
		ts.Fatalf("exit status %d", got)
	}
}

func exits(ts *testscript.TestScript, _ bool, args []string) {
	want, err := strconv.Atoi(args[0])
	ts.Check(err)
	if got := status(ts, args[1:]); got != want {
		ts.Fatalf("exit status %d, want %d", got, want)
	}
}

func eachLine(ts *testscript.TestScript, neg bool, args []string) {
	failed := false
	for line := range strings.Lines(ts.ReadFile(args[0])) {
		failed = status(ts, append(slices.Clone(args[1:]), strings.TrimSpace(line))) != 0 || failed
	}
	if failed != neg {
		ts.Fatalf("failed: %t, want %t", failed, neg)
	}
}

func makeTrace(ts *testscript.TestScript, _ bool, args []string) {
	trace, err := etltest.Parse(ts.ReadFile(args[1]))
	ts.Check(err)
	ts.Check(os.WriteFile(ts.MkAbs(args[0]), trace, 0o666))
}

func member(ts *testscript.TestScript, _ bool, args []string) {
	value := json.RawMessage(ts.ReadFile(args[1]))
	for _, name := range strings.Split(args[2], ".") {
		if i, err := strconv.Atoi(name); err == nil {
			var list []json.RawMessage
			ts.Check(json.Unmarshal(value, &list))
			value = list[i]
			continue
		}
		var object map[string]json.RawMessage
		ts.Check(json.Unmarshal(value, &object))
		value = object[name]
	}
	var text bytes.Buffer
	ts.Check(json.Indent(&text, value, "", "  "))
	ts.Check(os.WriteFile(ts.MkAbs(args[0]), append(text.Bytes(), '\n'), 0o666))
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

func copyTrace(ts *testscript.TestScript, _ bool, args []string) {
	count, err := strconv.Atoi(args[2])
	ts.Check(err)
	for i := range count {
		ts.Check(os.WriteFile(ts.MkAbs(fmt.Sprintf("%s/%02d.etl", args[1], i)), []byte(ts.ReadFile(args[0])), 0o666))
	}
}

func glob(ts *testscript.TestScript, _ bool, args []string) {
	files, err := filepath.Glob(ts.MkAbs(args[1]))
	ts.Check(err)
	if strconv.Itoa(len(files)) != args[0] {
		ts.Fatalf("%d files, want %s: %v", len(files), args[0], files)
	}
}

func writeTree(ts *testscript.TestScript, _ bool, args []string) {
	root := os.DirFS(ts.MkAbs(args[0]))
	var text strings.Builder
	ts.Check(fs.WalkDir(root, ".", func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		contents, err := fs.ReadFile(root, path)
		if err != nil {
			return err
		}
		info, err := entry.Info()
		if err == nil {
			fmt.Fprintf(&text, "%s %d %x\n", path, info.ModTime().UnixNano(), sha256.Sum256(contents))
		}
		return err
	}))
	ts.Check(os.WriteFile(ts.MkAbs(args[1]), []byte(text.String()), 0o666))
}

func replace(ts *testscript.TestScript, _ bool, args []string) {
	path := ts.MkAbs(args[0])
	contents, err := os.ReadFile(path)
	ts.Check(err)
	if !strings.Contains(string(contents), args[1]) {
		ts.Fatalf("%s has no %s", args[0], args[1])
	}
	ts.Check(os.WriteFile(path, []byte(strings.ReplaceAll(string(contents), args[1], args[2])), 0o666))
}

func cut(ts *testscript.TestScript, _ bool, args []string) {
	size, err := strconv.ParseInt(args[1], 0, 64)
	ts.Check(err)
	ts.Check(os.Truncate(ts.MkAbs(args[0]), size))
}
