package interop_test

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"math/big"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/etl2parquet/etl2parquet/decode"
	"github.com/etl2parquet/etl2parquet/interop"
	"github.com/etl2parquet/etl2parquet/tools/testenv"
)

// perfViewLine is a line of ../../shared/oracles/perfview: an event decoded by Windows
// and PerfView.
type perfViewLine struct {
	Line      int
	MS        *float64
	Provider  string
	Event     string
	PID, TID  int64
	PName     string
	Fields    [][2]string // name, text
	Processor int64       `json:"cpu"`
	Size      int64       `json:"datalen"`
}

// foundEvent is an event of the dataset.
type foundEvent struct {
	EventRef   int64   `json:"event_ref"`
	HeaderType uint8   `json:"header_type"`
	PID        *int64  `json:"process_id"`
	TID        *int64  `json:"thread_id"`
	Name       *string `json:"process_name"`
	Source     *string `json:"id_source"`
}

// readLines reads a file of JSON objects, a line each.
func readLines[T any](t testing.TB, path string) (list []T) {
	t.Helper()
	text := testenv.ReadFile(t, testenv.Shared(t, "oracles/"+path))
	lines := bufio.NewScanner(bytes.NewReader(text))
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		var v T
		if err := json.Unmarshal(lines.Bytes(), &v); err != nil {
			t.Fatalf("%s: %v", path, err)
		}
		list = append(list, v)
	}
	if err := lines.Err(); err != nil {
		t.Fatal(err)
	}
	return list
}

// TestOracles compares the header columns of real traces with Windows' own decoding.
func TestOracles(t *testing.T) {
	python := interop.NewPython(t)
	root := realDataset(t)
	oracles := []struct {
		trace string
		lines int
		list  []perfViewLine
	}{{trace: "net.4.5.2.x86", lines: 503}, {trace: "gcevents", lines: 52}, {trace: "primitive-types", lines: 6}}
	type lookup struct {
		Trace string     `json:"trace"`
		Keys  [][3]int64 `json:"keys"`
	}
	var lookups []lookup
	for i := range oracles {
		o := &oracles[i]
		l := lookup{Trace: o.trace}
		for _, line := range readLines[perfViewLine](t, "perfview/"+o.trace+".baseline.jsonl") {
			if line.MS != nil { // the last line has counts instead
				o.list = append(o.list, line)
				l.Keys = append(l.Keys, [3]int64{int64(math.Round(*line.MS * 1000)), line.Processor, line.Size})
			}
		}
		if len(o.list) != o.lines {
			t.Fatalf("%s: %d lines, want %d", o.trace, len(o.list), o.lines)
		}
		lookups = append(lookups, l)
	}
	var answer struct {
		Found [][][]foundEvent `json:"found"`
		List  []httpEvent      `json:"list"`
	}
	question := map[string]any{"root": root, "headers": headerTables(), "lookups": lookups, "list": "HTTP_Server"}
	python.Run(t, "find_events.py", question, &answer)
	for i, o := range oracles {
		t.Run(o.trace, func(t *testing.T) { comparePerfView(t, o.list, answer.Found[i]) })
	}
	t.Run("HTTP_Server", func(t *testing.T) { compareHTTP(t, answer.List) })
}

// perfFrequency is the frequency of the clock of net.4.5.2.x86, the only trace with
// events for [perfViewLine.misread].
const perfFrequency = 10_000_000

// misread reports whether the oracle printed another value as the thread. In
// DiskIO/FlushBuffers it reads at the offset of IssuingThreadId in Read and Write, which
// is four bytes beyond HighResResponseTime in an event of 28 bytes. It prints that time,
// as its own ElapsedTimeMSec shows.
func (l *perfViewLine) misread() bool {
	if l.Event != "DiskIO/FlushBuffers" || l.PID != -1 {
		return false
	}
	for _, field := range l.Fields {
		if field[0] == "ElapsedTimeMSec" {
			return field[1] == milliseconds(big.NewRat(l.TID, perfFrequency))
		}
	}
	return false
}

// printedName returns the image name of a process as PerfView prints it.
func (e *foundEvent) printedName() string {
	switch {
	case e.PID == nil:
		return ""
	case e.Name == nil:
		return fmt.Sprintf("Process(%d)", *e.PID)
	}
	return strings.TrimSuffix(*e.Name, ".exe")
}

// printed returns an id as PerfView prints it.
func printed(id *int64) int64 {
	if id == nil {
		return -1
	}
	return *id
}

func comparePerfView(t *testing.T, lines []perfViewLine, events [][]foundEvent) {
	var found, several, equal, misread int
	used := make(map[int64]int)
	for i, line := range lines {
		at := fmt.Sprintf("line %d, %s/%s at %.3f ms", line.Line, line.Provider, line.Event, *line.MS)
		if len(events[i]) == 0 {
			t.Errorf("%s: not found", at)
			continue
		}
		found++
		if len(events[i]) > 1 {
			several++
		} else {
			used[events[i][0].EventRef]++
		}
		match := false
		for _, e := range events[i] {
			if line.misread() {
				match = match || e.PID != nil && e.TID != nil && *e.TID != line.TID && *e.Source == "payload"
				continue
			}
			match = match || printed(e.PID) == line.PID && printed(e.TID) == line.TID && e.printedName() == line.PName
		}
		switch {
		case match && line.misread():
			misread++
			continue
		case match:
			equal++
			continue
		}
		e := events[i][0]
		t.Errorf("%s: pid %d, tid %d, %q (header type %v, event_ref %#x), want %d, %d, %q", at,
			printed(e.PID), printed(e.TID), e.printedName(), decode.HeaderType(e.HeaderType), e.EventRef, line.PID, line.TID, line.PName)
	}
	for ref, n := range used {
		if n > 1 {
			t.Errorf("event %#x is the only match of %d lines", ref, n)
		}
	}
	t.Logf("SCORE found %d/%d (%d of them with several events to choose from), process, thread and name equal %d/%d, and %d that the oracle misreads",
		found, len(lines), several, equal, len(lines)-misread, misread)
}

// httpEvent is a row of event_header.
type httpEvent struct {
	ProcessID         *int64  `json:"process_id"`
	ThreadID          *int64  `json:"thread_id"`
	ProviderID        string  `json:"provider_id"`
	EventID           int64   `json:"event_id"`
	Version           int64   `json:"event_version"`
	Level             int64   `json:"level"`
	Opcode            int64   `json:"opcode"`
	Task              int64   `json:"task"`
	Keyword           uint64  `json:"keyword"`
	ActivityID        *string `json:"activity_id"`
	RelatedActivityID *string `json:"related_activity_id"`
	Processor         int64   `json:"processor"`
	KernelTime        *int64  `json:"kernel_time"`
	UserTime          *int64  `json:"user_time"`
	TimeNS            int64   `json:"time_ns"`
}

// columns returns the columns as text, null as "".
func (e *httpEvent) columns() map[string]string {
	id := func(v *int64) string {
		if v == nil {
			return ""
		}
		return strconv.FormatInt(*v, 10)
	}
	text := func(v *string) string {
		if v == nil {
			return ""
		}
		return *v
	}
	return map[string]string{
		"process_id": id(e.ProcessID), "thread_id": id(e.ThreadID), "provider_id": e.ProviderID,
		"event_id": id(&e.EventID), "event_version": id(&e.Version), "level": id(&e.Level), "opcode": id(&e.Opcode),
		"task": id(&e.Task), "keyword": fmt.Sprintf("%#x", e.Keyword), "activity_id": text(e.ActivityID),
		"related_activity_id": text(e.RelatedActivityID), "processor": id(&e.Processor),
		"kernel_time": id(e.KernelTime), "user_time": id(e.UserTime),
		"time_ns": inDoubles(e.TimeNS).Format("2006-01-02 15:04:05.000000+00:00"),
	}
}

// inDoubles returns a time in the oracle's precision. Its times went through
// float(filetime) * 1e-7 - 11644473600 (python-evtx), which is wrong by up to 2.7 us,
// while the file has 100 ns. With the same rounding all times are equal, which shows that
// ours are right to 100 ns.
func inDoubles(ns int64) time.Time {
	const epoch = 11644473600 // s from 1601 to 1970
	filetime := ns/100 + epoch*1e7
	scaled := float64(float64(filetime) * 1e-7) // the conversion forbids a fused multiply-subtract
	seconds, fraction := math.Modf(scaled - epoch)
	return time.Unix(int64(seconds), 1000*int64(math.RoundToEven(fraction*1e6))).UTC()
}

// evtxEvent is an event of ../../shared/oracles/tx, which Windows wrote to an event log.
type evtxEvent struct {
	System struct {
		Provider                              struct{ GUID string }
		EventID, Version, Level, Task, Opcode struct{ Text string }
		Keywords                              struct{ Text string }
		TimeCreated                           struct{ SystemTime string }
		Correlation                           struct{ ActivityID, RelatedActivityID string }
		Execution                             struct{ ProcessID, ThreadID, ProcessorID, KernelTime, UserTime string }
	}
	Data [][2]string // name and text of each field
}

func (e *evtxEvent) columns() map[string]string {
	s := &e.System
	guid := func(v string) string { return strings.Trim(strings.ToLower(v), "{}") }
	return map[string]string{
		"process_id": s.Execution.ProcessID, "thread_id": s.Execution.ThreadID, "provider_id": guid(s.Provider.GUID),
		"event_id": s.EventID.Text, "event_version": s.Version.Text, "level": s.Level.Text, "opcode": s.Opcode.Text,
		"task": s.Task.Text, "keyword": s.Keywords.Text, "activity_id": guid(s.Correlation.ActivityID),
		"related_activity_id": guid(s.Correlation.RelatedActivityID), "processor": s.Execution.ProcessorID,
		"kernel_time": s.Execution.KernelTime, "user_time": s.Execution.UserTime,
		"time_ns": s.TimeCreated.SystemTime,
	}
}

func compareHTTP(t *testing.T, rows []httpEvent) {
	want := readLines[evtxEvent](t, "tx/HTTP_Server.evtx.jsonl")
	if len(rows) != len(want) || len(want) != 2041 {
		t.Fatalf("%d events, want %d of 2041", len(rows), len(want))
	}
	differing := make(map[string]int)
	for i := range want {
		got, want := rows[i].columns(), want[i].columns()
		for _, column := range slices.Sorted(maps.Keys(want)) {
			if got[column] != want[column] {
				if differing[column]++; differing[column] <= 3 {
					t.Errorf("event %d: %s is %s, want %s", i, column, got[column], want[column])
				}
			}
		}
	}
	for _, column := range slices.Sorted(maps.Keys(rows[0].columns())) {
		t.Logf("SCORE %s equal %d/%d", column, len(want)-differing[column], len(want))
	}
}
