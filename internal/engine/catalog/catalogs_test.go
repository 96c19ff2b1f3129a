package catalog

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/etl2parquet/etl2parquet/internal/engine/catalog/catalogtest"
	"github.com/etl2parquet/etl2parquet/internal/engine/catalog/packed"
	"github.com/etl2parquet/etl2parquet/internal/engine/catalog/windows"
	"github.com/etl2parquet/etl2parquet/internal/engine/problems"
	"github.com/etl2parquet/etl2parquet/schema"
	"github.com/etl2parquet/etl2parquet/tools/testenv"
)

// formOf returns a form of event 1 of a provider, with a number of fields, for builds of Windows.
func formOf(provider schema.GUID, fields int, builds ...int) packed.Event {
	s := &schema.Schema{Source: schema.FromManifest, ID: 1, Event: schema.Event{GUID: provider, Class: "P", Name: "E", Certainty: schema.Documented}}
	for i := range fields {
		name := string(rune('a' + i))
		s.Fields = append(s.Fields, schema.Field{Name: name, Original: name, Kind: schema.U32})
	}
	return packed.Event{Schema: s, Builds: builds}
}

// catalogOf writes a catalogue and returns its path.
func catalogOf(t *testing.T, events ...packed.Event) string {
	t.Helper()
	var builds []int
	for _, ev := range events {
		builds = append(builds, ev.Builds...)
	}
	slices.Sort(builds)
	data, err := packed.Pack([]packed.Provider{{GUID: events[0].GUID, Name: "P", Events: events}}, slices.Compact(builds))
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "my.catalog")
	testenv.WriteFile(t, path, data)
	return path
}

// withCatalogs returns the files of a user with these catalogues.
func withCatalogs(t *testing.T, paths ...string) *Files {
	t.Helper()
	files := openFiles(t)
	if err := files.AddCatalogs(paths); err != nil {
		t.Fatal(err)
	}
	return files
}

// TestBuilds checks that an event has the form of the trace's build, else of the nearest older
// build, else of the oldest build. The other layouts are tried from the nearest on.
func TestBuilds(t *testing.T) {
	id := catalogtest.GUID(1)
	files := withCatalogs(t, catalogOf(t, formOf(id, 1, 17763), formOf(id, 2, 19041, 19045), formOf(id, 3, 22000), formOf(id, 2, 26100)))
	for _, test := range []struct {
		build int
		want  []int // fields of the form, and of the others
	}{
		{7601, []int{1, 2, 3}},
		{17763, []int{1, 2, 3}},
		{19041, []int{2, 1, 3}},
		{19044, []int{2, 1, 3}},
		{19046, []int{2, 1, 3}},
		{22000, []int{3, 2, 1}},
		{26099, []int{3, 2, 1}},
		{30000, []int{2, 3, 1}},
	} {
		c := newCatalogs(files, test.build, new(problems.List))
		found := c.find(formKey{schemaKey: schemaKey{provider: id, id: 1}})
		got := []int{len(found.Fields)}
		for _, other := range found.others {
			got = append(got, len(other.Fields))
		}
		if !slices.Equal(got, test.want) {
			t.Errorf("build %d: fields %d, want %d", test.build, got, test.want)
		}
	}
}

// TestCatalogOrder checks that the first of two catalogues wins, and both win over the
// built-in one. Providers of Windows keep their built-in names.
func TestCatalogOrder(t *testing.T) {
	kernelProcess := windowsGUID(t, "22fb2cd6-0e7b-422b-a0c7-2fad1fd0e716")
	one, two := catalogOf(t, formOf(kernelProcess, 1)), catalogOf(t, formOf(kernelProcess, 2))
	key := formKey{schemaKey: schemaKey{provider: kernelProcess, id: 1}}
	for _, test := range []struct {
		paths  []string
		fields int
		name   string
	}{
		{[]string{one, two}, 1, "Microsoft-Windows-Kernel-Process"},
		{[]string{two, one}, 2, "Microsoft-Windows-Kernel-Process"},
		{[]string{two, NoCatalog}, 2, "P"},
		{nil, 5, "Microsoft-Windows-Kernel-Process"},
	} {
		c := newCatalogs(withCatalogs(t, test.paths...), 19045, new(problems.List))
		name, _ := c.providerName(kernelProcess)
		if found := c.find(key); found == nil || len(found.Fields) != test.fields || name != test.name {
			t.Errorf("%q: %+v, %s", test.paths, found, name)
		}
	}
	if found := newCatalogs(withCatalogs(t, NoCatalog), 19045, new(problems.List)).find(key); found != nil {
		t.Errorf("without any catalogue: %+v", found)
	}
}

func windowsGUID(t *testing.T, text string) schema.GUID {
	t.Helper()
	id, err := schema.ParseGUID(text)
	if err != nil {
		t.Fatal(err)
	}
	if _, ok := windows.Catalog().Entry(id); !ok {
		t.Fatalf("%s is not built in", text)
	}
	return id
}

// TestCompile checks that a catalogue compiled from files describes the same events.
func TestCompile(t *testing.T) {
	one, two := catalogtest.GUID(1), catalogtest.GUID(2)
	folder := t.TempDir()
	catalogtest.WriteFiles(t, folder, map[string]string{"a.man": catalogtest.Manifest("a", one), "b.xml": catalogtest.Manifest("b", one, two)})
	files, err := OpenSources([]string{folder})
	if err != nil {
		t.Fatal(err)
	}
	data, events, providers, err := files.Compile()
	if err != nil || events != 4 || providers != 2 {
		t.Fatalf("%d events of %d providers, %v", events, providers, err)
	}
	path := filepath.Join(folder, "my.catalog")
	testenv.WriteFile(t, path, data)
	c := newCatalogs(withCatalogs(t, path), 19045, new(problems.List))
	for _, test := range []struct {
		provider schema.GUID
		want     string
	}{{one, "a1"}, {two, "b1"}} {
		if found := c.find(formKey{schemaKey: schemaKey{provider: test.provider, id: 1}}); found == nil || found.Name != test.want {
			t.Errorf("%v: %+v, want %s", test.provider, found, test.want)
		}
	}
}

// TestBrokenCatalogs checks that a file that is not a catalogue gives one clear error.
func TestBrokenCatalogs(t *testing.T) {
	folder := t.TempDir()
	catalogtest.WriteFiles(t, folder, map[string]string{"text": "not a catalogue", "empty": ""})
	for _, test := range []struct{ path, want string }{
		{"text", "it does not begin with"},
		{"empty", "it does not begin with"},
		{"absent", "no such file"},
		{".", "not a regular file"},
	} {
		err := openFiles(t).AddCatalogs([]string{filepath.Join(folder, test.path)})
		if err == nil || !strings.Contains(err.Error(), test.want) || strings.Contains(err.Error(), "\n") {
			t.Errorf("%s: %v, want %q", test.path, err, test.want)
		}
	}
}
