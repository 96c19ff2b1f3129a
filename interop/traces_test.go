package interop_test

import (
	"maps"
	"slices"
	"strconv"
	"testing"

	"github.com/etl2parquet/etl2parquet/decode"
	"github.com/etl2parquet/etl2parquet/interop"
)

// datasetCounts is what an engine finds of one trace in a dataset.
type datasetCounts struct {
	Headers       map[string]int64 `json:"headers"` // events by header_type
	Tables        map[string]int64 `json:"tables"`  // events by table
	DistinctRefs  int64            `json:"distinct_refs"`
	Disorder      int64            `json:"disorder"`       // rows whose time is before that of the row before, as they lie in the file
	BadTimestamps int64            `json:"bad_timestamps"` // rows where timestamp is not time_ns in us
	Traces        totals           `json:"traces"`         // as the table traces has them
	Buffers       totals           `json:"buffers"`        // as the rows of the table buffers add up
	EventTypes    map[string]int64 `json:"event_types"`    // sums by table
	Providers     int64            `json:"providers"`      // sum
}

type totals struct{ Buffers, Compressed, Bytes, Events int64 }

// TestRealTraces has every event and every byte of the real traces counted by
// engines that share no code with this program, and compares with what an
// independent walk over the traces found.
func TestRealTraces(t *testing.T) {
	python := interop.NewPython(t)
	want := realCounts(t)
	question := map[string]any{"root": realDataset(t), "headers": headerTables()}
	answer := make(map[string]map[string]datasetCounts)
	python.Run(t, "read_dataset.py", question, &answer)
	for _, engine := range []string{"duckdb", "pyarrow"} {
		var events int64
		for _, trace := range slices.Sorted(maps.Keys(want)) {
			t.Run(engine+"/"+trace, func(t *testing.T) {
				got := answer[engine][trace]
				got.compare(t, want[trace])
				events += got.DistinctRefs
			})
		}
		if got := len(answer[engine]); got != len(want) {
			t.Errorf("%s finds %d traces, want %d", engine, got, len(want))
		}
		t.Logf("SCORE %s: %d traces, %d events", engine, len(answer[engine]), events)
	}
}

func (got *datasetCounts) compare(t *testing.T, want traceCounts) {
	headers := make(map[string]int64)
	for header, n := range got.Headers {
		number, err := strconv.ParseUint(header, 10, 8)
		if err != nil {
			t.Fatal(err)
		}
		headers[decode.HeaderType(number).String()] += n
	}
	if !maps.Equal(headers, want.ByHeader) {
		t.Errorf("events by header type %v, want %v", headers, want.ByHeader)
	}
	if !maps.Equal(got.EventTypes, got.Tables) {
		t.Errorf("event_types add up to %v, the tables have %v", got.EventTypes, got.Tables)
	}
	wantTotals := totals{want.Buffers, want.CompressedBuffers, want.UncompressedBytes, want.Total}
	for _, check := range []struct {
		what      string
		got, want any
	}{
		{"distinct event_refs", got.DistinctRefs, want.Total},
		{"rows out of order", got.Disorder, int64(0)},
		{"timestamps other than time_ns", got.BadTimestamps, int64(0)},
		{"sum of providers", got.Providers, want.Total},
		{"table traces", got.Traces, wantTotals},
		{"table buffers", got.Buffers, wantTotals},
	} {
		if check.got != check.want {
			t.Errorf("%s: %+v, want %+v", check.what, check.got, check.want)
		}
	}
}
