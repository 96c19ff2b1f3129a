package main

import (
	"bytes"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"math/rand/v2"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/etl2parquet/etl2parquet/internal/lake/dataset"
	"github.com/etl2parquet/etl2parquet/tools/testenv"
)

// kills returns the number of runs of each kind to kill.
func kills(t *testing.T) int { return testenv.Times(t, 0, 0, 100, 400) }

// writeBatch makes a folder of inputs: traces, and archives whose traces need
// temporary files.
func writeBatch(t testing.TB, dir string) {
	t.Helper()
	sample := testenv.ReadFile(t, sampleTrace)
	if err := os.MkdirAll(dir, 0o777); err != nil {
		t.Fatal(err)
	}
	write := func(name, contents string) {
		testenv.WriteFile(t, filepath.Join(dir, name), contents)
	}
	small, large := string(sample), string(largeTrace(sample, 20))
	write("a.etl", large)
	write("b.zip", mustPack(t, "b.zip", []string{"in/c.etl", "in/d.etl"}, []string{small, large}))
	write("e.etl.gz", mustPack(t, "e.gz", nil, []string{large}))
	write("f.zip", mustPack(t, "f.zip", []string{"g.tar.zst"}, []string{mustPack(t, "g.tar.zst", []string{"g.etl"}, []string{small})}))
	write("h.etl", small)
}

// batchRun is a run of the program over the inputs of writeBatch, in a separate folder with
// the same names. Each trace is converted by itself: tests run a part of the inputs, or make
// one fail, and the files of the others must not depend on it.
type batchRun struct {
	dir, temp string
	args      []string
}

func newBatch(t testing.TB, inputs string, args ...string) *batchRun {
	t.Helper()
	b := &batchRun{dir: t.TempDir(), temp: t.TempDir()}
	b.args = append([]string{"convert", inputs, "-o", "out", "--temp-dir", b.temp, "--siblings=off", "--bundle=never"}, args...)
	return b
}

func (b *batchRun) command(args ...string) *exec.Cmd {
	cmd := exec.Command("etl2parquet", append(slices.Clone(b.args), args...)...)
	cmd.Dir = b.dir
	return cmd
}

// run runs the program to its end, and fails the test on an error.
func (b *batchRun) run(t testing.TB, args ...string) {
	t.Helper()
	if out, err := b.command(args...).CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
}

// kill kills it after a time, and reports whether it was still running.
func (b *batchRun) kill(t testing.TB, after time.Duration) bool {
	t.Helper()
	cmd := b.command()
	var out bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &out
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	timer := time.AfterFunc(after, func() { cmd.Process.Kill() }) // it may be too late
	err := cmd.Wait()
	timer.Stop()
	var exit *exec.ExitError
	if errors.As(err, &exit) && exit.ExitCode() != -1 && exit.ExitCode() != 1 {
		t.Fatalf("%v: %s", err, &out) // it ended by itself
	}
	return err != nil
}

// viewsRoot matches what differs between the views.sql of two datasets with the same tables: the path,
// and the starts of the traces. A killed run leaves those that it committed.
var viewsRoot = regexp.MustCompile(`(?s)ELSE '[^\n]*' END;|SET VARIABLE trace_starts = [^;]*;`)

// tree returns the files below a folder with their sums, and the folders.
func tree(t testing.TB, root string) map[string]string {
	t.Helper()
	found := make(map[string]string)
	err := filepath.WalkDir(root, func(path string, entry fs.DirEntry, err error) error {
		if errors.Is(err, fs.ErrNotExist) && path == root {
			return nil
		}
		if err != nil || path == root {
			return err
		}
		name, err := filepath.Rel(root, path)
		if err != nil {
			return err
		}
		name = filepath.ToSlash(name)
		if entry.IsDir() {
			found[name+"/"] = ""
			return nil
		}
		contents, err := os.ReadFile(path)
		if name == "views.sql" {
			contents = viewsRoot.ReplaceAll(contents, nil)
		}
		found[name] = fmt.Sprintf("%d bytes, %x", len(contents), sha256.Sum256(contents))
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return found
}

// left describes the leftovers of a killed run. It checks that files under final names are
// whole: they have the contents from before the run or from its end, and every file of a record
// exists.
func left(t testing.TB, root string, before, after map[string]string) string {
	t.Helper()
	now := tree(t, root)
	temporary, orphans := 0, 0
	owned := make(map[string]bool)
	for name := range now {
		if path.Dir(name) != "_traces" || !strings.HasSuffix(name, ".json") {
			continue
		}
		for _, f := range recordAt(t, filepath.Join(root, name)).Files {
			owned[f.File] = true
			if now[f.File] == "" {
				t.Errorf("%s names %s, which is missing", name, f.File)
			}
		}
	}
	for name, contents := range now {
		switch {
		case strings.HasPrefix(path.Base(name), ".") && !strings.HasSuffix(name, "/"):
			temporary++
		case contents != before[name] && contents != after[name]:
			t.Errorf("%s is half written: %s", name, contents)
		case path.Ext(name) == ".parquet" && !owned[name]:
			orphans++
		}
	}
	switch {
	case maps.Equal(now, before):
		return "all as it was before"
	case orphans > 0:
		return "files without a record"
	case temporary > 0:
		return "temporary files"
	case maps.Equal(now, after):
		return "everything, and had only to end"
	}
	return "only what is committed"
}

func recordAt(t testing.TB, path string) *dataset.Record {
	t.Helper()
	text := testenv.ReadFile(t, path)
	r := new(dataset.Record)
	if err := json.Unmarshal(text, r); err != nil {
		t.Fatalf("%s is half written: %v", path, err)
	}
	return r
}

// TestKill kills runs at seeded moments, spread over the duration of a run, and runs them
// again. Then the dataset is that of an undisturbed run, and no other file is left, neither
// there nor among the temporary files.
func TestKill(t *testing.T) {
	testenv.All(t, "kills of the program; package bundle ends between all steps of a conversion, also of traces that were converted before")
	t.Parallel()
	testenv.RacedElsewhere(t)
	inputs := filepath.Join(t.TempDir(), "in")
	writeBatch(t, inputs)
	for name, bundle := range map[string]string{"new": "--bundle=never", "bundled": "--bundle=300KiB"} { // several bundles
		t.Run(name, func(t *testing.T) {
			// Some tables are enough, because each file is synced to the disk.
			args := []string{"--table", "*_header", "--table", "events/Thread/*", "--table", "stacks", "--table", "traces", bundle}
			undisturbed := newBatch(t, inputs, args...)
			begin := time.Now()
			undisturbed.run(t)
			took := time.Since(begin)
			want := tree(t, filepath.Join(undisturbed.dir, "out"))
			r := rand.New(rand.NewPCG(9, uint64(len(name))))
			phases := make(map[string]int)
			for i := range kills(t) {
				b, after := newBatch(t, inputs, args...), time.Duration((float64(i)+r.Float64())/float64(kills(t))*float64(took))
				for ; !b.kill(t, after); after /= 2 { // it has ended: the machine has become faster
					b = newBatch(t, inputs, args...)
				}
				out := filepath.Join(b.dir, "out")
				phases[left(t, out, nil, want)]++
				b.run(t)
				if diff := cmp.Diff(want, tree(t, out)); diff != "" {
					t.Errorf("killed after %v and run again: -undisturbed +again:\n%s", after, diff)
				}
				if stray := tree(t, b.temp); len(stray) > 0 {
					t.Errorf("killed after %v and run again: temporary files are left: %v", after, stray)
				}
			}
			t.Logf("a run takes %v; the killed ones left %v", took, phases)
		})
	}
}

// TestKillBeside kills runs while another run writes into the same dataset. The other run
// succeeds, the killed one succeeds when it is run again, and neither removes files that the
// other is writing.
func TestKillBeside(t *testing.T) {
	testenv.All(t, "kills of the program")
	t.Parallel()
	testenv.RacedElsewhere(t)
	inputs := filepath.Join(t.TempDir(), "in")
	writeBatch(t, inputs)
	both := newBatch(t, inputs)
	begin := time.Now()
	both.run(t)
	took := time.Since(begin)
	want := tree(t, filepath.Join(both.dir, "out"))
	r := rand.New(rand.NewPCG(9, 51))
	hits := 0
	for range 2 + kills(t)/25 {
		one, other := newBatch(t, filepath.Join(inputs, "[a-d]*")), newBatch(t, filepath.Join(inputs, "[e-h]*"))
		other.dir = one.dir
		beside := one.command()
		var said bytes.Buffer
		beside.Stdout, beside.Stderr = &said, &said
		if err := beside.Start(); err != nil {
			t.Fatal(err)
		}
		for range 3 {
			if other.kill(t, time.Duration(r.Int64N(int64(took/2)))) {
				hits++
			}
		}
		other.run(t)
		if err := beside.Wait(); err != nil {
			t.Errorf("%v: %s", err, &said)
		}
		out := filepath.Join(one.dir, "out")
		if diff := cmp.Diff(want, tree(t, out)); diff != "" {
			t.Errorf("-one run +two at once:\n%s", diff)
		}
	}
	t.Logf("%d kills hit a run", hits)
}
