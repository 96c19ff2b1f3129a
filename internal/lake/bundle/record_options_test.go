package bundle

import (
	"errors"
	"math"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/etl2parquet/etl2parquet/facts"
	"github.com/etl2parquet/etl2parquet/internal/engine/catalog"
	"github.com/etl2parquet/etl2parquet/internal/engine/index/indextest"
	"github.com/etl2parquet/etl2parquet/internal/engine/pipeline"
	"github.com/etl2parquet/etl2parquet/internal/engine/rows"
	"github.com/etl2parquet/etl2parquet/internal/engine/selection"
	"github.com/etl2parquet/etl2parquet/internal/formats/parquet"
	"github.com/etl2parquet/etl2parquet/internal/lake/dataset"
	"github.com/etl2parquet/etl2parquet/tools/testenv"
)

// convertedEarlier converts a trace as an earlier version of the program could have: with
// today's default options in the record, but other contents.
func convertedEarlier(t testing.TB, root, path string, o Options) {
	t.Helper()
	convertTo(t, root, path, o)
	editRecord(t, root, "t", func(r *dataset.Record) {
		r.Tool, r.Options = "earlier", testOptions.record(new(pipeline.Input), "t").Options
	})
}

// TestDifferences compares options: different notations of the same options are equal.
func TestDifferences(t *testing.T) {
	t.Parallel()
	bound := func(text string) facts.TimeBound {
		b, err := facts.ParseTimeBound(text)
		if err != nil {
			t.Fatal(err)
		}
		return b
	}
	for name, test := range map[string]struct {
		had, asked dataset.RecordOptions
		want       []Difference
	}{
		"nothing":           {dataset.RecordOptions{}, dataset.RecordOptions{}, nil},
		"payload":           {dataset.RecordOptions{Payload: "all"}, dataset.RecordOptions{Payload: "none"}, []Difference{{OptionPayload, []string{"all"}, []string{"none"}}}},
		"messages":          {dataset.RecordOptions{Messages: "undecoded"}, dataset.RecordOptions{Messages: "none"}, []Difference{{OptionMessages, []string{"undecoded"}, []string{"none"}}}},
		"fields":            {dataset.RecordOptions{}, dataset.RecordOptions{Fields: true}, []Difference{{OptionFields, []string{"false"}, []string{"true"}}}},
		"default tables":    {dataset.RecordOptions{}, dataset.RecordOptions{MaxTables: catalog.DefaultMaxTables}, nil},
		"tables of events":  {dataset.RecordOptions{MaxTables: 5}, dataset.RecordOptions{}, []Difference{{OptionMaxTables, []string{"5"}, []string{"300"}}}},
		"default codec":     {dataset.RecordOptions{}, dataset.RecordOptions{Compression: parquet.DefaultCompression}, nil},
		"codec":             {dataset.RecordOptions{Compression: "lz4"}, dataset.RecordOptions{}, []Difference{{OptionCompression, []string{"lz4"}, []string{"zstd"}}}},
		"default unsigned":  {dataset.RecordOptions{}, dataset.RecordOptions{Unsigned: parquet.DefaultUnsigned}, nil},
		"unsigned":          {dataset.RecordOptions{Unsigned: "int64"}, dataset.RecordOptions{}, []Difference{{OptionUnsigned, []string{"int64"}, []string{"uint64"}}}},
		"from":              {dataset.RecordOptions{}, dataset.RecordOptions{Selection: facts.Selection{From: bound("1")}}, []Difference{{OptionFrom, nil, []string{"1"}}}},
		"seconds":           {dataset.RecordOptions{Selection: facts.Selection{From: bound("1.5"), To: bound("60")}}, dataset.RecordOptions{Selection: facts.Selection{From: bound("1500ms"), To: bound("1m")}}, nil},
		"time zones":        {dataset.RecordOptions{Selection: facts.Selection{From: bound("2024-05-01T12:00:00Z")}}, dataset.RecordOptions{Selection: facts.Selection{From: bound("2024-05-01T14:00:00.0+02:00")}}, nil},
		"time and seconds":  {dataset.RecordOptions{Selection: facts.Selection{To: bound("2024-05-01T12:00:00Z")}}, dataset.RecordOptions{Selection: facts.Selection{To: bound("5")}}, []Difference{{OptionTo, []string{"2024-05-01T12:00:00Z"}, []string{"5"}}}},
		"zero is a bound":   {dataset.RecordOptions{Selection: facts.Selection{To: bound("0")}}, dataset.RecordOptions{}, []Difference{{OptionTo, []string{"0"}, nil}}},
		"order of patterns": {dataset.RecordOptions{Selection: facts.Selection{Events: []string{"a", "B*", "a"}}}, dataset.RecordOptions{Selection: facts.Selection{Events: []string{"b*", "A"}}}, nil},
		"GUID":              {dataset.RecordOptions{Selection: facts.Selection{Providers: []string{"{A57D9AB3-69C1-580B-F793-C1336E890330}"}}}, dataset.RecordOptions{Selection: facts.Selection{Providers: []string{"a57d9ab3-69c1-580b-f793-c1336e890330"}}}, nil},
		"narrower":          {dataset.RecordOptions{}, dataset.RecordOptions{Selection: facts.Selection{Events: []string{"x"}}}, []Difference{{OptionEvents, nil, []string{"x"}}}},
		"wider":             {dataset.RecordOptions{Tables: []string{"x", "y"}}, dataset.RecordOptions{}, []Difference{{OptionTables, []string{"x", "y"}, nil}}},
		"names of a table":  {dataset.RecordOptions{Tables: []string{"Thread/CSwitch", "events/DiskIo/*"}}, dataset.RecordOptions{Tables: []string{"events/diskio/*", "thread_cswitch", "events/Thread/CSwitch"}}, nil},
		"other tables":      {dataset.RecordOptions{Tables: []string{"Thread/CSwitch"}}, dataset.RecordOptions{Tables: []string{"Thread/*"}}, []Difference{{OptionTables, []string{"Thread/CSwitch"}, []string{"Thread/*"}}}},
		"order of columns":  {dataset.RecordOptions{Columns: []string{"a", "b"}}, dataset.RecordOptions{Columns: []string{"b", "a"}}, nil},
		"columns":           {dataset.RecordOptions{}, dataset.RecordOptions{Columns: []string{"a"}}, []Difference{{OptionColumns, nil, []string{"a"}}}},
		"columns of tables": {dataset.RecordOptions{}, dataset.RecordOptions{Needs: []selection.Need{{Table: "x", Columns: []string{"b", "a"}}}}, []Difference{{OptionNeeds, nil, []string{"x(a,b)"}}}},
		"order of needs":    {dataset.RecordOptions{Needs: []selection.Need{{Table: "x"}, {Table: "Y"}}}, dataset.RecordOptions{Needs: []selection.Need{{Table: "y"}, {Table: "x"}}}, nil},
		"case of columns":   {dataset.RecordOptions{Columns: []string{"A"}}, dataset.RecordOptions{Columns: []string{"a"}}, []Difference{{OptionColumns, []string{"A"}, []string{"a"}}}},
		"several": {dataset.RecordOptions{Selection: facts.Selection{Providers: []string{"p"}}}, dataset.RecordOptions{Payload: "x", Selection: facts.Selection{Providers: []string{"q"}}},
			[]Difference{{OptionPayload, nil, []string{"x"}}, {OptionProviders, []string{"p"}, []string{"q"}}}},
	} {
		if diff := cmp.Diff(test.want, difference(&test.had, &test.asked, nil)); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
	}
}

// TestEveryOptionDiffers fails if RecordOptions has a field that is not compared.
func TestEveryOptionDiffers(t *testing.T) {
	t.Parallel()
	fields := slices.DeleteFunc(reflect.VisibleFields(reflect.TypeFor[dataset.RecordOptions]()), func(f reflect.StructField) bool { return f.Anonymous })
	for _, field := range fields {
		var had, now dataset.RecordOptions
		switch v := reflect.ValueOf(&had).Elem().FieldByName(field.Name); v.Interface().(type) {
		case string:
			v.SetString("x")
		case bool:
			v.SetBool(true)
		case int, int64:
			v.SetInt(1)
		case []string:
			v.Set(reflect.ValueOf([]string{"x"}))
		case facts.TimeBound:
			v.Set(reflect.ValueOf(facts.SinceStart(1)))
		case []selection.Need:
			v.Set(reflect.ValueOf([]selection.Need{{Table: "x"}}))
		case *catalog.Descriptions:
			v.Set(reflect.ValueOf(&catalog.Descriptions{All: "x", Used: []catalog.Description{{Kind: catalog.ManifestDescription, Name: "x", Fingerprint: "y"}}}))
		default:
			t.Errorf("%s: a %v", field.Name, field.Type)
		}
		if difference(&had, &now, nil) == nil {
			t.Errorf("%s: does not differ", field.Name)
		}
	}
}

// TestRefused converts again with other options. The dataset stays unchanged without
// --force, even if the input or the program has changed.
func TestRefused(t *testing.T) {
	t.Parallel()
	data := indextest.RandomTrace(t, testenv.Seeded("refused"), indextest.Shapes["in order"])
	narrow := testOptions
	narrow.Selection.Events, narrow.Selection.Tables = []string{"*"}, []string{"*_header"}
	narrow.Payload = rows.PayloadNone
	options := []Option{OptionPayload, OptionEvents, OptionTables}
	for name, change := range map[string]func(t *testing.T, path string, o *Options){
		"nothing else": func(*testing.T, string, *Options) {},
		"input": func(t *testing.T, path string, _ *Options) {
			testenv.WriteFile(t, path, newTraceOfEvents(t, 3))
		},
		"version": func(_ *testing.T, _ string, o *Options) { o.Tool = "newer" },
	} {
		for _, first := range []Options{testOptions, narrow} {
			path := indextest.Write(t, "a.etl", data)
			root := filepath.Join(t.TempDir(), "out")
			convertTo(t, root, path, first)
			now := narrow
			if first.Payload == narrow.Payload {
				now = testOptions
			}
			change(t, path, &now)
			var different *DifferentError
			unchangedBy(t, root, func(d *Dataset) error {
				_, err := convertFile(t.Context(), d, path, "t", now)
				if !errors.As(err, &different) {
					t.Fatalf("%s: error %v", name, err)
				}
				if _, _, again := d.Converted(t.Context(), pipeline.Input{Size: -1}, "t", &now); !errors.As(again, &different) {
					t.Errorf("%s: unknown size: error %v", name, again)
				}
				return err
			}, nil)
			var got []Option
			for _, d := range different.Differences {
				got = append(got, d.Option)
			}
			if !slices.Equal(got, options) {
				t.Errorf("%s: differences %v, want %v", name, got, options)
			}
			now.Force = true
			convertTo(t, root, path, now)
			fresh := filepath.Join(t.TempDir(), "out")
			convertTo(t, fresh, path, now)
			if diff := cmp.Diff(sums(testenv.Files(t, fresh)), sums(testenv.Files(t, root))); diff != "" {
				t.Errorf("%s, by force: -fresh +this:\n%s", name, diff)
			}
		}
	}
}

// TestRefusedDamaged converts a trace again with other options after a file was deleted: the
// other files stay.
func TestRefusedDamaged(t *testing.T) {
	t.Parallel()
	path := indextest.Write(t, "a.etl", indextest.RandomTrace(t, testenv.Seeded("refused"), indextest.Shapes["in order"]))
	root := newDataset(t, path)
	if err := os.Remove(filepath.Join(root, partPath("event_header", "t"))); err != nil {
		t.Fatal(err)
	}
	o := testOptions
	o.Selection.Events = []string{"NoSuch"}
	unchangedBy(t, root, func(d *Dataset) error {
		_, err := convertFile(t.Context(), d, path, "t", o)
		return err
	}, nil)
}

// TestRefusedInBundles converts bundled traces again with other options: they are refused,
// unless forced, and new traces are converted.
func TestRefusedInBundles(t *testing.T) {
	t.Parallel()
	all := mixedTraces(t)[:4]
	narrow := testOptions
	narrow.Selection.Providers = []string{"*"}
	const refused = "it was converted before with other options: providers"
	root := t.TempDir()
	bundleAll(t.Context(), t, root, math.MaxInt64, all[:3], testOptions)
	group := sums(testenv.Files(t, root))
	changed := named(all[1].name, newTraceOfEvents(t, 5))
	changed.time = time.Unix(5, 0)

	// The second has changed as well, and the last is new.
	got := bundleAll(t.Context(), t, root, math.MaxInt64, []namedTrace{all[0], changed, all[3]}, narrow)
	if diff := cmp.Diff(outcomes{all[0].name: refused, all[1].name: refused, all[3].name: "converted"}, got); diff != "" {
		t.Error(diff)
	}
	now := sums(testenv.Files(t, root))
	for name, sum := range group {
		if now[name] != sum {
			t.Errorf("%s was changed", name)
		}
	}
	// Each bundle records its own options.
	got = bundleAll(t.Context(), t, root, math.MaxInt64, all, testOptions)
	if diff := cmp.Diff(outcomes{all[0].name: "skipped", all[1].name: "skipped", all[2].name: "skipped", all[3].name: refused}, got); diff != "" {
		t.Error(diff)
	}
	narrow.Force = true
	got = bundleAll(t.Context(), t, root, math.MaxInt64, all[:3], narrow)
	if diff := cmp.Diff(outcomes{all[0].name: "converted", all[1].name: "converted", all[2].name: "converted"}, got); diff != "" {
		t.Error(diff)
	}
}
