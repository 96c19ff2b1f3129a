package main

import (
	"archive/zip"
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/etl2parquet/etl2parquet/tools/testenv"
)

// changingOutput calls a function when a text is printed.
type changingOutput struct {
	bytes.Buffer
	when   string
	change func()
}

func (o *changingOutput) Write(p []byte) (int, error) {
	if o.change != nil && strings.Contains(string(p), o.when) {
		o.change()
		o.change = nil
	}
	return o.Buffer.Write(p)
}

// TestChangedInputs changes an input after the first trace is done and before the second
// begins. The second trace fails and leaves nothing in the dataset.
func TestChangedInputs(t *testing.T) {
	sample := testenv.ReadFile(t, sampleTrace)
	const changed = ": it changed while it was read: convert it again when no program writes to it any more\n"
	for name, test := range map[string]struct {
		inputs []string
		change string // the file that changes
		want   string
	}{
		"file":                {[]string{"a.etl", "b.etl"}, "b.etl", "etl2parquet: b.etl" + changed},
		"stored in archive":   {[]string{"stored.zip"}, "stored.zip", "etl2parquet: stored.zip/b.etl" + changed},
		"packed in archive":   {[]string{"packed.zip"}, "packed.zip", "etl2parquet: packed.zip/b.etl" + changed},
		"unchanged neighbour": {[]string{"a.etl", "b.etl"}, "packed.zip", ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Chdir(t.TempDir())
			for file, contents := range map[string][]byte{
				"a.etl": sample, "b.etl": sample, "stored.zip": zipped(t, zip.Store, sample), "packed.zip": zipped(t, zip.Deflate, sample),
			} {
				testenv.WriteFile(t, file, contents)
			}
			stdout := &changingOutput{when: "449", change: func() {
				file, err := os.OpenFile(test.change, os.O_WRONLY|os.O_APPEND, 0)
				if err != nil {
					t.Fatal(err)
				}
				if _, err := file.WriteString("more"); err != nil {
					t.Error(err)
				}
				if err := file.Close(); err != nil {
					t.Error(err)
				}
			}}
			var stderr bytes.Buffer
			args := append([]string{"convert", "-o", "out", "--bundle", "never", "--workers", "1", "--progress", "none", "--report", "r.json"}, test.inputs...)
			status := run(t.Context(), args, nil, stdout, &stderr)
			failed := test.want != ""
			if want := map[bool]int{true: exitSomeFailed, false: exitDone}[failed]; status != want || stderr.String() != test.want {
				t.Errorf("exit status %d, want %d: %s", status, want, &stderr)
			}
			if stdout.change != nil {
				t.Error("nothing has changed")
			}
			records, err := filepath.Glob("out/*/b*")
			if err != nil || (len(records) == 0) != failed {
				t.Errorf("of b: %v, %v", records, err)
			}
			report, err := os.ReadFile("r.json")
			if err != nil || strings.Contains(string(report), "it changed while it was read") != failed {
				t.Errorf("%v: %s", err, report)
			}
		})
	}
}

// zipped returns an archive with a trace as a.etl and b.etl.
func zipped(t *testing.T, method uint16, trace []byte) []byte {
	t.Helper()
	var archive bytes.Buffer
	w := zip.NewWriter(&archive)
	for _, name := range []string{"a.etl", "b.etl"} {
		entry, err := w.CreateHeader(&zip.FileHeader{Name: name, Method: method})
		if err != nil {
			t.Fatal(err)
		}
		if _, err := entry.Write(trace); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return archive.Bytes()
}
