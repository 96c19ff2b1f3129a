package bundle

import (
	"testing"

	"github.com/etl2parquet/etl2parquet/internal/lake/dataset"
)

func TestSessionChange(t *testing.T) {
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
		{list(a), list(moved), "moved.etl was added to its session; a.etl is no longer among the inputs"},
		{nil, list(a), "a.etl was added to its session"},
		{nil, list(a, b), "a.etl, b.etl were added to its session"},
		{list(a, b), list(b), ""},
		{list(a), list(grown), "a.etl was changed in its session"},
		{list(a), list(b), "b.etl was added to its session; a.etl is no longer among the inputs"},
		{nil, list(a, b, a, b), "a.etl, b.etl, a.etl and others were added to its session"},
	} {
		if got := sessionChange(test.had, test.now); got != test.want {
			t.Errorf("had %v, now %v: %q, want %q", test.had, test.now, got, test.want)
		}
	}
}
