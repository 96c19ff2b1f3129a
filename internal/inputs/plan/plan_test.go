package plan

import (
	"fmt"
	"path/filepath"
	"testing"

	"github.com/etl2parquet/etl2parquet/internal/inputs"
	"github.com/etl2parquet/etl2parquet/tools/testenv"
)

// TestShare checks that inputs go to the shard with the least work, the largest first.
func TestShare(t *testing.T) {
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
		{"many small ones cost too", []int64{0, 0, 0, 0, 3}, 2, "11110"},
	} {
		t.Run(test.name, func(t *testing.T) {
			files := make([]*inputs.File, len(test.sizes))
			for i, size := range test.sizes {
				files[i] = &inputs.File{Name: fmt.Sprint(i), Size: size << 20, Order: i}
			}
			p := New(test.shards, "", files)
			for i := range files {
				p.Add(&inputs.Trace{File: files[i], Size: files[i].Size}, fmt.Sprint(i))
			}
			p.Share()
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

// TestBalance checks that no shard has more than 4/3 of its share, the guarantee of
// taking the largest first.
func TestBalance(t *testing.T) {
	files := make([]*inputs.File, 1000)
	total := int64(0)
	for i := range files {
		files[i] = &inputs.File{Name: fmt.Sprint(i), Size: int64(i*i%977) << 20, Order: i}
		total += files[i].Size
	}
	const shards = 16
	p := New(shards, "", files)
	for i := range files {
		p.Add(&inputs.Trace{File: files[i], Size: files[i].Size}, fmt.Sprint(i))
	}
	p.Share()
	least, most := p.Extremes()
	if most > total/shards*4/3 || least < total/shards*2/3 {
		t.Errorf("from %d to %d, of %d", least, most, total)
	}
}

// TestHostile checks that plans that would write to wrong places are rejected.
func TestHostile(t *testing.T) {
	for name, text := range map[string]string{
		"no JSON":             `plan`,
		"no plan":             `{}`,
		"later":               `{"format":2,"shards":1,"inputs":[]}`,
		"no shards":           `{"format":1,"shards":0,"inputs":[]}`,
		"no such shard":       `{"format":1,"shards":2,"inputs":[{"input":"a","shard":2}]}`,
		"negative shard":      `{"format":1,"shards":2,"inputs":[{"input":"a","shard":-1}]}`,
		"path":                `{"format":1,"shards":1,"inputs":[{"input":"a","traces":[{"trace":"../x"}]}]}`,
		"no name":             `{"format":1,"shards":1,"inputs":[{"input":"a","traces":[{"trace":""}]}]}`,
		"name of two inputs":  `{"format":1,"shards":1,"inputs":[{"input":"a","traces":[{"trace":"x"},{"trace":"X","entry":"b"}]}]}`,
		"input in two shards": `{"format":1,"shards":2,"inputs":[{"input":"a","traces":[{"trace":"x"}]},{"input":"a","shard":1,"traces":[{"trace":"y"}]}]}`,
	} {
		t.Run(name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "p.json")
			testenv.WriteFile(t, path, text)
			if p, err := Read(path); err == nil {
				t.Errorf("%+v", p)
			}
		})
	}
}

// TestParseShard checks texts of shards, which count from 0.
func TestParseShard(t *testing.T) {
	for text, want := range map[string]*Shard{
		"0/1": {0, 1}, "0/4": {0, 4}, "3/4": {3, 4},
		"4/4": nil, "-1/4": nil, "0/0": nil, "0": nil, "": nil, "a/4": nil, "0/4/4": nil,
	} {
		got, err := ParseShard(text)
		if want == nil && err == nil || want != nil && (err != nil || got != *want) {
			t.Errorf("%q: %v, %v, want %v", text, got, err, want)
		}
	}
}
