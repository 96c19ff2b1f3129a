package main_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/etl2parquet/etl2parquet/interop"
	"github.com/etl2parquet/etl2parquet/tools/testenv"
)

var folder string // of what the tests build

func TestMain(m *testing.M) {
	code := 1
	var err error
	if folder, err = os.MkdirTemp("", "etl2parquet-duckdb-test-"); err != nil {
		fmt.Fprintln(os.Stderr, err)
	} else {
		code = m.Run()
		os.RemoveAll(folder)
	}
	os.Exit(code)
}

// extension builds the extension, once.
var extension = sync.OnceValues(func() (string, error) {
	path := filepath.Join(folder, "etl2parquet.duckdb_extension")
	return path, run("", "go", "run", "./build", "-o", path)
})

// program builds etl2parquet, once.
var program = sync.OnceValues(func() (string, error) {
	path := filepath.Join(folder, "etl2parquet")
	return path, run("..", "go", "build", "-o", path, "./cmd/etl2parquet")
})

func run(dir, name string, args ...string) error {
	cmd := exec.Command(name, args...)
	cmd.Dir = dir
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("%s: %w: %.2000s", cmd, err, out)
	}
	return nil
}

// must returns a path that a function builds.
func must(t testing.TB, build func() (string, error)) string {
	t.Helper()
	path, err := build()
	if err != nil {
		t.Fatal(err)
	}
	return path
}

// loaded returns the extension, or skips the test without a C compiler.
func loaded(t testing.TB) string {
	t.Helper()
	testenv.Slow(t, "a build of the DuckDB extension, and DuckDB from PyPI")
	if _, err := exec.LookPath("gcc"); err != nil {
		testenv.Missing(t, "a C compiler", "install gcc", err)
	}
	return must(t, extension)
}

// versions are the releases of DuckDB for Python that are tested: the first for each change.
var versions = []string{"2.0.0", "1.4.4"}

// environment returns the path of Python in a virtual environment with a version of DuckDB and with the other
// packages of requirements.txt. All but the first of versions are for the tier all.
func environment(t testing.TB, version string) string {
	t.Helper()
	if version != versions[0] {
		testenv.All(t, "DuckDB "+version)
	}
	wanted := "duckdb==" + version
	text := testenv.ReadFile(t, "testdata/requirements.txt")
	packages := ""
	for line := range strings.Lines(string(text)) {
		if strings.TrimSpace(line) == wanted || strings.HasPrefix(line, "pytz==") {
			packages += line
		}
	}
	if !strings.Contains(packages, wanted) {
		t.Fatalf("testdata/requirements.txt has no %s", wanted)
	}
	return interop.ProgramOf(t, packages, "python")
}

// step is a step of testdata/session.py, with its answer.
type step struct {
	SQL        string   `json:"sql,omitempty"`
	Do         string   `json:"do,omitempty"`
	Statement  string   `json:"statement,omitempty"`
	Statements []string `json:"statements,omitempty"`
	Path       string   `json:"path,omitempty"`
	Mode       string   `json:"mode,omitempty"`
	Warm       int      `json:"warm,omitempty"`
	Times      int      `json:"times,omitempty"`
	After      float64  `json:"after,omitempty"`
}

type answer struct {
	Error          string
	Types          [][2]string
	Rows           [][]string
	Errors         []string
	Status         int
	Before         map[string]int64
	After          map[string]int64
	Grown          int64
	Seconds        float64
	MoreGoroutines int `json:"more_goroutines"`
	Reads, Bytes   int64
}

// session runs steps in one process with DuckDB for Python and the extension.
func session(t testing.TB, version string, steps ...step) []answer {
	t.Helper()
	request, err := json.Marshal(map[string]any{"extension": loaded(t), "steps": steps})
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.CommandContext(t.Context(), environment(t, version), "testdata/session.py")
	cmd.Stdin = bytes.NewReader(request)
	var errs bytes.Buffer
	cmd.Stderr = &errs
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("%v: %.4000s", err, errs.Bytes())
	}
	out = bytes.TrimSpace(out)
	var answers []answer
	if err := json.Unmarshal(out[bytes.LastIndexByte(out, '\n')+1:], &answers); err != nil || len(answers) != len(steps) {
		t.Fatalf("%d answers, %v: %.2000s", len(answers), err, out)
	}
	return answers
}

// sql returns steps that are statements.
func sql(statements ...string) (steps []step) {
	for _, s := range statements {
		steps = append(steps, step{SQL: s})
	}
	return steps
}

// eachVersion runs a test with each release of DuckDB.
func eachVersion(t *testing.T, test func(t *testing.T, version string)) {
	for _, version := range versions {
		t.Run(version, func(t *testing.T) { test(t, version) })
	}
}

// quoted returns a text of SQL.
func quoted(text string) string { return "'" + strings.ReplaceAll(text, "'", "''") + "'" }
