package decode_test

import (
	"encoding/json"
	"testing"

	"github.com/etl2parquet/etl2parquet/decode"
	"github.com/etl2parquet/etl2parquet/decode/decodetest"
	"github.com/etl2parquet/etl2parquet/tools/testenv"
)

// traceCounts is an entry of ../../shared/survey/counts.json: the counts of an
// independent reader for a real trace.
type traceCounts struct {
	Buffers           int            `json:"buffers"`
	CompressedBuffers int            `json:"compressed_buffers"`
	UncompressedBytes int64          `json:"uncompressed_bytes"`
	ByHeader          map[string]int `json:"by_header"`
}

// realTraces returns the counts per real trace, or skips the test.
func realTraces(t testing.TB) map[string]traceCounts {
	t.Helper()
	text := testenv.ReadFile(t, testenv.Shared(t, "survey/counts.json"))
	var counts map[string]traceCounts
	if err := json.Unmarshal(text, &counts); err != nil {
		t.Fatal(err)
	}
	if len(counts) == 0 {
		t.Fatal("counts.json names no trace")
	}
	return counts
}

func openTrace(t testing.TB, name string) *decode.File {
	t.Helper()
	return decodetest.OpenFile(t, testenv.Shared(t, "traces/"+name))
}

// TestRealTraces walks every real trace and compares its counts with those of
// an independent reader.
func TestRealTraces(t *testing.T) {
	testenv.Sequential(t)
	for name, want := range realTraces(t) {
		t.Run(name, func(t *testing.T) {
			f := openTrace(t, name)
			faults, _ := f.Faults()
			for _, fault := range faults {
				t.Errorf("fault: %v", fault.Err)
			}
			got := make(map[string]int)
			var compressed int
			var bytes int64
			for i := range f.Buffers() {
				info := f.BufferInfo(i)
				if info.Header.Compressed() {
					compressed++
				}
				bytes += info.UncompressedSize()
			}
			decodetest.Walk(t, f, func(b *decode.Buffer, ev *decode.Event) {
				if _, err := b.Check(ev); err != nil {
					t.Error(err)
				}
				got[ev.Type.String()]++
			})
			if f.Buffers() != want.Buffers || compressed != want.CompressedBuffers || bytes != want.UncompressedBytes {
				t.Errorf("%d buffers, %d compressed, %d bytes; want %d, %d, %d",
					f.Buffers(), compressed, bytes, want.Buffers, want.CompressedBuffers, want.UncompressedBytes)
			}
			for header, n := range want.ByHeader {
				if got[header] != n {
					t.Errorf("%s: %d events, want %d", header, got[header], n)
				}
				delete(got, header)
			}
			if len(got) != 0 {
				t.Errorf("events of unexpected types: %v", got)
			}
		})
	}
}
