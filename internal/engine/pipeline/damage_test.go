package pipeline

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"strconv"
	"testing"

	"github.com/etl2parquet/etl2parquet/decode"
	"github.com/etl2parquet/etl2parquet/internal/engine/index"
	"github.com/etl2parquet/etl2parquet/internal/engine/index/indextest"
	"github.com/etl2parquet/etl2parquet/internal/formats/parquet/parquettest"
	"github.com/etl2parquet/etl2parquet/tools/testenv"
)

// damageSources returns traces to be damaged: small, intact ones of several kinds.
func damageSources(t *testing.T) map[string][]byte {
	sources := map[string][]byte{
		"plain":      indextest.RandomTrace(t, testenv.Seeded("plain"), indextest.Shape{Buffers: 12, Events: 30, Processors: 3, Time: indextest.Shapes["in order"].Time}),
		"compressed": indextest.RandomTrace(t, testenv.Seeded("compressed"), indextest.Shape{Buffers: 12, Events: 30, Processors: 3, Compressed: true, Time: indextest.Shapes["in order"].Time}),
	}
	for _, path := range testenv.SharedOr(t, "traces/*.etl") {
		switch name := filepath.Base(path); name {
		case "SIH.20230422.034724.362.1.etl", "lxcore_kernel.etl", "PktMon.etl", "HTTP_Server.etl", "SelfDescribingSingleEvent.etl":
			data := testenv.ReadFile(t, path)
			sources[name] = data
		}
	}
	return sources
}

// eventKey identifies an event by the file offset of its buffer, because the buffer's
// index depends on earlier damage.
type eventKey struct {
	at     int64
	offset int
	sum    string
}

func eventKeys(t testing.TB, f *decode.File) map[eventKey]int {
	t.Helper()
	keys := make(map[eventKey]int)
	for _, e := range indextest.Walk(t, f) {
		keys[eventKey{f.BufferInfo(e.Buffer).Offset, e.Offset, e.Sum}]++
	}
	return keys
}

// convertedRefs converts a trace in memory, as the pipeline does, and counts the rows of
// each event.
func convertedRefs(t testing.TB, x *index.Index, o *Options) map[eventKey]int {
	t.Helper()
	sink := newMemorySink(t)
	p := newPipeline(x, o, filterFor(t, x, &o.Selection), sink)
	clear(p.rows.Tables[decode.Families:]) // only header tables, which have each event once
	if err := p.run(context.Background(), 2); err != nil {
		t.Fatal(err)
	}
	events := make(map[[2]int64]string)
	for _, e := range indextest.Walk(t, x.File) {
		events[[2]int64{int64(e.Buffer), int64(e.Offset)}] = e.Sum
	}
	refs := make(map[eventKey]int)
	for _, file := range sink.contents(t) {
		for _, row := range parquettest.Rows(t, []byte(file)) {
			ref, err := strconv.ParseInt(row["event_ref"], 10, 64)
			if err != nil {
				t.Fatal(err)
			}
			buffer, offset := ref>>32, ref&0xffffffff
			refs[eventKey{x.File.BufferInfo(int(buffer)).Offset, int(offset), events[[2]int64{buffer, offset}]}]++
		}
	}
	return refs
}

// checkDamaged converts a damaged copy of a trace. Unchanged buffers must have all their
// events, and every loss must be reported as a problem.
func checkDamaged(t *testing.T, whole map[eventKey]int, sameFrom, sameTo int64, data []byte, o *Options) {
	t.Helper()
	f, err := decode.NewFile(bytes.NewReader(data), int64(len(data)))
	if err != nil {
		if !errors.Is(err, decode.ErrNotETL) {
			t.Errorf("not read at all: %v", err)
		}
		return
	}
	x, err := index.Build(context.Background(), f, index.Options{Workers: 2})
	if err != nil {
		t.Fatal(err)
	}
	got := convertedRefs(t, x, o)
	rows := int64(0)
	for key, n := range got {
		rows += int64(n)
		if n != 1 || key.sum == "" {
			t.Errorf("%d rows of event %+v", n, key)
		}
	}
	if rows != x.Events {
		t.Errorf("%d rows, %d events in the index", rows, x.Events)
	}
	lost := 0
	for key := range whole {
		if got[key] == 0 {
			lost++
		}
	}
	if lost > 0 && len(x.Problems.All()) == 0 {
		t.Errorf("%d events are lost, but no problem is reported", lost)
	}
	for key := range whole {
		if key.at >= sameFrom && key.at < sameTo && got[key] == 0 {
			t.Fatalf("event %+v of an undamaged buffer is lost", key)
		}
	}
}

// TestCut cuts traces at the edges of buffers, near them and anywhere.
func TestCut(t *testing.T) {
	testenv.Sequential(t) // except for conversions, which other tests race
	for name, data := range damageSources(t) {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			x := indextest.Data(t, data)
			whole := eventKeys(t, x.File)
			r := testenv.Seeded(name)
			var cuts []int64
			for i := range x.File.Buffers() {
				at := x.File.BufferInfo(i).Offset
				cuts = append(cuts, at-1, at, at+1, at+decode.BufferHeaderSize)
			}
			for len(cuts) > testenv.Times(t, 12, 30, 60, 200) {
				i := r.IntN(len(cuts))
				cuts = slices.Delete(cuts, i, i+1)
			}
			for range testenv.Times(t, 3, 10, 10, 40) {
				cuts = append(cuts, r.Int64N(int64(len(data))))
			}
			for _, cut := range cuts {
				if cut <= 0 {
					continue
				}
				last := int64(0) // the end of the intact buffers
				for i := range x.File.Buffers() {
					info := x.File.BufferInfo(i)
					if end := info.Offset + int64(info.Size); end <= cut {
						last = end
					}
				}
				t.Run(fmt.Sprintf("%#x", cut), func(t *testing.T) {
					checkDamaged(t, whole, 0, last, data[:cut], &Options{Memory: DefaultMemory})
				})
			}
		})
	}
}

// TestBytesChanged changes bytes in one buffer, or anywhere in the file.
func TestBytesChanged(t *testing.T) {
	testenv.Sequential(t) // except for conversions, which other tests race
	for name, data := range damageSources(t) {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			x := indextest.Data(t, data)
			whole := eventKeys(t, x.File)
			r := testenv.Seeded(name)
			for round := range testenv.Times(t, 6, 15, 60, 300) {
				hurt := slices.Clone(data)
				i := r.IntN(x.File.Buffers())
				info := x.File.BufferInfo(i)
				from, size := info.Offset, int64(info.Size)
				if round%3 == 0 { // only in its events: other buffers must not be affected
					from, size = from+decode.BufferHeaderSize, size-decode.BufferHeaderSize
				}
				for range 1 + r.IntN(20) {
					hurt[from+r.Int64N(size)] = byte(r.Uint32())
				}
				sameTo := int64(len(data))
				if round%3 != 0 {
					sameTo = 0
				}
				kept := make(map[eventKey]int)
				for key := range whole {
					if key.at != info.Offset {
						kept[key]++
					}
				}
				if i == 0 {
					sameTo = 0 // the other buffers depend on the trace header
				}
				checkDamaged(t, kept, 0, sameTo, hurt, &Options{Memory: DefaultMemory})
			}
		})
	}
}

// TestNoise converts files of random bytes after a good header buffer.
func TestNoise(t *testing.T) {
	data := indextest.RandomTrace(t, testenv.Seeded("noise"), indextest.Shape{Buffers: 1, Events: 10, Processors: 1, Time: indextest.Shapes["in order"].Time})
	r := rand.New(rand.NewPCG(13, 14))
	for range 20 {
		noise := make([]byte, r.IntN(100_000))
		for i := range noise {
			noise[i] = byte(r.Uint32() >> r.IntN(32))
		}
		checkDamaged(t, nil, 0, 0, append(slices.Clone(data), noise...), &Options{Memory: DefaultMemory})
	}
}
