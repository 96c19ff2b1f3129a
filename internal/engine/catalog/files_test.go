package catalog

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/etl2parquet/etl2parquet/decode/definition"
	"github.com/etl2parquet/etl2parquet/decode/manifest"
	"github.com/etl2parquet/etl2parquet/internal/engine/catalog/catalogtest"
	"github.com/etl2parquet/etl2parquet/schema"
	"github.com/etl2parquet/etl2parquet/tools/testenv"
)

// openFiles opens paths and fails the test on an error.
func openFiles(t testing.TB, paths ...string) *Files {
	t.Helper()
	s, err := OpenFiles(paths)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// symbols names the events of a provider.
func symbols(s *Files, provider schema.GUID) string {
	var list []string
	for _, ev := range s.Events(provider) {
		list = append(list, ev.Name)
	}
	return strings.Join(list, " ")
}

func TestSchemaFiles(t *testing.T) {
	one, two, three := catalogtest.GUID(1), catalogtest.GUID(2), catalogtest.GUID(3)
	folder := t.TempDir()
	catalogtest.WriteFiles(t, folder, map[string]string{
		"a.man":        catalogtest.Manifest("a", one),
		"b.XML":        catalogtest.Manifest("b", one, two),
		"c/d/e/z.man":  catalogtest.Manifest("z", three),
		"c/other.txt":  catalogtest.Manifest("other", one),
		"c/other.xml":  "<project/>",
		"c/broken.xml": `<provider guid="{` + three.String() + `}" name="P"><event value="7" symbol="seven"/><event value="x"/><!--`,
		"c/dtd.xml":    `<!DOCTYPE x []><provider/>`,
	})
	s := openFiles(t, folder)
	if s.scanned != 6 || s.parsed != 0 {
		t.Errorf("%d files searched, %d parsed", s.scanned, s.parsed)
	}
	for _, test := range []struct {
		provider schema.GUID
		want     string
		parsed   int // so far
	}{
		{catalogtest.GUID(9), "", 0},
		{one, "a1 a2", 2},
		{one, "a1 a2", 2},
		{two, "b1 b2", 2},
		{three, "seven z1 z2", 4},
	} {
		if got := symbols(s, test.provider); got != test.want || s.parsed != test.parsed {
			t.Errorf("%v: %s, %d files parsed; want %s, %d", test.provider, got, s.parsed, test.want, test.parsed)
		}
	}
	var texts []string
	for _, err := range s.Errors() {
		texts = append(texts, strings.TrimPrefix(filepath.ToSlash(err.Error()), filepath.ToSlash(folder)))
	}
	want := []string{
		"/c/dtd.xml: unsupported: a document type declaration",
		"/c/broken.xml: line 1: truncated: no --> (and 1 more error)",
	}
	if !slices.Equal(texts, want) {
		t.Errorf("errors %q, want %q", texts, want)
	}
}

// TestSchemaFilesOrder checks that the first of two files wins.
func TestSchemaFilesOrder(t *testing.T) {
	one := catalogtest.GUID(1)
	folder := t.TempDir()
	catalogtest.WriteFiles(t, folder, map[string]string{
		"first/a.man":  catalogtest.Manifest("a", one),
		"second/b.man": strings.ReplaceAll(catalogtest.Manifest("b", one), `value="2"`, `value="3"`),
	})
	first, second := filepath.Join(folder, "first"), filepath.Join(folder, "second/b.man")
	for _, test := range []struct {
		paths []string
		want  string
	}{
		{[]string{first, second}, "a1 a2 b2"},
		{[]string{second, first}, "b1 b2 a2"},
		{[]string{second, second}, "b1 b2"},
		{[]string{first, first}, "a1 a2"},
		{[]string{folder}, "a1 a2 b2"},
	} {
		if got := symbols(openFiles(t, test.paths...), one); got != test.want {
			t.Errorf("%v: %s, want %s", test.paths, got, test.want)
		}
	}
}

func TestSchemaFilesPaths(t *testing.T) {
	folder := t.TempDir()
	catalogtest.WriteFiles(t, folder, map[string]string{
		"named.txt": catalogtest.Manifest("n", catalogtest.GUID(1)),
		"none.man":  "<a/>",
		"large.man": strings.Repeat(" ", definition.MaxSize+1),
	})
	if _, err := OpenFiles([]string{filepath.Join(folder, "not there")}); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("a missing path: %v", err)
	}
	if got := symbols(openFiles(t, filepath.Join(folder, "named.txt")), catalogtest.GUID(1)); got != "n1 n2" {
		t.Errorf("a file of another name: %s", got)
	}
	if _, err := OpenFiles([]string{filepath.Join(folder, "none.man")}); !errors.Is(err, manifest.ErrNoProvider) || !strings.Contains(err.Error(), "none.man") {
		t.Errorf("a file without providers: %v", err)
	}
	if err := os.Truncate(filepath.Join(folder, "large.man"), 40<<20); err != nil {
		t.Fatal(err)
	}
	const tooLarge = "large.man: unsupported: a file of 41943040 bytes, the limit is 33554432"
	if _, err := OpenFiles([]string{filepath.Join(folder, "large.man")}); err == nil || !strings.HasSuffix(err.Error(), tooLarge) {
		t.Errorf("a file that is too large: %v", err)
	}
	if err := new(Files).AddTMF([]string{filepath.Join(folder, "large.man")}); err == nil || !strings.HasSuffix(err.Error(), tooLarge) {
		t.Errorf("a TMF file that is too large: %v", err)
	}
	if _, err := OpenFiles([]string{t.TempDir()}); err == nil || !strings.HasSuffix(err.Error(), "no manifest (.man, .xml) or MOF file in this folder") {
		t.Errorf("a folder without files: %v", err)
	}
	if s, err := OpenFiles([]string{folder, folder}); err != nil || len(s.files) != 2 {
		t.Errorf("a folder twice: %v", err)
	}
	if errs := openFiles(t, folder).Errors(); len(errs) != 1 || !strings.Contains(errs[0].Error(), "large.man") {
		t.Errorf("a folder: %v", errs)
	}
	if s := openFiles(t); len(s.Errors()) != 0 || s.Events(catalogtest.GUID(1)) != nil {
		t.Error("no paths")
	}
}

// TestSchemaFilesLinks checks that links are followed, but cycles are not.
func TestSchemaFilesLinks(t *testing.T) {
	folder := t.TempDir()
	catalogtest.WriteFiles(t, folder, map[string]string{"here/a.man": catalogtest.Manifest("a", catalogtest.GUID(1)), "there/b.man": catalogtest.Manifest("b", catalogtest.GUID(2))})
	for link, target := range map[string]string{"here/up": folder, "here/self": "self", "here/there": "../there", "here/c.man": "a.man", "here/gone.man": "nothing"} {
		if err := os.Symlink(target, filepath.Join(folder, link)); err != nil {
			testenv.Missing(t, "symbolic links", "take a system or a user that may make them", err)
		}
	}
	s := openFiles(t, filepath.Join(folder, "here"))
	var names []string
	for _, f := range s.files {
		names = append(names, filepath.Base(f.path))
	}
	if want := []string{"a.man", "c.man", "b.man"}; !slices.Equal(names, want) {
		t.Errorf("files %v, want %v", names, want)
	}
	if got := symbols(s, catalogtest.GUID(2)); got != "b1 b2" {
		t.Error(got)
	}
}

// TestSchemaFilesDeep checks that a folder is listed down to a maximum depth.
func TestSchemaFilesDeep(t *testing.T) {
	folder := t.TempDir()
	catalogtest.WriteFiles(t, folder, map[string]string{
		"a.man": catalogtest.Manifest("a", catalogtest.GUID(1)), strings.Repeat("d/", maxSchemaFolderDepth+1) + "b.man": catalogtest.Manifest("b", catalogtest.GUID(2))})
	s := openFiles(t, folder)
	if errs := s.Errors(); len(s.files) != 1 || len(errs) != 1 {
		t.Errorf("%d files, errors %v", len(s.files), errs)
	}
}

// TestSchemaFilesAtOnce looks up events from many goroutines.
func TestSchemaFilesAtOnce(t *testing.T) {
	folder := t.TempDir()
	catalogtest.WriteFiles(t, folder, map[string]string{"a.man": catalogtest.Manifest("a", catalogtest.GUID(1), catalogtest.GUID(2))})
	s := openFiles(t, folder)
	var group sync.WaitGroup
	for i := range 8 {
		group.Go(func() {
			if got := symbols(s, catalogtest.GUID(1+i%2)); got != "a1 a2" {
				t.Error(got)
			}
		})
	}
	group.Wait()
	if s.parsed != 1 {
		t.Errorf("%d files parsed", s.parsed)
	}
}

// TestSharedSchemaFiles opens the manifests in shared/ as a folder.
func TestSharedSchemaFiles(t *testing.T) {
	s := openFiles(t, testenv.Shared(t, "manifests"))
	id, err := schema.ParseGUID("dd5ef90a-6398-47a4-ad34-4dcecdef795f")
	if err != nil {
		t.Fatal(err)
	}
	if n := len(s.Events(id)); n != 85 || len(s.Errors()) > 0 || s.parsed != 1 {
		t.Errorf("%d events, errors %v, %d files parsed", n, s.Errors(), s.parsed)
	}
}
