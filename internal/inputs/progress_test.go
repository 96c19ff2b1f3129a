package inputs

import (
	"context"
	"os"
	"slices"
	"testing"
	"time"
)

func TestProgressState(t *testing.T) {
	p := NewProgress(3, 100<<20)
	p.Open(20 << 20)
	p.Finish(p.Next("a.etl", 20<<20), true) // skipped: no work
	p.Close()
	p.FinishFile()
	p.Open(40 << 20)
	b := p.Next("b.etl", 40<<20)
	b.FileBytes.Store(40 << 20)
	b.IndexedBytes.Store(40 << 20)
	b.Events.Store(1000)
	b.Converted.Store(500)
	b.Work.Store(1000)
	b.Decoded.Store(500)
	b.Encoded.Store(250)
	p.Close()
	half := int64(b.Fraction() * (40 << 20))
	s := p.state()
	if s.Bytes != half || half < 15<<20 || half > 25<<20 || s.AllBytes != 80<<20 || s.Events != 500 || s.Done != 1 {
		t.Errorf("state %+v, want %d bytes", s, half)
	}
	p.Open(40 << 20)
	c := p.Next("c.etl", 40<<20)
	c.FileBytes.Store(40)
	c.IndexedBytes.Store(20)
	p.Close()
	s = p.state()
	if want := half + int64(c.Fraction()*(40<<20)); s.Bytes != want || want == half || !slices.Equal(s.Current, []string{"b.etl", "c.etl"}) {
		t.Errorf("two at a time: state %+v, want %d bytes", s, want)
	}
	b.Converted.Store(1000)
	p.Finish(b, false)
	c.IndexedBytes.Store(0)
	s = p.state()
	s.After = 20 * time.Second
	if left, ok := s.Remaining(); s.Bytes != 40<<20 || s.Events != 1000 || left != 20*time.Second || !ok || !slices.Equal(s.Current, []string{"c.etl"}) {
		t.Errorf("state %+v, left %v", s, left)
	}
	p.Finish(c, false)
	if s = p.state(); s.Fraction() != 1 || s.Traces != 3 {
		t.Errorf("state at the end: %+v", s)
	}
}

// TestProgressBundle checks traces whose rows wait in a bundle: their share of the writing
// counts as done only when the bundle is written.
func TestProgressBundle(t *testing.T) {
	p := NewProgress(3, 300)
	p.Open(300)
	var works []*Work
	for _, name := range []string{"a.etl", "b.etl", "known.etl"} {
		w := p.Next(name, 100)
		w.FileBytes.Store(100)
		w.IndexedBytes.Store(100)
		w.Work.Store(1)
		w.Decoded.Store(1)
		w.Converted.Store(10)
		works = append(works, w)
	}
	before := p.state()
	for _, w := range works {
		p.Wait(w)
	}
	waiting := p.state()
	if waiting.Bytes != before.Bytes || before.Bytes < 100 || before.Bytes > 250 || waiting.Events != 30 || len(waiting.Current) > 0 || waiting.Traces != 0 {
		t.Errorf("state %+v, before %+v", waiting, before)
	}
	p.Finish(works[0], false)
	if s := p.state(); s.Bytes <= waiting.Bytes || s.Bytes >= 300 || s.Events != 30 || s.Traces != 1 {
		t.Errorf("one is written: state %+v", s)
	}
	p.Finish(works[2], true)
	p.Finish(works[1], false)
	if s := p.state(); s.Bytes != 200 || s.AllBytes != 200 || s.Traces != 3 {
		t.Errorf("state at the end: %+v", s)
	}
}

// TestProgressArchive checks an archive with one converted trace, one skipped trace and
// other files.
func TestProgressArchive(t *testing.T) {
	p := NewProgress(1, 100)
	p.Open(100)
	w := p.Next("a.zip/a.etl", 30)
	p.Skip()
	p.Close()
	if s := p.state(); s.AllBytes != 30 || s.Traces != 1 || s.Done != 0 {
		t.Errorf("state %+v", s)
	}
	p.Finish(w, false)
	p.FinishFile()
	if s := p.state(); s.Fraction() != 1 || s.Traces != 2 || s.Done != 1 {
		t.Errorf("state at the end: %+v", s)
	}
}

// TestProgressAbsent checks an input that is gone when its turn comes: it counts as done,
// without any work.
func TestProgressAbsent(t *testing.T) {
	p := NewProgress(2, 300)
	failed := 0
	r := &Reader{Progress: p, Fail: func(*File, string, error) { failed++ }}
	gone := func(context.Context) (*content, error) { return nil, os.ErrNotExist }
	if err := r.Each(t.Context(), []*File{{Name: "gone.etl", Path: "gone.etl", Size: 100, open: gone}}); err != nil {
		t.Fatal(err)
	}
	if s := p.state(); s.AllBytes != 200 || s.Done != 1 || failed != 1 {
		t.Errorf("state %+v, %d failed", s, failed)
	}
}
