package etltest

import (
	"bytes"
	"path/filepath"
	"testing"

	"github.com/etl2parquet/etl2parquet/tools/testenv"
)

const testdata = "../../testdata"

// TestSample regenerates the samples from their text form and checks the
// committed files.
func TestSample(t *testing.T) {
	text := testenv.ReadFile(t, filepath.Join(testdata, "sample.txt"))
	plain, err := ParseTrace(string(text))
	if err != nil {
		t.Fatal(err)
	}
	// The same trace as a merging tool leaves it.
	compressed := *plain
	compressed.Compression = Xpress
	compressed.Mode = ModeSequential
	compressed.LoggerName = "Relogger"
	compressed.Logger = 0

	var events []record
	for _, sample := range []struct {
		name  string
		trace *Trace
	}{{"sample.etl", plain}, {"sample-compressed.etl", &compressed}} {
		got := sample.trace.MustBytes(t)
		name := filepath.Join(testdata, sample.name)
		if *testenv.Update {
			testenv.WriteFile(t, name, got)
		}
		want := testenv.ReadFile(t, name)
		// Compressed bytes may change with the encoder; their content may not.
		if sample.trace == plain && !bytes.Equal(got, want) {
			t.Errorf("%s differs from the output of sample.txt; if that is intended, run go test -update", name)
		}
		if len(want) >= 64<<10 {
			t.Errorf("%s: %d bytes is too much for a sample", name, len(want))
		}

		found := walk(t, want)
		if n := len(walk(t, got)); n != len(found) {
			t.Errorf("%s has %d events, sample.txt %d; if that is intended, run go test -update", name, len(found), n)
		}
		last := map[uint16]int64{}
		for _, r := range found[4:] { // the header buffer has four events
			if r.time != 0 && (r.time < last[r.cpu] || r.time > plain.Ticks(2200e6)) {
				t.Errorf("%s: time %d after %d", name, r.time, last[r.cpu])
			}
			last[r.cpu] = max(last[r.cpu], r.time)
		}
		if len(last) != 2 {
			t.Errorf("%s: %d processors", name, len(last))
		}
		if events == nil {
			events = found
		}
		if len(found) < 300 || len(found) != len(events) {
			t.Fatalf("%s: %d events, sample.etl has %d", name, len(found), len(events))
		}
		for i := range found[1:] { // the trace header events differ
			if !bytes.Equal(found[1+i].raw, events[1+i].raw) {
				t.Errorf("%s: event %d differs", name, 1+i)
			}
		}
	}
}
