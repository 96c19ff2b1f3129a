package main_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/etl2parquet/etl2parquet/tools/testenv"
)

// TestLockedDoors tries to read what DuckDB's settings do not allow, with DuckDB before and after it
// tells extensions its settings, and then what they allow.
func TestLockedDoors(t *testing.T) {
	loaded(t)
	top := t.TempDir()
	allowed, elsewhere := filepath.Join(top, "allowed"), filepath.Join(top, "allowed-not")
	for _, folder := range []string{allowed, elsewhere, filepath.Join(allowed, "linked"), filepath.Join(allowed, "pdb")} {
		if err := os.Mkdir(folder, 0o777); err != nil {
			t.Fatal(err)
		}
	}
	inside, outside, single := filepath.Join(allowed, "x.etl"), filepath.Join(elsewhere, "y.etl"), filepath.Join(elsewhere, "single.etl")
	for _, path := range []string{inside, outside, single} {
		copyFile(t, sample, path)
	}
	manifest, other := filepath.Join(allowed, "x.man"), filepath.Join(elsewhere, "y.man")
	copyFile(t, "../internal/engine/catalog/known.man", manifest)
	copyFile(t, "../internal/engine/catalog/known.man", other)
	text := filepath.Join(elsewhere, "secret.txt")
	testenv.WriteFile(t, text, "secret")
	link, folderLink := filepath.Join(allowed, "linked", "link.etl"), filepath.Join(allowed, "out")
	for to, link := range map[string]string{outside: link, elsewhere: folderLink} {
		if err := os.Symlink(to, link); err != nil {
			t.Skip("this system has no symbolic links: ", err)
		}
	}
	call := func(path, more string) string { return "SELECT count(*) FROM read_etl(" + quoted(path) + more + ")" }
	refused := []string{
		call(outside, ""),
		call(text, ""),
		call("/etc/passwd", ""),
		call(filepath.Join(elsewhere, "absent.etl"), ""), // is there such a file?
		call(allowed+"/../allowed-not/y.etl", ""),
		call(allowed+"/*/../../allowed-not/*.etl", ""),
		call(filepath.Join(elsewhere, "*.etl"), ""),
		call(elsewhere, ""),
		call(link, ""),
		call(filepath.Join(folderLink, "y.etl"), ""),
		call(allowed, ""), // a link in the folder
		call("file://"+filepath.ToSlash(outside), ""),
		call("~/x.etl", ""),
		call("s3://bucket/x.etl", ""),
		call("https://host.invalid/x.etl", ""),
		call(inside, ", manifest := "+quoted(other)),
		call(inside, ", catalog := "+quoted(text)),
		call(inside, ", tmf := "+quoted(elsewhere)),
		call(inside, ", symbols := "+quoted(elsewhere)),
		call(inside, ", symbols := "+quoted("srv*"+elsewhere)),
		call(inside, ", symbols := "+quoted(folderLink+"/../pdb")), // which is that of another folder
		"FROM etl_tables(" + quoted(outside) + ")",
		"SELECT count(*) FROM etl.processes(" + quoted(outside) + ")",
		"FROM " + quoted(outside),
	}
	works := []string{
		call(inside, ""),
		call(filepath.Join(allowed, "*.etl"), ""),
		call(allowed, ", ignore_errors := true"),
		call(single, ""), // allowed_paths
		call("file://"+filepath.ToSlash(inside), ""),
		call(inside, ", manifest := "+quoted(manifest)+", symbols := "+quoted(filepath.Join(allowed, "pdb"))),
		"SELECT count(*) FROM etl.processes(" + quoted(inside) + ")",
		"SELECT ntstatus_name(5)",
	}
	lock := sql("SET allowed_directories = ["+quoted(allowed)+"]", "SET allowed_paths = ["+quoted(single)+"]", "SET enable_external_access = false", "SET lock_configuration = true")
	steps := append(lock, append(sql(refused...), sql(works...)...)...)
	steps = append(steps, step{SQL: "SELECT trace, code, message FROM etl_problems([" + quoted(inside) + ", " + quoted(outside) + "])"})
	answers := session(t, versions[0], steps...)
	for i, a := range answers[:len(lock)] {
		if a.Error != "" {
			t.Errorf("%s: %s", steps[i].SQL, a.Error)
		}
	}
	answers, steps = answers[len(lock):], steps[len(lock):]
	const why = "DuckDB's settings do not allow to read it"
	for i, a := range answers {
		switch isRefused := i < len(refused); {
		case isRefused && !strings.Contains(a.Error, why):
			t.Errorf("%s: rows %v, error %q, want a refusal", steps[i].SQL, a.Rows, a.Error)
		case !isRefused && a.Error != "":
			t.Errorf("%s: %s", steps[i].SQL, a.Error)
		}
	}
	if last := answers[len(answers)-1]; len(last.Rows) != 1 || last.Rows[0][1] != "input_unreadable" || !strings.Contains(last.Rows[0][2], why) {
		t.Errorf("problems: %v %s", last.Rows, last.Error)
	}
	t.Logf("%d tries refused, %d allowed", len(refused), len(works))
}

// TestDisabledFiles disables DuckDB's file system while external access is on.
func TestDisabledFiles(t *testing.T) {
	a := session(t, versions[0], sql("SET disabled_filesystems = 'LocalFileSystem'", "FROM "+quoted(sample))...)
	if !strings.Contains(a[1].Error, "disabled_filesystems has LocalFileSystem") {
		t.Errorf("%v %s", a[1].Rows, a[1].Error)
	}
}
