package reading_test

import (
	"bytes"
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/etl2parquet/etl2parquet/decode/etltest"
	"github.com/etl2parquet/etl2parquet/facts"
	"github.com/etl2parquet/etl2parquet/internal/reading"
	"github.com/etl2parquet/etl2parquet/tools/testenv"
)

// described adds the description of a trace to recordings.
func described(t *testing.T, r *reading.Recordings, name string, data []byte) *facts.Info {
	t.Helper()
	info, err := reading.ReadInfo(t.Context(), bytes.NewReader(data), int64(len(data)), name, reading.Options{})
	if err != nil {
		t.Fatal(err)
	}
	r.Add(info, data)
	return info
}

// TestRecordings describes two traces of one recording, a copy of one of them, and another trace.
func TestRecordings(t *testing.T) {
	var r reading.Recordings
	user := testenv.ReadFile(t, testenv.Shared(t, "traces/diaghub.user_paged.1.etl"))
	a := described(t, &r, "user.etl", user)
	other := described(t, &r, "other.etl", testenv.ReadFile(t, "../../testdata/sample.etl"))
	b := described(t, &r, "kernel.etl", testenv.ReadFile(t, testenv.Shared(t, "traces/diaghub.kernel.1.etl")))
	copied := described(t, &r, "copy.etl", user)
	for range 2 { // finding again changes nothing
		found := r.Find()
		if len(found) != 1 || len(found[0]) != 3 || slices.Contains(found[0], other) {
			t.Fatalf("found %v", found)
		}
		for trace, want := range map[*facts.Info][]string{a: {"kernel.etl"}, copied: {"kernel.etl"}, b: {"copy.etl", "user.etl"}, other: nil} {
			if !slices.Equal(trace.Siblings, want) {
				t.Errorf("%s: siblings %q, want %q", trace.File, trace.Siblings, want)
			}
			computer := "none"
			if trace.ComputerName != nil {
				computer = *trace.ComputerName
			}
			if isSame, isOf := *trace.Recording == *a.Recording, trace != other; isSame != isOf || isOf != (computer == "liha-test") {
				t.Errorf("%s: recording %q of computer %q", trace.File, *trace.Recording, computer)
			}
		}
	}
}

// TestRecordingsOfSeries describes the files of a series, in their order and in another: the losses of
// each are those since the file before it.
func TestRecordingsOfSeries(t *testing.T) {
	start := time.Date(2024, 5, 1, 12, 0, 0, 0, time.UTC)
	file := func(i int) []byte {
		after := time.Duration(i) * time.Minute
		ticks := int64((100*time.Second + after) / 100)
		x := etltest.Trace{
			Boot: start.Add(-100 * time.Second), Start: start.Add(after), StartTicks: &ticks, End: start.Add(after + time.Minute),
			Mode: etltest.ModeNewFile, LoggerName: "series", FileName: fmt.Sprintf(`C:\s_%d.etl`, 1+i), FirstSequence: int64(1 + i), EventsLost: []uint32{40, 340, 340}[i],
		}
		return x.MustBytes(t)
	}
	for _, order := range [][]int{{0, 1, 2}, {2, 0, 1}} {
		var r reading.Recordings
		files := make([]*facts.Info, len(order))
		for _, i := range order {
			files[i] = described(t, &r, fmt.Sprintf("s%d.etl", i), file(i))
		}
		r.Find()
		for i, want := range []struct {
			lost, session uint32
			problem       string
		}{
			{40, 40, "the session lost events while it wrote this file"},
			{300, 340, "the session lost events while it wrote this file"},
			{0, 340, ""},
		} {
			f, problem := files[i], ""
			for _, p := range f.Problems {
				if p.Code == "events_lost" && p.Count == int64(want.lost) {
					problem = p.Message
				}
			}
			if f.EventsLost == nil || *f.EventsLost != want.lost || *f.SessionEvents != want.session || problem != want.problem || *f.SessionFile != int64(1+i) || *f.Session != *files[0].Session || *f.DurationNS != int64(time.Minute) {
				t.Errorf("order %v, file %d: %+v, %q", order, i, f, problem)
			}
			if (f.CoveredFrom != nil) != (i > 0) || i > 0 && *f.CoveredFrom != *files[i-1].End {
				t.Errorf("order %v, file %d: covered from %v", order, i, f.CoveredFrom)
			}
		}
	}
	var alone reading.Recordings
	if f := described(t, &alone, "s1.etl", file(1)); f.EventsLost != nil || *f.SessionEvents != 340 {
		t.Errorf("the second file alone: %+v", f)
	}
}
