package main

import (
	"bytes"
	"context"
	"encoding/json"
	"os"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode/utf8"
)

func TestProgressState(t *testing.T) {
	p := newProgress(nil, autoProgress, 3, 100<<20)
	p.open(20 << 20)
	p.finish(p.next("a.etl", 20<<20), true) // skipped: no work
	p.close()
	p.finishInput()
	p.open(40 << 20)
	b := p.next("b.etl", 40<<20)
	b.FileBytes.Store(40 << 20)
	b.IndexedBytes.Store(40 << 20)
	b.Events.Store(1000)
	b.Converted.Store(500)
	b.Work.Store(1000)
	b.Decoded.Store(500)
	b.Encoded.Store(250)
	p.close()
	half := int64(b.Fraction() * (40 << 20))
	s := p.state(10 * time.Second)
	if s.bytes != half || half < 15<<20 || half > 25<<20 || s.allBytes != 80<<20 || s.events != 500 || s.done != 1 {
		t.Errorf("state %+v, want %d bytes", s, half)
	}
	p.open(40 << 20)
	c := p.next("c.etl", 40<<20)
	c.FileBytes.Store(40)
	c.IndexedBytes.Store(20)
	p.close()
	s = p.state(10 * time.Second)
	if want := half + int64(c.Fraction()*(40<<20)); s.bytes != want || want == half || !slices.Equal(s.current, []string{"b.etl", "c.etl"}) {
		t.Errorf("two at a time: state %+v, want %d bytes", s, want)
	}
	b.Converted.Store(1000)
	p.finish(b, false)
	c.IndexedBytes.Store(0)
	s = p.state(20 * time.Second)
	if s.bytes != 40<<20 || s.events != 1000 || s.left() != "0:20" || !slices.Equal(s.current, []string{"c.etl"}) {
		t.Errorf("state %+v, left %s", s, s.left())
	}
	p.finish(c, false)
	if s = p.state(40 * time.Second); s.fraction() != 1 || s.traces != 3 {
		t.Errorf("state at the end: %+v", s)
	}
}

// TestProgressBundle has traces whose rows wait to be written with those of
// others: their part of that work is not done before.
func TestProgressBundle(t *testing.T) {
	p := newProgress(nil, autoProgress, 3, 300)
	p.open(300)
	var works []*work
	for _, name := range []string{"a.etl", "b.etl", "known.etl"} {
		w := p.next(name, 100)
		w.FileBytes.Store(100)
		w.IndexedBytes.Store(100)
		w.Work.Store(1)
		w.Decoded.Store(1)
		w.Converted.Store(10)
		works = append(works, w)
	}
	before := p.state(0)
	for _, w := range works {
		p.wait(w)
	}
	waiting := p.state(0)
	if waiting.bytes != before.bytes || before.bytes < 100 || before.bytes > 250 || waiting.events != 30 || len(waiting.current) > 0 || waiting.traces != 0 {
		t.Errorf("state %+v, before %+v", waiting, before)
	}
	p.finish(works[0], false)
	if s := p.state(0); s.bytes <= waiting.bytes || s.bytes >= 300 || s.events != 30 || s.traces != 1 {
		t.Errorf("one is written: state %+v", s)
	}
	p.finish(works[2], true)
	p.finish(works[1], false)
	if s := p.state(0); s.bytes != 200 || s.allBytes != 200 || s.traces != 3 {
		t.Errorf("state at the end: %+v", s)
	}
}

// TestProgressPercent shows 100 % when all is done, and not before.
func TestProgressPercent(t *testing.T) {
	for bytes, want := range map[int64]string{0: "0", 999: "0", 28_999: "28", 50_000: "50", 99_999: "99", 100_000: "100"} {
		if s := (progressState{bytes: bytes, allBytes: 100_000}); s.percent() != want {
			t.Errorf("%d of 100,000: %s %%, want %s", bytes, s.percent(), want)
		}
	}
}

// TestProgressArchive has an archive of which one trace is read, the other is
// skipped and the rest is nothing.
func TestProgressArchive(t *testing.T) {
	p := newProgress(nil, autoProgress, 1, 100)
	p.open(100)
	w := p.next("a.zip/a.etl", 30)
	p.pass()
	p.close()
	if s := p.state(0); s.allBytes != 30 || s.traces != 1 || s.done != 0 {
		t.Errorf("state %+v", s)
	}
	p.finish(w, false)
	p.finishInput()
	if s := p.state(0); s.fraction() != 1 || s.traces != 2 || s.done != 1 {
		t.Errorf("state at the end: %+v", s)
	}
}

// TestProgressEmpty has traces that are empty or not yet open.
func TestProgressEmpty(t *testing.T) {
	p := newProgress(nil, autoProgress, 1, 0)
	p.open(0)
	p.next("a.etl", 0)
	s := p.state(0)
	if s.fraction() != 0 || s.left() != "-:--" || !strings.Contains(s.line(), "0 of 1 file, 0 %, 0 of 0 B, 0 events, 0/s") {
		t.Errorf("%+v: %s", s, s.line())
	}
}

func TestProgressText(t *testing.T) {
	s := progressState{after: 3 * time.Second, done: 2, files: 3, bytes: 96 << 20, allBytes: 384 << 20, events: 1_234_567, current: []string{"logs/böot\x1b.etl", "b.etl", "c.etl"}}
	if got, want := s.line(), "2 of 3 files, 25 %, 96.0 of 384.0 MiB, 1,234,567 events, 412 k/s, 0:09 left: "+s.names(); got != want {
		t.Errorf("line\n got %q\nwant %q", got, want)
	}
	for _, test := range []struct {
		columns int
		want    string
	}{
		{160, " 25 % [=======                       ]  2/3 files   96.0 of 384.0 MiB   1,234,567 events   412 k/s   0:09 left  " + s.names()},
		{125, " 25 % [=======                       ]  2/3 files   96.0 of 384.0 MiB   1,234,567 events   412 k/s   0:09 left  logs/böot�.e…"},
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

// TestProgressErase draws a bar where there are no escape sequences.
func TestProgressErase(t *testing.T) {
	var out bytes.Buffer
	p := newProgress(&out, autoProgress, 1, 100)
	p.columns = func() int { return 60 }
	p.open(100)
	p.next("a.etl", 100).FileBytes.Store(100)
	p.show()
	drawn := p.drawn
	p.aside(func() { out.WriteString("a line\n") })
	want := "\r" + strings.Repeat(" ", drawn) + "\ra line\n"
	if drawn == 0 || !strings.HasSuffix(out.String(), want) {
		t.Errorf("got %q", out.String())
	}
	p.aside(func() { out.WriteString("another\n") })
	if !strings.HasSuffix(out.String(), "a line\nanother\n") {
		t.Errorf("erased twice: %q", out.String())
	}
}

// TestProgressPlain prints a line every five seconds where there is no terminal,
// and stops.
func TestProgressPlain(t *testing.T) {
	var out bytes.Buffer
	p := newProgress(&out, autoProgress, 1, 100)
	p.open(100)
	p.next("a.etl", 100)
	ticks := make(chan time.Time)
	p.start(func(interval time.Duration) *time.Ticker {
		if interval != 5*time.Second {
			t.Errorf("ticks after %v", interval)
		}
		return &time.Ticker{C: ticks}
	})
	ticks <- time.Time{}
	p.end()
	if got := out.String(); !strings.HasPrefix(got, "etl2parquet: 0 of 1 file, 0 %") || strings.Count(got, "\n") != 1 {
		t.Errorf("got %q", got)
	}
}

// TestProgressJSON has a line at each input that is finished and one at the
// end, all with the same keys; what is not known is null.
func TestProgressJSON(t *testing.T) {
	var out bytes.Buffer
	p := newProgress(&out, jsonProgress, 2, 100)
	p.open(-1)
	p.next("stdin", 50)
	p.show()
	p.close()
	p.fail()
	p.finishInput()
	p.open(100)
	w := p.next("a.etl", 100)
	p.finish(w, false)
	p.finishInput()
	p.end()
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
			t.Errorf("more in %s than is documented: %v", line, got)
		}
		if (i == 0) != strings.Contains(line, `"bytes":null,`) || (i == 3) != strings.Contains(line, `"state":"ended"`) {
			t.Errorf("line %d: %s", i, line)
		}
	}
	if !strings.Contains(lines[2], `"files_done":2,"files":2,"traces_done":1,"failed":1,"bytes_done":100`) || !strings.Contains(lines[2], `"current":["stdin"]`) {
		t.Error(lines[2])
	}
}

// TestProgressAbsent has an input that is gone when its turn comes: it was no
// work, and is done.
func TestProgressAbsent(t *testing.T) {
	p := newProgress(nil, autoProgress, 2, 300)
	failed := 0
	s := &source{progress: p, fail: func(*input, string, error) { failed++ }}
	gone := func(context.Context) (*content, error) { return nil, os.ErrNotExist }
	if err := s.each(t.Context(), []input{{name: "gone.etl", path: "gone.etl", size: 100, open: gone}}); err != nil {
		t.Fatal(err)
	}
	if s := p.state(0); s.allBytes != 200 || s.done != 1 || failed != 1 {
		t.Errorf("state %+v, %d failed", s, failed)
	}
}
