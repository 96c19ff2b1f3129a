package main

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"io"
	"maps"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"
	"github.com/rogpeppe/go-internal/testscript"

	"github.com/etl2parquet/etl2parquet/tools/testenv"
)

// pack is the command that makes an archive of files; the archive's name sets its kind.
func pack(ts *testscript.TestScript, _ bool, args []string) {
	var names, contents []string
	for _, name := range args[1:] {
		names = append(names, name)
		contents = append(contents, ts.ReadFile(name))
	}
	b, err := packed(args[0], names, contents)
	ts.Check(err)
	ts.Check(os.WriteFile(ts.MkAbs(args[0]), b, 0o666))
}

// packed makes an archive, or a compressed file of the first contents.
func packed(archive string, names, contents []string) ([]byte, error) {
	var out bytes.Buffer
	var w io.WriteCloser = nopCloser{&out}
	switch filepath.Ext(archive) {
	case ".zip":
		err := zipTo(&out, names, contents)
		return out.Bytes(), err
	case ".7z":
		return sevenZip(names, contents)
	case ".cab":
		return cabinet(names, contents)
	case ".gz", ".tgz":
		w = gzip.NewWriter(&out)
	case ".zst":
		z, err := zstd.NewWriter(&out)
		if err != nil {
			return nil, err
		}
		w = z
	}
	if strings.Contains(archive, ".tar") {
		if err := tarTo(w, names, contents); err != nil {
			return nil, err
		}
	} else if _, err := io.WriteString(w, contents[0]); err != nil {
		return nil, err
	}
	err := w.Close()
	return out.Bytes(), err
}

// mustPack is packed, but fails the test on an error.
func mustPack(t testing.TB, archive string, names, contents []string) string {
	t.Helper()
	b, err := packed(archive, names, contents)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

type nopCloser struct{ io.Writer }

func (nopCloser) Close() error { return nil }

func zipTo(w io.Writer, names, contents []string) error {
	z := zip.NewWriter(w)
	for i, name := range names {
		f, err := z.Create(name)
		if err != nil {
			return err
		}
		if _, err := io.WriteString(f, contents[i]); err != nil {
			return err
		}
	}
	return z.Close()
}

func tarTo(w io.Writer, names, contents []string) error {
	t := tar.NewWriter(w)
	for i, name := range names {
		if err := t.WriteHeader(&tar.Header{Name: name, Mode: 0o644, Size: int64(len(contents[i]))}); err != nil {
			return err
		}
		if _, err := io.WriteString(t, contents[i]); err != nil {
			return err
		}
	}
	return t.Close()
}

// TestSameDataset checks that the real traces, a folder of them, and archives of it give the
// same bytes in every file, except the commit records, which name the input.
func TestSameDataset(t *testing.T) {
	testenv.Slow(t, "real traces, three times")
	paths := testenv.SharedFiles(t, "traces/*.etl")
	if testenv.Running(t) < testenv.TierAll {
		paths = paths[:3]
	}
	var names, contents []string
	for _, path := range paths {
		b := testenv.ReadFile(t, path)
		names, contents = append(names, filepath.Base(path)), append(contents, string(b))
	}
	dir := t.TempDir()
	in := filepath.Join(dir, "traces")
	if err := os.Mkdir(in, 0o777); err != nil {
		t.Fatal(err)
	}
	for i, name := range names {
		testenv.WriteFile(t, filepath.Join(in, name), contents[i])
	}
	want := datasetOf(t, append(paths, "-o", filepath.Join(dir, "files"), "--workers", "1"), filepath.Join(dir, "files"))
	if len(want) < 10 { // the traces share files
		t.Fatalf("only %d files", len(want))
	}
	for _, name := range []string{"traces", "traces.zip", "traces.tar.zst", "traces.tar", "traces.7z", "traces.cab"} {
		path, out := filepath.Join(dir, name), filepath.Join(dir, name+".out")
		if name != "traces" {
			b, err := packed(name, names, contents)
			if err != nil {
				t.Fatal(err)
			}
			testenv.WriteFile(t, path, b)
		}
		got := datasetOf(t, []string{path, "-o", out, "--temp-dir", dir}, out)
		for file, contents := range want {
			if got[file] != contents {
				t.Errorf("%s: %s differs (%d bytes, want %d)", name, file, len(got[file]), len(contents))
			}
		}
		if len(got) != len(want) {
			t.Errorf("%s: %d files, want %d", name, len(got), len(want))
		}
		t.Logf("%s: %d traces, %d files", name, len(paths), len(got))
		if err := os.RemoveAll(out); err != nil {
			t.Error(err)
		}
	}
}

// datasetOf converts, and returns the files of the dataset without its records.
func datasetOf(t *testing.T, args []string, root string) map[string]string {
	t.Helper()
	var stdout, stderr bytes.Buffer
	if status := run(t.Context(), append([]string{"convert"}, args...), nil, &stdout, &stderr); status != exitDone {
		t.Fatalf("exit status %d: %s", status, &stderr)
	}
	dataset := contents(t, root) // without the root, in the notation of views.sql
	maps.DeleteFunc(dataset, func(name, _ string) bool { return strings.HasPrefix(name, "_traces") })
	return dataset
}
