package bench

import (
	"encoding/json"
	"errors"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"io"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/etl2parquet/etl2parquet/decode"
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
	return &measurement{ctx: t.Context(), in: pipeline.Input{Name: filepath.Base(path), Size: info.Size(), Trace: f}, o: o, folder: t.TempDir()}
}

// TestMeasure checks that the whole conversion is measured: its events, rows and bytes, and that
// stages add up to the conversion, and steps to their stages.
func TestMeasure(t *testing.T) {
	for _, path := range samples(t) {
		t.Run(filepath.Base(path), func(t *testing.T) {
			if filepath.Base(path) == "net.4.5.2.x86.etl" {
				testenv.Slow(t, "a real trace, four times")
			}
			m := measurementOf(t, path)
			report, err := m.convert(1)
			if err != nil {
				t.Fatal(err)
			}
			m.o.Profiles = t.TempDir()
			trace, err := m.trace() // with one conversion a round
			if err != nil {
				t.Fatal(err)
			}
			var rows, bytes int64
			for _, f := range report.Files {
				rows, bytes = rows+f.Rows, bytes+f.Bytes
			}
			if s := trace.Shape; s.Events != report.Events || s.Rows != rows || s.Parquet != bytes || s.Uncompressed <= 0 {
				t.Errorf("%+v, a conversion has %d events, %d rows and %d bytes", s, report.Events, rows, bytes)
			}
			if left, err := os.ReadDir(m.folder); err != nil || len(left) > 0 {
				t.Errorf("left behind: %v, %v", left, err)
			}
			if kept, err := os.ReadDir(m.o.Profiles); err != nil || len(kept) != len(m.o.Workers) {
				t.Errorf("profiles: %v, %v", kept, err)
			}
			if len(trace.Conversions) != len(m.o.Workers) || len(trace.Stages) != len(m.o.Workers)*len(order()) {
				t.Fatalf("%d conversions, %d stages", len(trace.Conversions), len(trace.Stages))
			}
			for i, c := range trace.Conversions {
				if c.Workers != m.o.Workers[i] || c.Wall.Median <= 0 || c.EventsPerSecond <= 0 || c.BytesPerSecond <= 0 {
					t.Errorf("%+v", c)
				}
				stages := trace.Stages[i*len(order()) : (i+1)*len(order())]
				checkShares(t, stages, c.CPU.Median)
				if s := stages[slices.Index(order(), stageKey{"encode", ""})]; s.NSPerEvent <= 0 && trace.Shape.Events > 100_000 {
					t.Error("no sample is in the encoder")
				}
			}
			trace.write(io.Discard, &Options{Width: 80})
		})
	}
}

// checkShares checks that the stages of a conversion add up to it.
func checkShares(t *testing.T, stages []StageTotal, cpu float64) {
	t.Helper()
	const error = 1e-9
	var all, seconds float64
	whole, ofSteps := make(map[string]float64), make(map[string]float64)
	for i := range stages {
		s := &stages[i]
		if s.Step != "" {
			ofSteps[s.Stage] += s.Share
			continue
		}
		whole[s.Stage] = s.Share
		all += s.Share
		seconds += s.CPU
	}
	if math.Abs(all-1) > error || math.Abs(seconds-cpu) > error {
		t.Errorf("the stages take %v of %v s, and %v s", all, cpu, seconds)
	}
	for stage, sum := range ofSteps {
		if math.Abs(sum-whole[stage]) > error {
			t.Errorf("the steps of %s take %v of %v", stage, sum, whole[stage])
		}
	}
}

// TestPart checks that only the first buffers of a trace are measured, and that the estimate of the whole
// is theirs times its size.
func TestPart(t *testing.T) {
	const path = "../../../testdata/sample.etl"
	whole := measurementOf(t, path)
	if err := whole.cut(); err != nil {
		t.Fatal(err)
	}
	all, err := whole.trace()
	if err != nil {
		t.Fatal(err)
	}
	if s := all.Shape; s.Measured != s.Size || s.WholeParquet != s.Parquet {
		t.Errorf("all of it: %+v", s)
	}
	m := measurementOf(t, path)
	m.o.Part = all.Shape.Size / 2
	if err := m.cut(); err != nil {
		t.Fatal(err)
	}
	half, err := m.trace()
	if err != nil {
		t.Fatal(err)
	}
	s := half.Shape
	if s.Size != all.Shape.Size || s.Measured <= 0 || s.Measured > m.o.Part || s.Events <= 0 || s.Events >= all.Shape.Events {
		t.Errorf("a half of it: %+v", s)
	}
	f, err := decode.NewFile(m.in.Trace, m.in.Size)
	if err != nil {
		t.Fatal(err)
	}
	if faults, _ := f.Faults(); len(faults) > 0 {
		t.Errorf("the part ends within a buffer: %v", faults[0].Err)
	}
	for _, c := range half.Conversions {
		if c.WholeCPU <= c.CPU.Median || c.WholeWall <= c.Wall.Median {
			t.Errorf("the whole takes no more than its half: %+v", c)
		}
	}
}

// TestStageOf checks the stages of stacks, which begin with the leaf.
func TestStageOf(t *testing.T) {
	for _, c := range []struct {
		stack []string
		want  stageKey
	}{
		{[]string{"runtime.memmove", "decode.(*Buffer).Next", "internal/engine/index.(*Index).indexChunk", "internal/base/ordered.Do"}, stageKey{"index", "walk"}},
		{[]string{"internal/base/fileid.(*Hasher).Add", "internal/engine/index.(*Index).read", "internal/engine/index.Build"}, stageKey{"attribution", ""}},
		{[]string{"internal/base/fileid.(*Hasher).Add", "internal/engine/index.(*Index).read"}, stageKey{"index", "hash"}},
		{[]string{"decode.(*Buffer).Next", "internal/engine/rows.(*Gathered).sortEntries", "internal/engine/rows.(*Gathered).Gather"}, stageKey{"decode", "walk"}},
		{[]string{"runtime.mallocgc", "internal/engine/rows.(*Gathered).FillRows"}, stageKey{"decode", rest}},
		{[]string{"internal/formats/parquet.zstdCodec.encode", "internal/formats/parquet.(*RowGroup).Finish"}, stageKey{"encode", "compress"}},
		{[]string{"internal/engine/rows/fixed.fill"}, stageKey{"fixed tables", ""}},
		{[]string{"runtime.scanobject", "runtime.gcBgMarkWorker"}, stageKey{"garbage collection", ""}},
		{[]string{"os.Create", "internal/lake/store.(*Folder).Create", "internal/lake/dataset.(*Output).Create"}, stageKey{"files", "create"}},
		{[]string{"os.(*File).Write", "internal/lake/store.(*File).Write", "internal/formats/parquet.(*File).Write"}, stageKey{"encode", "write"}},
		{[]string{"strings.(*Builder).grow", "internal/lake/views.Write", "internal/lake/dataset.(*Dataset).Commit"}, stageKey{"files", "views"}},
		{[]string{"runtime.futex"}, stageKey{rest, ""}},
		{nil, stageKey{rest, ""}},
	} {
		if got := stageOf(c.stack); got != c.want {
			t.Errorf("%q: %v, want %v", c.stack, got, c.want)
		}
	}
}

// TestFunctionNames checks that each function that identifies a stage exists: if it were renamed, its
// samples would go to another stage, and no other test would fail.
func TestFunctionNames(t *testing.T) {
	declared := make(map[string][]string) // names by folder
	check := func(part string) {
		slash := strings.LastIndex(part, "/")
		folder, _, ok := strings.Cut(part[slash+1:], ".")
		if folder = part[:slash+1] + folder; !ok {
			t.Errorf("%s names no package", part)
			return
		}
		if declared[folder] == nil {
			declared[folder] = functionsIn(t, folder)
		}
		if !slices.ContainsFunc(declared[folder], func(name string) bool { return strings.Contains(name, part) }) {
			t.Errorf("there is no function %s", part)
		}
	}
	all := slices.Clone(passes)
	for _, list := range steps {
		all = append(all, list...)
	}
	for _, s := range all {
		for _, part := range s.parts {
			if !strings.HasPrefix(part, "runtime.") {
				check(part)
			}
		}
	}
}

// functionsIn returns the functions of a package of this module, as profiles name them.
func functionsIn(t *testing.T, folder string) (names []string) {
	t.Helper()
	paths, err := filepath.Glob(filepath.Join("../../..", folder, "*.go"))
	if err != nil {
		t.Fatal(err)
	}
	for _, path := range paths {
		file, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		for _, d := range file.Decls {
			f, ok := d.(*ast.FuncDecl)
			if !ok || strings.HasSuffix(path, "_test.go") {
				continue
			}
			name := folder + "."
			if f.Recv != nil {
				of := types.ExprString(f.Recv.List[0].Type)
				if strings.HasPrefix(of, "*") {
					of = "(" + of + ")"
				}
				name += of + "."
			}
			names = append(names, name+f.Name.Name)
		}
	}
	return names
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

// TestPeer runs a stand-in for a peer: a module that Python finds on its path.
func TestPeer(t *testing.T) {
	testenv.Slow(t, "Python")
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
		testenv.WriteFile(t, path, text)
	}
	m := measurementOf(t, "../../../testdata/sample.etl")
	if m.o.Peer, err = FindPeer(t.Context(), "dissect", python); err != nil {
		t.Fatal(err)
	}
	trace := &Trace{Shape: Shape{Events: 10}, Stages: []StageTotal{{Stage: "index", Step: "walk", Workers: 1, CPU: 0.5}, {Stage: "index", Step: "walk", Workers: 2, CPU: 1}, {Stage: "decode", Workers: 1, CPU: 2}}}
	if err := m.compare(trace); err != nil {
		t.Fatal(err)
	}
	if a := trace.Against; a.Version != "1.2" || len(a.Modes) != 2 {
		t.Fatalf("%+v", a)
	} else if h, all := &a.Modes[0], &a.Modes[1]; h.OurCPU != 0.5 || all.OurCPU != 2.5 || !slices.Equal(all.OurStages, []string{"index: walk", "decode"}) {
		t.Errorf("compared with %v s of %v and %v s of %v", h.OurCPU, h.OurStages, all.OurCPU, all.OurStages)
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

// TestNotMeasured checks conversions that end before the profiler takes a sample, one of them within a
// tick of a coarse clock: the stages still add up, and the report is JSON.
func TestNotMeasured(t *testing.T) {
	for _, cost := range []Cost{{}, {Wall: 15 * time.Millisecond, CPU: 14 * time.Millisecond}} {
		r := run{costs: []Cost{cost}}
		s := &Shape{Events: 7, Uncompressed: 9}
		c := r.conversion(1, s)
		trace := &Trace{Shape: *s, Conversions: []Conversion{c}, Stages: r.stages(&c, s)}
		checkShares(t, trace.Stages, cost.CPU.Seconds())
		if _, err := json.Marshal(trace); err != nil {
			t.Error(err)
		}
		trace.write(io.Discard, &Options{Width: 80})
	}
}
