package batch

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/etl2parquet/etl2parquet/internal/engine/partname"
	"github.com/etl2parquet/etl2parquet/internal/inputs"
	"github.com/etl2parquet/etl2parquet/internal/lake/bundle"
)

// TestTraceNamesClash checks that inputs with one name get different trace names, even if the
// short hashes of their paths are equal.
func TestTraceNamesClash(t *testing.T) {
	info, err := os.Stat("../../../testdata/sample.etl")
	if err != nil {
		t.Fatal(err)
	}
	a, b := clashingPaths(t)
	for name, paths := range map[string][]string{
		"hashes":           {a, b},
		"hash and a file":  {a, "/c/x.etl", "/" + partname.Hashed(a) + ".etl"},
		"case of a letter": {"/a/x.etl", "/b/X.etl"},
	} {
		t.Run(name, func(t *testing.T) {
			d, err := bundle.OpenDataset(t.TempDir())
			if err != nil {
				t.Fatal(err)
			}
			names := namesOf(t, d, info, paths)
			for i, name := range names {
				for j, other := range names[:i] {
					if strings.EqualFold(name, other) {
						t.Errorf("%s and %s are both %s", paths[i], paths[j], name)
					}
				}
			}
		})
	}
}

func namesOf(t *testing.T, d *bundle.Dataset, info fs.FileInfo, paths []string) []string {
	t.Helper()
	files := make([]*inputs.File, len(paths))
	for i, path := range paths {
		files[i] = &inputs.File{Name: path, Path: path, Info: info, Order: i}
	}
	names, err := NewTraceNames(t.Context(), d, files)
	if err != nil {
		t.Fatal(err)
	}
	return names.files
}

// clashingPaths finds two paths whose names have the same short hash.
func clashingPaths(t *testing.T) (a, b string) {
	t.Helper()
	if filepath.Separator != '/' {
		t.Skip("the paths need a system that separates folders by /")
	}
	seen := make(map[string]string)
	for i := range 1 << 20 {
		path := fmt.Sprintf("/%d/x.etl", i)
		name := partname.Hashed(path)
		if other := seen[name]; other != "" {
			return other, path
		}
		seen[name] = path
	}
	t.Fatal("no clash found")
	return "", ""
}
