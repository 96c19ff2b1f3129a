package bundle

import (
	"errors"
	"maps"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/etl2parquet/etl2parquet/internal/engine/index/indextest"
	"github.com/etl2parquet/etl2parquet/internal/lake/dataset"
	"github.com/etl2parquet/etl2parquet/internal/lake/store"
	"github.com/etl2parquet/etl2parquet/tools/testenv"
)

// TestOldLayout checks that every reader and writer refuses datasets of earlier versions
// and changes nothing.
func TestOldLayout(t *testing.T) {
	t.Parallel()
	for name, files := range map[string]map[string]string{
		"a trace":                       {recordPath("x"): `{"format": 1, "trace": "x"}`, "event_header/trace=x/part-00000.parquet": "PAR1"},
		"a bundle of traces":            {recordPath("0123456789abcdef"): `{"format": 1, "group": "0123456789abcdef"}`, "event_header/part-0123456789abcdef.parquet": "PAR1"},
		"without a record":              {"events/Thread/CSwitch/trace=x/part-00000.parquet": "PAR1"},
		"the second format":             {recordPath("x"): `{"format": 2, "traces": [{"trace": "x"}]}`, "event_header/x.parquet": "PAR1"},
		"a bundle of the second format": {recordPath("bundle_0123456789abcdef"): `{"format": 2, "part": "bundle_0123456789abcdef", "traces": [{"trace": "x"}]}`, "event_header/bundle_0123456789abcdef.parquet": "PAR1"},
		"the third format":              {recordPath("x"): `{"format": 3, "traces": [{"trace": "x"}]}`, "event_header/x.parquet": "PAR1"},
		"a record is damaged":           {recordPath("a"): "{", recordPath("b"): `{"format": 1}`},
	} {
		root := t.TempDir()
		for file, text := range files {
			writeTo(t, root, file, text)
		}
		d := NewDataset(store.NewFolder(root))
		trace := mixedTraces(t)[0]
		for what, do := range map[string]func() error{
			"load":    func() error { return d.Load(t.Context()) },
			"open":    func() error { _, err := OpenDataset(root); return err },
			"begin":   func() error { return d.Begin(t.Context()) },
			"convert": func() error { _, err := d.Convert(t.Context(), trace.input(), "x", testOptions); return err },
			"bundle":  func() error { _, err := d.Bundle(t.Context(), 1); return err },
			"check": func() error {
				_, err := d.Check(t.Context(), dataset.CheckOptions{}, func(*dataset.Finding) error { return nil })
				return err
			},
			"clean": func() error {
				_, err := d.Clean(t.Context(), dataset.CleanOptions{}, func(*dataset.Stray) {})
				return err
			},
		} {
			if err := do(); !errors.Is(err, dataset.ErrOldLayout) {
				t.Errorf("%s: %s: error %v", name, what, err)
			}
		}
		if diff := testenv.Diff(files, testenv.Files(t, root)); diff != "" {
			t.Errorf("%s: -before +after:\n%s", name, diff)
		}
	}
}

// TestLaterFormat checks that traces written by a later version are refused, even with
// --force and in a bundle, and that other traces are converted.
func TestLaterFormat(t *testing.T) {
	t.Parallel()
	traces := mixedTraces(t)[:4]
	root := t.TempDir()
	later := map[string]string{
		recordPath(traces[0].name):            `{"format": 5, "part": {"name": "in another form"}}`,
		recordPath("bundle_0123456789abcdef"): `{"format": 5, "traces": [{"trace": "` + traces[1].name + `"}], "files": 7}`,
	}
	for file, text := range later {
		writeTo(t, root, file, text)
	}
	force := testOptions
	force.Force = true
	for _, o := range []Options{testOptions, force} {
		got := bundleAll(t.Context(), t, root, math.MaxInt64, traces, o)
		for _, trace := range traces[:2] {
			if !strings.HasPrefix(got[trace.name], "a later version wrote its record, in format 5: ") {
				t.Errorf("%s: %s", trace.name, got[trace.name])
			}
			d := openDataset(t, root)
			var refused *dataset.LaterError
			if _, err := d.Convert(t.Context(), trace.input(), trace.name, o); !errors.As(err, &refused) {
				t.Errorf("%s: error %v", trace.name, err)
			}
		}
		for _, trace := range traces[2:] {
			if got[trace.name] != "converted" {
				t.Errorf("%s: %s", trace.name, got[trace.name])
			}
		}
	}
	files := testenv.Files(t, root)
	maps.DeleteFunc(files, func(file, _ string) bool { return later[file] == "" })
	if diff := testenv.Diff(later, files); diff != "" {
		t.Error(diff)
	}
}

// TestMixedParts puts single traces and bundles into one dataset: each trace is found in
// its part, and a trace of a bundle is not converted again outside it.
func TestMixedParts(t *testing.T) {
	t.Parallel()
	traces := mixedTraces(t)[:4]
	root := t.TempDir()
	d := openDataset(t, root)
	for _, trace := range traces[:2] {
		if _, err := d.Convert(t.Context(), trace.input(), trace.name, testOptions); err != nil {
			t.Fatal(err)
		}
	}
	for trace, came := range bundleAll(t.Context(), t, root, math.MaxInt64, traces[2:], testOptions) {
		if came != "converted" {
			t.Errorf("%s: %s", trace, came)
		}
	}
	found, result := check(t, root, false)
	if result.Traces != 4 || len(found) != 1 { // the dataset has no views
		t.Errorf("%+v: %v", result, found)
	}
	d = openDataset(t, root)
	force := testOptions
	force.Force = true
	for i, trace := range traces {
		if r, err := d.Convert(t.Context(), trace.input(), trace.name, testOptions); err != nil || !r.Skipped {
			t.Errorf("%s: %v, %v", trace.name, r, err)
		}
		if _, err := d.Convert(t.Context(), trace.input(), trace.name, force); (err == nil) != (i < 2) || err != nil && !errors.Is(err, errBundled) {
			t.Errorf("%s: %v", trace.name, err)
		}
	}
	known, err := d.Traces(t.Context())
	if err != nil || len(known) != 4 {
		t.Error(known, err)
	}
	apart := t.TempDir()
	bundleAll(t.Context(), t, apart, math.MaxInt64, traces, testOptions)
	if diff := testenv.Diff(bundledRows(t, testenv.Files(t, apart)), bundledRows(t, testenv.Files(t, root))); diff != "" {
		t.Error(diff)
	}
}

// TestForeignFiles puts files of other programs into the folders of tables: every run keeps
// them, even after an interrupted run.
func TestForeignFiles(t *testing.T) {
	t.Parallel()
	root := twoTraces(t)
	foreign := map[string]string{"event_header/merged.parquet": "PAR1", "events/Mine/Own/x.parquet": "", "event_header/_SUCCESS": ""}
	for file, text := range foreign {
		writeTo(t, root, file, text)
	}
	copyPart(t, root, "event_header/left.parquet")
	writeTo(t, root, ".writer-0123456789abcdef.lock", "") // of a killed run
	folder := preparedFolder(t, root)
	if err := NewDataset(folder).Begin(t.Context()); err != nil {
		t.Fatal(err)
	}
	if err := folder.Close(); err != nil {
		t.Fatal(err)
	}
	files := testenv.Files(t, root)
	for file, text := range foreign {
		if got, ok := files[file]; !ok || got != text {
			t.Errorf("%s is gone", file)
		}
	}
	if files["event_header/left.parquet"] != "" || files[filepath.ToSlash(partOfA)] == "" {
		t.Error("leftovers are kept, or other files are gone")
	}
}

// TestForeignFile checks that a file of another program with the name of a trace's file is
// neither replaced nor removed. If the trace needs the name, its conversion fails.
func TestForeignFile(t *testing.T) {
	t.Parallel()
	path := indextest.Write(t, "a.etl", newTraceOfEvents(t, 3))
	for _, test := range []struct {
		file  string
		error string // "": the trace is converted
	}{
		{"event_header/a.parquet", "another program wrote event_header/a.parquet"},
		{"message_trace_header/a.parquet", ""},
	} {
		t.Run(test.file, func(t *testing.T) {
			root := t.TempDir()
			writeTo(t, root, test.file, "mine")
			d := openDataset(t, root)
			_, err := convertFile(t.Context(), d, path, "a", testOptions)
			if test.error == "" && err != nil || test.error != "" && (err == nil || !strings.Contains(err.Error(), test.error)) {
				t.Errorf("error %v, want %q", err, test.error)
			}
			if text, err := os.ReadFile(filepath.Join(root, test.file)); err != nil || string(text) != "mine" {
				t.Errorf("the file is %.40q, error %v", text, err)
			}
			if record, err := d.Record(t.Context(), "a"); err != nil || (record == nil) != (test.error != "") {
				t.Errorf("record %v, error %v", record, err)
			}
		})
	}
}
