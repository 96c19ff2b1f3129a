package bundle

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"testing"

	"github.com/etl2parquet/etl2parquet/internal/engine/index/indextest"
	"github.com/etl2parquet/etl2parquet/internal/formats/parquet/parquettest"
	"github.com/etl2parquet/etl2parquet/schema"
)

// sums replaces the contents of files by their sums.
func sums(files map[string]string) map[string]string {
	short := make(map[string]string, len(files))
	for path, data := range files {
		short[path] = fmt.Sprintf("%d bytes, %s", len(data), indextest.Sum([]byte(data)))
	}
	return short
}

// rowsByTable reads the files of a trace in a dataset.
func rowsByTable(t testing.TB, root, trace string) map[string][]parquettest.Row {
	t.Helper()
	tables := make(map[string][]parquettest.Row)
	for _, table := range schema.Tables() {
		data, err := os.ReadFile(filepath.Join(root, partPath(table.Name, trace)))
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil {
			t.Fatal(err)
		}
		rows := parquettest.Rows(t, data)
		for _, row := range rows {
			if row["trace"] != trace {
				t.Fatalf("a row of %s is of the trace %q, want %q", table.Name, row["trace"], trace)
			}
			delete(row, "trace")
		}
		tables[table.Name] = rows
	}
	return tables
}
