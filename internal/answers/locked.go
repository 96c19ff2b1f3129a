package answers

import (
	"errors"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"github.com/etl2parquet/etl2parquet/internal/inputs"
)

// ErrLocked means that a statement does what locked SQL may not do.
var ErrLocked = errors.New("the SQL is locked")

// lockedTableFunctions are DuckDB's table functions that locked SQL may call: they compute, or describe
// tables. All others are refused, also those of later versions: they read files, change settings, write
// logs, or run SQL from texts.
var lockedTableFunctions = []string{
	"unnest", "range", "generate_series", "repeat", "repeat_row", "json_each", "json_tree", "query_table",
	"duckdb_columns", "duckdb_functions", "duckdb_keywords", "duckdb_schemas", "duckdb_tables", "duckdb_types", "duckdb_views",
	"pragma_table_info", "pragma_version", "pg_timezone_names", "icu_calendar_names",
}

// secretNames are functions and tables of DuckDB that show the environment or settings, which can hold
// keys of buckets, or that write logs.
var secretNames = []string{
	"getenv", "current_setting", "write_log", "pg_settings", "duckdb_settings", "duckdb_secrets", "duckdb_logs", "duckdb_log_contexts",
}

// CheckLocked returns an error, which wraps [ErrLocked], if a statement is not a SELECT, or calls a
// function that does more than compute. What a SELECT may read is DuckDB's to check: see lock.
func CheckLocked(statements []Statement) error {
	for i := range statements {
		if err := statements[i].checkLocked(); err != nil {
			return fmt.Errorf("%w, and statement %d %w", ErrLocked, i+1, err)
		}
	}
	return nil
}

func (s *Statement) checkLocked() error {
	switch {
	case s.syntax != "":
		return fmt.Errorf("is wrong: %s", s.syntax)
	case !s.IsSelect:
		return fmt.Errorf("is not a SELECT: %.60s", firstLine(withoutComments(s.SQL)))
	}
	for _, name := range s.tableFunctions {
		if !slices.Contains(lockedTableFunctions, strings.ToLower(name)) {
			return fmt.Errorf("calls %s, which may do more than compute", name)
		}
	}
	for _, name := range slices.Concat(s.functions, s.Tables) {
		if slices.Contains(secretNames, strings.ToLower(name)) {
			return fmt.Errorf("uses %s, which may show or write what is not in the inputs", name)
		}
	}
	return nil
}

// checkLockedViews returns an error, which wraps [ErrLocked], if a user's view that the statements need does what locked
// SQL may not do.
func (d *DuckDB) checkLockedViews(source *Source) error {
	names, all := source.names()
	needed := d.views.Needed(names)
	for _, name := range slices.Sorted(maps.Keys(d.own)) {
		if !all && !needed[name] {
			continue
		}
		if err := d.own[name].checkLocked(); err != nil {
			return fmt.Errorf("%w, and the view %s %w", ErrLocked, name, err)
		}
	}
	return nil
}

// lock returns SQL that keeps all later statements inside the dataset and the temporary folder, and
// keeps them from changing that. It must follow the definition of the views, which can load an
// extension for the files of a bucket. The safe mode locks the shell's own commands as well; in new versions
// it also locks the configuration, which would fail a second time.
func (s *session) lock(isOld bool) string {
	configuration := ""
	if isOld {
		configuration = "SET lock_configuration = true;\n"
	}
	allowed := []string{sqlText(s.o.Temp)}
	for _, root := range s.roots() {
		allowed = append(allowed, sqlText(root))
	}
	return fmt.Sprintf(`SET autoinstall_known_extensions = false;
SET autoload_known_extensions = false;
SET allow_community_extensions = false;
SET allowed_directories = [%s];
SET enable_external_access = false;
%s.safe_mode
`, strings.Join(allowed, ", "), configuration)
}

// absolute returns a folder as an absolute path, by which DuckDB compares names of files, and a URL
// as it is.
func absolute(folder string) string {
	if inputs.IsURL(folder) || inputs.IsBucketURL(folder) {
		return folder
	}
	if path, err := filepath.Abs(folder); err == nil {
		return path
	}
	return folder
}
