package reading_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/etl2parquet/etl2parquet/decode"
	"github.com/etl2parquet/etl2parquet/decode/decodetest"
	"github.com/etl2parquet/etl2parquet/facts"
	"github.com/etl2parquet/etl2parquet/internal/engine/selection"
	"github.com/etl2parquet/etl2parquet/internal/formats"
	"github.com/etl2parquet/etl2parquet/internal/reading"
	"github.com/etl2parquet/etl2parquet/tools/testenv"
)

// followed is a run of Follow on a file that a test lets grow.
type followed struct {
	t    *testing.T
	stop context.CancelFunc
	done chan error

	mu   sync.Mutex
	wake *sync.Cond
	out  bytes.Buffer
	said []string
}

// startFollow starts Follow.
func startFollow(t *testing.T, inputs []string, s reading.Scan, o reading.FollowOptions) *followed {
	t.Helper()
	f := &followed{t: t, done: make(chan error, 1)}
	f.wake = sync.NewCond(&f.mu)
	ctx, stop := context.WithCancel(t.Context())
	f.stop = stop
	o.OnMessage = func(text string) {
		f.mu.Lock()
		defer f.mu.Unlock()
		f.said = append(f.said, text)
		f.wake.Broadcast()
	}
	go func() {
		_, err := reading.Follow(ctx, inputs, f, s, o)
		f.done <- err
		f.mu.Lock()
		defer f.mu.Unlock()
		f.wake.Broadcast()
	}()
	t.Cleanup(stop)
	return f
}

// Write implements [io.Writer].
func (f *followed) Write(p []byte) (int, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.wake.Broadcast()
	return f.out.Write(p)
}

// await waits until it has written a number of lines.
func (f *followed) await(lines int) {
	f.mu.Lock()
	defer f.mu.Unlock()
	for bytes.Count(f.out.Bytes(), []byte("\n")) < lines {
		f.wake.Wait()
	}
}

// awaitSaid waits until a text was said.
func (f *followed) awaitSaid(text string) {
	f.mu.Lock()
	defer f.mu.Unlock()
	for !strings.Contains(strings.Join(f.said, "\n"), text) {
		f.wake.Wait()
	}
}

// end interrupts the run, and returns what it has written.
func (f *followed) end() string {
	f.t.Helper()
	f.stop()
	if err := <-f.done; !errors.Is(err, context.Canceled) {
		f.t.Errorf("it ended with %v", err)
	}
	return f.out.String()
}

// growth is a trace that is written in pieces.
type growth struct {
	trace []byte
	ends  []int // of its buffers
	lines []int // of NDJSON, for the buffers up to each end
	all   map[int64]map[string]any
}

// growthOf returns the pieces of a trace, and the rows that cat prints of it.
func growthOf(t *testing.T, path string) *growth {
	t.Helper()
	g := &growth{trace: testenv.ReadFile(t, path)}
	f := decodetest.Open(t, g.trace)
	trace := openAll(t, []string{path}).One()
	var out bytes.Buffer
	if _, err := trace.Write(t.Context(), &out, reading.Scan{}, reading.WriteOptions{}); err != nil {
		t.Fatal(err)
	}
	g.all = rowsByRef(t, out.String())
	counts := make([]int, f.Buffers())
	for ref := range g.all {
		counts[ref>>32]++
	}
	total := 0
	for i, n := range counts {
		total += n
		g.ends, g.lines = append(g.ends, int(f.BufferInfo(i).Offset)+int(f.BufferInfo(i).Size)), append(g.lines, total)
	}
	return g
}

// rowsByRef returns rows by event_ref. There must not be two of one event.
func rowsByRef(t *testing.T, text string) map[int64]map[string]any {
	t.Helper()
	rows := make(map[int64]map[string]any)
	for line := range strings.Lines(text) {
		row := make(map[string]any)
		d := json.NewDecoder(strings.NewReader(line))
		d.UseNumber()
		if err := d.Decode(&row); err != nil {
			t.Fatalf("%v: %.200s", err, line)
		}
		ref, err := row["event_ref"].(json.Number).Int64()
		if err != nil || rows[ref] != nil {
			t.Fatalf("event_ref %v: %v; again %v", row["event_ref"], err, rows[ref] != nil)
		}
		rows[ref] = row
	}
	return rows
}

// laterFacts are the columns that can lack a value because the fact is in a later buffer: names of
// processes and their paths, ids that a later rundown or context switch tells, ids of stacks, and what a
// later manifest describes.
var laterFacts = []string{
	"process_name", "process_id", "thread_id", "id_source", "stack_id", "fields", "message", "payload", "event_name",
	"task_name", "opcode_name", "keyword_names", "level_name", "provider_name", "channel", "seconds",
}

// compare checks rows against those of cat: the same events, and values that differ only where a later
// fact was not known yet. It returns the number of values that differ.
func (g *growth) compare(t *testing.T, text string) (later int) {
	t.Helper()
	got := rowsByRef(t, text)
	if len(got) != len(g.all) {
		t.Errorf("%d events, cat prints %d", len(got), len(g.all))
	}
	for ref, want := range g.all {
		row := got[ref]
		if row == nil {
			t.Fatalf("no event %#x", ref)
		}
		for name := range want {
			if name == "event_kind" { // of a whole trace
				continue
			}
			if fmt.Sprint(row[name]) == fmt.Sprint(want[name]) {
				continue
			}
			if later++; !slices.Contains(laterFacts, name) {
				t.Fatalf("event %#x: %s is %v, cat prints %v", ref, name, row[name], want[name])
			}
		}
	}
	return later
}

// followTraces are the traces that tests let grow, with the most values that may lack a later fact.
var followTraces = map[string]int{
	"../../testdata/sample.etl":                      20,
	"../shared/traces/HTTP_Server.etl":               0,
	"../shared/traces/PktMon.etl":                    0,
	"../shared/traces/KernelNetwork.etl":             0,
	"../shared/traces/AMSITrace.etl":                 0,
	"../shared/traces/ShutdownPerfDiagLogger.etl":    2000,
	"../shared/traces/diaghub.user_paged.1.etl":      200,
	"../shared/traces/SelfDescribingSingleEvent.etl": 0,
}

func eachFollowed(t *testing.T, do func(t *testing.T, g *growth, mayDiffer int)) {
	for path, most := range followTraces {
		t.Run(filepath.Base(path), func(t *testing.T) {
			if strings.HasPrefix(path, "../shared/traces/") {
				path = testenv.Shared(t, strings.TrimPrefix(path, "../shared/"))
			}
			t.Parallel() // most of the time it waits
			do(t, growthOf(t, path), most)
		})
	}
}

// TestFollowBuffers lets traces grow by a few buffers at a time, and waits for the rows of each step.
func TestFollowBuffers(t *testing.T) {
	eachFollowed(t, func(t *testing.T, g *growth, mayDiffer int) {
		path := filepath.Join(t.TempDir(), "x.etl")
		f := startFollow(t, []string{path}, reading.Scan{}, reading.FollowOptions{})
		f.awaitSaid("does not exist yet")
		file, err := os.Create(path)
		if err != nil {
			t.Fatal(err)
		}
		defer file.Close()
		at, step := 0, len(g.ends)/5+1
		for i := range g.ends {
			if i%step != step-1 && i < len(g.ends)-1 {
				continue
			}
			if _, err := file.Write(g.trace[at:g.ends[i]]); err != nil {
				t.Fatal(err)
			}
			at = g.ends[i]
			f.await(g.lines[i])
		}
		later := g.compare(t, f.end())
		if later > mayDiffer {
			t.Errorf("%d values differ from those of cat, at most %d may", later, mayDiffer)
		}
		t.Logf("%d events; %d values differ", len(g.all), later)
	})
}

// TestFollowWhole follows whole traces: the rows are those of cat, byte by byte.
func TestFollowWhole(t *testing.T) {
	eachFollowed(t, func(t *testing.T, g *growth, _ int) {
		path := filepath.Join(t.TempDir(), "x.etl")
		testenv.WriteFile(t, path, g.trace)
		trace := openAll(t, []string{path}).One()
		shown := []string{"time_ns", "process_id", "provider_name", "event_name", "level", "fields", "message", "event_ref"}
		for name, s := range map[string]reading.Scan{
			"columns":   {Columns: []string{"time_ns", "seconds", "process_name", "event_name", "event_ref"}},
			"providers": {Columns: shown, Selection: selection.Selection{Selection: facts.Selection{Providers: []string{"*Kernel*", "Thread", "Microsoft-Windows-D*"}}}},
			"processes": {Columns: shown, Selection: selection.Selection{Selection: facts.Selection{Processes: []string{"*s*"}, Level: "informational"}}},
		} {
			for _, format := range []string{formats.NDJSON.Name, formats.CSV.Name, formats.Text.Name, formats.OTLP.Name} {
				var want, got bytes.Buffer
				s, o := s, reading.WriteOptions{Format: format}
				if format == formats.OTLP.Name {
					s.Columns = nil
				}
				if format == formats.Text.Name {
					o.Keep = regexp.MustCompile("e")
				}
				rows, err := trace.Write(t.Context(), &want, s, o)
				if err != nil {
					t.Fatal(err)
				}
				if s.Limit = rows; rows == 0 {
					continue
				}
				n, err := reading.Follow(t.Context(), []string{path}, &got, s, reading.FollowOptions{Write: o})
				if err != nil || n != rows || got.String() != want.String() {
					t.Errorf("%s, %s: %d rows, want %d; %v; equal: %v", name, format, n, rows, err, got.String() == want.String())
				}
			}
		}
	})
}

// TestFollowState follows a trace in many runs, each of which is interrupted: no event is missing and
// none comes twice, and CSV has one header.
func TestFollowState(t *testing.T) {
	g := growthOf(t, "../../testdata/sample.etl")
	dir := t.TempDir()
	path, state := filepath.Join(dir, "x.etl"), filepath.Join(dir, "state.json")
	var all, lines strings.Builder
	at := 0
	for i := range g.ends {
		file, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_APPEND, 0o666)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := file.Write(g.trace[at:g.ends[i]]); err != nil {
			t.Fatal(err)
		}
		file.Close()
		before := 0
		if i > 0 {
			before = g.lines[i-1]
		}
		at = g.ends[i]
		f := startFollow(t, []string{path}, reading.Scan{}, reading.FollowOptions{State: state})
		f.await(g.lines[i] - before)
		all.WriteString(f.end())
		csv := reading.FollowOptions{State: state + "csv", Write: reading.WriteOptions{Format: formats.CSV.Name}}
		header := 0
		if i == 0 {
			header = 1
		}
		f = startFollow(t, []string{path}, reading.Scan{Columns: []string{"event_ref"}}, csv)
		f.await(g.lines[i] - before + header)
		lines.WriteString(f.end())
	}
	g.compare(t, all.String())
	if n := strings.Count(lines.String(), "\n"); n != 1+len(g.all) || strings.Count(lines.String(), "event_ref") != 1 {
		t.Errorf("%d lines of CSV for %d events", n, len(g.all))
	}
}

// TestFollowTwice follows with a state: it says that rows may come twice if the last run has not ended its
// rows, and only then.
func TestFollowTwice(t *testing.T) {
	g := growthOf(t, "../../testdata/sample.etl")
	dir := t.TempDir()
	path, state := filepath.Join(dir, "x.etl"), filepath.Join(dir, "state.json")
	const twice, member = "may come twice", `"writing"`
	for i, isKilled := range []bool{false, false, true, false} { // whether the last run was
		err := os.WriteFile(path, g.trace[:g.ends[i]], 0o666)
		lines := g.lines[i]
		if i > 0 {
			lines -= g.lines[i-1]
		}
		if isKilled {
			text, readErr := os.ReadFile(state)
			text = bytes.Replace(text, []byte(`"sequence"`), []byte(member+`: {"buffers": 9, "offset": 9, "sequence": 9}, "sequence"`), 1)
			err = errors.Join(err, readErr, os.WriteFile(state, text, 0o666))
		}
		if err != nil {
			t.Fatal(err)
		}
		f := startFollow(t, []string{path}, reading.Scan{}, reading.FollowOptions{State: state})
		f.await(lines)
		f.end()
		if said := strings.Join(f.said, "\n"); strings.Contains(said, twice) != isKilled {
			t.Errorf("run %d: the last one was killed: %t, and this one says %s", i, isKilled, said)
		}
		if text, err := os.ReadFile(state); err != nil || bytes.Contains(text, []byte(member)) {
			t.Errorf("run %d: all rows are written, and the state is %s, %v", i, text, err)
		}
	}
}

// TestFollowOtherState checks that the state of another file is refused.
func TestFollowOtherState(t *testing.T) {
	trace := testenv.ReadFile(t, "../../testdata/sample.etl")
	newer := bytes.Clone(trace)
	newer[decode.BufferHeaderSize+0x20+0x108] ^= 1 // StartTime
	dir := t.TempDir()
	path, state := filepath.Join(dir, "x.etl"), filepath.Join(dir, "state.json")
	follow := func(contents []byte, limit int64) error {
		testenv.WriteFile(t, path, contents)
		_, err := reading.Follow(t.Context(), []string{path}, io.Discard, reading.Scan{Limit: limit}, reading.FollowOptions{State: state})
		return err
	}
	if err := follow(trace, 449); err != nil {
		t.Fatal(err)
	}
	for name, contents := range map[string][]byte{"another session": newer, "fewer": trace[:0x4000]} {
		if err := follow(contents, 1); !errors.Is(err, reading.ErrOtherState) || !strings.Contains(err.Error(), name) {
			t.Errorf("%s: %v", name, err)
		}
	}
	testenv.WriteFile(t, state, "{}")
	if err := follow(trace, 1); err == nil || !strings.Contains(err.Error(), "not a state") {
		t.Errorf("an empty state: %v", err)
	}
}

// TestFollowFolder follows a folder in which a session writes a series of files: rows have the trace.
func TestFollowFolder(t *testing.T) {
	g := growthOf(t, "../../testdata/sample.etl")
	dir := t.TempDir()
	f := startFollow(t, []string{dir}, reading.Scan{}, reading.FollowOptions{})
	for i, name := range []string{"x_000001.etl", "x_000002.etl"} {
		testenv.WriteFile(t, filepath.Join(dir, name), g.trace)
		f.await((i + 1) * len(g.all))
	}
	text := f.end()
	for _, name := range []string{"x_000001", "x_000002"} {
		if n := strings.Count(text, `{"trace":"`+name+`",`); n != len(g.all) {
			t.Errorf("%d rows of %s, want %d", n, name, len(g.all))
		}
	}
}

// TestFollowFates follows a file that is truncated, and one that is replaced: the rows of both sessions
// are written.
func TestFollowFates(t *testing.T) {
	g := growthOf(t, "../../testdata/sample.etl")
	newer := bytes.Clone(g.trace)
	newer[decode.BufferHeaderSize+0x20+0x108] ^= 1 // StartTime
	for name, change := range map[string]func(path string) error{
		"truncated": func(path string) error { return os.WriteFile(path, newer, 0o666) },
		"replaced": func(path string) error {
			return errors.Join(os.WriteFile(path+".new", newer, 0o666), os.Rename(path+".new", path))
		},
		"removed": func(path string) error { return errors.Join(os.Remove(path), os.WriteFile(path, newer, 0o666)) },
	} {
		t.Run(name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "x.etl")
			testenv.WriteFile(t, path, g.trace)
			f := startFollow(t, []string{path}, reading.Scan{}, reading.FollowOptions{})
			f.await(len(g.all))
			if err := change(path); err != nil {
				t.Fatal(err)
			}
			f.await(2 * len(g.all))
			if n := strings.Count(f.end(), "\n"); n != 2*len(g.all) {
				t.Errorf("%d rows, want %d; said %q", n, 2*len(g.all), f.said)
			}
		})
	}
}

// TestFollowRefused checks what cannot be followed.
func TestFollowRefused(t *testing.T) {
	day, err := facts.ParseTimeBound("12:30")
	if err != nil {
		t.Fatal(err)
	}
	for name, test := range map[string]struct {
		input string
		scan  reading.Scan
		write reading.WriteOptions
	}{
		"column":      {"x.etl", reading.Scan{Columns: []string{"event_kind"}}, reading.WriteOptions{}},
		"table":       {"x.etl", reading.Scan{Table: "processes"}, reading.WriteOptions{}},
		"format":      {"x.etl", reading.Scan{}, reading.WriteOptions{Format: formats.Parquet.Name}},
		"array":       {"x.etl", reading.Scan{}, reading.WriteOptions{Format: formats.JSON.Name}},
		"stdin":       {"-", reading.Scan{}, reading.WriteOptions{}},
		"server":      {"https://example.com/x.etl", reading.Scan{}, reading.WriteOptions{}},
		"time of day": {"x.etl", reading.Scan{Selection: selection.Selection{Selection: facts.Selection{From: day}}}, reading.WriteOptions{}},
	} {
		_, err := reading.Follow(t.Context(), []string{test.input}, io.Discard, test.scan, reading.FollowOptions{Write: test.write})
		if !errors.Is(err, reading.ErrNotFollowed) {
			t.Errorf("%s: %v", name, err)
		}
	}
}
