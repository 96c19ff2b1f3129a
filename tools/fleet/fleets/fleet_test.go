package fleets

import (
	"bytes"
	order "cmp"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"reflect"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/parquet-go/parquet-go"

	"github.com/etl2parquet/etl2parquet"
	"github.com/etl2parquet/etl2parquet/convert"
	"github.com/etl2parquet/etl2parquet/tools/testenv"
)

// small is a folder with each feature.
var small = Options{
	Seed: 7, Traces: 24, Kinds: 60, Logs: 2, Machines: 3, Boots: 2, Builds: 2,
	Series: 1, Circular: 1, Damage: 4, Copies: 1, Errors: 6, Differences: 3,
}

// The hashes of folders. They never change: later issues compare what they find in these folders. A
// new feature has a flag that is off in them.
const (
	smallHash     = "907cfc980eb5e72d62e6db81311e40d08496845c8777e3665e9fde3fbc9f5908"
	generatedHash = "c0f2fa0163c4f40ea8d29af6b219c50daa22bfbcf270a75da4b21e70792706fa"
)

// makeFleet makes a folder and checks that truth.json is the truth.
func makeFleet(t *testing.T, o Options) (string, *Truth) {
	t.Helper()
	folder := filepath.Join(t.TempDir(), "fleet")
	truth, err := Make(folder, o)
	if err != nil {
		t.Fatal(err)
	}
	text := testenv.ReadFile(t, filepath.Join(folder, TruthFile))
	var read Truth
	if err := json.Unmarshal(text, &read); err != nil {
		t.Fatal(err)
	}
	if !reflect.DeepEqual(&read, truth) {
		t.Error(cmp.Diff(&read, truth))
	}
	checkRoles(t, folder, truth)
	return folder, truth
}

// checkRoles checks that the traces with each role are as many as the options say, that copies are
// copies, and that the files of a series follow each other.
func checkRoles(t *testing.T, folder string, truth *Truth) {
	t.Helper()
	got := Options{Errors: len(truth.Errors), Differences: len(truth.Differences)}
	last := make(map[string]Trace) // of series; truth.json has their files in order
	for _, trace := range truth.Traces {
		if trace.Apart {
			got.Apart++
		}
		before := last[trace.Series]
		switch {
		case trace.CopyOf != "":
			got.Copies++
			a, errA := os.ReadFile(filepath.Join(folder, trace.Path))
			b, errB := os.ReadFile(filepath.Join(folder, trace.CopyOf))
			if errA != nil || errB != nil || !bytes.Equal(a, b) {
				t.Errorf("%s is no copy of %s: %v, %v", trace.Path, trace.CopyOf, errA, errB)
			}
		case trace.Series != "":
			if trace.Place == 1 && strings.HasPrefix(trace.Series, "session") {
				got.Sessions++
			} else if trace.Place == 1 {
				got.Series++
			} else if gap := trace.Start.Sub(before.End); gap < 0 || gap > time.Second || trace.Place != before.Place+1 ||
				trace.BootTime != before.BootTime || trace.Machine != before.Machine || trace.Session != before.Session {
				t.Errorf("%+v follows %+v", trace, before)
			}
			last[trace.Series] = trace
		case trace.Running:
			got.Running++
		case filepath.Ext(trace.Path) != ".etl":
			got.Renamed++
		case trace.Circular && trace.Overwritten > 0:
			got.Circular++
		case trace.Damage != nil && trace.Damage.Events > 0:
			got.Damage++
		}
	}
	want := truth.Options
	want.Seed, want.Traces, want.Kinds, want.Logs, want.Machines, want.Boots, want.Builds = 0, 0, 0, 0, 0, 0, 0
	if got != want {
		t.Errorf("%+v, want %+v", got, want)
	}
}

// hashFolder returns a hash of the names and the bytes of all files in a folder, and their number.
func hashFolder(t *testing.T, folder string) (hash string, files int) {
	t.Helper()
	sum := sha256.New()
	err := fs.WalkDir(os.DirFS(folder), ".", func(name string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		data, err := os.ReadFile(filepath.Join(folder, name))
		fmt.Fprintf(sum, "%s %d\n", name, len(data))
		sum.Write(data)
		files++
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return hex.EncodeToString(sum.Sum(nil)), files
}

// TestSmall makes a small folder twice, with one worker and with several, and converts it.
func TestSmall(t *testing.T) {
	var folder string
	var truth *Truth
	for _, workers := range []int{1, 4} {
		before := runtime.GOMAXPROCS(workers)
		folder, truth = makeFleet(t, small)
		runtime.GOMAXPROCS(before)
		if hash, files := hashFolder(t, folder); hash != smallHash || files != small.Traces+1 {
			t.Errorf("%d workers: %d files with the hash %s", workers, files, hash)
		}
	}
	checkConverted(t, folder, truth)
	checkPlanted(t, truth)
	checkEvents(t, folder, truth)
}

// TestSessions makes series of files, private ones among them, circular files that were copied while they
// were written, and files with other names.
func TestSessions(t *testing.T) {
	o := small
	o.Traces, o.Series, o.Sessions, o.Running, o.Renamed = 60, 2, 6, 3, 6
	folder, truth := makeFleet(t, o)
	checkConverted(t, folder, truth)
	checkPlanted(t, truth)
}

// TestApart makes a folder in which one trace of each log describes the events of the others.
func TestApart(t *testing.T) {
	o := small
	o.Apart = o.Logs
	folder, truth := makeFleet(t, o)
	checkConverted(t, folder, truth)
}

// TestGenerated makes the folder that later issues call "generated", and converts it.
func TestGenerated(t *testing.T) {
	testenv.All(t, "it makes and converts a thousand traces")
	start := time.Now()
	folder, truth := makeFleet(t, Defaults(1, 1000, 1800))
	made := time.Since(start)
	if hash, files := hashFolder(t, folder); hash != generatedHash || files != 1001 {
		t.Errorf("%d files with the hash %s", files, hash)
	}
	if truth.Bytes < 80e6 || truth.Bytes > 130e6 {
		t.Errorf("%d bytes", truth.Bytes)
	}
	start = time.Now()
	checkConverted(t, folder, truth)
	t.Logf("%d bytes, %d events, made in %v, converted and compared in %v", truth.Bytes, truth.Events, made, time.Since(start))
	checkPlanted(t, truth)
}

// readTable reads columns of a table of a dataset.
func readTable[T any](t *testing.T, root, table string) (rows []T) {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(root, table, "*.parquet"))
	if err != nil || len(files) == 0 {
		t.Fatal(table, files, err)
	}
	for _, file := range files {
		part, err := parquet.ReadFile[T](file)
		if err != nil {
			t.Fatal(file, err)
		}
		rows = append(rows, part...)
	}
	return rows
}

// problemOf is the problem that the reader reports about damage.
var problemOf = map[string]string{
	DamageZeros: "buffers_missing", DamageMissing: "buffers_missing", DamageEvent: "event_damaged", DamageCut: "file_truncated",
}

// checkConverted converts a folder and compares the dataset with the truth.
func checkConverted(t *testing.T, folder string, truth *Truth) {
	t.Helper()
	root := filepath.Join(t.TempDir(), "dataset")
	report, err := convert.Run(t.Context(), []string{folder}, root, convert.Options{})
	if err != nil || report.Failed() > 0 || len(report.Results) != len(truth.Traces) {
		t.Fatal(err, len(report.Results))
	}
	byPath, byName := make(map[string]*Trace), make(map[string]*Trace)
	for i := range truth.Traces {
		byPath[truth.Traces[i].Path] = &truth.Traces[i]
	}
	for _, r := range report.Results {
		path, err := filepath.Rel(folder, r.Input)
		want := byPath[filepath.ToSlash(path)]
		if err != nil || want == nil {
			t.Fatal(r.Input, err)
		}
		byName[r.Trace] = want
		if int(r.Events) != want.Events {
			t.Errorf("%s: %d events, want %d", path, r.Events, want.Events)
		}
		codes := make(map[string]bool)
		for _, p := range r.Problems {
			if p.Code != "sibling_damaged" { // it is about another trace
				codes[p.Code] = true
			}
		}
		expected := make(map[string]bool)
		switch {
		case want.Damage != nil:
			expected[problemOf[want.Damage.What]] = true
		case want.Running:
			expected["not_finalised"] = true
		case want.Overwritten > 0:
			expected["circular_wrapped"] = true
		}
		if own(want, truth) > 0 {
			expected["events_lost"] = true
		}
		for code := range expected {
			if !codes[code] {
				t.Errorf("%s: no problem %s: %v", path, code, r.Problems)
			}
		}
		if len(expected) == 0 && len(codes) > 0 {
			t.Errorf("%s: %v", path, r.Problems)
		}
	}
	checkKinds(t, root, truth, byName)
	checkHeaders(t, root, truth, byName)
}

// kindKey identifies a kind by what event_types has of it.
type kindKey struct {
	provider, name string
	id             int32
}

// checkKinds compares the events of each kind and trace.
func checkKinds(t *testing.T, root string, truth *Truth, byName map[string]*Trace) {
	t.Helper()
	kinds := make(map[kindKey]int)
	for i, k := range truth.Kinds {
		key := kindKey{k.Provider, k.Name, int32(k.ID)}
		if _, twice := kinds[key]; twice {
			t.Errorf("two kinds %v", key)
		}
		kinds[key] = i
	}
	type row struct {
		Trace   string  `parquet:"trace"`
		Name    *string `parquet:"event_name,optional"`
		Owner   *string `parquet:"provider_name,optional"`
		ID      int32   `parquet:"event_id"`
		Events  int64   `parquet:"events"`
		Decoder *string `parquet:"decoder,optional"`
		Whole   int64   `parquet:"payloads_whole"`
	}
	got := make(map[*Trace]map[int]int)
	for _, r := range readTable[row](t, root, "event_types") {
		key := kindKey{*r.Owner, *r.Name, r.ID}
		if r.Decoder != nil && *r.Decoder == "kernel" {
			key.id = 0
		}
		k, known := kinds[key]
		trace := byName[r.Trace]
		if !known || r.Whole != r.Events || trace == nil {
			t.Errorf("%s: %v, %d of %d payloads whole", r.Trace, key, r.Whole, r.Events)
			continue
		}
		if got[trace] == nil {
			got[trace] = make(map[int]int)
		}
		got[trace][k] += int(r.Events)
	}
	seen := make([]bool, len(truth.Kinds))
	for i := range truth.Traces {
		trace, want := &truth.Traces[i], make(map[int]int)
		for _, c := range trace.Counts {
			want[c.Kind], seen[c.Kind] = c.Events, true
		}
		if diff := cmp.Diff(want, got[trace]); diff != "" {
			t.Errorf("%s: events by kind, truth and dataset: %s", trace.Path, diff)
		}
	}
	for i, k := range truth.Kinds {
		if !seen[i] {
			t.Errorf("no trace has the kind %s/%s", k.Provider, k.Name)
		}
	}
}

// checkHeaders compares the boot, the build, the times, the machine and the series of each trace.
func checkHeaders(t *testing.T, root string, truth *Truth, byName map[string]*Trace) {
	t.Helper()
	type row struct {
		Trace       string  `parquet:"trace_name"`
		Build       int64   `parquet:"provider_version"`
		Boot        int64   `parquet:"boot_time"`
		Start       int64   `parquet:"start_ns"`
		Computer    *string `parquet:"computer_name,optional"`
		Logger      string  `parquet:"logger_name"`
		EventsLost  *int64  `parquet:"events_lost,optional"`
		SessionLost *int64  `parquet:"session_events_lost,optional"`
		From        *int64  `parquet:"covered_from,optional"`
		End         *int64  `parquet:"end_ns,optional"`
		LastEvent   *int64  `parquet:"last_event,optional"`
		Session     string  `parquet:"session"`
		File        int     `parquet:"session_file"`
		Recording   string  `parquet:"recording"`
		Overwritten int64   `parquet:"overwritten_buffers"`
	}
	sessions := make(map[string]*session) // by the truth
	for _, r := range readTable[row](t, root, "traces") {
		want := byName[r.Trace]
		before := fileBefore(want, truth)
		start, name := want.Start, order.Or(want.Series, want.CopyOf, want.Path)
		if want.Private {
			start = firstFile(want, truth).Start
		}
		switch {
		case r.Build != int64(want.Build), r.Boot != want.BootTime.UnixMicro(), r.Start != start.UnixNano(), r.Logger != want.Session:
			t.Errorf("%s: %+v, want %+v", r.Trace, r, want)
		case (r.EventsLost == nil) != want.Running, r.EventsLost != nil && (int(*r.EventsLost) != own(want, truth) || int(*r.SessionLost) != want.SessionLost):
			t.Errorf("%s: lost %v of %v, want %d of %d", r.Trace, r.EventsLost, r.SessionLost, own(want, truth), want.SessionLost)
		case before != nil && (r.From == nil || *r.From != before.End.UnixMicro()), want.Place == 1 && r.From != nil, r.File != max(want.Place, 1):
			t.Errorf("%s: file %d, covered from %v, want file %d", r.Trace, r.File, r.From, want.Place)
		case (r.Overwritten > 0) != (want.Circular || want.Running):
			t.Errorf("%s: %d overwritten buffers", r.Trace, r.Overwritten)
		case want.Processes && (r.Computer == nil || *r.Computer != want.Machine):
			t.Errorf("%s: computer %v, want %s", r.Trace, r.Computer, want.Machine)
		}
		end := want.End
		if want.Running {
			end = time.UnixMicro(*r.LastEvent)
		}
		x := sessions[name]
		if x == nil {
			x = &session{boot: want.Machine + want.BootTime.String(), begin: want.Start, end: end, name: want.Session + name, id: r.Session, recording: r.Recording}
			sessions[name] = x
		} else if x.id != r.Session || x.recording != r.Recording {
			t.Errorf("%s: session %s of recording %s, others of it %s of %s", r.Trace, r.Session, r.Recording, x.id, x.recording)
		}
		if want.Start.Before(x.begin) {
			x.begin = want.Start
		}
		if end.After(x.end) {
			x.end = end
		}
	}
	checkRecordings(t, sessions)
}

// session is a session of the truth, with the ids that the dataset gives it.
type session struct {
	boot, name    string
	begin, end    time.Time
	id, recording string
}

// checkRecordings checks that ids of sessions differ, and that those of recordings are equal for the
// sessions that belong to the first, as docs/attribution.md has it. No made session is a rundown.
func checkRecordings(t *testing.T, sessions map[string]*session) {
	t.Helper()
	list := slices.SortedFunc(maps.Values(sessions), func(a, b *session) int {
		return order.Or(order.Compare(a.boot, b.boot), a.begin.Compare(b.begin), a.end.Compare(b.end), order.Compare(a.name, b.name))
	})
	ids, recordings := make(map[string]bool), make(map[string]string)
	near := func(d time.Duration) bool { return d.Abs() <= time.Minute }
	isTaken := make(map[*session]bool)
	for i, first := range list {
		if ids[first.id] {
			t.Errorf("%s: the id %s is of another session, too", first.name, first.id)
		}
		if ids[first.id] = true; isTaken[first] {
			continue
		}
		if other := recordings[first.recording]; other != "" {
			t.Errorf("%s is of the recording of %s", first.name, other)
		}
		recordings[first.recording] = first.name
		for _, x := range list[i+1:] {
			if x.boot == first.boot && !isTaken[x] && x.begin.Before(first.end) && near(x.begin.Sub(first.begin)) && near(x.end.Sub(first.end)) {
				if isTaken[x] = true; x.recording != first.recording {
					t.Errorf("%s: recording %s, want that of %s: %s", x.name, x.recording, first.name, first.recording)
				}
			}
		}
	}
}

// fileBefore returns the file before one of a series, or nil; firstFile the first.
func fileBefore(of *Trace, truth *Truth) *Trace { return fileAt(of, truth, of.Place-1) }

func firstFile(of *Trace, truth *Truth) *Trace { return fileAt(of, truth, 1) }

func fileAt(of *Trace, truth *Truth, place int) *Trace {
	for i := range truth.Traces {
		if x := &truth.Traces[i]; of.Series != "" && x.Series == of.Series && x.Place == place {
			return x
		}
	}
	return nil
}

// own returns the events that a session lost while it wrote a file.
func own(of *Trace, truth *Truth) int {
	if before := fileBefore(of, truth); before != nil {
		return of.SessionLost - before.SessionLost
	}
	return of.SessionLost
}

// checkPlanted checks that traces have the planted events that the truth lists, and no other trace.
func checkPlanted(t *testing.T, truth *Truth) {
	t.Helper()
	type place struct {
		Trace string
		Kind  int
	}
	planted, kinds := make(map[place]int), make(map[int]bool)
	plant := func(kind int, lists ...[]Occurrence) {
		kinds[kind] = true
		for _, list := range lists {
			for _, o := range list {
				planted[place{o.Trace, kind}] = o.Events
			}
		}
	}
	for _, e := range truth.Errors {
		plant(e.Kind, e.Traces)
		if e.Cause.Kind >= 0 {
			plant(e.Cause.Kind, e.Traces)
		}
	}
	for _, d := range truth.Differences {
		plant(d.Kind, d.Inside, d.Others)
	}
	found := make(map[place]int)
	for _, trace := range truth.Traces {
		for _, c := range trace.Counts {
			if trace.CopyOf == "" && kinds[c.Kind] {
				found[place{trace.Path, c.Kind}] = c.Events
			}
		}
	}
	if diff := cmp.Diff(planted, found); diff != "" {
		t.Error("planted and found:", diff)
	}
}

// checkEvents reads the events of all traces: processes have names, errors their status and their
// cause before them, and what is slower takes longer.
func checkEvents(t *testing.T, folder string, truth *Truth) {
	t.Helper()
	kinds := make(map[[2]string]int)
	for i, k := range truth.Kinds {
		kinds[[2]string{k.Provider, k.Name}] = i
	}
	type group struct {
		kind   int
		inside bool
	}
	errors, total, pairs := make(map[int]int), make(map[group]time.Duration), make(map[group]int)
	for _, trace := range truth.Traces {
		if trace.CopyOf != "" {
			continue
		}
		opened, err := etl2parquet.Open(t.Context(), filepath.Join(folder, trace.Path), etl2parquet.Options{})
		if err != nil {
			t.Fatal(err)
		}
		causes := make(map[any]int) // the kinds of the events of activities
		for e, err := range opened.Events(t.Context(), etl2parquet.Scan{}) {
			if err != nil {
				t.Fatal(err)
			}
			kind := kinds[[2]string{e.Provider, e.Name}]
			if trace.Processes && truth.Kinds[kind].Log != "" && !strings.HasPrefix(e.ProcessName, "made-") {
				t.Errorf("%s: the process of an event is %q", trace.Path, e.ProcessName)
			}
			for _, planted := range truth.Errors {
				if status, _ := e.Field("status"); planted.Kind == kind {
					if errors[kind]++; e.Level != "Error" || status != int64(planted.Status) {
						t.Errorf("%s: an error with the level %s and the status %v: %v", trace.Path, e.Level, status, planted)
					}
					if planted.Cause.Kind >= 0 && causes[e.ThreadID] != planted.Cause.Kind {
						t.Errorf("%s: the error %v follows %d", trace.Path, planted, causes[e.ThreadID])
					}
				}
			}
			causes[e.ThreadID] = kind
			for _, d := range truth.Differences {
				if g := (group{kind, trace.Build == d.Build}); d.Kind == kind && d.What == DifferenceSlower {
					if since := time.Duration(e.Time.UnixNano()); e.Opcode == "Start" {
						total[g] -= since
					} else {
						total[g] += since
						pairs[g]++
					}
				}
			}
		}
		if err := opened.Close(); err != nil {
			t.Error(err)
		}
	}
	for _, e := range truth.Errors {
		if errors[e.Kind] == 0 {
			t.Errorf("no error %v", e)
		}
	}
	for _, d := range truth.Differences {
		if d.What != DifferenceSlower {
			continue
		}
		inside, others := group{d.Kind, true}, group{d.Kind, false}
		ratio := float64(total[inside]) / float64(pairs[inside]) / (float64(total[others]) / float64(pairs[others]))
		if !(ratio > 1.5 && ratio < 2.5) {
			t.Errorf("%v takes %.2f times as long in the build: %d and %d pairs", d, ratio, pairs[inside], pairs[others])
		}
	}
}

// TestOptions checks that options without a folder are reported, and that nothing is left behind.
func TestOptions(t *testing.T) {
	change := func(f func(*Options)) Options {
		o := small
		f(&o)
		return o
	}
	full := t.TempDir()
	testenv.WriteFile(t, filepath.Join(full, "a file"), "")
	for want, c := range map[string]struct {
		folder  string
		options Options
	}{
		"must be at least 1":                {"out", change(func(o *Options) { o.Boots = 0 })},
		"is negative":                       {"out", change(func(o *Options) { o.Copies = -1 })},
		"need up to 27 of the 24 traces":    {"out", change(func(o *Options) { o.Series = 5 })},
		"which has 30":                      {"out", change(func(o *Options) { o.Errors = 30 })},
		"too few events for its 3000 kinds": {"out", change(func(o *Options) { o.Kinds = 6000 })},
		"have the build 19045":              {"out", change(func(o *Options) { o.Builds = 1 })},
		"make more traces": {"out", change(func(o *Options) {
			*o = Options{Seed: 1, Traces: 2, Kinds: 60, Logs: 2, Machines: 1, Boots: 1, Builds: 2, Errors: 2}
		})},
		"too few for what is planted": {"out", change(func(o *Options) { o.Kinds, o.Errors, o.Differences = 800, 360, 0 })},
		"is not empty":                {full, small},
		"no such file":                {filepath.Join("none", "out"), small},
	} {
		dir := t.TempDir()
		folder := c.folder
		if folder != full {
			folder = filepath.Join(dir, folder)
		}
		if _, err := Make(folder, c.options); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v, want %s", err, want)
		}
		if names, err := os.ReadDir(dir); err != nil || len(names) > 0 {
			t.Errorf("%s: left behind: %v, %v", want, names, err)
		}
	}
}

// TestWithout makes a folder without optional features, into a folder that is there and empty.
func TestWithout(t *testing.T) {
	folder := t.TempDir()
	truth, err := Make(folder, Options{Seed: 3, Traces: 4, Kinds: 20, Logs: 2, Machines: 1, Boots: 1, Builds: 1})
	if err != nil {
		t.Fatal(err)
	}
	if _, files := hashFolder(t, folder); files != 5 {
		t.Errorf("%d files", files)
	}
	checkConverted(t, folder, truth)
	for _, trace := range truth.Traces {
		if trace.Damage != nil || trace.Circular || trace.Series != "" || trace.CopyOf != "" {
			t.Errorf("%+v", trace)
		}
	}
}
