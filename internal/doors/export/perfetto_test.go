package export

import (
	"fmt"
	"strings"
	"testing"

	"github.com/etl2parquet/etl2parquet"
)

// TestSwitches checks that all context switches of a trace are in its timeline.
func TestSwitches(t *testing.T) {
	traces, err := etl2parquet.OpenAll(t.Context(), []string{"../../../testdata/sample.etl"}, etl2parquet.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer func() {
		if err := traces.Close(); err != nil {
			t.Error(err)
		}
	}()
	text := protoText(t, write(t, perfettoFormat, traces, Options{}))
	rows := int64(0)
	err = eachRow(t.Context(), traces.All()[0], etl2parquet.Scan{}, "Thread/CSwitch", func(*switchRow) error {
		rows++
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if got := int64(strings.Count(text, "sched_switch {")); got != rows || rows == 0 {
		t.Errorf("%d switches, the trace has %d", got, rows)
	}
}

// TestSeveralTraces checks that traces of one start of a system share their processes and threads, and
// that those of another system do not.
func TestSeveralTraces(t *testing.T) {
	dir := t.TempDir()
	text := traceText(t, "small")
	same, other := dir+"/same.etl", dir+"/other.etl"
	writeTrace(t, same, text)
	writeTrace(t, other, strings.Replace(text, "start=2024-05-01T12", "start=2024-05-02T12", 1))
	for _, test := range []struct {
		paths     []string
		processes int
	}{
		{[]string{same}, 1}, {[]string{same, other}, 2},
	} {
		traces, err := etl2parquet.OpenAll(t.Context(), test.paths, etl2parquet.Options{})
		if err != nil {
			t.Fatal(err)
		}
		got := protoText(t, write(t, perfettoFormat, traces, Options{}))
		if n := strings.Count(got, "cmdline: "); n != test.processes {
			t.Errorf("%d traces have %d processes, want %d", len(test.paths), n, test.processes)
		}
		folded := string(write(t, foldedFormat, traces, Options{}))
		if want := fmt.Sprintf("+0xabc %d\n", len(test.paths)); !strings.Contains(folded, want) {
			t.Errorf("%q lacks %q", folded, want)
		}
		if err := traces.Close(); err != nil {
			t.Error(err)
		}
	}
}

// TestIDs checks the numbers of processes and threads whose ids are used again, or are none of Linux.
func TestIDs(t *testing.T) {
	p := &profile{interned: newInterned()}
	var i ids
	for _, test := range []struct {
		machine         int32
		process, thread int64
		name            string
		wantP, wantT    int64
	}{
		{0, 10, 400, "a.exe", 10, 400},
		{0, 10, 404, "a.exe", 10, 404},
		{0, 10, 400, "b.exe", 1<<30 + 1, 1<<30 + 2},
		{1, 10, 400, "a.exe", 1<<30 + 3, 1<<30 + 4},
		{0, 0, 0, "Idle", 0, 0},
		{1, 0, 0, "", 0, 0},
		{0, 1 << 40, -1, "c.exe", 1<<30 + 5, 1<<30 + 6},
	} {
		number := p.thread(test.machine, test.process, test.name, test.thread)
		if gotP, gotT := i.process(p, p.threads.list[number].process), i.thread(p, number); gotP != test.wantP || gotT != test.wantT {
			t.Errorf("%+v: process %d, thread %d", test, gotP, gotT)
		}
	}
}
