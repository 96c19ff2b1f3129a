package agent

import (
	"errors"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/etl2parquet/etl2parquet/internal/base/reach"
)

// place makes a root with a trace, a folder of traces, an archive and links, and a secret beside it. It
// returns the root's folder, without links.
func place(t *testing.T) (folder string) {
	t.Helper()
	above, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	folder = filepath.Join(above, "root")
	for _, name := range []string{"root/boot.etl", "root/more/a.etl", "root/more/b.etl", "root/more/notes.txt", "root/set/_traces/boot.json", "root/all.zip", "root/linked/c.etl", "secret.etl", "outside/d.etl"} {
		path := filepath.Join(above, filepath.FromSlash(name))
		if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o777), os.WriteFile(path, []byte("x"), 0o666)); err != nil {
			t.Fatal(err)
		}
	}
	if runtime.GOOS == "windows" { // making links needs a right there
		return folder
	}
	for name, to := range map[string]string{
		"within.etl": "more/a.etl", "out.etl": "../secret.etl", "absolute.etl": filepath.Join(above, "secret.etl"),
		"outside": "../outside", "linked/leak.etl": "../../secret.etl", "dangling.etl": "nothing", "new.html": "../stolen.html",
	} {
		if err := os.Symlink(to, filepath.Join(folder, name)); err != nil {
			t.Fatal(err)
		}
	}
	return folder
}

func openPlace(t *testing.T, inputs ...string) (r *roots, folder string) {
	t.Helper()
	folder = place(t)
	r, err := openRoots(inputs, []string{folder})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := r.files.Close(); err != nil {
			t.Error(err)
		}
	})
	return r, folder
}

// TestResolve names inputs in many ways. want is below the root; "" if the name must be rejected.
func TestResolve(t *testing.T) {
	r, folder := openPlace(t, "/given/x.etl", "https://example.com/y.etl")
	above := filepath.Dir(folder)
	type test struct {
		name string
		want []string
		err  string // part of the error
	}
	const outside = "outside of what this server may read"
	tests := []test{
		{"boot.etl", []string{"boot.etl"}, ""},
		{"./boot.etl", []string{"boot.etl"}, ""},
		{"more/../boot.etl", []string{"boot.etl"}, ""},
		{filepath.Join(folder, "boot.etl"), []string{"boot.etl"}, ""},
		{"file://" + filepath.ToSlash(filepath.Join(folder, "boot.etl")), []string{"boot.etl"}, ""},
		{"more", []string{"more/a.etl", "more/b.etl"}, ""},
		{"more/*.etl", []string{"more/a.etl", "more/b.etl"}, ""},
		{"set", []string{"set"}, ""},
		{"all.zip", []string{"all.zip"}, ""},
		{"bot.etl", nil, "did you mean boot.etl?"},
		{"../secret.etl", nil, outside},
		{"more/../../secret.etl", nil, outside},
		{filepath.Join(above, "secret.etl"), nil, outside},
		{folder + "/../secret.etl", nil, outside},
		{folder + "x/secret.etl", nil, outside},
		{"file://" + filepath.ToSlash(filepath.Join(above, "secret.etl")), nil, outside},
		{"file://server/share/secret.etl", nil, outside},
		{"~/secret.etl", nil, outside},
		{"-", nil, outside},
		{"boot.etl\x00", nil, outside},
		{"/dev/stdin", nil, outside},
		{"//server/share/secret.etl", nil, outside},
		{`\\server\share\secret.etl`, nil, ""},
		{"https://example.com/z.etl", nil, outside},
		{"s3://bucket/z.etl", nil, outside},
		{"../*.etl", nil, outside},
		{"{more,../}/*.etl", nil, ""},
		{"", nil, ""},
	}
	if runtime.GOOS != "windows" {
		tests = append(tests, []test{
			{"within.etl", []string{"within.etl"}, ""},
			{"out.etl", nil, outside},
			{"absolute.etl", nil, outside},
			{"outside", nil, outside},
			{"outside/d.etl", nil, outside},
			{"outside/*.etl", nil, reach.ErrOutside.Error()},
			{"linked", nil, reach.ErrOutside.Error()},
			{"linked/*.etl", nil, reach.ErrOutside.Error()},
			{"dangling.etl", nil, "no such file"},
		}...)
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			if test.name == "" {
				got, err := r.resolve("")
				if err != nil || !slices.Equal(got, r.inputs) {
					t.Errorf("got %q, error %v", got, err)
				}
				return
			}
			var want []string
			for _, name := range test.want {
				want = append(want, filepath.Join(folder, filepath.FromSlash(name)))
			}
			got, err := r.resolve(test.name)
			switch {
			case want == nil && err == nil:
				t.Errorf("it is %q", got)
			case want == nil && !strings.Contains(err.Error(), test.err):
				t.Errorf("error %v, want %s", err, test.err)
			case want != nil && (err != nil || !slices.Equal(got, want)):
				t.Errorf("got %q, error %v, want %q", got, err, want)
			}
		})
	}
	for name, want := range map[string]string{"/given/x.etl": "/given/x.etl", "x.etl": "", "https://example.com/y.etl": "https://example.com/y.etl"} {
		got, err := r.resolve(name)
		if want != "" && (err != nil || !slices.Equal(got, []string{want})) {
			t.Errorf("%s is %q, error %v", name, got, err)
		}
	}
}

// TestNoRoots names inputs of a server without roots.
func TestNoRoots(t *testing.T) {
	r := &roots{inputs: []string{"/given/x.etl"}}
	if got, err := r.resolve("x.etl"); err != nil || !slices.Equal(got, r.inputs) {
		t.Errorf("got %q, error %v", got, err)
	}
	for _, name := range []string{"/etc/passwd", "y.etl", "/given/y.etl"} {
		if got, err := r.resolve(name); !errors.Is(err, errOutside) {
			t.Errorf("%s is %q, error %v", name, got, err)
		}
	}
	if _, _, err := r.pageName("", "x.etl"); err == nil {
		t.Error("there is a place for a page")
	}
}

// TestPages names pages and writes them.
func TestPages(t *testing.T) {
	r, folder := openPlace(t)
	tests := map[string]string{ // the page below the root; "" if it must be rejected
		"a.html": "a.html", "more/a.HTML": "more/a.HTML", filepath.Join(folder, "b.html"): "b.html",
		".html": "", "..html": "", "-.html": "", "CON.html": "", "more/com1.x.html": "", "set/a.html": "", "set/more/a.html": "", "a'b c.html": "a'b c.html",
		"a.txt": "", ".bashrc": "", "../a.html": "", "no/a.html": "", "boot.etl/a.html": "", "/tmp/a.html": "", "file:///tmp/a.html": "", "s3://bucket/a.html": "",
	}
	if runtime.GOOS != "windows" {
		tests["outside/a.html"], tests["new.html"] = "", ""
	}
	for name, want := range tests {
		at, rel, err := r.pageName(name, "boot.etl")
		if want == "" {
			if err == nil {
				t.Errorf("%s is %s", name, rel)
			}
			continue
		}
		if err != nil || rel != filepath.FromSlash(want) {
			t.Errorf("%s is %s, error %v", name, rel, err)
			continue
		}
		size, err := at.writePage(rel, func(w io.Writer) error { _, err := io.WriteString(w, "page"); return err })
		if got, wrong := os.ReadFile(filepath.Join(folder, rel)); err != nil || wrong != nil || string(got) != "page" || size != 4 {
			t.Errorf("%s: %q, %d bytes, errors %v, %v", name, got, size, err, wrong)
		}
		if _, _, err := r.pageName(name, "boot.etl"); err == nil {
			t.Errorf("%s would be replaced", name)
		}
	}
	failure := errors.New("failed")
	for _, want := range []string{"boot.html", "boot-2.html"} {
		at, rel, err := r.pageName("", "/traces/boot.etl")
		if err != nil || rel != want {
			t.Fatalf("the page is %s, error %v", rel, err)
		}
		if _, err := at.writePage(rel, func(io.Writer) error { return failure }); !errors.Is(err, failure) {
			t.Errorf("error %v", err)
		}
		if left, err := filepath.Glob(filepath.Join(folder, "*boot*.html*")); err != nil || len(left) > strings.Count(want, "-") {
			t.Errorf("%q are left, error %v", left, err)
		}
		if _, err := at.writePage(rel, func(io.Writer) error { return nil }); err != nil {
			t.Error(err)
		}
	}
}
