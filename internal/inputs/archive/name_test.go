package archive

import (
	"path"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"
)

func TestCleanName(t *testing.T) {
	long := strings.Repeat("é", 200)
	for name, want := range map[string]string{
		"a.etl":                  "a.etl",
		"sub/dir/a.etl":          "sub/dir/a.etl",
		`sub\dir\a.etl`:          "sub/dir/a.etl",
		"../../etc/passwd":       "_/_/etc/passwd",
		`..\..\x.etl`:            "_/_/x.etl",
		"a/../../b.etl":          "a/_/_/b.etl",
		"/abs/a.etl":             "abs/a.etl",
		"//server/share/a.etl":   "server/share/a.etl",
		`\\?\C:\x\a.etl`:         "_/C_/x/a.etl",
		`C:\Windows\a.etl`:       "C_/Windows/a.etl",
		"C:a.etl":                "C_a.etl",
		"a.etl:stream":           "a.etl_stream",
		"./a//b/./c.etl":         "a/b/c.etl",
		"":                       nameless,
		".":                      nameless,
		"/":                      nameless,
		"..":                     "_",
		"con":                    "_con",
		"NUL.etl":                "_NUL.etl",
		"nul .etl":               "_nul .etl",
		"x/Com1.txt/lpt9":        "x/_Com1.txt/_lpt9",
		"com¹":                   "_com¹",
		"CONIN$":                 "_CONIN$",
		"console.etl":            "console.etl",
		"com10.etl":              "com10.etl",
		"trailing. . ":           "trailing_",
		"a\x00b\nc\x1b[31m.etl":  "a_b_c_[31m.etl",
		"right\u202eto left.etl": "right_to left.etl",
		"\xc4\xe3.etl":           "%c4%e3.etl",
		"überwachung 跟踪.etl":     "überwachung 跟踪.etl",
		`"<>|?*`:                 "______",
		long:                     long[:254],
		"-rf":                    "-rf",
		"~/a.etl":                "~/a.etl",
	} {
		if got := cleanName(name); got != want {
			t.Errorf("cleanName(%q) = %q, want %q", name, got, want)
		}
	}
}

// FuzzCleanName checks that a clean name stays unchanged, is printable, and stays
// below its folder on any system.
func FuzzCleanName(f *testing.F) {
	for _, name := range []string{"a/b.etl", `..\..\C:\nul`, "\xff/com1.", strings.Repeat("x ", 200), "a. ./.. /..."} {
		f.Add(name)
	}
	f.Fuzz(func(t *testing.T, name string) {
		clean := cleanName(name)
		if again := cleanName(clean); again != clean {
			t.Errorf("%q becomes %q, which becomes %q", name, clean, again)
		}
		if path.IsAbs(clean) || path.Clean(clean) != clean || strings.ContainsAny(clean, `\:<>"|?*`) || !utf8.ValidString(clean) {
			t.Errorf("%q is %q", name, clean)
		}
		for _, e := range strings.Split(clean, "/") {
			if e == "" || e == "." || e == ".." || isDevice(e) || len(e) > maxElement || strings.TrimRight(e, ". ") != e {
				t.Errorf("%q is %q, with %q", name, clean, e)
			}
		}
		for _, r := range clean {
			if !unicode.IsPrint(r) {
				t.Errorf("%q is %q, with %U", name, clean, r)
			}
		}
	})
}

func TestUniquePaths(t *testing.T) {
	p := make(paths)
	var got []string
	for _, name := range []string{"x/a.etl", "x/a.etl", "x/a~3.etl", "x/a.etl", "x/a.etl", "x/b", "x/b"} {
		got = append(got, p.unique(name))
	}
	want := "x/a.etl x/a~2.etl x/a~3.etl x/a~4.etl x/a~5.etl x/b x/b~2"
	if strings.Join(got, " ") != want {
		t.Errorf("got %v, want %s", got, want)
	}
}

func TestTraceName(t *testing.T) {
	for name, want := range map[string]bool{
		"a.etl": true, "A.ETL": true, "a.etl.001": true, "a.etl.1": true, "etl": false, "a.etl.zip": false,
		"a.etl.bak": false, "a.etlx": false, "aetl": false, "a.etl1": false, ".etl": true, "": false,
	} {
		if got := TraceName(name); got != want {
			t.Errorf("TraceName(%q) = %v", name, got)
		}
	}
}

func TestExpandedName(t *testing.T) {
	for name, want := range map[string]string{
		"a.etl.gz": "a.etl", "dir/a.etl.XZ": "a.etl", `C:\dir\a.zst`: "a", "a.etl": "a.etl", "-": "-", ".gz": nameless, "a.tgz": "a.tgz",
	} {
		if got := expandedName(name); got != want {
			t.Errorf("expandedName(%q) = %q, want %q", name, got, want)
		}
	}
}
