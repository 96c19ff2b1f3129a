package dataset

import (
	"encoding/json"
	"errors"
	"io"
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/etl2parquet/etl2parquet/internal/formats/parquet"
	"github.com/etl2parquet/etl2parquet/internal/lake/store/storetest"
)

// TestCommitForeign commits beside files of other programs: they are neither removed nor replaced.
func TestCommitForeign(t *testing.T) {
	for _, test := range []struct{ file, part, want string }{
		{"event_header/t.parquet", "t", "another program wrote event_header/t.parquet: move it away, or convert into another folder"},
		{"traces/t.parquet", "t", ""}, // of a table without a file in this commit
		{"event_header/u.parquet", "t", ""},
		{"traces/" + aBundle + ".parquet", aBundle, ""},
		{"event_header/" + aBundle + ".parquet", aBundle, "another program wrote event_header/" + aBundle + ".parquet: move it away, or convert into another folder"},
	} {
		m := new(storetest.Memory)
		m.Put(test.file, "no Parquet", time.Now())
		o := output(t, loaded(t, m), test.part, tables{"event_header": 1})
		m.Log()
		err := o.Commit(t.Context(), recordOf(test.part, "t"), nil)
		if test.want == "" && err != nil || test.want != "" && (err == nil || err.Error() != test.want) {
			t.Errorf("%s: error %v, want %q", test.file, err, test.want)
		}
		if got := m.Files()[test.file]; got != "no Parquet" {
			t.Errorf("%s is now %.20q", test.file, got)
		}
		if test.want == "" {
			continue
		}
		if log := m.Log(); slices.ContainsFunc(log, func(line string) bool { return strings.HasPrefix(line, "publish") || strings.HasPrefix(line, "remove") }) {
			t.Errorf("%s: %q", test.file, log)
		}
	}
}

// TestCommitHostileRecord replaces a record that names files of other parts: they are kept.
func TestCommitHostileRecord(t *testing.T) {
	m := new(storetest.Memory)
	commit(t, m, "other", tables{"traces": 1, "events/P/E": 1})
	commit(t, m, "t", tables{"traces": 1})
	edit(recordFile("t"), `"files": [`, `"files": [{"file": "events/P/E/other.parquet"}, {"file": "../t.parquet"}, {"file": "`+recordFile("other")+`"}, {"file": "mine/t.parquet"},`)(m)
	m.Put("mine/t.parquet", "mine", time.Now())
	if err := output(t, loaded(t, m), "t", tables{"event_header": 1}).Commit(t.Context(), recordOf("t", "t"), nil); err != nil {
		t.Fatal(err)
	}
	want := []string{recordFile("other"), recordFile("t"), "event_header/t.parquet", "events/P/E/other.parquet", "mine/t.parquet", "traces/other.parquet"}
	if diff := cmp.Diff(want, slices.Sorted(maps.Keys(m.Files()))); diff != "" {
		t.Errorf("-want +left:\n%s", diff)
	}
}

// TestOutputFiles checks the names of files, and which files are abandoned.
func TestOutputFiles(t *testing.T) {
	m := new(storetest.Memory)
	o := loaded(t, m).NewOutput("t")
	var files []*parquet.File
	for _, table := range []string{"events/P/E", "events/p/e", "event_header", "events/P/E"} {
		files = append(files, addFile(t, o, table, 1))
	}
	if o.Len() != 4 {
		t.Errorf("%d files", o.Len())
	}
	if err := o.AbandonFiles(t.Context(), errFull, func(f *parquet.File) bool { return f == files[3] || f == files[2] }); err != errFull {
		t.Errorf("error %v", err)
	}
	addFile(t, o, "event_header", 2)
	addFile(t, o, "EVENTS/P/E", 2)
	want := []string{
		"create events/P/E/t.parquet", "create events/p/e/t_1.parquet", "create event_header/t.parquet", "create events/P/E/t_2.parquet",
		"discard event_header/t.parquet", "discard events/P/E/t_2.parquet", "create event_header/t.parquet", "create EVENTS/P/E/t_2.parquet",
	}
	slices.Sort(want[:4])
	slices.Sort(want[6:])
	if diff := cmp.Diff(want, m.Log()); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
	m.FailAt(func(operation string) error {
		if strings.HasPrefix(operation, "discard") {
			return errors.New("no network")
		}
		return nil
	})
	if err := o.AbandonFiles(t.Context(), errFull, func(f *parquet.File) bool { return f == files[0] }); !errors.Is(err, errFull) || !errors.Is(err, errLeft) {
		t.Errorf("error %v", err)
	}
	m.FailAt(nil)
	if err := o.Discard(t.Context()); err != nil || o.Len() != 3 {
		t.Errorf("%d files, %v", o.Len(), err)
	}
	m.FailAt(func(operation string) error { return errFull })
	if _, err := o.Create(t.Context(), files[0]); err != errFull || o.Len() != 3 {
		t.Errorf("%d files, %v", o.Len(), err)
	}
}

// TestCommitRecord checks the record that a commit writes.
func TestCommitRecord(t *testing.T) {
	m := new(storetest.Memory)
	for range 2 { // the second replaces the first
		d := loaded(t, m)
		r := recordOf("t")
		r.Traces = []TraceRecord{{Trace: "t", Events: 5, Rows: 5}}
		of := tables{"event_header": 3, "system_trace_header": 2, "events/P/E": 7, "traces": 1}
		if err := output(t, d, "t", of).Commit(t.Context(), r, nil); err != nil {
			t.Fatal(err)
		}
	}
	text := m.Files()[recordFile("t")]
	golden(t, "record", text)
	var r Record
	if err := json.Unmarshal([]byte(text), &r); err != nil {
		t.Fatal(err)
	}
	for _, f := range r.Files {
		contents := m.Files()[f.File]
		if sum := parquet.Checksum(0).Add([]byte(contents)).String(); sum != f.CRC32C || int64(len(contents)) != f.Bytes {
			t.Errorf("%s has %d bytes and the checksum %s: %+v", f.File, len(contents), sum, f)
		}
	}
}

// TestWriteFile writes a small file, and lets each operation fail.
func TestWriteFile(t *testing.T) {
	for _, fails := range []string{"", "create x", "stage x", "publish x", "sync x"} {
		m := new(storetest.Memory)
		m.FailAt(func(operation string) error {
			if operation == fails {
				return errFull
			}
			return nil
		})
		err := New(m).writeFile(t.Context(), "x", func(w io.Writer) error { _, err := io.WriteString(w, "contents"); return err })
		if errors.Is(err, errFull) != (fails != "") {
			t.Errorf("%s fails: %v", fails, err)
		}
		if left, err := m.Leftovers(t.Context()); err != nil || len(left) > 0 {
			t.Errorf("%s fails: left over: %+v, %v", fails, left, err)
		}
		if fails != "" {
			continue
		}
		if log := m.Log(); !slices.Equal(log, []string{"create x", "stage x", "publish x", "sync x"}) || m.Files()["x"] != "contents" {
			t.Errorf("%q, %q", log, m.Files())
		}
	}
}
