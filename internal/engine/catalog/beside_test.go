package catalog

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/etl2parquet/etl2parquet/internal/engine/catalog/catalogtest"
)

// TestBeside checks which files beside a trace describe its events: after the user's files, for that
// trace alone, and as they were when it was first read.
func TestBeside(t *testing.T) {
	one, two := catalogtest.GUID(1), catalogtest.GUID(2)
	folder := t.TempDir()
	const message = "00000000-0000-0000-0000-000000000007 p\n#typev x_c1 1 \"hello\"\n{\n}\n"
	catalogtest.WriteFiles(t, folder, map[string]string{
		"user.mof": classesOf("user", one),
		"a.etl":    "", "a.mof": classesOf("a", one, two), "a.man": catalogtest.Manifest("m", two), "a.tmf": message,
		"b.etl": "", "b.tmf": "no messages", "c.mof": classesOf("c", two), "d.mof/x.mof": classesOf("d", two),
	})
	in := func(name string) string { return filepath.Join(folder, name) }
	s, err := OpenFiles([]string{in("user.mof")})
	if err != nil {
		t.Fatal(err)
	}
	if got := s.For(in("a.etl")); got != s {
		t.Error("files beside a trace are read, and nobody asked for them")
	}
	s.AddBeside()
	a := s.For(in("a.etl"))
	if got := typeNames(a, one); got != "user1 user2" {
		t.Errorf("the user's class: %s", got)
	}
	if got := typeNames(a, two); got != "a1 a2" {
		t.Errorf("the class beside the trace: %s", got)
	}
	if len(a.Events(two)) == 0 {
		t.Error("no events of the manifest beside the trace")
	}
	if n := len(a.messages); n != 1 {
		t.Errorf("%d messages", n)
	}
	if a.Record().Fingerprint() == s.Record().Fingerprint() {
		t.Error("the records of the trace do not show its own files")
	}
	for _, other := range []string{"x.etl", "d.etl", "A/a.etl"} {
		if s.For(in(other)) != s {
			t.Errorf("%s has files beside it", other)
		}
	}
	if s.For("a.etl") != s || (*Files)(nil).For(in("a.etl")) != nil {
		t.Error("files beside a trace without a path")
	}
	if got := typeNames(s, two); got != "" {
		t.Errorf("the file beside one trace describes another: %s", got)
	}
	if err := os.Remove(in("a.mof")); err != nil {
		t.Fatal(err)
	}
	if s.For(in("a.etl")) != a {
		t.Error("the descriptions of a trace changed during a run")
	}
	s.For(in("b.etl"))
	if errs := s.Errors(); len(errs) != 1 || !strings.Contains(errs[0].Error(), "b.tmf") {
		t.Errorf("errors: %v", errs)
	}
	if got, want := s.Beside(), []string{in("a.man"), in("a.mof"), in("a.tmf")}; !slices.Equal(got, want) {
		t.Errorf("files beside traces: %v, want %v", got, want)
	}
}
