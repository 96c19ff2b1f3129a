package inputs

import (
	"errors"
	"os"
	"path"
	"path/filepath"
	"runtime"
	"slices"
	"testing"
)

func TestPatterns(t *testing.T) {
	dir := t.TempDir()
	t.Chdir(dir)
	for _, name := range []string{"BOOT.ETL", "boot-2.etl", "{5}/x.etl", "{5}.etl", "in/Boot.etl", "in/deep/boot.etl", "in/deep/er/note.txt", "Ärger-1.etl"} {
		if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, nil, 0o666); err != nil {
			t.Fatal(err)
		}
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
		{"*/*.etl", false, []string{"in/Boot.etl", "{5}/x.etl"}},
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
			got, err := filesOf(pattern, fold)
			var want []string
			for _, name := range test.want {
				want = append(want, filepath.Join(under, filepath.FromSlash(name)))
			}
			if err != nil || !slices.Equal(got, want) {
				t.Errorf("%s, fold %v: %q, %v; want %q", pattern, test.fold, got, err, want)
			}
		}
	}
	for _, pattern := range []string{"[x", "in/[", "a[]"} {
		if got, err := filesOf(pattern, false); !errors.Is(err, path.ErrBadPattern) {
			t.Errorf("%s: %q, %v, want an error", pattern, got, err)
		}
	}
}

func TestKeyPatterns(t *testing.T) {
	keys := []string{"2026-1/a.etl", "2026-1/b/c.etl", "2026-1/b/c.txt", "{5}/d.zip"}
	for pattern, want := range map[string][]string{
		"2026-*/*.etl":    {"2026-1/a.etl"},
		"2026-*/**":       {"2026-1/a.etl", "2026-1/b/c.etl"},
		"**/*.etl":        {"2026-1/a.etl", "2026-1/b/c.etl"},
		"2026-?/**/c.*":   {"2026-1/b/c.etl", "2026-1/b/c.txt"},
		"{5}/*":           {"{5}/d.zip"},
		"2026-[2-9]/**/*": nil,
	} {
		var got []string
		for _, key := range keys {
			if keyMatches(pattern, key) {
				got = append(got, key)
			}
		}
		if !slices.Equal(got, want) {
			t.Errorf("%s: %q, want %q", pattern, got, want)
		}
	}
}
