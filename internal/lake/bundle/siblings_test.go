package bundle

import (
	"testing"

	"github.com/etl2parquet/etl2parquet/internal/engine/index"
	"github.com/etl2parquet/etl2parquet/internal/lake/dataset"
)

func TestSiblingChange(t *testing.T) {
	t.Parallel()
	a, b := dataset.SiblingRecord{Name: "a.etl", Size: 1, ID: "1"}, dataset.SiblingRecord{Name: "b.etl", Size: 2, ID: "2"}
	moved, grown := a, a
	moved.Name, grown.Size = "moved.etl", 3
	list := func(s ...dataset.SiblingRecord) []dataset.SiblingRecord { return s }
	for _, test := range []struct {
		had, now []dataset.SiblingRecord
		want     string
	}{
		{nil, nil, ""},
		{list(a, b), list(b, a), ""},
		{list(a), list(moved), "moved.etl was added to its siblings; a.etl is no longer among the inputs"},
		{nil, list(a), "a.etl was added to its siblings"},
		{nil, list(a, b), "a.etl, b.etl were added to its siblings"},
		{list(a, b), list(b), ""},
		{list(a), list(grown), "a.etl was changed among its siblings"},
		{list(a), list(b), "b.etl was added to its siblings; a.etl is no longer among the inputs"},
		{nil, list(a, b, a, b), "a.etl, b.etl, a.etl and others were added to its siblings"},
	} {
		if got := siblingChange(test.had, test.now); got != test.want {
			t.Errorf("had %v, now %v: %q, want %q", test.had, test.now, got, test.want)
		}
	}
}

// TestPlaceChange checks that a trace is converted again for what its place adds, and not for what it lacks.
func TestPlaceChange(t *testing.T) {
	t.Parallel()
	first := index.Place{Session: "s", File: 2, Recording: "r"}
	after, moved, other := first, first, first
	after.Earlier = index.Earlier{Known: true, EventsLost: 3}
	moved.Session, other.Recording = "t", "q"
	for _, test := range []struct {
		had, now *index.Place
		want     string
	}{
		{nil, nil, ""},
		{&first, nil, ""},
		{&first, &first, ""},
		{&after, &first, ""},
		{nil, &first, "other files of its session are among the inputs"},
		{&first, &after, "the file before it in its session is among the inputs"},
		{&first, &moved, "other files of its session are among the inputs"},
		{&first, &other, "other traces of its recording are among the inputs"},
	} {
		if got := placeChange(test.had, test.now); got != test.want {
			t.Errorf("had %v, now %v: %q, want %q", test.had, test.now, got, test.want)
		}
	}
}
