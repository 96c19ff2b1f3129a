package progress

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/etl2parquet/etl2parquet/internal/inputs"
)

// TestPercent checks that 100 % appears only when everything is done.
func TestPercent(t *testing.T) {
	for bytes, want := range map[int64]string{0: "0", 999: "0", 28_999: "28", 50_000: "50", 99_999: "99", 100_000: "100"} {
		if s := (words{State: &inputs.State{Bytes: bytes, AllBytes: 100_000}}); s.percent() != want {
			t.Errorf("%d of 100,000: %s %%, want %s", bytes, s.percent(), want)
		}
	}
}

// TestEmpty shows traces that are empty or not yet open.
func TestEmpty(t *testing.T) {
	p := New(nil, Auto, 1, 0)
	p.Open(0)
	p.Next("a.etl", 0)
	var s words
	p.Show(func(now *inputs.State) { s = words{State: now} })
	if s.Fraction() != 0 || s.left() != "-:--" || !strings.Contains(s.text(), "0 of 1 file, 0 %, 0 of 0 B, 0 events, 0/s") {
		t.Errorf("%+v: %s", s, s.text())
	}
}

func TestText(t *testing.T) {
	s := words{State: &inputs.State{After: 3 * time.Second, Done: 2, Files: 3, Bytes: 96 << 20, AllBytes: 384 << 20, Events: 1_234_567, Current: []string{"logs/böot\x1b.etl", "b.etl", "c.etl"}}}
	if got, want := s.text(), "2 of 3 files, 25 %, 96.0 of 384.0 MiB, 1,234,567 events, 412 k/s, 0:09 left: "+s.names(); got != want {
		t.Errorf("line\n got %q\nwant %q", got, want)
	}
	for _, test := range []struct {
		columns int
		want    string
	}{
		{160, " 25 % [=======                       ]  2/3 files   96.0 of 384.0 MiB   1,234,567 events   412 k/s   0:09 left  " + s.names()},
		{125, " 25 % [=======                       ]  2/3 files   96.0 of 384.0 MiB   1,234,567 events   412 k/s   0:09 left  logs/böot\\u0…"},
		{119, " 25 % [=======                       ]  2/3 files   96.0 of 384.0 MiB   1,234,567 events   412 k/s   0:09 left"},
		{79, " 25 % [==        ]   96.0 of 384.0 MiB   1,234,567 events   412 k/s   0:09 left"},
		{40, " 25 % [==        ]   412 k/s   0:09 left"},
		{12, " 25 %"},
		{3, " 25"},
		{0, ""},
		{-1, ""},
	} {
		got := s.bar(test.columns)
		if got != test.want {
			t.Errorf("%d columns\n got %q\nwant %q", test.columns, got, test.want)
		}
	}
	for columns := range 200 {
		if got := s.bar(columns); utf8.RuneCountInString(got) > columns {
			t.Errorf("%d columns: %q has %d", columns, got, len(got))
		}
	}
}

// TestWaiting draws a bar while a server is waited for: this is shown first, at any width, and only
// until it is over.
func TestWaiting(t *testing.T) {
	const text = "waiting for boot.etl from https://host"
	s := words{&inputs.State{Bytes: 1, AllBytes: 4, Current: []string{"a.etl"}}, text}
	for columns, want := range map[int]string{79: " 25 %  " + text, 30: " 25 %  waiting for boot.etl f…", 12: " 25 %", 2: " 2"} {
		if got := s.bar(columns); got != want {
			t.Errorf("%d columns: %q, want %q", columns, got, want)
		}
	}
	var out bytes.Buffer
	p := New(&out, Bar, 1, 100)
	if p.Wait(text) {
		t.Error("a bar that has not begun shows a wait")
	}
	p.Start(func(time.Duration) *time.Ticker { return time.NewTicker(time.Hour) })
	for _, wait := range []string{text, ""} {
		out.Reset()
		if !p.Wait(wait) {
			t.Error("the bar does not show waits")
		}
		p.show()
		if got := strings.Contains(out.String(), "waiting"); got != (wait != "") {
			t.Errorf("%q shows %q", wait, out.String())
		}
	}
	p.End()
	if p := New(&out, Plain, 1, 100); p.Wait(text) {
		t.Error("lines show waits")
	}
}

// TestErase draws a bar without escape sequences.
func TestErase(t *testing.T) {
	var out bytes.Buffer
	p := New(&out, Auto, 1, 100)
	p.columns = func() int { return 60 }
	p.Open(100)
	p.Next("a.etl", 100).FileBytes.Store(100)
	p.show()
	drawn := p.drawn
	p.Aside(func() { out.WriteString("a line\n") })
	want := "\r" + strings.Repeat(" ", drawn) + "\ra line\n"
	if drawn == 0 || !strings.HasSuffix(out.String(), want) {
		t.Errorf("got %q", out.String())
	}
	p.Aside(func() { out.WriteString("another\n") })
	if !strings.HasSuffix(out.String(), "a line\nanother\n") {
		t.Errorf("erased twice: %q", out.String())
	}
}

// TestPlain prints a line every five seconds without a terminal, and stops.
func TestPlain(t *testing.T) {
	var out bytes.Buffer
	p := New(&out, Auto, 1, 100)
	p.Open(100)
	p.Next("a.etl", 100)
	ticks := make(chan time.Time)
	p.Start(func(interval time.Duration) *time.Ticker {
		if interval != 5*time.Second {
			t.Errorf("ticks after %v", interval)
		}
		return &time.Ticker{C: ticks}
	})
	ticks <- time.Time{}
	p.End()
	if got := out.String(); !strings.HasPrefix(got, "etl2parquet: 0 of 1 file, 0 %") || strings.Count(got, "\n") != 1 {
		t.Errorf("got %q", got)
	}
}

// TestJSON prints a line for each finished input and one at the end, all with the
// same keys; unknown values are null.
func TestJSON(t *testing.T) {
	var out bytes.Buffer
	p := New(&out, JSON, 2, 100)
	p.Start(func(time.Duration) *time.Ticker { return &time.Ticker{} }) // it never ticks
	p.Open(-1)
	p.Next("stdin", 50)
	p.show()
	p.Close()
	p.Fail()
	p.FinishFile()
	p.Open(100)
	w := p.Next("a.etl", 100)
	p.Finish(w, false)
	p.FinishFile()
	p.End()
	lines := strings.Split(strings.TrimSpace(out.String()), "\n")
	if len(lines) != 4 {
		t.Fatalf("%d lines: %s", len(lines), &out)
	}
	for i, line := range lines {
		var got map[string]any
		if err := json.Unmarshal([]byte(line), &got); err != nil {
			t.Fatalf("%s: %v", line, err)
		}
		for _, key := range []string{"time", "state", "seconds", "files_done", "files", "traces_done", "failed", "bytes_done", "bytes", "events",
			"events_per_second", "bytes_per_second", "seconds_left", "current"} {
			if _, ok := got[key]; !ok {
				t.Errorf("%s: no %s", line, key)
			}
			delete(got, key)
		}
		if len(got) > 0 {
			t.Errorf("%s has undocumented keys: %v", line, got)
		}
		if (i == 0) != strings.Contains(line, `"bytes":null,`) || (i == 3) != strings.Contains(line, `"state":"ended"`) {
			t.Errorf("line %d: %s", i, line)
		}
	}
	if !strings.Contains(lines[2], `"files_done":2,"files":2,"traces_done":1,"failed":1,"bytes_done":100`) || !strings.Contains(lines[2], `"current":["stdin"]`) {
		t.Error(lines[2])
	}
}
