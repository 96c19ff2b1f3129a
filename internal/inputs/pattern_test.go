package inputs

import (
	"errors"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/etl2parquet/etl2parquet/tools/testenv"
)

func TestPatterns(t *testing.T) {
	dir := t.TempDir()
	t.Chdir(dir)
	for _, name := range []string{"BOOT.ETL", "boot-2.etl", "{5}/x.etl", "{5}.etl", "run[1]/x.etl", "run1/y.etl", "in/Boot.etl", "in/deep/boot.etl", "in/deep/er/note.txt", "Ärger-1.etl"} {
		testenv.WriteFile(t, name, "")
	}
	if err := os.Symlink(dir, filepath.Join("in", "circle")); err != nil {
		t.Logf("without a link to a folder: %v", err)
	}
	for _, test := range []struct {
		pattern string
		fold    bool
		want    []string
	}{
		{"*.etl", false, []string{"boot-2.etl", "{5}.etl", "Ärger-1.etl"}},
		{"*.etl", true, []string{"BOOT.ETL", "boot-2.etl", "{5}.etl", "Ärger-1.etl"}},
		{"Boot*.etl", true, []string{"BOOT.ETL", "boot-2.etl"}},
		{"[a-b]oot?2.[^a-d]tl", true, []string{"boot-2.etl"}},
		{"[A-C]OOT*", false, []string{"BOOT.ETL"}},
		{"ärger-?.ETL", true, []string{"Ärger-1.etl"}},
		{"{5}/*", false, []string{"{5}/x.etl"}},
		{"{*}*", false, []string{"{5}", "{5}.etl"}},
		{"*/*.etl", false, []string{"in/Boot.etl", "run1/y.etl", "run[1]/x.etl", "{5}/x.etl"}},
		{"{5}/?.etl", false, []string{"{5}/x.etl"}},
		{"boot{x,-2,}*.etl", false, []string{"boot-2.etl", "boot-2.etl"}}, // a list has it once
		{"boot{x,}-2.etl", false, []string{"boot-2.etl"}},
		{"{5}.{etl,zip}", false, []string{"{5}.etl"}},
		{"{boot-2,BOOT,absent}.{etl,ETL}", false, []string{"boot-2.etl", "BOOT.ETL"}},
		{"{run1,in/deep}/*.etl", false, []string{"run1/y.etl", "in/deep/boot.etl"}},
		{"{{5},in}", false, []string{"{5}", "in"}},
		{"in/{deep/**,no}/boot.etl", false, []string{"in/deep/boot.etl"}},
		{"run[1]/*.etl", false, []string{"run[1]/x.etl"}},
		{"run[12]/*.etl", false, []string{"run1/y.etl"}},
		{"in/**.etl", false, []string{"in/Boot.etl", "in/deep/boot.etl"}},
		{"in/**oot.etl", false, []string{"in/Boot.etl", "in/deep/boot.etl"}},
		{"**.txt", false, []string{"in/deep/er/note.txt"}},
		{"i*/deep/../*.etl", false, []string{"in/Boot.etl"}},
		{"in/**/boot.etl", false, []string{"in/deep/boot.etl"}},
		{"in/**/boot.etl", true, []string{"in/Boot.etl", "in/deep/boot.etl"}},
		{"**/deep/**/*.*", false, []string{"in/deep/boot.etl", "in/deep/er/note.txt"}},
		{"in/**/er", false, []string{"in/deep/er"}},
		{"no*", false, nil},
		{"nosuch/*", false, nil},
	} {
		for _, under := range []string{"", dir, filepath.Join("..", filepath.Base(dir))} {
			pattern := filepath.Join(under, filepath.FromSlash(test.pattern))
			if under == "" {
				pattern = filepath.FromSlash(test.pattern)
			}
			fold := test.fold || runtime.GOOS == "windows"
			if fold != test.fold {
				continue // the system ignores case
			}
			found, err := filesOf(nil, pattern, fold)
			got := found.paths
			var want []string
			for _, name := range test.want {
				want = append(want, filepath.Join(under, filepath.FromSlash(name)))
			}
			if err != nil || !slices.Equal(got, want) {
				t.Errorf("%s, fold %v: %q, %v; want %q", pattern, test.fold, got, err, want)
			}
		}
	}
	many := strings.Repeat("{a,b}", 12)
	if _, err := filesOf(nil, many, false); err == nil || !strings.Contains(err.Error(), "more than 1000") {
		t.Errorf("%s: %v", many, err)
	}
	for _, pattern := range []string{"[x", "in/[", "a[]", "{a,[x}"} {
		if found, err := filesOf(nil, pattern, false); !errors.Is(err, path.ErrBadPattern) {
			t.Errorf("%s: %q, %v, want an error", pattern, found.paths, err)
		}
	}
}

func TestKeyPatterns(t *testing.T) {
	keys := []string{"2026-1/a.etl", "2026-1/b/c.etl", "2026-1/b/c.txt", "{5}/d.zip", "run[1]/x.etl", "run1/y.etl"}
	for pattern, want := range map[string][]string{
		"2026-*/*.etl":    {"2026-1/a.etl"},
		"2026-*/**":       {"2026-1/a.etl", "2026-1/b/c.etl"},
		"**/*.etl":        {"2026-1/a.etl", "2026-1/b/c.etl", "run[1]/x.etl", "run1/y.etl"},
		"2026-?/**/c.*":   {"2026-1/b/c.etl", "2026-1/b/c.txt"},
		"{5}/*":           {"{5}/d.zip"},
		"{5}/*.{etl,zip}": {"{5}/d.zip"},
		"run[1]/*":        {"run1/y.etl"},
		`run\[1\]/*`:      {"run[1]/x.etl"},
		"**.etl":          {"2026-1/a.etl", "2026-1/b/c.etl", "run[1]/x.etl", "run1/y.etl"},
		"2026-[2-9]/**/*": nil,
	} {
		var got []string
		p, err := parseKeyPattern(pattern)
		if err != nil {
			t.Errorf("%s: %v", pattern, err)
			continue
		}
		for _, key := range keys {
			if p.matches(key) {
				got = append(got, key)
			}
		}
		if !slices.Equal(got, want) {
			t.Errorf("%s: %q, want %q", pattern, got, want)
		}
	}
}

// TestUnreadableFolders checks that a pattern goes on beside a folder that cannot be read, and that
// the folder is reported once.
func TestUnreadableFolders(t *testing.T) {
	dir := t.TempDir()
	root := new(matches)
	locked := &fs.PathError{Op: "open", Path: filepath.Join(dir, "locked"), Err: fs.ErrPermission}
	root.note(filepath.Join(dir, "locked"), locked)
	root.note(filepath.Join(dir, "locked"), locked)
	if len(root.unreadable) != 1 || root.unreadable[0].Err != fs.ErrPermission {
		t.Errorf("%v", root.unreadable)
	}
	if os.Geteuid() <= 0 {
		t.Skip("the user may read every folder")
	}
	for _, name := range []string{"a/1.etl", "locked/2.etl", "z/3.etl"} {
		if err := os.MkdirAll(filepath.Join(dir, filepath.Dir(name)), 0o777); err != nil {
			t.Fatal(err)
		}
		testenv.WriteFile(t, filepath.Join(dir, name), "")
	}
	if err := os.Chmod(filepath.Join(dir, "locked"), 0); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.Chmod(filepath.Join(dir, "locked"), 0o700) })
	for _, pattern := range []string{"**/*.etl", "*/*.etl", "*/{1,2,3}.etl"} {
		found, err := filesOf(nil, filepath.Join(dir, pattern), false)
		if err != nil || len(found.paths) != 2 || len(found.unreadable) != 1 || found.unreadable[0].Path != filepath.Join(dir, "locked") {
			t.Errorf("%s: %+v, %v", pattern, found, err)
		}
	}
}
