package bundle

import (
	"testing"

	"github.com/etl2parquet/etl2parquet/internal/lake/store"
)

// The paths of files in a dataset.
const (
	recordsName = "_traces"
	viewsName   = "views.sql"
)

func recordPath(part string) string { return recordsName + "/" + part + ".json" }

func partPath(table, part string) string { return table + "/" + part + ".parquet" }

// preparedFolder returns the store in a folder, ready for files.
func preparedFolder(t testing.TB, root string) *store.Folder {
	t.Helper()
	folder := store.NewFolder(root)
	if err := folder.Prepare(t.Context()); err != nil {
		t.Fatal(err)
	}
	return folder
}
