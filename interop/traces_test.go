package interop_test

import (
	"maps"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/etl2parquet/etl2parquet/decode"
	"github.com/etl2parquet/etl2parquet/interop"
	"github.com/etl2parquet/etl2parquet/schema"
)

// datasetCounts is an engine's answer about one trace in a dataset.
type datasetCounts struct {
	Headers       map[string]int64 `json:"headers"` // events by header_type
	Tables        map[string]int64 `json:"tables"`  // events by table
	DistinctRefs  int64            `json:"distinct_refs"`
	Disorder      int64            `json:"disorder"`       // rows whose time is before that of the previous row in the file
	BadTimestamps int64            `json:"bad_timestamps"` // rows where timestamp is not time_ns in us
	Traces        totals           `json:"traces"`         // from the table traces
	Buffers       totals           `json:"buffers"`        // sums over the table buffers
	EventTypes    map[string]int64 `json:"event_types"`    // sums by table
	Providers     int64            `json:"providers"`      // sum
}

type totals struct{ Buffers, Compressed, Bytes, Events int64 }

// TestRealTraces lets engines that share no code with this program count every event and
// every byte of the real traces, and compares the counts with those of an independent
// reader.
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

// fileMetadata is pyarrow's metadata of a dataset's file.
type fileMetadata struct {
	Table    string
	Groups   int
	Types    [][3]string
	Sorting  [][3]any // name, descending, nulls first
	Unsorted int      // rows out of this order
}

// readableTypes lists the physical and logical types that every engine reads without
// options: no INT96, no nanoseconds, no UUID.
var readableTypes = map[[2]string]bool{
	{"BOOLEAN", "None"}: true, {"INT32", "None"}: true, {"INT64", "None"}: true, {"DOUBLE", "None"}: true,
	{"INT64", "Int(bitWidth=64, isSigned=false)"}: true, {"BYTE_ARRAY", "String"}: true, {"BYTE_ARRAY", "None"}: true,
	{"INT64", "Timestamp(isAdjustedToUTC=true, timeUnit=microseconds, is_from_converted_type=false, force_set_converted_type=false)"}: true,
}

// TestFilesOfRealTraces checks types and sorting columns of every file.
func TestFilesOfRealTraces(t *testing.T) { checkFiles(t, realDataset(t)) }

// TestFilesOfEveryTable does the same for tables that the real traces do not fill, with
// NULL providers.
func TestFilesOfEveryTable(t *testing.T) {
	folder := t.TempDir()
	root := filepath.Join(folder, "out")
	if err := convertAll(root, []string{writeEveryTable(t, folder)}); err != nil {
		t.Fatal(err)
	}
	checkFiles(t, root)
}

func checkFiles(t *testing.T, root string) {
	t.Helper()
	var files []fileMetadata
	interop.NewPython(t).Run(t, "read_files.py", map[string]any{"root": root}, &files)
	groups := 0
	for _, f := range files {
		groups += f.Groups
		sortBy := []string{"trace", "time_ns"}
		if table, ok := schema.LookupTable(f.Table); ok {
			sortBy = table.WithTrace().SortBy
		} else if !strings.HasPrefix(f.Table, schema.EventsFolder) {
			t.Errorf("unknown table %s", f.Table)
		}
		var sorting []string
		for _, column := range f.Sorting {
			sorting = append(sorting, column[0].(string))
		}
		if !slices.Equal(sorting, sortBy) {
			t.Errorf("table %s is declared as sorted by %v, want %v", f.Table, sorting, sortBy)
		}
		if f.Unsorted > 0 {
			t.Errorf("table %s: %d rows are out of the declared order %v", f.Table, f.Unsorted, f.Sorting)
		}
		for _, c := range f.Types {
			if !readableTypes[[2]string{c[1], c[2]}] {
				t.Errorf("table %s: column %s has the types %s", f.Table, c[0], c[1:])
			}
		}
	}
	t.Logf("SCORE files: %d, with %d row groups", len(files), groups)
}
