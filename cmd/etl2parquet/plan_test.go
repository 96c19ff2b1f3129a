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
)

// TestShardsTogether has the shards of a plan run at the same time, each in a
// process of its own: together they make the dataset of one run without a
// plan, to the last byte.
func TestShardsTogether(t *testing.T) {
	dir := t.TempDir()
	writeBatch(t, filepath.Join(dir, "in"))
	sample, err := os.ReadFile(sampleTrace)
	if err != nil {
		t.Fatal(err)
	}
	for i := range 6 { // of one name, and with tables that only one of them has
		path := filepath.Join(dir, "in", fmt.Sprintf("d%d", i), "h.etl")
		if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
			t.Fatal(err)
		}
		own := bytes.ReplaceAll(sample, []byte("Etl2parquet.Sample"), fmt.Appendf(nil, "Etl2parquet.Smpl%02d", i))
		if err := os.WriteFile(path, own, 0o666); err != nil {
			t.Fatal(err)
		}
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
		t.Errorf("%d tables of one trace's own", n)
	}
}

// TestPlanShare puts the largest first, where there is least to do.
func TestPlanShare(t *testing.T) {
	for _, test := range []struct {
		name   string
		sizes  []int64 // in MiB, and one for each trace
		shards int
		want   string
	}{
		{"largest first", []int64{2, 3, 9, 4, 5}, 2, "10011"},
		{"equal ones in their order", []int64{1, 1, 1, 1}, 2, "0101"},
		{"more shards than inputs", []int64{1, 2}, 3, "10"},
		{"one shard", []int64{1, 2}, 1, "00"},
		{"many small ones cost, too", []int64{0, 0, 0, 0, 3}, 2, "11110"},
	} {
		t.Run(test.name, func(t *testing.T) {
			files := make([]input, len(test.sizes))
			for i, size := range test.sizes {
				files[i] = input{name: fmt.Sprint(i), size: size << 20, order: i}
			}
			p := newPlan(test.shards, files)
			for i := range files {
				p.add(&trace{in: &files[i], size: files[i].size}, fmt.Sprint(i))
			}
			p.share()
			got := ""
			for _, in := range p.Inputs {
				got += fmt.Sprint(in.Shard)
			}
			if got != test.want {
				t.Errorf("got %s, want %s", got, test.want)
			}
		})
	}
}

// TestPlanBalance has no shard do more than a third more than its part, which
// is what taking the largest first promises.
func TestPlanBalance(t *testing.T) {
	files := make([]input, 1000)
	total := int64(0)
	for i := range files {
		files[i] = input{name: fmt.Sprint(i), size: int64(i*i%977) << 20, order: i}
		total += files[i].size
	}
	const shards = 16
	p := newPlan(shards, files)
	for i := range files {
		p.add(&trace{in: &files[i], size: files[i].size}, fmt.Sprint(i))
	}
	p.share()
	least, most := p.extremes()
	if most > total/shards*4/3 || least < total/shards*2/3 {
		t.Errorf("from %d to %d, of %d", least, most, total)
	}
}

// TestPlanHostile refuses plans that would write where they should not.
func TestPlanHostile(t *testing.T) {
	for name, text := range map[string]string{
		"no JSON":        `plan`,
		"no plan":        `{}`,
		"later":          `{"format":2,"shards":1,"inputs":[]}`,
		"no shards":      `{"format":1,"shards":0,"inputs":[]}`,
		"no such shard":  `{"format":1,"shards":2,"inputs":[{"input":"a","shard":2}]}`,
		"negative shard": `{"format":1,"shards":2,"inputs":[{"input":"a","shard":-1}]}`,
		"path":           `{"format":1,"shards":1,"inputs":[{"input":"a","traces":[{"trace":"../x"}]}]}`,
		"no name":        `{"format":1,"shards":1,"inputs":[{"input":"a","traces":[{"trace":""}]}]}`,
		"name of two":    `{"format":1,"shards":1,"inputs":[{"input":"a","traces":[{"trace":"x"},{"trace":"X","entry":"b"}]}]}`,
		"input of two":   `{"format":1,"shards":2,"inputs":[{"input":"a","traces":[{"trace":"x"}]},{"input":"a","shard":1,"traces":[{"trace":"y"}]}]}`,
	} {
		t.Run(name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "p.json")
			if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
				t.Fatal(err)
			}
			if p, err := readPlan(path); err == nil {
				t.Errorf("%+v", p)
			}
		})
	}
}
