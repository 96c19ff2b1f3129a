package inputs

import (
	"bytes"
	"errors"
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
		if err := os.WriteFile(path, []byte(contents), 0o666); err != nil {
			t.Fatal(err)
		}
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
