package bundle

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/etl2parquet/etl2parquet/decode/etltest"
	"github.com/etl2parquet/etl2parquet/internal/engine/index/indextest"
	"github.com/etl2parquet/etl2parquet/internal/formats/parquet"
	"github.com/etl2parquet/etl2parquet/internal/lake/dataset"
	"github.com/etl2parquet/etl2parquet/internal/lake/store"
	"github.com/etl2parquet/etl2parquet/internal/lake/views"
	"github.com/etl2parquet/etl2parquet/tools/testenv"
)

// twoTraces returns a dataset of the traces a and b, with views.
func twoTraces(t *testing.T) string {
	t.Helper()
	root := filepath.Join(t.TempDir(), "out")
	d := openDataset(t, root)
	for name, text := range map[string]string{"a": "trace\nevent64 id=1\nevent64 id=2", "b": "trace\nevent64 id=3\nsystem64 hook=0x524"} {
		if _, err := convertFile(t.Context(), d, indextest.Write(t, name+".etl", etltest.MustParse(t, text)), name, testOptions); err != nil {
			t.Fatal(err)
		}
	}
	if err := views.Write(t.Context(), d.Dataset); err != nil {
		t.Fatal(err)
	}
	return root
}

// check returns the findings of a check as lines.
func check(t *testing.T, root string, fast bool) (lines []string, result *dataset.CheckResult) {
	t.Helper()
	d := openDataset(t, root)
	result, err := d.Check(t.Context(), dataset.CheckOptions{Fast: fast}, func(f *dataset.Finding) error {
		lines = append(lines, fmt.Sprintf("%s %s %s", f.Severity, f.Code, f.File))
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return lines, result
}

const partOfA = "event_header/a.parquet"

// editRecord changes the record of the trace a.
func editRecord(t testing.TB, root, trace string, edit func(r *dataset.Record)) {
	t.Helper()
	path := filepath.Join(root, recordPath(trace))
	text := testenv.ReadFile(t, path)
	var r dataset.Record
	if err := json.Unmarshal(text, &r); err != nil {
		t.Fatal(err)
	}
	edit(&r)
	text, err := json.Marshal(&r)
	if err != nil {
		t.Fatal(err)
	}
	writeTo(t, root, recordPath(trace), string(text))
}

func writeTo(t testing.TB, root, name, contents string) {
	t.Helper()
	testenv.WriteFile(t, filepath.Join(root, filepath.FromSlash(name)), contents)
}

// editFile changes the first file of the trace a that holds events.
func editFile(t *testing.T, root string, edit func(b []byte) []byte) {
	t.Helper()
	b := testenv.ReadFile(t, filepath.Join(root, filepath.FromSlash(partOfA)))
	writeTo(t, root, partOfA, string(edit(b)))
}

// copyPart adds a copy of a file that this program wrote to a dataset.
func copyPart(t *testing.T, root, name string) {
	t.Helper()
	b := testenv.ReadFile(t, filepath.Join(root, filepath.FromSlash(partOfA)))
	writeTo(t, root, name, string(b))
}

func removeFrom(t *testing.T, root, name string) {
	t.Helper()
	if err := os.Remove(filepath.Join(root, filepath.FromSlash(name))); err != nil {
		t.Fatal(err)
	}
}

// TestCheck checks the findings for every kind of damage to a dataset.
func TestCheck(t *testing.T) {
	t.Parallel()
	otherTrace := "event_header/c.parquet"
	for name, test := range map[string]struct {
		damage func(t *testing.T, root string)
		deep   []string
		fast   []string // nil: the same as deep
	}{
		"nothing": {func(*testing.T, string) {}, nil, nil},
		"file deleted": {func(t *testing.T, root string) { removeFrom(t, root, partOfA) },
			[]string{"error file_missing " + partOfA}, nil},
		"file cut": {func(t *testing.T, root string) { editFile(t, root, func(b []byte) []byte { return b[:len(b)/2] }) },
			[]string{"error size_differs " + partOfA}, nil},
		"file longer": {func(t *testing.T, root string) { editFile(t, root, func(b []byte) []byte { return append(b, 0) }) },
			[]string{"error size_differs " + partOfA}, nil},
		"file empty": {func(t *testing.T, root string) {
			editFile(t, root, func(b []byte) []byte { return nil })
			editRecord(t, root, "a", func(r *dataset.Record) { fileOf(r, partOfA).Bytes = 0 })
		}, []string{"error file_damaged " + partOfA}, nil},
		"bit flipped": {func(t *testing.T, root string) {
			editFile(t, root, func(b []byte) []byte { b[len(b)/4] ^= 4; return b })
		}, []string{"error contents_differ " + partOfA}, []string{}},
		"end overwritten": {func(t *testing.T, root string) {
			editFile(t, root, func(b []byte) []byte { return append(b[:len(b)-4], "PARE"...) })
		}, []string{"error file_damaged " + partOfA}, nil},
		"footer overwritten": {func(t *testing.T, root string) {
			editFile(t, root, func(b []byte) []byte { copy(b[len(b)-400:len(b)-8], bytes.Repeat([]byte{0xff}, 392)); return b })
		}, []string{"error file_damaged " + partOfA}, nil},
		"rows differ": {func(t *testing.T, root string) {
			editRecord(t, root, "a", func(r *dataset.Record) { fileOf(r, partOfA).Rows-- })
		},
			[]string{"error rows_differ " + partOfA, "error rows_differ _traces/a.json"}, nil},
		"events differ": {func(t *testing.T, root string) {
			editRecord(t, root, "a", func(r *dataset.Record) { r.Traces[0].Events++ })
		},
			[]string{"error rows_differ _traces/a.json"}, nil},
		"events selected": {func(t *testing.T, root string) {
			editRecord(t, root, "a", func(r *dataset.Record) { r.Traces[0].Events++; r.Options.Events = []string{"x"} })
		}, nil, nil},
		"more events selected than the trace has": {func(t *testing.T, root string) {
			editRecord(t, root, "a", func(r *dataset.Record) { r.Traces[0].Events = 1; r.Options.Events = []string{"x"} })
		}, []string{"error rows_differ _traces/a.json"}, nil},
		"record deleted": {func(t *testing.T, root string) { removeFrom(t, root, recordPath("a")) },
			eachFileOf("a", "error no_record "), nil},
		"record is not JSON":        {func(t *testing.T, root string) { writeTo(t, root, recordPath("a"), "{") }, []string{"error record_damaged _traces/a.json"}, nil},
		"record of a later version": {func(t *testing.T, root string) { writeTo(t, root, recordPath("a"), `{"format": 9}`) }, []string{"error record_damaged _traces/a.json"}, nil},
		"record renamed":            {func(t *testing.T, root string) { editRecord(t, root, "a", func(r *dataset.Record) { r.Part = "b" }) }, []string{"error record_damaged _traces/a.json"}, nil},
		"record names a file above": {func(t *testing.T, root string) {
			editRecord(t, root, "a", func(r *dataset.Record) { r.Files[0].File = "../x/a.parquet" })
		}, []string{"error record_damaged _traces/a.json", "error no_record buffers/a.parquet"}, nil},
		"record names a file twice": {func(t *testing.T, root string) {
			editRecord(t, root, "a", func(r *dataset.Record) { r.Files[1] = r.Files[0] })
		}, []string{"error record_damaged _traces/a.json", "error no_record " + partOfA}, nil},
		"record names b's file": {func(t *testing.T, root string) {
			editRecord(t, root, "a", func(r *dataset.Record) { r.Files[0].File = "buffers/b.parquet" })
		}, []string{"error record_damaged _traces/a.json", "error no_record buffers/a.parquet"}, nil},
		"record without sums": {func(t *testing.T, root string) {
			editRecord(t, root, "a", func(r *dataset.Record) { r.Files[0].CRC32C = "" })
		}, []string{"error record_damaged _traces/a.json"}, nil},
		"file without a trace": {func(t *testing.T, root string) { copyPart(t, root, otherTrace) }, []string{"error no_record " + otherTrace}, nil},
		"file without a table": {func(t *testing.T, root string) { copyPart(t, root, "events/x/y/a.parquet") },
			[]string{"error no_record events/x/y/a.parquet"}, nil},
		"foreign in a table": {func(t *testing.T, root string) { writeTo(t, root, "event_header/mine.parquet", "x") },
			[]string{"error unknown_file event_header/mine.parquet"}, nil},
		"foreign below a table": {func(t *testing.T, root string) { copyPart(t, root, "event_header/x/mine.parquet") },
			[]string{"error unknown_file event_header/x/mine.parquet"}, nil},
		"a trace twice": {func(t *testing.T, root string) {
			writeTo(t, root, recordPath("bundle_0123456789abcdef"), `{"format": 4, "part": "bundle_0123456789abcdef", "traces": [{"trace": "a"}], "options": {"tables": ["x"]}}`)
		}, []string{"error trace_twice _traces/bundle_0123456789abcdef.json"}, nil},
		"foreign": {func(t *testing.T, root string) {
			writeTo(t, root, "README.md", "x")
			writeTo(t, root, "mine/x.parquet", "x")
			writeTo(t, root, "event_header/_SUCCESS", "x")
		}, []string{"info unknown_file README.md", "info unknown_file event_header/_SUCCESS", "info unknown_file mine/x.parquet"}, nil},
		"temporary": {func(t *testing.T, root string) {
			writeTo(t, root, "event_header/.c.parquet.0123456789abcdef.tmp", "x")
			writeTo(t, root, "_traces/.a.json.tmp", "x")
		}, []string{"info temporary_file _traces/a.json", "info temporary_file event_header/c.parquet"}, nil},
		"foreign temporary": {func(t *testing.T, root string) { writeTo(t, root, "mine/.x.tmp", "x") }, []string{"info unknown_file mine/.x.tmp"}, nil},
		"empty folder":      {func(t *testing.T, root string) { mkdirIn(t, root, "events/x/y") }, []string{"info empty_folder events/x/", "info empty_folder events/x/y/"}, nil},
		"foreign folder":    {func(t *testing.T, root string) { mkdirIn(t, root, "mine/x") }, nil, nil},
		"no views":          {func(t *testing.T, root string) { removeFrom(t, root, viewsName) }, []string{"info views_missing views.sql"}, nil},
		"no records": {func(t *testing.T, root string) {
			if err := os.RemoveAll(root); err != nil {
				t.Fatal(err)
			}
		}, []string{"error no_trace _traces"}, nil},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			root := twoTraces(t)
			test.damage(t, root)
			for _, fast := range []bool{false, true} {
				want := test.deep
				if fast && test.fast != nil {
					want = test.fast
				}
				got, result := check(t, root, fast)
				if diff := cmp.Diff(slices.Clone(want), got, emptyIsNil); diff != "" {
					t.Errorf("fast %t: -want +found:\n%s", fast, diff)
				}
				isWrong := slices.ContainsFunc(want, func(line string) bool { return strings.HasPrefix(line, "error ") })
				if result.Whole() == isWrong || result.Errors+result.Notes != int64(len(want)) {
					t.Errorf("fast %t: %+v", fast, result)
				}
			}
		})
	}
}

var emptyIsNil = cmp.Transformer("length", func(lines []string) []string { return append([]string{}, lines...) })

func fileOf(r *dataset.Record, name string) *dataset.RecordFile {
	for i := range r.Files {
		if r.Files[i].File == name {
			return &r.Files[i]
		}
	}
	panic(name)
}

// eachFileOf returns a line for each file of a trace in the dataset of twoTraces.
func eachFileOf(trace, line string) (lines []string) {
	for _, table := range []string{"buffers", "event_header", "event_types", "events/EventTrace/Header", "providers", "system_trace_header", "traces"} {
		lines = append(lines, line+partPath(table, trace))
	}
	return lines
}

func mkdirIn(t *testing.T, root, name string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Join(root, filepath.FromSlash(name)), 0o777); err != nil {
		t.Fatal(err)
	}
}

// TestCheckFlips flips bits anywhere in the files of a dataset. The check finds each,
// and names the file.
func TestCheckFlips(t *testing.T) {
	t.Parallel()
	root := twoTraces(t)
	r := testenv.Seeded("flips")
	files := testenv.Files(t, root)
	names := slices.DeleteFunc(slices.Sorted(maps.Keys(files)), func(name string) bool { return !strings.HasSuffix(name, ".parquet") })
	for range 200 {
		name := names[r.IntN(len(names))]
		contents := []byte(files[name])
		bit := r.IntN(8 * len(contents))
		contents[bit/8] ^= 1 << (bit % 8)
		writeTo(t, root, name, string(contents))
		if lines, _ := check(t, root, false); len(lines) != 1 || !strings.HasPrefix(lines[0], "error ") || !strings.HasSuffix(lines[0], " "+name) {
			t.Errorf("bit %d of %s: found %v", bit, name, lines)
		}
		writeTo(t, root, name, files[name])
	}
}

// TestCheckHostile checks hostile records and footers: they are reported quickly and
// cost no memory.
func TestCheckHostile(t *testing.T) {
	t.Parallel()
	root := twoTraces(t)
	r := testenv.Seeded("hostile")
	files := testenv.Files(t, root)
	for i := range 300 {
		name := []string{recordPath("a"), partOfA}[i%2]
		contents := []byte(files[name])
		for range 1 + r.IntN(4) {
			contents[len(contents)-1-r.IntN(min(len(contents), 1200))] = byte(r.UintN(256))
		}
		writeTo(t, root, name, string(contents))
		check(t, root, true)
		writeTo(t, root, name, files[name])
	}
}

// FuzzFooter reads any footer: the number of rows is never negative, and false claims
// cost nothing. (The Parquet library allocates gigabytes for some of the seeds.)
func FuzzFooter(f *testing.F) {
	f.Add([]byte("PAR1\x15\x04\x15\x06\x16\x04\x1c\x16\x04\x00\x00\x0b\x00\x00\x00PAR1"))
	f.Add([]byte("PAR1\x15\x04\x26\x04\x19\x1c\x36\x04\x00\x00\x0a\x00\x00\x00PAR1"))
	f.Add([]byte("PAR1\x15\x02\x19\xfc\xff\xff\xff\xff\x0f\x0c\x0a\x00\x00\x00PAR1"))
	f.Add([]byte("PAR1\x1b\xff\xff\xff\xff\x0f\x33\x00\x08\x00\x00\x00PAR1"))
	f.Fuzz(func(t *testing.T, data []byte) {
		if footer, err := parquet.ReadFooter(bytes.NewReader(data), int64(len(data))); err == nil && footer.Rows < 0 {
			t.Errorf("%d rows", footer.Rows)
		}
	})
}

// TestClean checks that clean removes exactly the files that do not belong to the dataset.
func TestClean(t *testing.T) {
	t.Parallel()
	temporary := []string{"event_header/.c.parquet.0123456789abcdef.tmp", "_traces/.c.json.tmp", ".views.sql.tmp"}
	uncommitted := []string{"event_header/d.parquet", "events/p/e/a.parquet", partPath("event_header", "bundle_0123456789abcdef_1")}
	foreign := map[string]string{
		"README.md": "x", "mine/.x.tmp": "x", "event_header/mine.parquet": "x", "event_header/x/mine.parquet": "x", "_traces/notes.txt": "x",
		"a/b/c.parquet": "of no table", "events/x/c.parquet": "of no table",
	}
	for _, damagedRecord := range []bool{false, true} {
		root := twoTraces(t)
		if damagedRecord { // its files may be intact
			writeTo(t, root, recordPath("b"), "{")
		}
		want := testenv.Files(t, root)
		for name, contents := range foreign {
			writeTo(t, root, name, contents)
			want[name] = contents
		}
		for _, name := range temporary {
			writeTo(t, root, name, "x")
		}
		for _, name := range uncommitted {
			copyPart(t, root, name)
		}
		mkdirIn(t, root, "events/x/y")
		mkdirIn(t, root, "mine/empty")
		d := openDataset(t, root)
		before := sums(testenv.Files(t, root))
		for _, dryRun := range []bool{true, false} {
			var removed []string
			kept, err := d.Clean(t.Context(), dataset.CleanOptions{DryRun: dryRun, Active: dataset.ActiveTime}, func(s *dataset.Stray) { removed = append(removed, s.Name) })
			if err != nil || kept > 0 {
				t.Errorf("%d kept, %v", kept, err)
			}
			if len(removed) != len(temporary)+len(uncommitted)+1 { // and a folder
				t.Errorf("removed %q", removed)
			}
			after := sums(testenv.Files(t, root))
			if dryRun {
				if diff := cmp.Diff(before, after); diff != "" {
					t.Errorf("a dry run changed files:\n%s", diff)
				}
			} else if diff := cmp.Diff(sums(want), after); diff != "" {
				t.Errorf("-want +left:\n%s", diff)
			}
		}
		if _, err := os.Stat(filepath.Join(root, "events/x/y")); !os.IsNotExist(err) {
			t.Errorf("the empty folder: %v", err)
		}
		if _, err := os.Stat(filepath.Join(root, "mine/empty")); err != nil {
			t.Errorf("the foreign folder: %v", err)
		}
	}
}

// TestCleanBesideOthers checks that clean keeps files that another run may be writing, unless they are old.
func TestCleanBesideOthers(t *testing.T) {
	t.Parallel()
	root := twoTraces(t)
	other := store.NewFolder(root)
	if err := NewDataset(other).Begin(t.Context()); err != nil {
		t.Fatal(err)
	}
	defer other.Close()
	file, err := other.Create(t.Context(), "traces/c.parquet")
	if err != nil {
		t.Fatal(err)
	}
	const old, recent = "traces/d.parquet", "traces/e.parquet"
	copyPart(t, root, old)
	copyPart(t, root, recent)
	then := time.Now().Add(-2 * dataset.ActiveTime)
	if err := os.Chtimes(filepath.Join(root, old), then, then); err != nil {
		t.Fatal(err)
	}
	d := openDataset(t, root)
	var removed []string
	kept, err := d.Clean(t.Context(), dataset.CleanOptions{Active: dataset.ActiveTime}, func(s *dataset.Stray) { removed = append(removed, s.Name) })
	if err != nil || kept != 1 || !slices.Equal(removed, []string{old}) {
		t.Errorf("%d kept, removed %q, %v", kept, removed, err)
	}
	if _, err := file.Stage(t.Context()); err != nil {
		t.Error(err)
	}
	if err := file.Publish(t.Context()); err != nil {
		t.Errorf("a file of another run is gone: %v", err)
	}
}
