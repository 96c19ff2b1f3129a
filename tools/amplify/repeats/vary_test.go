package repeats

import (
	"bytes"
	"context"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/klauspost/compress/zstd"
	"github.com/parquet-go/parquet-go"

	"github.com/etl2parquet/etl2parquet/decode"
	"github.com/etl2parquet/etl2parquet/decode/decodetest"
	"github.com/etl2parquet/etl2parquet/internal/engine/index/indextest"
	"github.com/etl2parquet/etl2parquet/internal/engine/pipeline"
	"github.com/etl2parquet/etl2parquet/internal/lake/bundle"
	"github.com/etl2parquet/etl2parquet/tools/testenv"
)

// kinds are the traces that benchmarks amplify.
var kinds = []string{"traces/diaghub.etl", "traces/net.4.5.2.x86.etl", "traces/diaghub.user_paged.1.etl", "traces/ebpforwindows.etl"}

// someOf returns the whole list, or the last two elements in a quick run.
func someOf(list []string) []string {
	if testing.Short() {
		return list[len(list)-2:]
	}
	return list
}

func readTrace(t *testing.T, name string) *decode.File {
	t.Helper()
	data := testenv.ReadFile(t, testenv.Shared(t, name))
	return decodetest.Open(t, data)
}

// TestVaried compares a trace whose repeats vary with one whose repeats do not: it has the
// same events in the same buffers, the first repeat is the input, and the others differ.
func TestVaried(t *testing.T) {
	for _, name := range someOf(append(slices.Clone(kinds), "traces/diaghub.kernel.1.etl", "traces/Process.etl", "traces/AMSITrace.etl")) {
		t.Run(filepath.Base(name), func(t *testing.T) {
			t.Parallel()
			f := readTrace(t, name)
			varied, _ := amplify(t, f, Options{Repeats: testRepeats})
			same, _ := amplify(t, f, Options{Repeats: testRepeats, Same: true})
			got, want := walk(t, varied.open(t)), walk(t, same.open(t))
			checkOrder(t, got)
			if len(got) != len(want) {
				t.Fatalf("%d buffers, want %d", len(got), len(want))
			}
			perRepeat := (len(want) - 1) / testRepeats
			differ := 0
			for i := 1; i < len(want); i++ { // the header buffer has the end of the trace
				isEqual := bytes.Equal(got[i].data, want[i].data)
				if i <= perRepeat && !isEqual {
					t.Fatalf("buffer %d of the first repeat changed", i)
				}
				if !isEqual {
					differ++
				}
				if got[i].header.SequenceNumber != want[i].header.SequenceNumber || len(got[i].data) != len(want[i].data) || len(got[i].events) != len(want[i].events) {
					t.Fatalf("buffer %d: %+v, want %+v", i, got[i].header, want[i].header)
				}
			}
			if differ < perRepeat {
				t.Errorf("only %d buffers differ of %d repeated ones", differ, (testRepeats-1)*perRepeat)
			}
		})
	}
}

// TestVariedAttribution checks that processes, threads and images, which last through a trace, are the
// same if repeats vary; and that as many events are decoded and have a process and a stack.
func TestVariedAttribution(t *testing.T) {
	for _, name := range someOf(append(slices.Clone(kinds), "traces/diaghub.kernel.1.etl")) {
		t.Run(filepath.Base(name), func(t *testing.T) {
			t.Parallel()
			f := readTrace(t, name)
			var found [2]map[string]int64
			for i, same := range []bool{false, true} {
				m, _ := amplify(t, f, Options{Repeats: 3, Same: same})
				found[i] = countRows(t, m.data)
			}
			for what, want := range found[1] {
				if got := found[0][what]; got != want {
					t.Errorf("%s: %d, want %d", what, got, want)
				}
			}
		})
	}
}

// countRows returns the rows of tables that do not depend on names, keys and addresses, and the
// events that are not decoded.
func countRows(t *testing.T, trace []byte) map[string]int64 {
	t.Helper()
	o := &pipeline.Options{Workers: 1, Memory: pipeline.DefaultMemory}
	s, err := pipeline.OpenSource(context.Background(), pipeline.Input{Name: "t.etl", Size: int64(len(trace)), Trace: bytes.NewReader(trace)}, o)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	var c pipeline.Counter
	if _, err := s.Rows(context.Background(), o, &c); err != nil {
		t.Fatal(err)
	}
	counts := make(map[string]int64)
	for _, table := range s.Tables() {
		if table.Name != "methods" && table.Name != "files" && table.Name != "stacks" && table.Name != "problems" {
			counts[table.Name] = c.Rows(table.Name)
		}
	}
	summary := indextest.Summary(t, s.Index, "t.etl")
	counts["problems"] = int64(len(summary.Problems))
	for i := range summary.Providers {
		counts["not decoded"] += summary.Providers[i].NotDecoded
	}
	return counts
}

// How far the bytes of an event may be from those of the original, in percent. Columns that
// take few bytes of a small original are left out: most of that is headers of pages.
const (
	maxOff      = 15
	leastColumn = 4 << 10
)

// TestCompressibility compares the bytes of an event of an amplified trace with those of the
// original: in Parquet, column by column, and of the trace itself after zstd.
func TestCompressibility(t *testing.T) {
	testenv.Slow(t, "converts tens of megabytes")
	size := testenv.Times(t, 0, 8<<20, 32<<20, 32<<20)
	for _, name := range kinds {
		t.Run(filepath.Base(name), func(t *testing.T) {
			f := readTrace(t, name)
			original, r := amplify(t, f, Options{})
			large, l := amplify(t, f, Options{Size: int64(size), Repeats: 2})
			within(t, "zstd", packed(t, original.data), r.Events, packed(t, large.data), l.Events)
			before, after := columnBytes(t, original.data), columnBytes(t, large.data)
			var a, b int64
			for column, n := range before {
				if n >= leastColumn {
					a, b = a+n, b+after[column]
				}
			}
			within(t, "Parquet", a, r.Events, b, l.Events)
		})
	}
}

func within(t *testing.T, what string, bytes, events, largeBytes, largeEvents int64) {
	t.Helper()
	before, after := float64(bytes)/float64(events), float64(largeBytes)/float64(largeEvents)
	t.Logf("%s: %.2f bytes an event in the original, %.2f amplified (%.2f)", what, before, after, after/before)
	if after < before*(100-maxOff)/100 || after > before*(100+maxOff)/100 {
		t.Errorf("%s: %.2f bytes an event, the original has %.2f", what, after, before)
	}
}

func packed(t *testing.T, data []byte) int64 {
	t.Helper()
	w, err := zstd.NewWriter(nil, zstd.WithEncoderLevel(zstd.SpeedFastest))
	if err != nil {
		t.Fatal(err)
	}
	return int64(len(w.EncodeAll(data, nil)))
}

// columnBytes converts a trace, and returns the bytes of each column.
func columnBytes(t *testing.T, trace []byte) map[string]int64 {
	t.Helper()
	folder := t.TempDir()
	d, err := bundle.OpenDataset(folder)
	if err != nil {
		t.Fatal(err)
	}
	in := pipeline.Input{Name: "t.etl", Size: int64(len(trace)), Trace: bytes.NewReader(trace)}
	if _, err := d.Convert(t.Context(), in, "t", bundle.Options{Options: pipeline.Options{Workers: 2, Memory: pipeline.DefaultMemory}}); err != nil {
		t.Fatal(err)
	}
	sizes := make(map[string]int64)
	err = filepath.WalkDir(folder, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || filepath.Ext(path) != ".parquet" {
			return err
		}
		data, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		file, err := parquet.OpenFile(bytes.NewReader(data), int64(len(data)), parquet.SkipPageIndex(true), parquet.SkipBloomFilters(true))
		if err != nil {
			return err
		}
		for _, group := range file.Metadata().RowGroups {
			for i := range group.Columns {
				m := &group.Columns[i].MetaData
				sizes[filepath.Dir(path)[len(folder):]+" "+strings.Join(m.PathInSchema, ".")] += m.TotalCompressedSize
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return sizes
}

// TestAddress checks that addresses of half a thousand repeats differ, keep their half, and
// keep their distances.
func TestAddress(t *testing.T) {
	for _, v := range []uint64{0x10000, 0x00a41230, 0x7fff0000, 0x1_2345_6789, 0x7ff8_1234_5678, 0xffff_f800_0123_4567} {
		seen := make(map[uint64]bool)
		for k := range ranges {
			c := changer{repeat: k}
			got := c.address(v)
			if seen[got] || got>>63 != v>>63 || (v < narrow) != (got < narrow) {
				t.Fatalf("%#x becomes %#x in repeat %d", v, got, k)
			}
			seen[got] = true
			if next := c.address(v + 1); next != got+1 {
				t.Errorf("%#x becomes %#x, and the next one %#x", v, got, next)
			}
		}
	}
	if c := (changer{repeat: 3}); c.address(least-1) != least-1 {
		t.Error("a small number changed")
	}
}

// TestJitter checks that times keep their order and stay apart.
func TestJitter(t *testing.T) {
	j := newJitter([]int64{5, 3, 3, 4, 1000, 1 << 40})
	for k := range 20 {
		j.begin(k)
		last := int64(-1)
		for _, v := range []int64{0, 3, 4, 5, 6, 999, 1000, 1001, 1 << 40, 1<<40 + 1} {
			got := v + j.later(v)
			if got <= last || got < v || k == 0 && got != v {
				t.Errorf("repeat %d: %d becomes %d, after %d", k, v, got, last)
			}
			last = got
		}
		if grown := j.later(1 << 40); grown > j.most(1<<40) {
			t.Errorf("repeat %d grows by %d, more than %d", k, grown, j.most(1<<40))
		}
	}
}
