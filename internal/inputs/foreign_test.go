package inputs

import (
	"archive/zip"
	"bytes"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/etl2parquet/etl2parquet/decode"
	"github.com/etl2parquet/etl2parquet/tools/testenv"
)

const sampleTrace = "../../testdata/sample.etl"

// TestForeign reads a file of each kind that is not a trace: the error names the kind and a
// program that reads it.
func TestForeign(t *testing.T) {
	rest := strings.Repeat("\x00\x01\x02", 2000)
	for _, kind := range foreignKinds {
		path := filepath.Join(t.TempDir(), "kind.etl")
		contents := rest[:kind.at] + kind.begin + rest
		testenv.WriteFile(t, path, contents)
		var failed []error
		r := &Reader{
			Progress: NewProgress(1, int64(len(contents))),
			Visit:    func(tr *Trace) error { t.Errorf("%s is a trace", kind.name); return tr.Close() },
			Fail:     func(_ *File, _ string, err error) { failed = append(failed, err) },
		}
		in := Find([]string{path}, nil, nil, func(_ string, err error) { t.Error(err) })
		if err := r.Each(t.Context(), in.Files); err != nil {
			t.Fatal(err)
		}
		want := " but " + kind.name + ": " + kind.read
		if len(failed) != 1 || !errors.Is(failed[0], decode.ErrNotETL) || !strings.HasSuffix(failed[0].Error(), want) {
			t.Errorf("%q: %v, want %q", contents[:20], failed, want)
		}
	}
}

// TestForeignContents reads files that no first bytes identify, and archives without traces.
func TestForeignContents(t *testing.T) {
	zipOf := func(names ...string) string {
		var packed bytes.Buffer
		z := zip.NewWriter(&packed)
		for _, name := range names {
			w, err := z.Create(name)
			if err == nil {
				_, err = io.WriteString(w, "text")
			}
			if err != nil {
				t.Fatal(err)
			}
		}
		if err := z.Close(); err != nil {
			t.Fatal(err)
		}
		return packed.String()
	}
	for _, test := range []struct{ name, contents, want string }{
		{"empty.etl", "", "not an ETL trace: the file is empty"},
		{"notes.txt", "first line\r\nsecond line\n", "not an ETL trace but a text file: name a manifest, a MOF or a TMF file as a description of events, not as a trace"},
		{"utf16.etl", "\xff\xfea\x00b\x00", "not an ETL trace but a text file: name a manifest, a MOF or a TMF file as a description of events, not as a trace"},
		{"profile.wprp", "<WindowsPerformanceRecorder Version='1'>", "not an ETL trace but a profile of WPR (.wprp): wpr -start takes it, and wpr -stop writes a trace"},
		{"counters.blg", "\x01\x02counters", "not an ETL trace but a log of performance counters (.blg): relog -f csv converts it"},
		{"nothing.zip", zipOf(), "no trace in this archive: it is empty"},
		{"two.zip", zipOf("a.txt", "b/c.log"), "no trace in this archive: it has a.txt, c.log"},
		{"many.zip", zipOf("a", "b", "c", "d"), "no trace in this archive: it has 4 files, such as a, b, c"},
		{"x.diagsession", zipOf("metadata.xml", "u.diaghub"), "no trace in this .diagsession: it has metadata.xml, u.diaghub; its tools recorded no events of Windows, and Visual Studio reads it"},
	} {
		path := filepath.Join(t.TempDir(), test.name)
		testenv.WriteFile(t, path, test.contents)
		var failed []string
		r := &Reader{
			Progress: NewProgress(1, int64(len(test.contents))),
			Visit:    func(tr *Trace) error { t.Errorf("%s is a trace", test.name); return tr.Close() },
			Fail:     func(_ *File, _ string, err error) { failed = append(failed, err.Error()) },
		}
		in := Find([]string{path}, nil, nil, func(_ string, err error) { t.Error(err) })
		if err := r.Each(t.Context(), in.Files); err != nil {
			t.Fatal(err)
		}
		if len(failed) != 1 || failed[0] != test.want {
			t.Errorf("%s: %q, want %q", test.name, failed, test.want)
		}
	}
}

// TestForeignHeadCut reads a stream that fails within the head: the failure is reported, not what the
// first bytes look like.
func TestForeignHeadCut(t *testing.T) {
	want := errors.New("the server is too slow")
	var failed []error
	r := &Reader{
		Stdin:    io.MultiReader(strings.NewReader("text"), failingReader{want}),
		Progress: NewProgress(1, 0),
		Visit:    func(tr *Trace) error { t.Error("it is a trace"); return tr.Close() },
		Fail:     func(_ *File, _ string, err error) { failed = append(failed, err) },
	}
	if err := r.Each(t.Context(), Find([]string{Stdin}, nil, nil, nil).Files); err != nil {
		t.Fatal(err)
	}
	if len(failed) != 1 || !errors.Is(failed[0], want) {
		t.Errorf("failed: %v, want %v", failed, want)
	}
}

type failingReader struct{ err error }

func (f failingReader) Read([]byte) (int, error) { return 0, f.err }

// TestForeignTraces checks that the first bytes of traces do not match another kind of file.
func TestForeignTraces(t *testing.T) {
	for _, path := range append(testenv.SharedOr(t, "traces/*.etl"), sampleTrace) {
		trace, err := os.Open(path)
		if err != nil {
			t.Fatal(err)
		}
		head := make([]byte, 64)
		if _, err := trace.ReadAt(head, 0); err != nil {
			t.Fatal(err)
		}
		trace.Close()
		for _, kind := range foreignKinds {
			if bytes.HasPrefix(head[kind.at:], []byte(kind.begin)) {
				t.Errorf("%s begins like %s", path, kind.name)
			}
		}
	}
}

// TestZeroedStart visits a trace whose first buffer is zeros, which package decode reports as damage.
func TestZeroedStart(t *testing.T) {
	contents := []byte(testenv.ReadFile(t, testenv.Shared(t, "cases/error-codes.etl")))
	clear(contents[:4096])
	path, visited := filepath.Join(t.TempDir(), "zeroed.etl"), 0
	testenv.WriteFile(t, path, string(contents))
	r := &Reader{
		Progress: NewProgress(1, int64(len(contents))),
		Visit:    func(tr *Trace) error { visited++; return tr.Close() },
		Fail:     func(_ *File, _ string, err error) { t.Error(err) },
	}
	in := Find([]string{path}, nil, nil, func(_ string, err error) { t.Error(err) })
	if err := r.Each(t.Context(), in.Files); err != nil || visited != 1 {
		t.Errorf("%d traces: %v", visited, err)
	}
}
