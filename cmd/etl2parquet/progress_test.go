package main

import (
	"bytes"
	"strings"
	"testing"
	"time"
)

func TestProgressState(t *testing.T) {
	p := newProgress(nil, 3, 100<<20)
	p.open(20 << 20)
	p.next(20 << 20)
	p.finish(true) // skipped: no work
	p.open(40 << 20)
	current := p.next(40 << 20)
	current.FileBytes.Store(40 << 20)
	current.IndexedBytes.Store(40 << 20)
	current.Events.Store(1000)
	current.Converted.Store(500)
	s := p.state(10 * time.Second)
	if want := int64(22 << 20); s.bytes != want || s.allBytes != 80<<20 || s.events != 500 || s.file != 2 { // 0.1 + 0.9/2 of 40 MiB
		t.Errorf("state %+v, want %d bytes", s, want)
	}
	p.finish(false)
	p.open(40 << 20)
	p.next(40 << 20)
	s = p.state(20 * time.Second)
	if s.bytes != 40<<20 || s.events != 1000 || s.left() != "0:20" {
		t.Errorf("state %+v, left %s", s, s.left())
	}
	p.finish(false)
	if s = p.state(40 * time.Second); s.fraction() != 1 {
		t.Errorf("state at the end: %+v", s)
	}
}

// TestProgressEmpty has traces that are empty or not yet open.
func TestProgressEmpty(t *testing.T) {
	p := newProgress(nil, 1, 0)
	p.open(0)
	p.next(0)
	s := p.state(0)
	if s.fraction() != 0 || s.left() != "-:--" || !strings.Contains(s.line(), "0 %, 0 of 0 B, 0 events, 0/s") {
		t.Errorf("%+v: %s", s, s.line())
	}
}

func TestProgressText(t *testing.T) {
	s := progressState{after: 3 * time.Second, file: 2, files: 3, bytes: 96 << 20, allBytes: 384 << 20, events: 1_234_567}
	if got, want := s.line(), "file 2 of 3, 25 %, 96.0 of 384.0 MiB, 1,234,567 events, 412 k/s, 0:09 left"; got != want {
		t.Errorf("line\n got %q\nwant %q", got, want)
	}
	for _, test := range []struct {
		columns int
		want    string
	}{
		{119, " 25 % [=======                       ]  file 2/3   96.0 of 384.0 MiB   1,234,567 events   412 k/s   0:09 left"},
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
		if got := s.bar(columns); len(got) > columns {
			t.Errorf("%d columns: %q has %d", columns, got, len(got))
		}
	}
}

// TestProgressErase draws a bar where there are no escape sequences.
func TestProgressErase(t *testing.T) {
	var out bytes.Buffer
	p := newProgress(&out, 1, 100)
	p.columns = func() int { return 60 }
	p.open(100)
	p.next(100).FileBytes.Store(100)
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

// TestProgressPlain prints lines where there is no terminal, and stops.
func TestProgressPlain(t *testing.T) {
	var out bytes.Buffer
	p := newProgress(&out, 1, 100)
	p.start()
	p.open(100)
	p.next(100)
	p.show()
	p.done()
	if got := out.String(); !strings.HasPrefix(got, "etl2parquet: file 1 of 1, 0 %") || strings.Count(got, "\n") != 1 {
		t.Errorf("got %q", got)
	}
}
