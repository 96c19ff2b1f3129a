package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/etl2parquet/etl2parquet/internal/base/texts"
	"github.com/etl2parquet/etl2parquet/internal/inputs"
)

// next returns a command line that queries the converted dataset.
func (c *conversion) next() string {
	if inputs.IsBucketURL(c.flags.output) {
		return fmt.Sprintf("fetch %s, and duckdb -init views.sql", texts.ShellWord(c.flags.outputFile("views.sql")))
	}
	return fmt.Sprintf(`%s query %s "SELECT event_name, count(*) FROM events GROUP BY 1"`, c.programName(), texts.ShellWord(c.flags.output))
}

// programName returns the program as a word, or words, of a command line: as the user named it.
func (a *app) programName() string {
	const usual, source = "etl2parquet", "cmd/etl2parquet"
	switch name := filepath.ToSlash(a.program); {
	case strings.Contains(name, "/go-build"): // of go run, which removes it
		if info, err := os.Stat(source); err == nil && info.IsDir() {
			return "go run ./" + source
		}
	case strings.Contains(name, "/"):
		return texts.ShellWord(a.program)
	}
	return usual
}
