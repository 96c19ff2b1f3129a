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

	"github.com/etl2parquet/etl2parquet/internal/inputs"
	"github.com/etl2parquet/etl2parquet/internal/lake/store/storetest"
	"github.com/etl2parquet/etl2parquet/tools/testenv"
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
	data := testenv.ReadFile(t, sample)
	copyFile(t, sample, filepath.Join(deep, "x.etl"))
	copyFile(t, sample, filepath.Join(folder, "y.etl"))
	zipped, gzipped, empty := filepath.Join(folder, "two.zip"), filepath.Join(folder, "a", "z.etl.gz"), filepath.Join(t.TempDir(), "empty.etl")
	writeZip(t, zipped, data, "one.etl", "in/other.etl", "readme.txt")
	writeGzip(t, gzipped, data)
	testenv.WriteFile(t, empty, "")
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
	folder := filepath.Dir(testenv.Shared(t, "traces/gcevents.etl"))
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

// TestDamage reads a trace that is cut in the middle: the query tells nothing, unless it is strict, and
// etl_tables and etl_problems tell what was lost.
func TestDamage(t *testing.T) {
	loaded(t)
	data := testenv.ReadFile(t, sample)
	cut := filepath.Join(t.TempDir(), "cut.etl")
	testenv.WriteFile(t, cut, data[:len(data)/2-100])
	both := "[" + quoted(cut) + ", " + quoted(sample) + "]"
	eachVersion(t, func(t *testing.T, version string) {
		a := session(t, version, sql(
			"SELECT trace, count(*) > 0 FROM read_etl("+both+") GROUP BY ALL ORDER BY 1",
			"SELECT DISTINCT trace, errors > 0 FROM etl_tables("+both+") ORDER BY 1",
			"SELECT DISTINCT trace, severity FROM etl_problems("+both+") WHERE severity = 'error'",
			"SELECT count(*) FROM read_etl("+both+", strict := true)",
			"SELECT count(*) FROM etl.processes("+quoted(cut)+", strict := true)",
			"SELECT count(*) FROM read_etl(["+quoted(sample)+", "+quoted(cut)+"], strict := true, ignore_errors := true)",
		)...)
		for i, want := range [][][]string{{{"cut", "True"}, {"sample", "True"}}, {{"cut", "True"}, {"sample", "False"}}, {{"cut", "error"}}} {
			if diff := cmp.Diff(want, a[i].Rows); diff != "" {
				t.Errorf("statement %d: %s%s", i, a[i].Error, diff)
			}
		}
		for i := 3; i < len(a); i++ {
			if !strings.Contains(a[i].Error, "cut.etl: the trace is damaged: ") {
				t.Errorf("strict: rows %v, error %q", a[i].Rows, a[i].Error)
			}
		}
	})
}

// TestBucket reads objects of a bucket.
func TestBucket(t *testing.T) {
	loaded(t)
	storetest.MinIO(t)
	data := testenv.ReadFile(t, sample)
	bucket, err := inputs.NewServers(inputs.ServerOptions{}).Store("s3://" + storetest.Bucket)
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"a/b/x.etl", "y.etl"} {
		f, err := bucket.Create(t.Context(), name)
		if err == nil {
			_, err = f.Write(data)
		}
		if err == nil {
			_, err = f.Stage(t.Context())
		}
		if err == nil {
			err = f.Publish(t.Context())
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	a := session(t, versions[0], sql(
		"SELECT count(*) // 449 FROM 's3://traces/y.etl'",
		"SELECT count(*) // 449, count(DISTINCT filename) FROM read_etl('s3://traces/**/*.etl', filename := true)",
		"SELECT count(*) FROM 's3://traces/absent.etl'",
		"SET allowed_directories = ['s3://traces/a/']",
		"SET enable_external_access = false",
		"SELECT count(*) // 449 FROM 's3://traces/a/b/x.etl'",
		"FROM 's3://traces/y.etl'",
		"FROM read_etl('s3://traces/a/../y.etl')",
	)...)
	for i, want := range [][][]string{{{"1"}}, {{"2", "2"}}, nil, nil, nil, {{"1"}}, nil, nil} {
		wantError := map[int]string{2: "no object has this key", 6: "DuckDB's settings do not allow", 7: "DuckDB's settings do not allow"}[i]
		if diff := cmp.Diff(want, a[i].Rows); i < 3 && diff != "" || !strings.Contains(a[i].Error, wantError) || (a[i].Error == "") != (wantError == "") {
			t.Errorf("statement %d: %s%s", i, a[i].Error, diff)
		}
	}
}

// TestAllTables reads every table that any trace of a folder has, over the whole folder: columns that
// differ between the traces get the wider type.
func TestAllTables(t *testing.T) {
	folder := quoted(filepath.Dir(testenv.Shared(t, "traces/gcevents.etl")))
	list := session(t, versions[0], step{SQL: "SELECT name, sum(rows) FROM etl_tables(" + folder + ") GROUP BY name ORDER BY name"})[0]
	if list.Error != "" {
		t.Fatal(list.Error)
	}
	var steps []step
	for _, row := range list.Rows {
		steps = append(steps, step{SQL: "SELECT count(*), count(hash(t)) FROM read_etl(" + folder + ", name := " + quoted(row[0]) + ", filename := 'file of the row') t"})
	}
	failed := 0
	for i, a := range session(t, versions[0], steps...) {
		want := list.Rows[i][1]
		if a.Error != "" || a.Rows[0][0] != a.Rows[0][1] || want != "None" && want != a.Rows[0][0] {
			failed++
			t.Errorf("%s: rows %v, want %s %s", list.Rows[i][0], a.Rows, want, a.Error)
		}
	}
	t.Logf("%d tables, %d fail", len(steps), failed)
}
