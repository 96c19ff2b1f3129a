package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/etl2parquet/etl2parquet/internal/answers"
	"github.com/etl2parquet/etl2parquet/internal/base/fileid"
	"github.com/etl2parquet/etl2parquet/internal/inputs"
	"github.com/etl2parquet/etl2parquet/interop"
	"github.com/etl2parquet/etl2parquet/tools/testenv"
)

// cacheQuestions need different tables and columns of the sample trace: some of them those of others.
var cacheQuestions = []string{
	"SELECT event_name, count(*) FROM events GROUP BY 1 ORDER BY 1",
	"SELECT process_id, process_name FROM processes ORDER BY ALL",
	"SELECT event_ref, process_name FROM events ORDER BY 1",
	"SELECT event_ref, fields, message FROM events ORDER BY 1",
	"FROM image_load ORDER BY event_ref",
	"SELECT event_ref, file_name FROM image_load ORDER BY 1",
	"FROM traces",
	"SELECT count(*) FROM stacks",
	"SELECT count(*) FROM thread_cswitch",
	"SELECT event_ref, field FROM search('explorer') ORDER BY ALL",
	"SELECT count(*) AS n, 'x' AS x FROM \"Image/Load\"",
	"SHOW TABLES",
}

// asker asks questions of the program in this process.
type asker struct {
	*testing.T
	cache      string // "" for none
	minIndexed int64  // the least size of a trace whose index is kept; 0: the default
}

// ask returns the rows of an answer, as CSV, and what the program has said. The answer must succeed.
func (t *asker) ask(sql string, args ...string) (rows, said string) {
	t.Helper()
	args = append([]string{"query", "--format", "csv", "--no-cache"}, args...)
	if t.cache != "" {
		args = append(args[:3], append([]string{"--cache", t.cache}, args[4:]...)...)
	}
	return t.run(append(args, sql)...)
}

// run runs a command that must succeed, and returns what it prints.
func (t *asker) run(args ...string) (stdout, stderr string) {
	t.Helper()
	var out, err bytes.Buffer
	a := newApp(nil, &out, &err)
	a.minIndexed = t.minIndexed
	if status := a.run(t.Context(), args); status != exitDone {
		t.Fatalf("%q: exit status %d, %s", args, status, &err)
	}
	return out.String(), err.String()
}

// pieces lists the kept pieces.
func (t *asker) pieces() (list []string) {
	t.Helper()
	found, err := filepath.Glob(filepath.Join(t.cache, "*", "*", "piece"))
	if err != nil {
		t.Fatal(err)
	}
	for _, path := range found {
		list = append(list, filepath.Dir(path))
	}
	return list
}

// newAsker returns an asker with an empty cache.
func newAsker(t *testing.T) *asker {
	t.Helper()
	t.Setenv(answers.Variable, interop.NewDuckDB(t))
	return &asker{T: t, cache: filepath.Join(t.TempDir(), "cache")}
}

// answers returns the answers of questions without a cache.
func (t *asker) answers(questions []string, args ...string) map[string]string {
	t.Helper()
	fresh, want := asker{T: t.T}, make(map[string]string)
	for _, sql := range questions {
		want[sql], _ = fresh.ask(sql, args...)
	}
	return want
}

// TestCacheAnswers asks questions twice, in several orders: each answer is that of a fresh conversion,
// and the second time nothing is made. Package cache tests which pieces meet which needs.
func TestCacheAnswers(t *testing.T) {
	a := newAsker(t)
	all := cacheQuestions[:testenv.Times(t, 2, len(cacheQuestions), len(cacheQuestions), len(cacheQuestions))]
	want := a.answers(all, sampleTrace)
	for _, first := range []int{1, 5, 0}[:testenv.Times(t, 1, 1, 3, 3)] {
		a.cache = filepath.Join(t.TempDir(), "cache")
		questions := slices.Concat(all[first:], all[:first])
		for round := range 2 {
			before := a.pieces()
			for _, sql := range questions {
				if got, said := a.ask(sql, sampleTrace); got != want[sql] {
					t.Errorf("round %d, %s: -fresh +kept:\n%s%s", round, sql, cmp.Diff(want[sql], got), said)
				}
			}
			if after := a.pieces(); round == 1 && !slices.Equal(before, after) {
				t.Errorf("pieces were made or removed: %q, %q", before, after)
			}
		}
	}
}

// TestCacheOptions asks with options that change rows: each finds its own tables.
func TestCacheOptions(t *testing.T) {
	testenv.Slow(t, "twenty questions")
	a := newAsker(t)
	const sql = "SELECT event_ref, event_name, process_name, message FROM events ORDER BY 1"
	none, wants := asker{T: t}, make(map[string]string)
	for range 2 {
		for _, options := range [][]string{nil, {"--process", "explorer"}, {"--event", "Image/Load"}, {"--from", "1s"}, {"--messages", "none"}, {"--siblings", "off"}, {"--catalog", "none"}} {
			key := strings.Join(options, " ")
			if wants[key] == "" {
				wants[key], _ = none.ask(sql, append(options, sampleTrace)...)
			}
			want := wants[key]
			if got, said := a.ask(sql, append(options, sampleTrace)...); got != want {
				t.Errorf("%q: -fresh +kept:\n%s%s", options, cmp.Diff(want, got), said)
			}
		}
	}
}

// settle waits until files are old enough to be kept.
func settle(t *testing.T, paths ...string) {
	t.Helper()
	for _, path := range paths {
		for {
			id, err := fileid.Of(path)
			if err != nil {
				t.Fatal(err)
			}
			if id.IsSettled(time.Now()) {
				break
			}
			time.Sleep(50 * time.Millisecond)
		}
	}
}

// otherTrace returns the sample trace with another name of a process: of the same size.
func otherTrace(t *testing.T) (sample, other []byte) {
	t.Helper()
	sample = testenv.ReadFile(t, sampleTrace)
	other = bytes.ReplaceAll(sample, []byte("explorer.exe"), []byte("explorer.EXE"))
	if bytes.Equal(sample, other) {
		t.Fatal("the sample has no explorer.exe")
	}
	return sample, other
}

// TestCacheChangedTrace rewrites a trace in place, with equal size and time.
func TestCacheChangedTrace(t *testing.T) {
	testenv.Slow(t, "waits until files are old enough to be kept")
	a := newAsker(t)
	path := filepath.Join(t.TempDir(), "x.etl")
	sample, other := otherTrace(t)
	at := time.Date(2020, 1, 2, 3, 4, 5, 0, time.UTC)
	none := asker{T: t}
	const sql = "SELECT DISTINCT process_name FROM processes ORDER BY 1"
	var last string
	for round, contents := range [][]byte{sample, other} {
		testenv.WriteFile(t, path, contents)
		if err := os.Chtimes(path, at, at); err != nil {
			t.Fatal(err)
		}
		want, _ := none.ask(sql, path)
		for _, wait := range []bool{false, true, true} {
			before := len(a.pieces())
			if wait {
				settle(t, path)
			}
			got, said := a.ask(sql, path)
			if got != want {
				t.Errorf("round %d: -fresh +kept:\n%s%s", round, cmp.Diff(want, got), said)
			}
			if !wait && len(a.pieces()) != before {
				t.Error("tables of a file that has just changed are kept")
			}
			if wait && len(a.pieces()) != round+1 {
				t.Errorf("round %d: %d pieces", round, len(a.pieces()))
			}
			if !wait && got == last {
				t.Error("the two traces have equal rows: the test shows nothing")
			}
			last = got
		}
	}
}

// TestCacheNotKept asks where nothing can or may be kept.
func TestCacheNotKept(t *testing.T) {
	testenv.Slow(t, "ten questions")
	a := newAsker(t)
	sample := testenv.ReadFile(t, sampleTrace)
	const sql, line = "SELECT count(*) FROM events", "are kept in "
	for _, args := range [][]string{{"--no-cache", sampleTrace}, {"-"}} {
		var stdout, stderr bytes.Buffer
		args = append([]string{"query", "--cache", a.cache, "--format", "csv"}, args...)
		if status := run(t.Context(), append(args, sql), bytes.NewReader(sample), &stdout, &stderr); status != exitDone || !strings.HasSuffix(stdout.String(), "\n449\n") || stderr.Len() > 0 || len(a.pieces()) > 0 {
			t.Errorf("%q: exit status %d, %s%s, %q", args, status, &stdout, &stderr, a.pieces())
		}
	}
	_, first := a.ask(sql, sampleTrace)
	_, second := a.ask("SELECT count(*) FROM image_load", sampleTrace)
	if !strings.Contains(first, line) || !strings.Contains(first, "--no-cache") || second != "" || len(a.pieces()) != 2 {
		t.Errorf("what is kept is not said once: %q, %q, %q", first, second, a.pieces())
	}
	before := a.pieces()
	if a.ask("SELECT count(*) FROM stacks", sampleTrace, "--cache-size=10"); !slices.Equal(before, a.pieces()) {
		t.Error("a piece that is larger than the cache changes it")
	}
	var foreign string
	var stdout, stderr bytes.Buffer
	for name, text := range map[string]string{
		"mine.txt":     "",
		"CACHEDIR.TAG": "Signature: 8a477f597d28d172789f06886806bc55\n# of another program\n",
	} {
		foreign = t.TempDir()
		testenv.WriteFile(t, filepath.Join(foreign, name), text)
		if status := run(t.Context(), []string{"query", "--cache", foreign, sampleTrace, sql}, nil, &stdout, &stderr); status != exitUsage {
			t.Errorf("a folder with %s: exit status %d, %s", name, status, &stderr)
		}
		for _, command := range []string{"list", "clear"} {
			if status := run(t.Context(), []string{"cache", command, "--cache", foreign}, nil, &stdout, &stderr); status != exitFailed {
				t.Errorf("cache %s of a folder with %s: exit status %d", command, name, status)
			}
		}
	}
	t.Setenv(cacheVariable, foreign) // not named on the command line: it costs the answer nothing
	stdout.Reset()
	if status := run(t.Context(), []string{"query", sampleTrace, sql, "--format", "csv"}, nil, &stdout, &stderr); status != exitDone || !strings.HasSuffix(stdout.String(), "\n449\n") {
		t.Errorf("exit status %d, %s", status, &stdout)
	}
}

// TestCacheCommands lists and clears a cache, also while a command reads it.
func TestCacheCommands(t *testing.T) {
	a := newAsker(t)
	command := func(args ...string) string {
		t.Helper()
		var stdout, stderr bytes.Buffer
		if status := run(t.Context(), append([]string{"cache", args[0], "--cache", a.cache}, args[1:]...), nil, &stdout, &stderr); status != exitDone || stderr.Len() > 0 {
			t.Fatalf("%q: exit status %d, %s", args, status, &stderr)
		}
		return stdout.String()
	}
	if got := command("path"); got != a.cache+"\n" {
		t.Errorf("path: %s", got)
	}
	if got := command("list"); got != "nothing is kept in "+a.cache+"\n" {
		t.Errorf("list: %s", got)
	}
	a.ask("SELECT count(*) FROM image_load", sampleTrace)
	var kept struct {
		Inputs, Tables []string
		Bytes          int64
	}
	if err := json.Unmarshal([]byte(command("list", "--json")), &kept); err != nil {
		t.Fatal(err)
	}
	if len(kept.Inputs) != 1 || filepath.Base(kept.Inputs[0]) != "sample.etl" || !slices.Contains(kept.Tables, "image_load") || kept.Bytes == 0 {
		t.Errorf("%+v", kept)
	}
	if got := command("list"); !strings.Contains(got, "sample.etl\n") || !strings.Contains(got, "kept in ") {
		t.Errorf("list: %s", got)
	}
	if info, err := os.Stat(filepath.Dir(a.pieces()[0])); err != nil || info.Mode().Perm()&0o077 != 0 {
		t.Errorf("others may read a set: %v, %v", info.Mode(), err)
	}
	if got := command("clear"); !strings.HasPrefix(got, "removed ") || len(a.pieces()) > 0 {
		t.Errorf("clear: %s, %q", got, a.pieces())
	}
	entries, err := os.ReadDir(a.cache)
	if err != nil || len(entries) != 2 {
		t.Errorf("%v is left, %v", entries, err)
	}
}

// TestCacheInputs asks about folders, archives and several traces, and about traces that fail.
func TestCacheInputs(t *testing.T) {
	testenv.Slow(t, "waits until files are old enough to be kept")
	a := newAsker(t)
	folder := filepath.Join(t.TempDir(), "in")
	writeBatch(t, folder)
	var paths []string
	for _, name := range []string{"a.etl", "b.zip", "e.etl.gz", "f.zip", "h.etl"} {
		paths = append(paths, filepath.Join(folder, name))
	}
	settle(t, paths...)
	none := asker{T: t}
	const sql = "SELECT trace, count(*), count(DISTINCT process_name) FROM events GROUP BY 1 ORDER BY 1"
	want, _ := none.ask(sql, folder)
	of := fmt.Sprintf("SELECT count(*) FROM '%s'", paths[1])
	wantOf, _ := none.ask(of, paths...)
	for range 2 {
		if got, said := a.ask(sql, folder); got != want {
			t.Errorf("-fresh +kept:\n%s%s", cmp.Diff(want, got), said)
		}
		if got, said := a.ask(of, paths...); got != wantOf {
			t.Errorf("-fresh +kept:\n%s%s", cmp.Diff(wantOf, got), said)
		}
	}
	kept := len(a.pieces())
	bad := filepath.Join(folder, "i.etl")
	testenv.WriteFile(t, bad, inputs.Stdin)
	settle(t, bad)
	for range 2 {
		var stdout, stderr bytes.Buffer
		if status := run(t.Context(), []string{"query", folder, sql, "--format", "csv", "--cache", a.cache}, nil, &stdout, &stderr); status != exitSomeFailed || stdout.String() != want || !strings.Contains(stderr.String(), "i.etl: ") {
			t.Errorf("exit status %d, %s%s", status, &stdout, &stderr)
		}
	}
	if n := len(a.pieces()); n != kept {
		t.Errorf("%d pieces, want %d: tables without a trace are kept", n, kept)
	}
}
