package main

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/etl2parquet/etl2parquet/tools/testenv"
)

// TestShardsTogether runs the shards of a plan at the same time, each in its own process.
// Together they give the same bytes as one run without a plan.
func TestShardsTogether(t *testing.T) {
	dir := t.TempDir()
	writeBatch(t, filepath.Join(dir, "in"))
	sample := testenv.ReadFile(t, sampleTrace)
	for i := range 6 { // with the same name, and tables that only one of them has
		path := filepath.Join(dir, "in", fmt.Sprintf("d%d", i), "h.etl")
		if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
			t.Fatal(err)
		}
		own := bytes.ReplaceAll(sample, []byte("Etl2parquet.Sample"), fmt.Appendf(nil, "Etl2parquet.Smpl%02d", i))
		testenv.WriteFile(t, path, own)
	}
	t.Chdir(dir)
	command := func(args ...string) *exec.Cmd { return exec.Command("etl2parquet", args...) }
	for _, cmd := range []*exec.Cmd{
		command("convert", "in", "-o", "dataset"), command("plan", "in", "--shards", "3", "-o", "p.json"),
	} {
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("%v: %v: %s", cmd.Args, err, out)
		}
	}
	want := contents(t, "dataset")
	if err := os.Rename("dataset", "want"); err != nil {
		t.Fatal(err)
	}
	var running []*exec.Cmd
	for i := range 3 {
		cmd := command("convert", "--plan", "p.json", "--shard", fmt.Sprintf("%d/3", i), "-o", "dataset")
		var out bytes.Buffer
		cmd.Stdout, cmd.Stderr = &out, &out
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		running = append(running, cmd)
	}
	for _, cmd := range running {
		if err := cmd.Wait(); err != nil {
			t.Errorf("%v: %v: %s", cmd.Args, err, cmd.Stdout)
		}
	}
	if diff := cmp.Diff(want, contents(t, "dataset")); diff != "" {
		t.Errorf("%.3000s", diff)
	}
	if n := strings.Count(want["views.sql"], "Smpl0"); n < 6 {
		t.Errorf("%d tables that only one trace has", n)
	}
}
