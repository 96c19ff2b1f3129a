package convert

import (
	"bytes"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/etl2parquet/etl2parquet/decode/etltest"
	"github.com/etl2parquet/etl2parquet/decode/mof"
	"github.com/etl2parquet/etl2parquet/schema"
)

// TestClassicPayloads has the columns of classic events that the MOF files
// beside the traces describe, and what the catalog says of all.
func TestClassicPayloads(t *testing.T) {
	testGoldens(t, "testdata/mof", func(t *testing.T, trace []byte) string {
		files := openFiles(t, "", "testdata/mof")
		x := indexWith(t, bytes.NewReader(trace), int64(len(trace)), files)
		var text strings.Builder
		for i := range x.Types {
			if k := &x.Types[i]; k.hasGUID {
				n := x.eventNames(k)
				fmt.Fprintf(&text, "%v %d version %d: %q, by %q, in %q\n", k.guid, k.id, k.version, x.catalog.of(&k.typeKey).name(), n.decoder, n.payloadTable)
			}
		}
		for _, p := range x.Providers() {
			fmt.Fprintf(&text, "%v %q, by %q\n", p.ID, p.Name, p.NameSource)
		}
		for _, err := range files.Errors() {
			fmt.Fprintf(&text, "error %v\n", err)
		}
		dumpBatch(t, &text, x.eventTypesRows())
		return text.String() + dumpPayloads(t, x)
	})
}

// classesOf returns a MOF file of classes, each with the events 1 and 2.
func classesOf(name string, classes ...schema.GUID) string {
	var b strings.Builder
	for i, id := range classes {
		fmt.Fprintf(&b, `[Guid("{%v}"), EventType{1, 2}, EventTypeName{"%s1", "%s2"}] class C%d : EventTrace { [WmiDataId(1)] uint32 A; };`, id, name, name, i)
	}
	return b.String()
}

// typeNames names the events of a class.
func typeNames(s *SchemaFiles, class schema.GUID) string {
	var list []string
	for _, ev := range s.Classic(class) {
		list = append(list, ev.Name)
	}
	return strings.Join(list, " ")
}

// TestMOFFiles: classes are found in folders and in files, beside manifests of
// the same GUIDs, and each file is read only when it is needed.
func TestMOFFiles(t *testing.T) {
	one, two, three := numberedGUID(1), numberedGUID(2), numberedGUID(3)
	folder := t.TempDir()
	writeManifests(t, folder, map[string]string{
		"a.mof":      classesOf("a", one),
		"b.MOF":      classesOf("b", one, two),
		"c/z.man":    manifestOf("z", one),
		"broken.mof": classesOf("c", three) + `[EventType(3)] class D { "`,
		"none.mof":   "instance of X {};",
	})
	s := openFiles(t, "", folder)
	if s.scanned != 5 || s.parsed != 0 || len(s.Errors()) != 0 {
		t.Errorf("%d files searched, %d parsed, errors %v", s.scanned, s.parsed, s.Errors())
	}
	for _, test := range []struct {
		class         schema.GUID
		types, events string
		parsed        int // so far
	}{
		{numberedGUID(9), "", "", 0},
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
	if want := []string{`/broken.mof: line 1: class "D": truncated: a text without an end`}; !slices.Equal(texts, want) {
		t.Errorf("errors %q, want %q", texts, want)
	}
	if _, err := openSchemaFiles([]string{filepath.Join(folder, "none.mof")}, ""); !errors.Is(err, mof.ErrNoEvents) {
		t.Errorf("a file without classes that the user named: %v", err)
	}
	if got := typeNames(openFiles(t, "", filepath.Join(folder, "b.MOF")), two); got != "b1 b2" {
		t.Errorf("a file that the user named: %s", got)
	}
}

// TestConvertWithMOF: classic events get tables of their own, the same for any
// number of workers; without the file they stay raw.
func TestConvertWithMOF(t *testing.T) {
	text, err := os.ReadFile("testdata/mof/bakery.txtar")
	if err != nil {
		t.Fatal(err)
	}
	_, rest, _ := strings.Cut(string(text), traceMark)
	trace, _, _ := strings.Cut(rest, expectMark)
	path := writeTrace(t, "bakery.etl", etltest.MustParse(t, trace))
	o := testOptions
	rows := func() map[string]int64 {
		found := make(map[string]int64)
		for _, f := range convertTo(t, t.TempDir(), path, o).Files {
			if strings.HasPrefix(f.Table, "events/Loaf/") || strings.HasPrefix(f.Table, "events/Order/") {
				found[f.Table] += f.Rows
			}
		}
		return found
	}
	if got := rows(); len(got) != 0 {
		t.Errorf("without a file: %v", got)
	}
	o.Schemas = openFiles(t, "", "testdata/mof/bakery.mof")
	if got, want := rows(), map[string]int64{"events/Loaf/Bake": 2, "events/Loaf/Cool": 2, "events/Order/Take": 3}; !maps.Equal(got, want) {
		t.Errorf("rows %v, want %v", got, want)
	}
	sameForAllWorkers(t, path, o)
}

// TestMOFIndex: the classes in a folder are remembered like providers.
func TestMOFIndex(t *testing.T) {
	folder, cache := t.TempDir(), t.TempDir()
	writeManifests(t, folder, map[string]string{"a.mof": classesOf("a", numberedGUID(1)), "b.man": manifestOf("b", numberedGUID(2))})
	for _, scanned := range []int{2, 0} {
		s := openFiles(t, cache, folder)
		if got := typeNames(s, numberedGUID(1)); got != "a1 a2" || s.scanned != scanned || s.parsed != 1 {
			t.Errorf("%q, %d files searched, %d parsed; want %d searched", got, s.scanned, s.parsed, scanned)
		}
	}
}
