package pipeline

import (
	"bytes"
	"fmt"
	"testing"

	"github.com/etl2parquet/etl2parquet/internal/engine/columns"
	"github.com/etl2parquet/etl2parquet/internal/engine/index/indextest"
	"github.com/etl2parquet/etl2parquet/internal/engine/selection"
	"github.com/etl2parquet/etl2parquet/schema"
	"github.com/etl2parquet/etl2parquet/tools/testenv"
)

// refSink collects the first column of one table.
type refSink struct{ refs []int64 }

func (s *refSink) Table(*schema.Table) (Writer, error) { return s, nil }

func (s *refSink) Encode(g *Group) (Encoded, error) {
	var refs encodedRefs
	for _, b := range g.Batches {
		refs.list = append(refs.list, firstColumn(b)...)
	}
	g.Done()
	refs.of = s
	return &refs, nil
}

func firstColumn(b *columns.Batch) []int64 { return b.Columns[0].Ints }

type encodedRefs struct {
	of   *refSink
	list []int64
}

func (e *encodedRefs) Commit() error {
	e.of.refs = append(e.of.refs, e.list...)
	return nil
}

// TestLimit checks that a sink gets the first rows and no others, with any number of workers.
func TestLimit(t *testing.T) {
	data := indextest.RandomTrace(t, testenv.Seeded("limit"), indextest.Shapes["in order"])
	for _, table := range []string{"events", "buffers"} {
		column := map[string]string{"events": "event_ref", "buffers": "file_offset"}[table]
		read := func(limit int64, workers int) []int64 {
			o := &Options{Workers: workers, Memory: DefaultMemory, Limit: limit, Selection: selection.Selection{Tables: []string{table}, Columns: []string{column}}}
			s, err := OpenSource(t.Context(), Input{Name: "t.etl", Size: int64(len(data)), Trace: bytes.NewReader(data)}, o)
			if err != nil {
				t.Fatal(err)
			}
			defer s.Close()
			sink := new(refSink)
			if _, err := s.Rows(t.Context(), o, sink); err != nil {
				t.Fatal(err)
			}
			return sink.refs
		}
		all := read(0, 1)
		if len(all) < 3 {
			t.Fatalf("%s: %d rows", table, len(all))
		}
		for _, limit := range []int64{-1, 1, 2, int64(len(all)) - 1, int64(len(all)), int64(len(all)) + 1} {
			for _, workers := range workerCounts {
				got := read(limit, workers)
				if want := all[:min(max(limit, 0), int64(len(all)))]; fmt.Sprint(got) != fmt.Sprint(want) {
					t.Errorf("%s, limit %d, %d workers: got %d rows, want %d", table, limit, workers, len(got), len(want))
				}
			}
		}
	}
}

// TestLimitEndsEarly checks that slabs after the limit are not read.
func TestLimitEndsEarly(t *testing.T) {
	x := indextest.Data(t, indextest.RandomTrace(t, testenv.Seeded("early"), indextest.Shapes["in order"]))
	filter := filterFor(t, x, &selection.Selection{Tables: []string{"events"}})
	p := newPipeline(x, &Options{Memory: DefaultMemory, Limit: 1}, filter, new(Counter))
	p.streaming = true
	p.plan.Events = 3 // so that slabs are cut
	if err := p.run(t.Context(), 1); err != nil {
		t.Fatal(err)
	}
	if !p.enough || p.taken >= x.Events/2 {
		t.Errorf("enough: %t, read %d of %d events", p.enough, p.taken, x.Events)
	}
}
