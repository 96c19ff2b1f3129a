package bundle

import (
	"encoding/json"
	"maps"
	"strings"
	"testing"

	"github.com/etl2parquet/etl2parquet/decode"
	"github.com/etl2parquet/etl2parquet/decode/decodetest"
	"github.com/etl2parquet/etl2parquet/facts"
	"github.com/etl2parquet/etl2parquet/internal/engine/index"
	"github.com/etl2parquet/etl2parquet/internal/engine/index/indextest"
	"github.com/etl2parquet/etl2parquet/internal/engine/problems"
)

func summaryOf(t *testing.T, path string) *facts.Info {
	t.Helper()
	return indextest.Summary(t, indextest.Of(t, decodetest.OpenFile(t, path), nil), path)
}

func TestSummary(t *testing.T) {
	t.Parallel()
	s := summaryOf(t, "../../../testdata/sample.etl")
	if s.OS != "Windows 10 22H2" || s.Processors != 2 || s.Clock != "QPC" || s.ClockFrequency != 10_000_000 ||
		s.MaximumFileBytes != 64<<20 || s.BuildLab == nil || s.Buffers != 6 || s.Compressed != 0 || s.CompressionRatio != nil || s.Damaged {
		t.Errorf("%+v", s)
	}
	if s.Start == nil || s.End == nil || s.DurationNS == nil || s.Start.String() != "2024-05-01T12:00:00.250000000Z" || *s.DurationNS != 2.25e9 {
		t.Errorf("from %v to %v", s.Start, s.End)
	}
	var byHeader, byProvider, byType int64
	for n := range maps.Values(s.EventsByHeader) {
		byHeader += n
	}
	for _, p := range s.Providers {
		byProvider += p.Events
	}
	for _, e := range s.EventTypes {
		byType += e.Events
	}
	if s.Events != 449 || byHeader != s.Events || byProvider != s.Events || byType != s.Events {
		t.Errorf("%d events, %d by header, %d by provider, %d by type", s.Events, byHeader, byProvider, byType)
	}
	for i := 1; i < len(s.Providers); i++ {
		if s.Providers[i].Events > s.Providers[i-1].Events {
			t.Errorf("providers are not in order: %v", s.Providers)
		}
	}
}

func TestSummaryCompressed(t *testing.T) {
	t.Parallel()
	s, plain := summaryOf(t, "../../../testdata/sample-compressed.etl"), summaryOf(t, "../../../testdata/sample.etl")
	if s.Compressed == 0 || s.CompressionRatio == nil || *s.CompressionRatio <= 1 || s.LogVersion != "2.0" {
		t.Errorf("%d of %d buffers compressed, ratio %v, version %s", s.Compressed, s.Buffers, s.CompressionRatio, s.LogVersion)
	}
	if s.Events != plain.Events || !maps.Equal(s.EventsByHeader, plain.EventsByHeader) {
		t.Errorf("%v, but %v when not compressed", s.EventsByHeader, plain.EventsByHeader)
	}
}

// TestSummaryEmpty checks that missing values are null and empty lists are [].
func TestSummaryEmpty(t *testing.T) {
	t.Parallel()
	x := &index.Index{File: new(decode.File), Problems: new(problems.List), Counts: new(index.Counts)}
	text, err := json.Marshal(indextest.Summary(t, x, "x.etl"))
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		`"os":""`, `"start":null`, `"end":null`, `"duration_ns":null`, `"first_event":null`, `"build_lab":null`, `"compression_ratio":null`,
		`"enable_flags_text":null`, `"log_file_mode_text":[]`, `"providers":[]`, `"event_types":[]`, `"provider_pdbs":[]`, `"problems":[]`, `"events_by_header":{}`,
	} {
		if !strings.Contains(string(text), want) {
			t.Errorf("%s is not in %s", want, text)
		}
	}
}

func TestWindowsName(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		major, minor uint8
		build        uint32
		want         string
	}{
		{10, 0, 19045, "Windows 10 22H2"},
		{6, 1, 7601, "Windows 7 SP1 or Server 2008 R2 SP1"},
		{10, 0, 20257, "Windows 10.0 build 20257"},
		{0, 0, 0, ""},
	} {
		if got := index.WindowsName(test.major, test.minor, test.build); got != test.want {
			t.Errorf("build %d: %q, want %q", test.build, got, test.want)
		}
	}
}

func TestInstant(t *testing.T) {
	t.Parallel()
	text, err := json.Marshal(facts.Instant(1_714_564_800_250_000_100))
	if err != nil || string(text) != `"2024-05-01T12:00:00.250000100Z"` {
		t.Errorf("%s, %v", text, err)
	}
}
