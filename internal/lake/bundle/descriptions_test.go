package bundle

import (
	"errors"
	"maps"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/etl2parquet/etl2parquet/internal/engine/catalog/catalogtest"
	"github.com/etl2parquet/etl2parquet/internal/engine/index/indextest"

	"github.com/google/go-cmp/cmp"

	"github.com/etl2parquet/etl2parquet/decode/etltest"
	"github.com/etl2parquet/etl2parquet/tools/testenv"
)

// Events of two providers and of a WPP component that the user's files describe, and one
// of a third provider that nothing describes.
const describedTrace = `trace
event64 provider=00ee0001-0000-0000-0000-000000000000 id=1
event64 provider=00ee0002-0000-0000-0000-000000000000 id=2
event64 provider=00ee0009-0000-0000-0000-000000000000 id=2
message guid=b1a7c3d2-5e4f-3a6b-8c9d-0e1f2a3b4c5d number=10 payload=u32:1`

const tmfOfDriver = "b1a7c3d2-5e4f-3a6b-8c9d-0e1f2a3b4c5d driver // SRC=io.c MJ= MN=\n#typev io_c10 10 \"%0%10!d!\" //   FUNC=Read\n{\nStatus, ItemLong -- 10\n}\n"

// TestDescriptionsAgain converts again with other files of descriptions: edited, moved
// or merged files, and additional ones.
func TestDescriptionsAgain(t *testing.T) {
	t.Parallel()
	var one, two, three = catalogtest.GUID(1), catalogtest.GUID(2), catalogtest.GUID(3)
	first := map[string]string{"one.man": catalogtest.Manifest("a", one), "two.man": catalogtest.Manifest("b", two), "unused.man": catalogtest.Manifest("c", three), "driver.tmf": tmfOfDriver}
	with := func(changes map[string]string) map[string]string {
		files := maps.Clone(first)
		maps.Copy(files, changes)
		maps.DeleteFunc(files, func(_, text string) bool { return text == "" })
		return files
	}
	for name, test := range map[string]struct {
		before, after map[string]string
		want          string
	}{
		"the same":                              {first, first, "skipped"},
		"added":                                 {with(map[string]string{"two.man": ""}), first, "converted"},
		"the first files":                       {nil, first, "converted"},
		"another":                               {first, with(map[string]string{"other.man": catalogtest.Manifest("d", catalogtest.GUID(4))}), "converted"},
		"edited":                                {first, with(map[string]string{"one.man": catalogtest.Manifest("z", one)}), "converted"},
		"moved and renamed":                     {first, with(map[string]string{"one.man": "", "two.man": "", "a/1.man": first["one.man"], "a/2.man": first["two.man"]}), "skipped"},
		"merged and renamed":                    {first, with(map[string]string{"one.man": "", "two.man": "", "all.man": catalogtest.Manifest("a", one, two)}), "one.man two.man"},
		"removed":                               {first, with(map[string]string{"two.man": ""}), "two.man"},
		"removed and others added":              {first, with(map[string]string{"two.man": "", "new.man": catalogtest.Manifest("d", two)}), "two.man"},
		"one that described nothing":            {first, with(map[string]string{"unused.man": ""}), "converted"},
		"TMF removed":                           {first, with(map[string]string{"driver.tmf": ""}), "driver.tmf"},
		"all removed":                           {first, nil, "one.man two.man driver.tmf"},
		"one of two with the same name removed": {with(map[string]string{"v2/one.man": catalogtest.Manifest("d", one)}), first, "one.man"},
		"no longer a manifest":                  {first, with(map[string]string{"two.man": "<html>"}), "two.man"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			folder := filepath.Join(t.TempDir(), "descriptions")
			options := func(files map[string]string) Options {
				if err := os.RemoveAll(folder); err != nil {
					t.Fatal(err)
				}
				o := testOptions
				if len(files) > 0 {
					catalogtest.WriteFiles(t, folder, files)
					var tmf []string
					if files["driver.tmf"] != "" { // an empty folder is an error
						tmf = []string{folder}
					}
					o.Schemas = indextest.OpenFiles(t, []string{folder}, tmf)
				}
				return o
			}
			path := indextest.Write(t, "a.etl", etltest.MustParse(t, describedTrace))
			root := filepath.Join(t.TempDir(), "out")
			o := options(test.before)
			convertTo(t, root, path, o)
			d := openDataset(t, root)
			before := sums(testenv.Files(t, root))
			report, err := convertFile(t.Context(), d, path, "t", again(t, options, test.before, test.after, o))
			got := "converted"
			var different *DifferentError
			switch {
			case errors.As(err, &different):
				got = ""
				for _, difference := range different.Differences {
					got = strings.TrimSpace(got + " " + strings.Join(difference.Had, " "))
				}
			case err != nil:
				t.Fatal(err)
			case report.Skipped:
				got = "skipped"
			}
			if got != test.want {
				t.Errorf("%s, want %s", got, test.want)
			}
			if same := maps.Equal(before, sums(testenv.Files(t, root))); same == (got == "converted") {
				t.Errorf("%s: the files are the same: %t", got, same)
			}
		})
	}
}

// again returns the options of a second conversion. Unchanged files keep their times.
func again(t *testing.T, options func(map[string]string) Options, before, after map[string]string, o Options) Options {
	t.Helper()
	if maps.Equal(before, after) {
		return o
	}
	return options(after)
}

// TestDescriptionsOfBundles checks that a bundle records the descriptions of all its traces.
func TestDescriptionsOfBundles(t *testing.T) {
	t.Parallel()
	one := named("one", etltest.MustParse(t, "trace\nevent64 provider=00ee0001-0000-0000-0000-000000000000 id=1"))
	two := named("two", etltest.MustParse(t, "trace\nevent64 provider=00ee0002-0000-0000-0000-000000000000 id=1"))
	folder := t.TempDir()
	catalogtest.WriteFiles(t, folder, map[string]string{"one.man": catalogtest.Manifest("a", catalogtest.GUID(1)), "two.man": catalogtest.Manifest("b", catalogtest.GUID(2)), "unused.man": catalogtest.Manifest("c", catalogtest.GUID(3))})
	both, less := testOptions, testOptions
	both.Schemas = indextest.OpenFiles(t, []string{folder}, nil)
	less.Schemas = indextest.OpenFiles(t, []string{filepath.Join(folder, "one.man")}, nil)
	root := t.TempDir()
	bundleAll(t.Context(), t, root, math.MaxInt64, []namedTrace{one, two}, both)
	d := openDataset(t, root)
	r, err := d.Record(t.Context(), two.name)
	if err != nil || r == nil || len(r.Traces) != 2 {
		t.Fatal(r, err)
	}
	var names []string
	for _, used := range r.Options.Descriptions.Used {
		names = append(names, used.Name)
	}
	if !slices.Equal(names, []string{"one.man", "two.man"}) {
		t.Errorf("the bundle uses %v", names)
	}
	const refused = "it was converted before with other options: manifests"
	got := bundleAll(t.Context(), t, root, math.MaxInt64, []namedTrace{one, two}, less)
	if diff := cmp.Diff(outcomes{"one": refused, "two": refused}, got); diff != "" {
		t.Error(diff)
	}
}
