package dataset

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/etl2parquet/etl2parquet/internal/lake/store/storetest"
)

// TestClean checks which files are removed from a damaged dataset: by a run that begins alone or
// beside others, and by clean. Old files are removed even beside others.
func TestClean(t *testing.T) {
	var b strings.Builder
	for _, damage := range damages {
		fmt.Fprintf(&b, "%s\n", damage.name)
		for _, way := range []string{"begin", "begin alone", "begin beside others", "clean beside others", "clean", "dry run"} {
			m := smallDataset(t)
			damage.do(m)
			m.Interrupted, m.Others = way != "begin", strings.HasSuffix(way, "others")
			d := loaded(t, m)
			m.Log()
			before := m.Files()
			var removed []string
			kept := 0
			var err error
			if strings.HasPrefix(way, "begin") {
				err = d.Begin(t.Context())
			} else {
				kept, err = d.Clean(t.Context(), CleanOptions{DryRun: way == "dry run", Active: ActiveTime}, func(s *Stray) { removed = append(removed, s.Name) })
			}
			if err != nil {
				t.Errorf("%s: %s: %v", damage.name, way, err)
			}
			log := m.Log()
			if way == "dry run" {
				if diff := cmp.Diff(before, m.Files()); diff != "" || !slices.Equal(log, []string{"close"}) {
					t.Errorf("%s: a dry run: %q, %s", damage.name, log, diff)
				}
			}
			if strings.HasPrefix(way, "clean") && len(removed)+1 != len(log) || way != "begin" && len(log) == 0 && len(removed) > 0 {
				t.Errorf("%s: %s: removed %q: %q", damage.name, way, removed, log)
			}
			if log = append(slices.DeleteFunc(log, func(line string) bool { return line == "close" }), removed...); len(log) > 0 || kept > 0 {
				fmt.Fprintf(&b, "\t%s, %d kept: %s\n", way, kept, shortNames.Replace(strings.Join(log, ", ")))
			}
		}
	}
	golden(t, "clean", b.String())
}

// TestCleanOld checks the age of files that are removed beside other processes.
func TestCleanOld(t *testing.T) {
	for _, test := range []struct {
		age, active time.Duration
		isRemoved   bool
	}{{time.Hour, ActiveTime, false}, {ActiveTime + time.Hour, ActiveTime, true}, {time.Hour, time.Minute, true}, {time.Second, time.Minute, false}} {
		m := smallDataset(t)
		m.Others = true
		written, named := time.Now().Add(-test.age), 0
		m.Put("traces/e.parquet", m.Files()["traces/a.parquet"], written)
		kept, err := loaded(t, m).Clean(t.Context(), CleanOptions{Active: test.active, Kept: func(s *Stray, until time.Time) {
			if named++; s.Name != "traces/e.parquet" || !until.Equal(written.Add(test.active)) {
				t.Errorf("%s is kept until %s", s.Name, until)
			}
		}}, func(*Stray) {})
		if named != kept {
			t.Errorf("%d named, %d kept", named, kept)
		}
		if _, has := m.Files()["traces/e.parquet"]; err != nil || has == test.isRemoved || kept == 1 == test.isRemoved {
			t.Errorf("%+v: %d kept, removed %t, %v", test, kept, !has, err)
		}
	}
}

// TestCleanBesideCommit cleans while another process commits: it publishes its record after the
// records were read, and its files stay.
func TestCleanBesideCommit(t *testing.T) {
	m := smallDataset(t)
	record := m.Files()[recordFile("a")]
	removed(recordFile("a"))(m)
	d := loaded(t, m)
	c, err := d.committed(t.Context(), func(string, *Record, error) error { return nil })
	if err != nil {
		t.Fatal(err)
	}
	m.Put(recordFile("a"), record, time.Now())
	copied("traces/e.parquet")(m)
	strays, err := d.strays(t.Context(), c)
	if err != nil || len(strays) != 1 || strays[0].Name != "traces/e.parquet" || strays[0].Kind != UncommittedFile || strays[0].Size <= 0 {
		t.Errorf("strays %+v, %v", strays, err)
	}
}

// TestFoldedNames checks that a store that ignores case has no strays whose names differ from the
// records only in case.
func TestFoldedNames(t *testing.T) {
	for _, folds := range []bool{false, true} {
		m := &storetest.Memory{FoldCase: folds}
		commit(t, m, "Other", tables{"events/p/E": 1})
		commit(t, m, "t", tables{"events/P/E": 1})
		contents := m.Files()["events/P/E/t.parquet"]
		removed("events/P/E/t.parquet")(m)
		m.Put("events/p/E/t.parquet", contents, time.Now()) // as a file system lists it
		var found []string
		_, err := loaded(t, m).Check(t.Context(), CheckOptions{}, func(f *Finding) error { found = append(found, f.Code+" "+f.File); return nil })
		want := []string{"rows_differ _traces/Other.json", "file_missing events/P/E/t.parquet", "rows_differ _traces/t.json", "views_missing views.sql", "no_record events/p/E/t.parquet"}
		if folds {
			want = []string{want[0], want[2], want[3]}
		}
		keep := func(lines []string) []string {
			return slices.DeleteFunc(slices.Clone(lines), func(line string) bool { return strings.HasPrefix(line, "rows_differ") })
		}
		if diff := cmp.Diff(keep(want), keep(found)); err != nil || diff != "" {
			t.Errorf("case is ignored: %t: %v, -want +found:\n%s", folds, err, diff)
		}
	}
}
