package find_test

import (
	"errors"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/etl2parquet/etl2parquet/internal/engine/symbols/find"
)

// TestStale checks that files of a killed run are removed, and files that another run may write are
// kept.
func TestStale(t *testing.T) {
	address, _ := serve(t, func(w http.ResponseWriter, _ *http.Request, _ int) { fmt.Fprint(w, pdbText(guid, 26)) })
	cache := t.TempDir()
	folder := "ntdll.pdb/" + pdbID + "/"
	write(t, cache, map[string]string{folder + ".partial-1": "", folder + ".partial-2": "", folder + "other": ""})
	old := time.Now().Add(-48 * time.Hour)
	for _, name := range []string{".partial-1", "other"} {
		if err := os.Chtimes(filepath.Join(cache, folder, name), old, old); err != nil {
			t.Fatal(err)
		}
	}
	f := newFinder(t, find.Options{Server: []string{address}, Cache: cache, Patience: impatience})
	if _, err := f.PDB(t.Context(), ntdll); err != nil {
		t.Error(err)
	}
	if got := tree(t, cache); !slices.Equal(got, []string{folder + ".partial-2", folder + "ntdll.pdb", folder + "other"}) {
		t.Errorf("cache has %v", got)
	}
}

// TestCacheNotWritable checks that after two failures nothing is fetched that cannot be stored.
func TestCacheNotWritable(t *testing.T) {
	address, asked := serve(t, func(w http.ResponseWriter, _ *http.Request, _ int) { fmt.Fprint(w, pdbText(guid, 26)) })
	for name, make := range map[string]func(dir string) (string, error){
		"read-only": func(dir string) (string, error) { return dir, os.Chmod(dir, 0o555) },
		"a file": func(dir string) (string, error) {
			path := filepath.Join(dir, "x")
			return path, os.WriteFile(path, nil, 0o666)
		},
	} {
		t.Run(name, func(t *testing.T) {
			cache, err := make(t.TempDir())
			if err != nil {
				t.Fatal(err)
			}
			if probe := filepath.Join(cache, "probe"); os.WriteFile(probe, nil, 0o666) == nil {
				t.Skip("this user may write anywhere")
			}
			before := len(asked.paths)
			f := newFinder(t, find.Options{Server: []string{address}, Cache: cache, Patience: impatience})
			for i := range 5 {
				_, err := f.PDB(t.Context(), find.PDB{Name: fmt.Sprintf("%d.pdb", i), GUID: guid, Age: 26})
				if !errors.Is(err, find.ErrNotFound) || !strings.Contains(err.Error(), "the cache cannot be written") {
					t.Error(err)
				}
			}
			if n := len(asked.paths) - before; n != 2 {
				t.Errorf("asked %d times", n)
			}
		})
	}
}

// TestCachePlaces checks that a file blocked by other parts of the cache does not block other
// files.
func TestCachePlaces(t *testing.T) {
	address, _ := serve(t, func(w http.ResponseWriter, _ *http.Request, _ int) { fmt.Fprint(w, pdbText(guid, 26)) })
	outside := t.TempDir()
	for name, make := range map[string]func(path string) error{
		"a link out of it": func(path string) error { return os.Symlink(outside, path) },
		"a link upwards":   func(path string) error { return os.Symlink("..", path) },
		"a file":           func(path string) error { return os.WriteFile(path, nil, 0o666) },
		"nothing":          nil,
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			cache := filepath.Join(dir, "cache")
			if err := os.Mkdir(cache, 0o777); err != nil {
				t.Fatal(err)
			}
			if make != nil {
				if err := make(filepath.Join(cache, "ntdll.pdb")); err != nil {
					t.Skip(err)
				}
			}
			f := newFinder(t, find.Options{Server: []string{address}, Cache: dir + "/missing/../cache", Patience: impatience})
			if _, err := f.PDB(t.Context(), ntdll); (err == nil) != (make == nil) || err != nil && !errors.Is(err, find.ErrNotFound) {
				t.Error(err)
			}
			file, err := f.PDB(t.Context(), find.PDB{Name: "other.pdb", GUID: guid, Age: 26})
			if err != nil || file.Path != filepath.Join(cache, "other.pdb", pdbID, "other.pdb") {
				t.Errorf("%+v, %v", file, err)
			}
			for _, file := range tree(t, dir) {
				if !strings.HasPrefix(file, "cache/") {
					t.Errorf("%s is outside", file)
				}
			}
			if left := tree(t, outside); len(left) > 0 {
				t.Errorf("%v are outside", left)
			}
		})
	}
}
