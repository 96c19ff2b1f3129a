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

// A part of a dataset is a trace, and has its name, or a bundle: traces that
// share files. Its file of a table is <table>/<part>.parquet, its record
// _traces/<part>.json.
const (
	recordsFolder = "_traces"
	recordSuffix  = ".json"
	viewsFile     = "views.sql"
	fileSuffix    = ".parquet"
)

// bundleNames are what bundles are called, and their further files of a table, of
// other columns, with a number behind it. No trace is called so.
var bundleNames = regexp.MustCompile(`^(bundle_[0-9a-f]{16})(?:_[1-9][0-9]*)?$`)

// isBundle reports whether a part is a bundle.
func isBundle(part string) bool {
	m := bundleNames.FindStringSubmatch(part)
	return m != nil && m[1] == part
}

// BundleName returns the name of a bundle, by that of its first trace.
func BundleName(trace string) string {
	sum := sha256.Sum256([]byte(trace))
	return "bundle_" + hex.EncodeToString(sum[:8])
}

func recordFile(part string) string { return recordsFolder + "/" + part + recordSuffix }

// partFile is the name of a file of a part; most tables have one of each.
func partFile(table, part string, number int) string {
	if number > 0 {
		part = fmt.Sprintf("%s_%d", part, number) // sorts behind the first
	}
	return table + "/" + part + fileSuffix
}

// partOfFile returns the part that a file of a table is of.
func partOfFile(name string) string {
	part := strings.TrimSuffix(path.Base(name), fileSuffix)
	if m := bundleNames.FindStringSubmatch(part); m != nil {
		return m[1]
	}
	return part
}

// partOfRecord returns the part that a record is of.
func partOfRecord(name string) string { return strings.TrimSuffix(path.Base(name), recordSuffix) }

// isOwnFile reports whether a file has a name that this program writes.
func isOwnFile(name string) bool {
	return name == viewsFile || isRecordFile(name) || isPartFile(name)
}

func isRecordFile(name string) bool {
	return path.Dir(name) == recordsFolder && path.Ext(name) == recordSuffix
}

// isPartFile reports whether a file is called like those of tables.
func isPartFile(name string) bool {
	if !filepath.IsLocal(filepath.FromSlash(name)) || path.Clean(name) != name {
		return false
	}
	part, ok := strings.CutSuffix(path.Base(name), fileSuffix)
	return ok && part != "" && !strings.ContainsAny(part[:1], "._") && isTableFolder(path.Dir(name))
}

// isOwnFolder reports whether a folder is one that this program makes.
func isOwnFolder(name string) bool {
	depth := strings.Count(name, "/")
	return name == recordsFolder || isTableFolder(name) || depth < 2 && strings.HasPrefix(name+"/", schema.EventsFolder)
}

// isTableFolder reports whether a folder is that of a table.
func isTableFolder(name string) bool {
	_, own := schema.LookupTable(name)
	return own || strings.HasPrefix(name, schema.EventsFolder) && strings.Count(name, "/") == 2
}
