package catalog

import (
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/etl2parquet/etl2parquet/decode/mof"
	"github.com/etl2parquet/etl2parquet/internal/engine/catalog/catalogtest"
	"github.com/etl2parquet/etl2parquet/schema"
)

// classesOf returns a MOF file of classes, each with the events 1 and 2.
func classesOf(name string, classes ...schema.GUID) string {
	var b strings.Builder
	for i, id := range classes {
		fmt.Fprintf(&b, `[Guid("{%v}"), EventType{1, 2}, EventTypeName{"%s1", "%s2"}] class C%d : EventTrace { [WmiDataId(1)] uint32 A; };`, id, name, name, i)
	}
	return b.String()
}

// typeNames names the events of a class.
func typeNames(s *Files, class schema.GUID) string {
	var list []string
	for _, ev := range s.Classic(class) {
		list = append(list, ev.Name)
	}
	return strings.Join(list, " ")
}

// TestMOFFiles checks that classes are found in folders and in files, next to manifests with the
// same GUIDs, and that a file is read only when it is needed.
func TestMOFFiles(t *testing.T) {
	one, two, three := catalogtest.GUID(1), catalogtest.GUID(2), catalogtest.GUID(3)
	folder := t.TempDir()
	catalogtest.WriteFiles(t, folder, map[string]string{
		"a.mof":      classesOf("a", one),
		"b.MOF":      classesOf("b", one, two),
		"c/z.man":    catalogtest.Manifest("z", one),
		"broken.mof": classesOf("c", three) + `[EventType(3)] class D { "`,
		"none.mof":   "instance of X {};",
	})
	s := openFiles(t, folder)
	if s.scanned != 5 || s.parsed != 0 || len(s.Errors()) != 0 {
		t.Errorf("%d files searched, %d parsed, errors %v", s.scanned, s.parsed, s.Errors())
	}
	for _, test := range []struct {
		class         schema.GUID
		types, events string
		parsed        int // so far
	}{
		{catalogtest.GUID(9), "", "", 0},
		{one, "a1 a2", "z1 z2", 3},
		{one, "a1 a2", "z1 z2", 3},
		{two, "b1 b2", "", 3},
		{three, "c1 c2", "", 4},
	} {
		types, events := typeNames(s, test.class), symbols(s, test.class)
		if types != test.types || events != test.events || s.parsed != test.parsed {
			t.Errorf("%v: %s and %s, %d files parsed; want %s and %s, %d", test.class, types, events, s.parsed, test.types, test.events, test.parsed)
		}
	}
	var texts []string
	for _, err := range s.Errors() {
		texts = append(texts, strings.TrimPrefix(filepath.ToSlash(err.Error()), filepath.ToSlash(folder)))
	}
	if want := []string{`/broken.mof: line 1: class "D": truncated: a string that does not end`}; !slices.Equal(texts, want) {
		t.Errorf("errors %q, want %q", texts, want)
	}
	if _, err := OpenFiles([]string{filepath.Join(folder, "none.mof")}); !errors.Is(err, mof.ErrNoEvents) {
		t.Errorf("a file without classes, named by the user: %v", err)
	}
	if got := typeNames(openFiles(t, filepath.Join(folder, "b.MOF")), two); got != "b1 b2" {
		t.Errorf("a file named by the user: %s", got)
	}
}
