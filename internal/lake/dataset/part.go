package dataset

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"path"
	"path/filepath"
	"regexp"
	"strings"

	"github.com/etl2parquet/etl2parquet/schema"
)

// A part of a dataset is a trace or a bundle. Its file of a table is
// <table>/<part>.parquet, its record _traces/<part>.json.
const (
	recordsFolder = "_traces"
	recordSuffix  = ".json"
)

const (
	FileSuffix    = ".parquet"
	RecordPattern = recordsFolder + "/*" + recordSuffix // of the names of records
	ViewsFile     = "views.sql"                         // the SQL views over the tables; see package views
)

// bundleNames matches names of bundles. A number follows in the names of further files
// of a table, which have other columns. No trace has such a name.
var bundleNames = regexp.MustCompile(`^(bundle_[0-9a-f]{16})(?:_[1-9][0-9]*)?$`)

// isBundle reports whether a part is a bundle.
func isBundle(part string) bool {
	m := bundleNames.FindStringSubmatch(part)
	return m != nil && m[1] == part
}

// BundleName returns the name of a bundle whose first trace is given.
func BundleName(trace string) string {
	sum := sha256.Sum256([]byte(trace))
	return "bundle_" + hex.EncodeToString(sum[:8])
}

func recordFile(part string) string { return recordsFolder + "/" + part + recordSuffix }

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
	if m := bundleNames.FindStringSubmatch(part); m != nil {
		return m[1]
	}
	return part
}

// partOfRecord returns the part of a record.
func partOfRecord(name string) string { return strings.TrimSuffix(path.Base(name), recordSuffix) }

// isOwnFile reports whether etl2parquet writes files of this name.
func isOwnFile(name string) bool {
	return name == ViewsFile || isRecordFile(name) || isPartFile(name)
}

func isRecordFile(name string) bool {
	return path.Dir(name) == recordsFolder && path.Ext(name) == recordSuffix
}

// isPartFile reports whether a name can be that of a table's file.
func isPartFile(name string) bool {
	if !filepath.IsLocal(filepath.FromSlash(name)) || path.Clean(name) != name {
		return false
	}
	part, ok := strings.CutSuffix(path.Base(name), FileSuffix)
	return ok && part != "" && !strings.ContainsAny(part[:1], "._") && isTableFolder(path.Dir(name))
}

// isOwnFolder reports whether etl2parquet creates folders of this name.
func isOwnFolder(name string) bool {
	depth := strings.Count(name, "/")
	return name == recordsFolder || isTableFolder(name) || depth < 2 && strings.HasPrefix(name+"/", schema.EventsFolder)
}

// isTableFolder reports whether a name can be that of a table's folder.
func isTableFolder(name string) bool {
	_, own := schema.LookupTable(name)
	return own || strings.HasPrefix(name, schema.EventsFolder) && strings.Count(name, "/") == 2
}
