package temporary_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/etl2parquet/etl2parquet/internal/base/temporary"
	"github.com/etl2parquet/etl2parquet/tools/testenv"
)

func TestSweepFiles(t *testing.T) {
	dir := t.TempDir()
	if err := os.Mkdir(filepath.Join(dir, "etl2parquet-spool-folder.tmp"), 0o700); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"etl2parquet-spool-1.tmp", "etl2parquet-spool-xyz.tmp", "etl2parquet-spool-1", "other.tmp", "etl2parquet-spool-folder.tmp/file"} {
		testenv.WriteFile(t, filepath.Join(dir, name), "")
	}
	if n, err := temporary.SweepFiles(dir); n != 2 || err != nil {
		t.Errorf("%d removed, %v", n, err)
	}
	for _, name := range []string{"etl2parquet-spool-1", "other.tmp", "etl2parquet-spool-folder.tmp/file"} {
		if _, err := os.Stat(filepath.Join(dir, name)); err != nil {
			t.Error(err)
		}
	}
	if _, err := temporary.SweepFiles(filepath.Join(dir, "none")); !os.IsNotExist(err) {
		t.Errorf("a missing folder: %v", err)
	}
}
