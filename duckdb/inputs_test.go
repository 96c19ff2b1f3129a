package main_test

import (
	"archive/zip"
	"compress/gzip"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestInputs reads the sample by every kind of name, and two traces of an archive.
func TestInputs(t *testing.T) {
	loaded(t)
	folder := t.TempDir()
	deep := filepath.Join(folder, "a", "b")
	if err := os.MkdirAll(deep, 0o777); err != nil {
		t.Fatal(err)
	}
	data, err := os.ReadFile(sample)
	if err != nil {
		t.Fatal(err)
	}
	copyFile(t, sample, filepath.Join(deep, "x.etl"))
	copyFile(t, sample, filepath.Join(folder, "y.etl"))
	zipped, gzipped, empty := filepath.Join(folder, "two.zip"), filepath.Join(folder, "a", "z.etl.gz"), filepath.Join(t.TempDir(), "empty.etl")
	writeZip(t, zipped, data, "one.etl", "in/other.etl", "readme.txt")
	writeGzip(t, gzipped, data)
	if err := os.WriteFile(empty, nil, 0o666); err != nil {
		t.Fatal(err)
	}
	server := httptest.NewServer(http.FileServer(http.Dir(folder)))
	defer server.Close()
	tests := []struct{ path, want string }{
		{quoted(filepath.Join(deep, "x.etl")), "1"},
		{quoted("file://" + filepath.ToSlash(filepath.Join(deep, "x.etl"))), "1"},
		{quoted(filepath.Join(folder, "**", "*.etl")), "2"},
		{quoted(filepath.Join(folder, "*.etl")), "1"},
		{quoted(zipped), "2"},
		{quoted(gzipped), "1"},
		{quoted(folder), "5"},
		{quoted(server.URL + "/y.etl"), "1"},
		{quoted(server.URL + "/two.zip"), "2"},
		{"[" + quoted(zipped) + ", " + quoted(filepath.Join(deep, "x.etl")) + "]", "3"},
		{"[" + quoted(zipped) + ", " + quoted(empty) + "], ignore_errors := true", "2"},
	}
	var steps []step
	for _, test := range tests {
		for _, table := range []string{"events", "Thread/CSwitch"} {
			steps = append(steps, step{SQL: "SELECT count(*) // " + map[string]string{"events": "449", "Thread/CSwitch": "120"}[table] +
				", count(DISTINCT trace), count(DISTINCT filename), max(processor) IS NOT NULL FROM read_etl(" + test.path + ", name := '" + table + "', filename := true)"})
		}
	}
	steps = append(steps, step{SQL: "SELECT count(*) FROM read_etl([" + quoted(zipped) + ", " + quoted(empty) + "])"})
	eachVersion(t, func(t *testing.T, version string) {
		answers := session(t, version, steps...)
		for i, a := range answers[:len(answers)-1] {
			want := tests[i/2].want
			if diff := cmp.Diff([][]string{{want, want, want, "True"}}, a.Rows); diff != "" {
				t.Errorf("%s: %s%s", steps[i].SQL, a.Error, diff)
			}
		}
		if last := answers[len(answers)-1]; !strings.Contains(last.Error, "empty.etl: ") || !strings.Contains(last.Error, "ignore_errors := true") {
			t.Errorf("an empty file: %v %q", last.Rows, last.Error)
		}
	})
}

func writeZip(t testing.TB, path string, data []byte, names ...string) {
	t.Helper()
	f, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	z := zip.NewWriter(f)
	for _, name := range names {
		w, err := z.Create(name)
		if err == nil && strings.HasSuffix(name, ".etl") {
			_, err = w.Write(data)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
}

func writeGzip(t testing.TB, path string, data []byte) {
	t.Helper()
	f, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	z := gzip.NewWriter(f)
	if _, err := z.Write(data); err != nil {
		t.Fatal(err)
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
}

// TestReads counts the bytes that queries over a folder read, as a part of its size. The second query
// of each kind runs in a session of its own, so that nothing is open.
func TestReads(t *testing.T) {
	folder := filepath.Dir(shared(t, "traces/gcevents.etl"))
	files, err := filepath.Glob(filepath.Join(folder, "*.etl"))
	if err != nil {
		t.Fatal(err)
	}
	size := int64(0)
	for _, path := range files {
		info, err := os.Stat(path)
		if err != nil {
			t.Fatal(err)
		}
		size += info.Size()
	}
	for _, test := range []struct {
		statement string
		most      float64
	}{
		{"SELECT count(*) FROM read_etl(" + quoted(folder) + ")", 1.1},
		{"SELECT provider_name, count(*) FROM read_etl(" + quoted(folder) + ") GROUP BY ALL", 1.3},
		{"SELECT count(*), max(time_ns) FROM read_etl(" + quoted(folder) + ", name := 'Thread/CSwitch')", 1.3},
		{"SELECT event_ref FROM read_etl(" + quoted(folder) + ") LIMIT 1", 0.5},
	} {
		a := session(t, versions[0], step{Do: "cost", Statement: test.statement})[0]
		of := float64(a.Bytes) / float64(size)
		t.Logf("%s: %.2f of %d bytes", test.statement, of, size)
		if a.Error != "" || of > test.most {
			t.Errorf("%s: reads %.2f of the folder, want at most %.2f %s", test.statement, of, test.most, a.Error)
		}
	}
}
