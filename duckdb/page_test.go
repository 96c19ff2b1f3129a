package main_test

import (
	"archive/zip"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/etl2parquet/etl2parquet/tools/testenv"
)

var pageSQL = regexp.MustCompile("(?ms)^```sql\n(.*?)^```$")

// TestPage runs the SQL of docs/duckdb.md, each block in a session of its own in a folder with the
// traces that it names. A statement that the page calls refused must fail, all others must not.
func TestPage(t *testing.T) {
	loaded(t)
	page := testenv.ReadFile(t, "../docs/duckdb.md")
	dir := t.TempDir()
	writePageTraces(t, dir)
	statements := 0
	for _, block := range pageSQL.FindAllStringSubmatch(string(page), -1) {
		steps := []step{{Do: "folder", Path: dir}}
		var refused []bool
		sql := ""
		for line := range strings.Lines(block[1]) {
			code, comment, _ := strings.Cut(line, "--")
			if sql += strings.TrimSpace(code) + "\n"; !strings.HasSuffix(sql, ";\n") {
				continue
			}
			if !strings.HasPrefix(sql, "LOAD ") && !strings.Contains(sql, "s3://") { // the session has loaded it; there is no bucket
				steps = append(steps, step{SQL: strings.ReplaceAll(sql, "/data/", filepath.ToSlash(dir)+"/data/")})
				refused = append(refused, strings.HasPrefix(strings.TrimSpace(comment), "refused"))
			}
			sql = ""
		}
		if len(steps) == 1 {
			continue
		}
		for i, a := range session(t, versions[0], steps...)[1:] {
			statements++
			if (a.Error != "") != refused[i] {
				t.Errorf("%s: error %q, refused by the page: %t", steps[i+1].SQL, a.Error, refused[i])
			}
		}
	}
	t.Logf("%d statements", statements)
	if statements < 15 {
		t.Errorf("only %d statements", statements)
	}
}

// writePageTraces writes the traces that the page names: copies of the sample.
func writePageTraces(t *testing.T, dir string) {
	t.Helper()
	trace := testenv.ReadFile(t, "../testdata/sample.etl")
	for _, name := range []string{"boot.etl", "a.etl", "b.etl", "traces/boot.etl", "traces/logon.etl", "data/traces/boot.etl", "data/other.etl", "pdb/none.pdb"} {
		path := filepath.Join(dir, filepath.FromSlash(name))
		testenv.WriteFile(t, path, trace)
	}
	f, err := os.Create(filepath.Join(dir, "logs.zip"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	w := zip.NewWriter(f)
	member, err := w.Create("boot.etl")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := member.Write(trace); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
}
