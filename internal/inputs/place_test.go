package inputs

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/etl2parquet/etl2parquet/tools/testenv"
)

func TestPathOfURL(t *testing.T) {
	for _, test := range []struct {
		url     string
		windows bool
		want    string // or the error, after "!"
	}{
		{"file:///tmp/boot.etl", false, "/tmp/boot.etl"},
		{"FILE:///tmp/boot.etl", false, "/tmp/boot.etl"},
		{"file:/tmp/boot.etl", false, "/tmp/boot.etl"},
		{"file://localhost/tmp/boot.etl", false, "/tmp/boot.etl"},
		{"file://LOCALHOST/tmp/", false, "/tmp/"},
		{"file:///tmp/a%20b%25.etl", false, "/tmp/a b%.etl"},
		{"file:///tmp/%E6%97%A5.etl", false, "/tmp/日.etl"},
		{"file:///tmp/a+b#1?.etl", false, "/tmp/a+b#1?.etl"},
		{"file:///C:/traces/boot.etl", true, `C:\traces\boot.etl`},
		{"file:/C:/traces/boot.etl", true, `C:\traces\boot.etl`},
		{"file://localhost/C:/traces/*.etl", true, `C:\traces\*.etl`},
		{"file:///C%3A/a%20b", true, `C:\a b`},
		{"file:///traces", true, `\traces`},
		{"file:///C:/traces", false, "/C:/traces"},
		{"file://server/share/boot.etl", false, "!names the machine server"},
		{"file://server/share/boot.etl", true, "!names the machine server"},
		{"file://tmp", false, "!names no file"},
		{"file:///tmp/%zz", false, "!invalid URL escape"},
		{"file:///tmp/a%00b", false, "!NUL"},
	} {
		got, err := pathOfURL(test.url, test.windows)
		if text, is := strings.CutPrefix(test.want, "!"); is {
			if err == nil || !strings.Contains(err.Error(), text) {
				t.Errorf("%s: %q, %v; want an error with %q", test.url, got, err, text)
			}
		} else if err != nil || got != test.want {
			t.Errorf("%s, Windows %v: %q, %v; want %q", test.url, test.windows, got, err, test.want)
		}
	}
}

func TestLocalPath(t *testing.T) {
	home, dir := t.TempDir(), t.TempDir()
	t.Setenv("HOME", home)
	t.Setenv("USERPROFILE", home)
	t.Chdir(dir)
	for name, want := range map[string]string{
		"boot.etl": "boot.etl", "~": home, "~/": home, "~/a/boot.etl": filepath.Join(home, "a", "boot.etl"),
		"~other/boot.etl": "~other/boot.etl", "a/~/boot.etl": "a/~/boot.etl", "": "", "-": "-", "s3://b/k": "s3://b/k", "file:boot.etl": "file:boot.etl",
	} {
		if got, err := LocalPath(name); err != nil || got != want {
			t.Errorf("%q: %q, %v; want %q", name, got, err, want)
		}
	}
	if err := os.Mkdir("~", 0o777); err != nil {
		t.Fatal(err)
	}
	testenv.WriteFile(t, "~/boot.etl", "")
	if got, err := LocalPath("~/boot.etl"); err != nil || got != "~/boot.etl" {
		t.Errorf("a file of this name: %q, %v", got, err)
	}
}
