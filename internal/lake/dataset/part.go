package dataset

import (
	"fmt"
	"path"
	"path/filepath"
	"strings"

	"github.com/etl2parquet/etl2parquet/internal/engine/partname"
	"github.com/etl2parquet/etl2parquet/schema"
)

// A part of a dataset is a trace or a bundle. Its file of a table is
// <table>/<part>.parquet, its record _traces/<part>.json.
const (
	RecordsFolder = "_traces" // of the commit records
	recordSuffix  = ".json"
)

const (
	FileSuffix    = ".parquet"
	RecordPattern = RecordsFolder + "/*" + recordSuffix // of the names of records
	ViewsFile     = "views.sql"                         // the SQL views over the tables; see package views
)

// isBundle reports whether a part is a bundle.
func isBundle(part string) bool {
	name, is := partname.Bundle(part)
	return is && name == part
}

func recordFile(part string) string { return RecordsFolder + "/" + part + recordSuffix }

// partFile returns the name of a file of a part; most tables have one file per part.
func partFile(table, part string, number int) string {
	if number > 0 {
		part = fmt.Sprintf("%s_%d", part, number) // sorts after the first
	}
	return table + "/" + part + FileSuffix
}

// partOfFile returns the part of a file.
func partOfFile(name string) string {
	part := strings.TrimSuffix(path.Base(name), FileSuffix)
	if bundle, is := partname.Bundle(part); is {
		return bundle
	}
	return part
}

// partOfRecord returns the part of a record.
func partOfRecord(name string) string { return strings.TrimSuffix(path.Base(name), recordSuffix) }

// isOwnFile reports whether etl2parquet writes files with such a name.
func isOwnFile(name string) bool {
	return name == ViewsFile || isRecordFile(name) || isPartFile(name)
}

func isRecordFile(name string) bool {
	return path.Dir(name) == RecordsFolder && path.Ext(name) == recordSuffix
}

// isPartFile reports whether a name can be that of a table's file.
func isPartFile(name string) bool {
	if !filepath.IsLocal(filepath.FromSlash(name)) || path.Clean(name) != name {
		return false
	}
	part, ok := strings.CutSuffix(path.Base(name), FileSuffix)
	return ok && part != "" && !strings.ContainsAny(part[:1], "._") && isTableFolder(path.Dir(name))
}

// isOwnFolder reports whether etl2parquet creates folders with such a name.
func isOwnFolder(name string) bool {
	depth := strings.Count(name, "/")
	return name == RecordsFolder || isTableFolder(name) || depth < 2 && strings.HasPrefix(name+"/", schema.EventsFolder)
}

// isTableFolder reports whether a name can be that of a table's folder.
func isTableFolder(name string) bool {
	_, own := schema.LookupTable(name)
	return own || strings.HasPrefix(name, schema.EventsFolder) && strings.Count(name, "/") == 2
}
