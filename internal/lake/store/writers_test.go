package store_test

import (
	"bufio"
	"context"
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/etl2parquet/etl2parquet/internal/lake/store"
	"github.com/etl2parquet/etl2parquet/tools/testenv"
)

// writeHere makes a process of the test binary begin to write in the given folder,
// report it, and wait to be killed.
const writeHere = "ETL2PARQUET_TEST_WRITE"

func TestMain(m *testing.M) {
	if root := os.Getenv(writeHere); root != "" {
		writeAndWait(root)
	}
	os.Exit(m.Run())
}

func writeAndWait(root string) {
	f := store.NewFolder(root)
	if err := f.Begin(context.Background(), false, func(bool) error { return nil }); err != nil {
		panic(err)
	}
	if _, err := f.Create(context.Background(), "table/"+filepath.Base(os.Getenv(writeHere+"_FILE"))); err != nil {
		panic(err)
	}
	os.Stdout.WriteString("begun\n")
	io.Copy(io.Discard, os.Stdin) // until the test ends at the latest; Go reports select {} as a deadlock
	os.Exit(0)
}

// writing starts a process that writes a file, until it is killed.
func writing(t *testing.T, root, file string) (kill func()) {
	t.Helper()
	c := exec.Command(os.Args[0])
	c.Env = append(os.Environ(), writeHere+"="+root, writeHere+"_FILE="+file)
	c.Stderr = os.Stderr
	out, err := c.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if _, err := c.StdinPipe(); err != nil {
		t.Fatal(err)
	}
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	kill = func() {
		if err := c.Process.Kill(); err == nil {
			c.Wait() // always an error, because the process was killed
		}
	}
	t.Cleanup(kill)
	if line, err := bufio.NewReader(out).ReadString('\n'); line != "begun\n" {
		t.Fatalf("%q, %v", line, err)
	}
	return kill
}

// begin calls Begin. It returns the argument of clear as a word, or "" if clear was
// not called, and the names of the leftovers at that time.
func begin(t *testing.T, f *store.Folder, always bool) (found string, left []string) {
	t.Helper()
	err := f.Begin(t.Context(), always, func(alone bool) error {
		found = "others"
		if alone {
			found = "alone"
		}
		leftovers, err := f.Leftovers(t.Context())
		for _, l := range leftovers {
			if l.Ended {
				l.Name += " ended"
			}
			left = append(left, l.Name)
		}
		return errors.Join(err, f.RemoveLeftovers(t.Context(), leftovers...))
	})
	if err != nil {
		t.Fatal(err)
	}
	return found, left
}

func filesOf(t *testing.T, root string) (names []string) {
	t.Helper()
	if err := os.CopyFS(t.TempDir(), os.DirFS(root)); err != nil { // all files are readable
		t.Error(err)
	}
	paths, err := filepath.Glob(filepath.Join(root, "*"))
	if err != nil {
		t.Fatal(err)
	}
	hidden, err := filepath.Glob(filepath.Join(root, ".*"))
	if err != nil {
		t.Fatal(err)
	}
	for _, path := range append(paths, hidden...) {
		names = append(names, filepath.Base(path))
	}
	return names
}

// TestBegin starts processes that write, and kills them: their files become leftovers
// only when they end.
func TestBegin(t *testing.T) {
	root := t.TempDir()
	open := func() *store.Folder { return store.NewFolder(root) }
	killA, killB := writing(t, root, "a"), writing(t, root, "b")
	check := func(what string, always bool, want string, wantLeft ...string) {
		t.Helper()
		f := open()
		defer f.Close()
		found, left := begin(t, f, always)
		slices.Sort(left)
		if found != want || !slices.Equal(left, wantLeft) {
			t.Errorf("%s: %q, left %q; want %q, %q", what, found, left, want, wantLeft)
		}
	}
	check("both write", false, "")
	check("both write, and it is asked for", true, "others")
	killA()
	check("one is killed", false, "others", "table/a ended")
	check("one was killed, and cleared", false, "others")
	killB()
	check("both are killed", false, "alone", "table/b ended")
	check("no other writer", false, "")
	if names := filesOf(t, root); len(names) > 0 {
		t.Errorf("left: %q", names)
	}
	file, err := open().Create(t.Context(), "x/y")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := file.Stage(t.Context()); err != nil { // closes the file: Windows does not remove a file that this process has open
		t.Fatal(err)
	}
	check("someone of whom nothing is known", false, "")
	check("someone of whom nothing is known, and it is asked for", true, "alone", "x/y")
}

// TestBeginKilledEarly checks the leftovers of a process that was killed while it
// tested whether it can write.
func TestBeginKilledEarly(t *testing.T) {
	root := t.TempDir()
	for _, name := range []string{".probe-123.tmp", ".writer-0123456789abcdef.lock", ".gate.lock"} {
		testenv.WriteFile(t, filepath.Join(root, name), "")
		f := store.NewFolder(root)
		begin(t, f, false)
		if err := f.Close(); err != nil {
			t.Error(err)
		}
		if names := filesOf(t, root); len(names) > 0 {
			t.Errorf("left: %q", names)
		}
	}
}

// TestBeginElsewhere checks the files of a process on another machine, whose locks
// this machine does not see.
func TestBeginElsewhere(t *testing.T) {
	root := t.TempDir()
	writerFile := filepath.Join(root, ".writer-0123456789abcdef.lock")
	temporary := filepath.Join(root, ".part.0123456789abcdef.tmp")
	for _, test := range []struct {
		name            string
		machine         string
		writer, written time.Duration // ago
		want            string
	}{
		{"it has just begun", "elsewhere\nboot-1", 0, 0, ""},
		{"it writes", "elsewhere\nboot-1", 100 * time.Hour, time.Minute, ""},
		{"it was killed", "elsewhere\nboot-1", 100 * time.Hour, 2 * time.Hour, "alone"},
		{"it was killed here", hostname(t) + "\n", 0, 0, "alone"},
	} {
		t.Run(test.name, func(t *testing.T) {
			for path, age := range map[string]time.Duration{writerFile: test.writer, temporary: test.written} {
				testenv.WriteFile(t, path, test.machine)
				then := time.Now().Add(-age)
				if err := os.Chtimes(path, then, then); err != nil {
					t.Fatal(err)
				}
			}
			f := store.NewFolder(root)
			defer f.Close()
			found, left := begin(t, f, false)
			if found != test.want {
				t.Errorf("found %q, want %q", found, test.want)
			}
			if _, err := os.Stat(temporary); (err == nil) != (test.want == "") {
				t.Errorf("leftovers %q; the file: %v", left, err)
			}
		})
	}
}

func hostname(t *testing.T) string {
	t.Helper()
	name, err := os.Hostname()
	if err != nil || name == "" || name == "localhost" {
		testenv.Missing(t, "a name of this machine", "name it other than localhost", err)
	}
	return name
}

// TestBeginAtOnce begins and ends many writers: a writer that Begin reports to be alone is
// alone.
func TestBeginAtOnce(t *testing.T) {
	root := filepath.Join(t.TempDir(), "out")
	if err := os.Mkdir(root, 0o777); err != nil {
		t.Fatal(err)
	}
	var here, alone atomic.Int64
	var g errgroup.Group
	for range 4 {
		g.Go(func() error {
			for range 10 {
				f := store.NewFolder(root)
				err := f.Begin(context.Background(), true, func(isAlone bool) error {
					if isAlone {
						alone.Add(1)
						if n := here.Load(); n > 0 {
							return errors.New("reported to be alone beside others")
						}
					}
					return nil
				})
				if err != nil {
					return err
				}
				here.Add(1)
				file, err := f.Create(context.Background(), "a/b")
				if err == nil {
					_, err = io.Copy(file, strings.NewReader("contents"))
				}
				if err == nil {
					_, err = file.Stage(context.Background())
				}
				if err == nil {
					err = file.Publish(context.Background())
				}
				here.Add(-1)
				if err = errors.Join(err, f.Close()); err != nil {
					return err
				}
			}
			return nil
		})
	}
	if err := g.Wait(); err != nil {
		t.Error(err)
	}
	if names := filesOf(t, root); !slices.Equal(names, []string{"a"}) {
		t.Errorf("left: %q", names)
	}
	t.Logf("%d were alone", alone.Load())
}

// TestBeginCancelled checks that cancelling ends the wait.
func TestBeginCancelled(t *testing.T) {
	root := t.TempDir()
	first, second := store.NewFolder(root), store.NewFolder(root)
	ctx, cancel := context.WithCancel(t.Context())
	err := first.Begin(t.Context(), true, func(bool) error {
		cancel()
		return second.Begin(ctx, false, nil)
	})
	if !errors.Is(err, context.Canceled) {
		t.Errorf("error %v", err)
	}
	if err := errors.Join(first.Close(), second.Close()); err != nil {
		t.Error(err)
	}
	if names := filesOf(t, root); len(names) > 0 {
		t.Errorf("left: %q", names)
	}
}
