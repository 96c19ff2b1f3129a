package answers

import (
	"fmt"
	"path/filepath"
	"strings"

	"github.com/etl2parquet/etl2parquet/internal/base/texts"
)

// noFiles matches what DuckDB says of a pattern if there are no such files, or if the folder cannot be opened.
var noFiles = texts.Pattern(`No files found that match the pattern "([^"]+)"`)

// openFilesError returns the error for DuckDB's message if the cause is the limit on open files, else nil.
func openFilesError(message string) error {
	isLimit := strings.Contains(message, "Too many open files")
	if m := noFiles().FindStringSubmatch(message); m != nil {
		found, err := filepath.Glob(m[1])
		isLimit = err == nil && len(found) > 0
	}
	limit := openFilesLimit()
	if !isLimit || limit == 0 {
		return nil
	}
	return fmt.Errorf("the limit of %d open files is too low for the tables that DuckDB reads: raise it, for example with ulimit -n 4096, or read fewer tables", limit)
}
