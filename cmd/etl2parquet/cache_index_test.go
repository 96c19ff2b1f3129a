package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"hash/crc32"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/etl2parquet/etl2parquet/internal/answers"
	"github.com/etl2parquet/etl2parquet/tools/testenv"
)

// indexQuestions need different facts of a trace, and different tables.
var indexQuestions = []string{
	"SELECT event_name, count(*) FROM events GROUP BY 1 ORDER BY 1",
	"SELECT count(*), min(event_ref), max(event_ref) FROM image_load",
	"SELECT process_id, process_name FROM processes ORDER BY ALL",
	"SELECT process_name, thread_id, count(*) FROM events GROUP BY ALL ORDER BY ALL",
	"SELECT count(*), count(DISTINCT stack_id) FROM stacks",
	"FROM traces",
	"SELECT code, count(*) FROM problems GROUP BY 1 ORDER BY 1",
	"SELECT image_name, count(*) FROM images GROUP BY 1 ORDER BY 1",
}

// indexedTrace writes a trace whose index is kept: copies of the sample, of at least some bytes.
func (t *asker) indexedTrace(least int) (path string) {
	t.Helper()
	t.minIndexed = int64(least)
	sample := testenv.ReadFile(t, sampleTrace)
	path = filepath.Join(t.TempDir(), "large.etl")
	testenv.WriteFile(t, path, largeTrace(sample, least/len(sample)*3/2))
	settle(t.T, path)
	return path
}

// indexes lists the kept indexes.
func (t *asker) indexes() []string {
	t.Helper()
	found, err := filepath.Glob(filepath.Join(t.cache, "*", "*", "index"))
	if err != nil {
		t.Fatal(err)
	}
	return found
}

// dropTables removes all pieces but indexes.
func (t *asker) dropTables() {
	t.Helper()
	for _, piece := range t.pieces() {
		if slices.Contains(t.indexes(), filepath.Join(piece, "index")) {
			continue
		}
		if err := os.RemoveAll(piece); err != nil {
			t.Fatal(err)
		}
	}
}

// uses reports whether a question uses a kept index. The answer must be the wanted one.
func (t *asker) uses(want, sql string, args ...string) bool {
	t.Helper()
	old := time.Now().Add(-time.Hour)
	before := t.indexes()
	for _, path := range before {
		if err := os.Chtimes(filepath.Dir(path)+".lock", old, old); err != nil {
			t.Fatal(err)
		}
	}
	if got, said := t.ask(sql, args...); got != want {
		t.Errorf("%s: -fresh +kept:\n%s%s", sql, cmp.Diff(want, got), said)
	}
	return slices.ContainsFunc(before, func(path string) bool {
		info, err := os.Stat(filepath.Dir(path) + ".lock")
		return err == nil && time.Since(info.ModTime()) < time.Hour/2
	})
}

// fewIndexed is the least size of a trace whose index is kept, where a test need not have the program's.
const fewIndexed = 256 << 10

// TestKeptIndexAnswers asks questions about a trace whose index is kept, in several orders: the answers are
// those without a cache, and a question whose facts the index has uses it.
func TestKeptIndexAnswers(t *testing.T) {
	testenv.RacedElsewhere(t)
	testenv.Slow(t, "a hundred questions")
	a := newAsker(t)
	path := a.indexedTrace(testenv.Times(t, 0, fewIndexed, answers.MinIndexed, answers.MinIndexed))
	want := a.answers(indexQuestions, path)
	for _, first := range []int{4, 0, 5}[:testenv.Times(t, 0, 1, 3, 3)] {
		a.cache = filepath.Join(t.TempDir(), "cache")
		questions := slices.Concat(indexQuestions[first:], indexQuestions[:first])
		for i, sql := range questions {
			if a.uses(want[sql], sql, path) != (i > 0) && (i == 0 || sql == indexQuestions[1]) {
				t.Errorf("order %d, question %d, %s: whether an index is used", first, i, sql)
			}
		}
		before := a.indexes()
		a.dropTables()
		for _, sql := range questions {
			if !a.uses(want[sql], sql, path) {
				t.Errorf("order %d, %s: no index is used", first, sql)
			}
		}
		if len(before) == 0 || !slices.Equal(before, a.indexes()) {
			t.Errorf("order %d: indexes were made again: %q, %q", first, before, a.indexes())
		}
	}
	const sql = "SELECT count(*) FROM image_load"
	rows, _ := (&asker{T: t}).ask(sql, "--redact", path)
	if before := a.indexes(); a.uses(rows, sql, "--redact", path) || !slices.Equal(before, a.indexes()) {
		t.Error("an index is used, or made, with --redact")
	}
}

// forge replaces the index of a piece, and makes its manifest say so.
func forge(t *testing.T, path string, text []byte) {
	t.Helper()
	manifest := filepath.Join(filepath.Dir(path), "piece")
	old := testenv.ReadFile(t, manifest)
	var m map[string]any
	exact := json.NewDecoder(bytes.NewReader(old[9:]))
	exact.UseNumber()
	if err := exact.Decode(&m); err != nil {
		t.Fatal(err)
	}
	table := crc32.MakeTable(crc32.Castagnoli)
	file := m["files"].([]any)[0].(map[string]any)
	file["crc32c"] = crc32.Checksum(text, table)
	file["id"].(map[string]any)["Size"] = len(text)
	body, err := json.Marshal(m)
	if err != nil {
		t.Fatal(err)
	}
	head := fmt.Sprintf("%08x\n", crc32.Checksum(body, table))
	for name, contents := range map[string][]byte{path: text, manifest: append([]byte(head), body...)} {
		if err := os.WriteFile(name, contents, 0o600); err != nil {
			t.Fatal(err)
		}
	}
}

// TestKeptIndexDamage replaces a kept index by others whose sum is right: of another version, of another trace, and
// damaged. The answers are those without a cache, and a whole index is kept afterwards. Package cache tests indexes
// whose sum is not right.
func TestKeptIndexDamage(t *testing.T) {
	testenv.Slow(t, "forty questions")
	a := newAsker(t)
	path := a.indexedTrace(fewIndexed)
	const sql = "SELECT count(*), min(event_ref), max(event_ref) FROM image_load"
	want, _ := (&asker{T: t}).ask(sql, path)
	a.ask(sql, path)
	if len(a.indexes()) != 1 {
		t.Fatalf("indexes %q", a.indexes())
	}
	whole := testenv.ReadFile(t, a.indexes()[0])
	changed := func(at int) []byte {
		text := bytes.Clone(whole)
		text[at] ^= 0x40
		return text
	}
	for name, text := range map[string][]byte{
		"another form":    changed(8),
		"of another size": changed(0x10),
		"another sum":     changed(len(whole) / 2),
		"cut":             whole[:len(whole)/2],
		"empty":           nil,
	} {
		forge(t, a.indexes()[0], text)
		a.dropTables()
		a.uses(want, sql, path)
		a.dropTables()
		if !a.uses(want, sql, path) || len(a.indexes()) != 1 {
			t.Errorf("%s: no index is used afterwards, or several are kept: %q", name, a.indexes())
		}
		if text, err := os.ReadFile(a.indexes()[0]); err != nil || !bytes.Equal(text, whole) {
			t.Errorf("%s: another index is kept, %v", name, err)
		}
	}
}

// TestKeptIndexOfChangedTrace rewrites a trace in place, with equal size and time, and gives it the index
// that it had before.
func TestKeptIndexOfChangedTrace(t *testing.T) {
	testenv.Slow(t, "waits until files are old enough to be kept")
	a := newAsker(t)
	path := a.indexedTrace(fewIndexed)
	trace := testenv.ReadFile(t, path)
	at := bytes.LastIndex(trace[:len(trace)/2], []byte("explorer.exe"))
	if at < 0 {
		t.Fatal("the first half of the trace has no explorer.exe")
	}
	copy(trace[at:], "explorer.EXE") // neither in the first nor in the last buffer
	const sql = "SELECT process_name, count(*) FROM processes GROUP BY 1 ORDER BY 1"
	first, _ := a.ask(sql, path)
	old := a.indexes()
	if len(old) != 1 {
		t.Fatalf("indexes %q", old)
	}
	stale := testenv.ReadFile(t, old[0])
	info, err := os.Stat(path)
	if err != nil {
		t.Fatal(err)
	}
	testenv.WriteFile(t, path, trace)
	if err := os.Chtimes(path, info.ModTime(), info.ModTime()); err != nil {
		t.Fatal(err)
	}
	settle(t, path)
	want, _ := (&asker{T: t}).ask(sql, path)
	if want == first {
		t.Fatal("the two traces have equal rows: the test shows nothing")
	}
	if a.uses(want, sql, path) {
		t.Error("the index of the trace before its change is used")
	}
	const rows = "SELECT count(*), sum(payload_size) FROM events"
	all, _ := (&asker{T: t}).ask(rows, path)
	for _, index := range a.indexes() {
		if index != old[0] {
			forge(t, index, stale)
		}
	}
	a.dropTables()
	a.uses(all, rows, path) // it reads all buffers: one contradicts the forged index, which is removed
	if got := a.indexes(); !slices.Equal(got, old) {
		t.Errorf("indexes %q, and all but the forged one are %q", got, old)
	}
}

// TestKeptIndexOfExport checks that exports and reports keep one index of a trace, and that exports are the
// same with and without it. Pages have counts of chains of waits, which DuckDB orders anew among the equal
// times of this trace.
func TestKeptIndexOfExport(t *testing.T) {
	testenv.RacedElsewhere(t)
	a := &asker{T: t}
	if testenv.Running(t) > testenv.TierQuick {
		a = newAsker(t) // only pages need DuckDB
	}
	path := a.indexedTrace(fewIndexed)
	write := func(args ...string) string {
		t.Helper()
		out := filepath.Join(t.TempDir(), "out")
		a.run(append(args, path, "-o", out)...)
		return string(testenv.ReadFile(t, out))
	}
	for _, command := range [][]string{{"export", "--format", "speedscope"}, {"export", "--format", "perfetto"}, {"report"}}[:testenv.Times(t, 2, 3, 3, 3)] {
		a.cache = filepath.Join(t.TempDir(), "cache")
		want := ""
		if command[0] == "export" {
			want = write(append(command, "--no-cache")...)
		}
		for range 2 {
			before := a.indexes()
			if got := write(append(command, "--cache", a.cache)...); got != want && command[0] == "export" {
				t.Errorf("%q: the file differs with the index %q", command, before)
			}
			if after := a.indexes(); len(after) != 1 || len(before) == 1 && before[0] != after[0] {
				t.Errorf("%q: indexes %q, then %q", command, before, after)
			}
		}
	}
}
