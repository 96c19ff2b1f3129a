package bench

import (
	"encoding/json"
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/etl2parquet/etl2parquet/internal/engine/pipeline"
	"github.com/etl2parquet/etl2parquet/internal/lake/bundle"
	"github.com/etl2parquet/etl2parquet/tools/testenv"
)

// samples are traces whose buffers are plain and compressed, and real ones with stacks.
func samples(t *testing.T) []string {
	return testenv.Unraced(testenv.SharedOr(t, "traces/net.4.5.2.x86.etl"), "../../../testdata/sample.etl", "../../../testdata/sample-compressed.etl")
}

func measurementOf(t *testing.T, path string) *measurement {
	t.Helper()
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { f.Close() })
	info, err := f.Stat()
	if err != nil {
		t.Fatal(err)
	}
	o := &Options{Workers: []int{1, 3}, Rounds: 1, Convert: bundle.Options{Options: pipeline.Options{Memory: pipeline.DefaultMemory, TempDir: t.TempDir()}}}
	return &measurement{
		ctx: t.Context(), in: pipeline.Input{Name: filepath.Base(path), Size: info.Size(), Trace: f},
		o: o, folder: t.TempDir(), ledger: newLedger(), shape: new(Shape),
	}
}

// TestStagesDoTheWork checks that each stage does all of the work of a conversion: the walk
// sees every event, and what is copied, encoded and written are all rows.
func TestStagesDoTheWork(t *testing.T) {
	for _, path := range samples(t) {
		t.Run(filepath.Base(path), func(t *testing.T) {
			m := measurementOf(t, path)
			d, err := bundle.OpenDataset(filepath.Join(t.TempDir(), "out"))
			if err != nil {
				t.Fatal(err)
			}
			report, err := d.Convert(t.Context(), m.in, "trace", *m.options(1))
			if err != nil {
				t.Fatal(err)
			}
			var rows, bytes int64
			for _, f := range report.Files {
				if f.Table != "traces" {
					rows += f.Rows
				}
				bytes += f.Bytes
			}
			b, err := newBufferStages(m.in.Trace, m.in.Size, m.o.Workers, m.ledger)
			if err != nil {
				t.Fatal(err)
			}
			if err := b.round(t.Context()); err != nil {
				t.Fatal(err)
			}
			if got, want := b.walked.Load(), report.Events*int64(len(m.o.Workers)); got != want {
				t.Errorf("%d events were walked, want %d", got, want)
			}
			if err := m.round(m.o.Workers, true); err != nil {
				t.Fatal(err)
			}
			s := m.shape
			if s.Events != report.Events || s.Rows != rows {
				t.Errorf("%d events and %d rows, a conversion has %d and %d", s.Events, s.Rows, report.Events, rows)
			}
			if s.Parquet <= 0 || s.Parquet > bytes {
				t.Errorf("%d bytes were encoded, a conversion has %d with indexes and footers", s.Parquet, bytes)
			}
			m.ledger.endRound(true)
			checkStages(t, m.trace(), m.o.Workers)
		})
	}
}

// checkStages checks that each stage was measured with each number of workers, the hash with
// one.
func checkStages(t *testing.T, trace *Trace, workers []int) {
	t.Helper()
	if got, want := len(trace.Stages), len(Stages)*len(workers)-len(workers)+1; got != want {
		t.Errorf("%d stages, want %d", got, want)
	}
	for _, s := range trace.Stages {
		if s.Wall.Median <= 0 || s.Bytes <= 0 || s.EventsPerSecond <= 0 {
			t.Errorf("stage %s with %d workers: %+v", s.Stage, s.Workers, s)
		}
	}
	if trace.Limit == nil || len(trace.Limit.Parts) != len(limitParts) || len(trace.Limit.Shares) != len(workers) {
		t.Errorf("limit %+v", trace.Limit)
	}
}

func TestSpread(t *testing.T) {
	for _, c := range []struct {
		rounds []time.Duration
		want   Spread
	}{
		{[]time.Duration{time.Second}, Spread{1, 1, 1}},
		{[]time.Duration{3 * time.Second, time.Second}, Spread{2, 1, 3}},
		{[]time.Duration{9 * time.Second, time.Second, 2 * time.Second}, Spread{2, 1, 9}},
	} {
		if got := spreadOf(c.rounds); got != c.want {
			t.Errorf("%v: %+v, want %+v", c.rounds, got, c.want)
		}
	}
}

// TestLimit checks the arithmetic of the composed limit.
func TestLimit(t *testing.T) {
	at := func(s Stage, workers int, seconds float64) StageTotal {
		return StageTotal{Stage: string(s), Workers: workers, Events: 100, CPU: Spread{Median: seconds}}
	}
	l := limitOf([]StageTotal{
		at(Read, 1, 7), at(Hash, 1, 1), at(Walk, 1, 1), at(Walk, 2, 9), at(Index, 1, 2), at(Scatter, 1, 1), at(Encode, 1, 5), at(Convert, 1, 20), at(Convert, 2, 40),
	})
	if l.CPU != 10 || l.EventsPerCore != 10 || len(l.Shares) != 2 || l.Shares[0] != (Share{1, 0.5}) || l.Shares[1] != (Share{2, 0.25}) {
		t.Errorf("limit %+v", l)
	}
	if l := limitOf([]StageTotal{at(Encode, 2, 1)}); l != nil {
		t.Errorf("limit %+v without one worker", l)
	}
}

// TestPeer runs a stand-in for a peer: a module that Python finds on its path.
func TestPeer(t *testing.T) {
	python, err := exec.LookPath("python3")
	if err != nil {
		t.Skip("python3 is not installed")
	}
	if _, err := FindPeer(t.Context(), "dissect", python); err == nil {
		t.Skip("dissect.etl is installed: it would be found instead")
	} else if !errors.Is(err, ErrNoPeer) || !strings.Contains(err.Error(), "-m pip install dissect.etl") {
		t.Errorf("error %v, want one that says how to install it", err)
	}
	modules := t.TempDir()
	t.Setenv("PYTHONPATH", modules)
	for name, text := range map[string]string{
		"dissect/etl/etl.py": `
class Event:
    def __init__(self, i): self.i = i
    def event_values(self): return 1 / self.i
class Record:
    def __init__(self, i): self.event = Event(i)
def ETL(file):
    yield from (Record(i) for i in range(5))
    raise ValueError("the end")
`,
		"dissect.etl-1.2.dist-info/METADATA": "Metadata-Version: 2.1\nName: dissect.etl\nVersion: 1.2\n",
	} {
		path := filepath.Join(modules, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	m := measurementOf(t, "../../../testdata/sample.etl")
	if m.o.Peer, err = FindPeer(t.Context(), "dissect", python); err != nil {
		t.Fatal(err)
	}
	trace := &Trace{Shape: Shape{Events: 10}, Stages: []StageTotal{{Stage: string(Walk), Workers: 1, CPU: Spread{Median: 1e-9}}}}
	if err := m.compare(trace); err != nil {
		t.Fatal(err)
	}
	if a := trace.Against; a.Version != "1.2" || len(a.Modes) != 2 {
		t.Fatalf("%+v", a)
	}
	for i, want := range []PeerMode{
		{Mode: "headers", Events: 5, Stopped: "ValueError: the end"},
		{Mode: "all", Events: 5, Payloads: 4, Failed: 1, FirstError: "ZeroDivisionError: division by zero", Stopped: "ValueError: the end"},
	} {
		got := trace.Against.Modes[i]
		got = PeerMode{Mode: got.Mode, Events: got.Events, Payloads: got.Payloads, Failed: got.Failed, FirstError: got.FirstError, Stopped: got.Stopped}
		if !reflect.DeepEqual(got, want) {
			t.Errorf("%+v, want %+v", got, want)
		}
	}
}

// TestNotMeasured has stages that took no time, as with a coarse clock: the report is JSON still.
func TestNotMeasured(t *testing.T) {
	var stages []StageTotal
	for _, s := range Stages {
		stages = append(stages, StageTotal{Stage: string(s), Workers: 1, Events: 7})
	}
	trace := &Trace{Stages: stages, Limit: limitOf(stages)}
	if _, err := json.Marshal(trace); err != nil {
		t.Error(err)
	}
	trace.writeLimit(io.Discard, 80)
}
