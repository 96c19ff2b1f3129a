package testenv_test

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/etl2parquet/etl2parquet/tools/testenv"
)

// outcome records how a test ends, and its last line.
type outcome struct {
	testing.TB
	how, line string
}

// ended is the panic that stops the function of a test.
type ended struct{}

func (o *outcome) Helper()               {}
func (o *outcome) Log(args ...any)       { o.how, o.line = "logged", args[0].(string) }
func (o *outcome) Skip(args ...any)      { o.how, o.line = "skipped", args[0].(string); panic(ended{}) }
func (o *outcome) Fatalf(string, ...any) { o.how = "failed"; panic(ended{}) }
func (o *outcome) Fatal(args ...any) {
	o.how = "failed"
	o.line, _ = args[0].(string)
	panic(ended{})
}

// run returns when f returns or ends the test.
func (o *outcome) run(f func(testing.TB)) {
	defer func() {
		if cause := recover(); cause != nil && cause != (ended{}) {
			panic(cause)
		}
	}()
	f(o)
}

// TestMissing checks that without a part a test is skipped or continues, and with CI=true
// fails. The line says what is missing, how to get it, and what went wrong.
func TestMissing(t *testing.T) {
	dir := t.TempDir()
	for _, path := range []string{"alone/clone/go.mod", "alone/clone/a/b/c", "beside/clone/go.mod", "beside/clone/a/b/c", "beside/shared/traces/x.etl"} {
		testenv.WriteFile(t, filepath.Join(dir, path), "module github.com/etl2parquet/etl2parquet\n")
	}
	var got []string
	shared := func(name string) func(testing.TB) {
		return func(t testing.TB) { got = []string{testenv.Shared(t, name)} }
	}
	sharedFiles := func(pattern string) func(testing.TB) {
		return func(t testing.TB) { got = testenv.SharedFiles(t, pattern) }
	}
	sharedOr := func(t testing.TB) { got = testenv.SharedOr(t, "traces/*.etl", "sample.etl") }
	for _, test := range []struct {
		name, clone string
		f           func(testing.TB)
		how, inCI   string // how the test ends
		line        string // beginning of the line
		path        string // returned by f, if the test goes on
	}{
		{"missing", "alone", func(t testing.TB) { testenv.Missing(t, "X", "buy one", errors.New("no\n X")) }, "skipped", "failed", "MISSING X: buy one (no X)", ""},
		{"less", "alone", func(t testing.TB) { testenv.Less(t, "X", "buy one", nil) }, "logged", "failed", "MISSING X: buy one", ""},
		{"tool", "alone", func(t testing.TB) { t.Setenv("PATH", ""); testenv.Tool(t, "sh") }, "skipped", "failed", "MISSING sh: install it (", ""},
		{"shared", "alone", shared("traces/x.etl"), "skipped", "failed", "MISSING ../shared: ", ""},
		{"shared", "beside", shared("traces/x.etl"), "", "", "", "x.etl"},
		{"shared, other file", "beside", shared("traces/y.etl"), "failed", "failed", "", ""},
		{"files", "alone", sharedFiles("traces/*.etl"), "skipped", "failed", "MISSING ../shared: ", ""},
		{"files", "beside", sharedFiles("traces/*.etl"), "", "", "", "x.etl"},
		{"files, none", "beside", sharedFiles("traces/*.zip"), "failed", "failed", "", ""},
		{"files or", "alone", sharedOr, "logged", "failed", "MISSING ../shared: ", "sample.etl"},
		{"files or", "beside", sharedOr, "", "", "", "x.etl"},
	} {
		without := test.inCI // with ETL2PARQUET_SHARED=none
		if strings.HasPrefix(test.line, "MISSING ../shared") {
			without = test.how
		}
		for env, want := range map[[2]string]string{{"", ""}: test.how, {"true", ""}: test.inCI, {"true", "none"}: without} {
			t.Run(test.name+" "+test.clone+" CI="+env[0]+" shared="+env[1], func(t *testing.T) {
				t.Setenv("CI", env[0])
				t.Setenv("ETL2PARQUET_SHARED", env[1])
				t.Chdir(filepath.Join(dir, test.clone, "clone/a/b"))
				got = nil
				o := outcome{TB: t}
				o.run(test.f)
				if o.how != want || !strings.HasPrefix(o.line, test.line) {
					t.Errorf("%s with %q, want %s with %q", o.how, o.line, want, test.line)
				}
				if path := test.path; path != "" && want != "failed" && (len(got) != 1 || filepath.Base(got[0]) != path) {
					t.Errorf("returned %v, want %s", got, path)
				}
			})
		}
	}
}

// TestMissingList checks the list that make test prints at its end, from events of go test.
func TestMissingList(t *testing.T) {
	sh := testenv.Tool(t, "sh")
	events := filepath.Join(t.TempDir(), "events.json")
	line := func(name, text string) string {
		return `{"Time":"2026-11-25T18:34:17Z","Action":"output","Package":"github.com/etl2parquet/etl2parquet/p/q","Test":"` + name + `","Output":"    x_test.go:12: ` + text + `\n"}` + "\n"
	}
	text := line("TestB/case", "MISSING tool: install it (\\\"tool\\\" is not in $PATH)") + line("TestB/other", "MISSING tool: install it (not executable)") +
		line("TestA", "MISSING tool: install it") + line("TestD", "in .ci/run all: it takes a minute") + line("TestE", "in .ci/run: a program") + line("TestF", "in .ci/run all: Spark") + line("TestC", "MISSING files: get them") + line("TestC", "slow: MISSING is not first")
	testenv.WriteFile(t, events, text)
	command := exec.Command(sh, "missing.sh")
	command.Env = append(os.Environ(), "GOTESTSUM_JSONFILE="+events)
	out, err := command.CombinedOutput()
	if want := "1 tests skipped: .ci/run runs them\n2 tests skipped: .ci/run all runs them\n\nSkipped, or tested with less:\nMISSING files: get them\n\tp/q TestC\nMISSING tool: install it\n\tp/q TestA\n\tp/q TestB\n"; err != nil || string(out) != want {
		t.Errorf("%v, %q, want %q", err, out, want)
	}
	if _, err := os.Stat(events); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("the events are still there: %v", err)
	}
}

// TestTiers checks which tests run in which tier. Tests of the quick tier never read the variable.
func TestTiers(t *testing.T) {
	for _, test := range []struct {
		variable       string
		change         testenv.Tier // the tier without -short
		all, long, end string       // how All, Long and Running end without -short
	}{
		{"", testenv.TierChange, "skipped", "skipped", ""},
		{"all", testenv.TierAll, "", "skipped", ""},
		{"long", testenv.TierLong, "", "", ""},
		{"some", 0, "failed", "failed", "failed"},
	} {
		t.Run(test.variable, func(t *testing.T) {
			t.Setenv(testenv.TierVariable, test.variable)
			slow := test.end
			if testing.Short() {
				test.change, slow, test.all, test.long, test.end = testenv.TierQuick, "skipped", "skipped", "skipped", ""
			}
			var tier testenv.Tier
			for name, f := range map[string]struct {
				how string
				run func(testing.TB)
			}{
				"slow":    {slow, func(t testing.TB) { testenv.Slow(t, "it takes a minute") }},
				"all":     {test.all, func(t testing.TB) { testenv.All(t, "it takes a minute") }},
				"long":    {test.long, func(t testing.TB) { testenv.Long(t, "it takes a minute") }},
				"running": {test.end, func(t testing.TB) { tier = testenv.Running(t) }},
			} {
				o := outcome{TB: t}
				o.run(f.run)
				if o.how != f.how {
					t.Errorf("%s: %q (%s), want %q", name, o.how, o.line, f.how)
				}
			}
			if tier != test.change {
				t.Errorf("the tier is %d, want %d", tier, test.change)
			}
		})
	}
}
