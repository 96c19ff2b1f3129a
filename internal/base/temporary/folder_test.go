package temporary

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/etl2parquet/etl2parquet/tools/testenv"
)

const prefix = "etl2parquet-test-"

// TestFolder checks that a folder of a process that was killed is removed, and nothing else.
func TestFolder(t *testing.T) {
	dir := t.TempDir()
	if path := os.Getenv("TEMPORARY_TEST"); path != "" { // the process to kill
		f, err := NewFolder(path, prefix)
		if err == nil {
			err = os.WriteFile(filepath.Join(f.Path(), "data"), []byte("x"), 0o600)
		}
		if err != nil {
			t.Fatal(err)
		}
		os.Stdout.WriteString(f.Path() + "\n")
		time.Sleep(time.Hour)
	}
	live, err := NewFolder(dir, prefix)
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(os.Args[0], "-test.run=^TestFolder$")
	cmd.Env = append(os.Environ(), "TEMPORARY_TEST="+dir)
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	var line [4096]byte
	n, err := out.Read(line[:])
	if err != nil || n == 0 {
		t.Fatalf("%d bytes, %v", n, err)
	}
	killed := filepath.Base(string(line[:n-1]))
	for _, name := range []string{"etl2parquet-other-1", prefix + "unlocked", prefix + "old", prefix + "no_locks"} {
		if err := os.Mkdir(filepath.Join(dir, name), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	testenv.WriteFile(t, filepath.Join(dir, prefix+"file"), "")
	testenv.WriteFile(t, filepath.Join(dir, prefix+"no_locks", newFile), "")
	before := time.Now().Add(-2 * unlockedAge)
	for _, name := range []string{"old", "no_locks"} {
		if err := os.Chtimes(filepath.Join(dir, prefix+name), before, before); err != nil {
			t.Fatal(err)
		}
	}
	kept := []string{"etl2parquet-other-1", filepath.Base(live.Path()), prefix + "file", prefix + "unlocked", prefix + "no_locks"}
	check := func(when string, want ...string) {
		t.Helper()
		f, err := NewFolder(dir, prefix)
		if err != nil {
			t.Fatal(err)
		}
		if err := f.Remove(); err != nil {
			t.Fatal(err)
		}
		entries, err := os.ReadDir(dir)
		var got []string
		for _, e := range entries {
			got = append(got, e.Name())
		}
		slices.Sort(want)
		if err != nil || !slices.Equal(got, want) {
			t.Errorf("%s: %q, %v, want %q", when, got, err, want)
		}
	}
	check("while the process runs", append(slices.Clone(kept), killed)...)
	if err := cmd.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_ = cmd.Wait() // it was killed
	check("after it was killed", kept...)
	if err := live.Remove(); err != nil {
		t.Error(err)
	}
	if _, err := NewFolder(filepath.Join(dir, "nosuch"), prefix); err == nil {
		t.Error("a folder in a folder that does not exist")
	}
}
