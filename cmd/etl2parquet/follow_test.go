package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"io"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"strconv"
	"strings"
	"testing"

	"github.com/etl2parquet/etl2parquet/decode"
	"github.com/etl2parquet/etl2parquet/decode/decodetest"
	"github.com/etl2parquet/etl2parquet/tools/testenv"
)

// TestFollowInterrupted interrupts a run that follows a file after all rows have come: the exit status is
// 130, and nothing is cut.
func TestFollowInterrupted(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("a process cannot send Ctrl-C to another one")
	}
	cmd := exec.Command("etl2parquet", "cat", "--follow", sampleTrace)
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	lines := bufio.NewReader(out)
	for range 449 {
		if _, err := lines.ReadString('\n'); err != nil {
			t.Fatalf("%v: %s", err, &stderr)
		}
	}
	if err := cmd.Process.Signal(os.Interrupt); err != nil {
		t.Fatal(err)
	}
	rest, err := io.ReadAll(lines)
	cmd.Wait()
	if status := cmd.ProcessState.ExitCode(); err != nil || len(rest) > 0 || status != exitInterrupted || !strings.HasSuffix(stderr.String(), "etl2parquet: interrupted\n") {
		t.Errorf("exit status %d, %v, %d bytes more; %s", status, err, len(rest), &stderr)
	}
}

// killedFollow is a trace that grows while processes that follow it are killed.
type killedFollow struct {
	dir    string
	trace  []byte
	at     int         // size of the file
	ends   []int64     // of the buffers
	counts []int       // rows of each buffer
	rows   map[int]int // how often each event was printed, by a number for its event_ref
	twice  map[int]bool
}

// rowNumber numbers the events of a trace: event_ref has the buffer in its high half.
func rowNumber(ref int64) int { return int(ref>>32)<<20 | int(ref&(1<<20-1)) }

// TestFollowKilled kills a process that follows a growing file at many points, and starts it again with
// its state: each event is printed, and twice only if a message has said so.
func TestFollowKilled(t *testing.T) {
	testenv.All(t, "kills of the program")
	sample := testenv.ReadFile(t, sampleTrace)
	k := &killedFollow{dir: t.TempDir(), trace: largeTrace(sample, 30), rows: make(map[int]int), twice: make(map[int]bool)}
	k.measure(t)
	r := testenv.Seeded("killed follow")
	for run := 0; run < kills(t) || k.at < len(k.trace) || k.left() > 0; run++ {
		if run > 20*kills(t) {
			t.Fatal("the runs come to no end")
		}
		for k.at < len(k.trace) && (k.left() == 0 || r.IntN(2) == 0) {
			k.grow(t, 1+r.IntN(2*len(k.trace)/kills(t)))
		}
		if k.left() == 0 {
			break
		}
		last := k.at == len(k.trace) && run >= kills(t)
		n := r.IntN(k.left() + 1)
		if last {
			n = k.left()
		}
		k.run(t, n, !last)
	}
	all := 0
	for i, n := range k.counts {
		if all += n; i == len(k.counts)-1 && len(k.rows) != all {
			t.Errorf("%d events were printed, of %d", len(k.rows), all)
		}
	}
	again := 0
	for row, n := range k.rows {
		if n > 1 {
			again++
			if !k.twice[row>>20] {
				t.Errorf("event %#x was printed %d times, and no message has said so", row, n)
			}
		}
	}
	t.Logf("%d events, %d of them printed more than once, as was said", all, again)
}

// measure counts the rows of each buffer of the whole trace.
func (k *killedFollow) measure(t *testing.T) {
	f := decodetest.Open(t, k.trace)
	var b decode.Buffer
	for i := range f.Buffers() {
		if err := f.ReadBuffer(i, &b); err != nil {
			t.Fatal(err)
		}
		n := 0
		for ev := new(decode.Event); b.Next(ev) == nil; n++ {
		}
		info := f.BufferInfo(i)
		k.ends, k.counts = append(k.ends, info.Offset+int64(info.Size)), append(k.counts, n)
	}
}

// grow appends bytes to the file.
func (k *killedFollow) grow(t *testing.T, n int) {
	file, err := os.OpenFile(filepath.Join(k.dir, "x.etl"), os.O_WRONLY|os.O_CREATE|os.O_APPEND, 0o666)
	if err != nil {
		t.Fatal(err)
	}
	n = min(n, len(k.trace)-k.at)
	if _, err := file.Write(k.trace[k.at : k.at+n]); err != nil {
		t.Fatal(err)
	}
	k.at += n
	file.Close()
}

// done returns the number of buffers that are printed, by the state.
func (k *killedFollow) done() int {
	text, err := os.ReadFile(filepath.Join(k.dir, "state.json"))
	if err != nil {
		return 0
	}
	var state struct {
		Files map[string]struct{ Buffers int }
	}
	if err := json.Unmarshal(text, &state); err != nil {
		return -1 // the state is replaced at once, so this is an error that left will show
	}
	for one := range maps.Values(state.Files) {
		return one.Buffers
	}
	return 0
}

// left returns the number of rows of complete buffers that the state does not have.
func (k *killedFollow) left() (rows int) {
	for i := k.done(); i < len(k.ends) && k.ends[i] <= int64(k.at); i++ {
		rows += k.counts[i]
	}
	return rows
}

var twiceText = regexp.MustCompile(`records of the buffers from 0x([0-9a-f]+) up to 0x([0-9a-f]+) may come twice`)

// run runs the program until it has printed n rows, and then kills it, or interrupts it.
func (k *killedFollow) run(t *testing.T, n int, kill bool) {
	t.Helper()
	cmd := exec.Command("etl2parquet", "cat", "--follow", "x.etl", "--state", "state.json", "--columns", "event_ref")
	cmd.Dir = k.dir
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	lines := bufio.NewReaderSize(out, 16)
	take := func() bool {
		line, err := lines.ReadString('\n')
		if err != nil { // half a line may be left
			return false
		}
		ref, err := strconv.ParseInt(strings.TrimSuffix(strings.TrimPrefix(line, `{"event_ref":`), "}\n"), 10, 64)
		if err != nil {
			t.Fatalf("%q: %v", line, err)
		}
		k.rows[rowNumber(ref)]++
		return true
	}
	for range n {
		if !take() {
			t.Fatalf("it ended: %s", &stderr)
		}
	}
	if kill {
		cmd.Process.Kill()
	} else if err := cmd.Process.Signal(os.Interrupt); err != nil {
		t.Fatal(err)
	}
	for take() {
	}
	cmd.Wait()
	for _, found := range twiceText.FindAllStringSubmatch(stderr.String(), -1) {
		from, _ := strconv.ParseInt(found[1], 16, 64)
		to, _ := strconv.ParseInt(found[2], 16, 64)
		for i := range k.ends {
			if k.ends[i] > from && k.ends[i] <= to {
				k.twice[i] = true
			}
		}
	}
	for name := range testenv.Files(t, k.dir) {
		if !strings.Contains(name, "x.etl") && !strings.Contains(name, "state.json") {
			t.Error("left in the folder: ", name)
		}
	}
}
