package reach

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"testing"
)

// TestFiles opens files below two folders, through links, and elsewhere.
func TestFiles(t *testing.T) {
	above, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	in := func(name string) string { return filepath.Join(above, filepath.FromSlash(name)) }
	for _, name := range []string{"one/a", "one/sub/b", "two/c", "outside/d", "named/e", "named/f"} {
		if err := errors.Join(os.MkdirAll(filepath.Dir(in(name)), 0o777), os.WriteFile(in(name), nil, 0o666)); err != nil {
			t.Fatal(err)
		}
	}
	for name, to := range map[string]string{"one/out": "../outside/d", "one/within": "sub/b", "one/whole": in("one/a"), "one/other": in("two/c"), "one/folder": "../outside", "one/gone": "nothing", "one/lost": "../outside/nothing"} {
		if err := os.Symlink(to, in(name)); err != nil {
			t.Skip(err)
		}
	}
	f := new(Files)
	one, err := OpenFolder(in("one"))
	if err != nil {
		t.Fatal(err)
	}
	f.AddFolder(one)
	if err := errors.Join(f.AddFolderOf(in("two")), f.AddFolderOf(in("two")), f.AddFile(in("named/e"))); err != nil || len(f.folders) != 2 {
		t.Fatal(len(f.folders), err)
	}
	for name, want := range map[string]error{
		"one/a": nil, "one/sub/b": nil, "one/sub/../a": nil, "two/c": nil, "named/e": nil, "one/within": nil, "one/whole": nil, "one/other": nil,
		"one/out": ErrOutside, "one/folder/d": ErrOutside, "one/lost": ErrOutside, "outside/d": ErrOutside, "named/f": ErrOutside, "one/../outside/d": ErrOutside,
		"one/gone": fs.ErrNotExist, "one/nothing": fs.ErrNotExist, "outside/nothing": ErrOutside,
	} {
		file, err := f.Open(in(name))
		if !errors.Is(err, want) || (err == nil) != (want == nil) {
			t.Errorf("%s: %v, want %v", name, err, want)
		}
		if err == nil {
			err = file.Close()
		}
		if _, wrong := (*Files)(nil).Stat(in(name)); err == nil && wrong != nil {
			t.Errorf("%s: %v", name, wrong)
		}
	}
	if err := f.CheckLinks(in("two")); err != nil {
		t.Error(err)
	}
	if err := f.CheckLinks(in("one")); err == nil {
		t.Error("links that lead out are no error")
	}
	if err := f.Close(); err != nil {
		t.Error(err)
	}
}
