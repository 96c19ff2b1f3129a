package convert

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/etl2parquet/etl2parquet/schema"
)

// WriteViews writes views.sql: a DuckDB view for every table, those without
// files among them, and events, the union of the tables of events.
func (d *Dataset) WriteViews() error {
	var sql strings.Builder
	fmt.Fprintf(&sql, "-- Views over this dataset for DuckDB. The paths are as the folder was named when it was written:\n"+
		"--   duckdb -init %s\n", sqlText(filepath.ToSlash(filepath.Join(d.root, viewsFile))))
	for _, t := range schema.Tables() {
		has, err := d.hasFiles(t.Name)
		if err != nil {
			return err
		}
		fmt.Fprintf(&sql, "\n-- %s\nCREATE OR REPLACE VIEW %s AS ", t.Doc, t.ViewName())
		if has {
			glob := globEscape.Replace(filepath.ToSlash(filepath.Join(d.root, t.Name))) + "/*/*.parquet"
			fmt.Fprintf(&sql, "SELECT * FROM read_parquet(%s, hive_partitioning = true, hive_types = {'trace': VARCHAR}, union_by_name = true);\n", sqlText(glob))
			continue
		}
		fmt.Fprintf(&sql, "SELECT %s, NULL::VARCHAR AS trace WHERE false;\n", strings.Join(emptyColumns(t), ", "))
	}
	sql.WriteString("\n" + eventsView())
	return d.writeFile(viewsFile, []byte(sql.String()))
}

// globEscape makes a path stand for itself in a pattern of DuckDB.
var globEscape = strings.NewReplacer("[", "[[]", "*", "[*]", "?", "[?]")

func sqlText(s string) string { return "'" + strings.ReplaceAll(s, "'", "''") + "'" }

func (d *Dataset) hasFiles(table string) (bool, error) {
	traces, err := os.ReadDir(filepath.Join(d.root, table))
	if err != nil {
		if os.IsNotExist(err) {
			return false, nil
		}
		return false, err
	}
	for _, trace := range traces {
		if _, err := fs.Stat(os.DirFS(d.root), table+"/"+trace.Name()+"/"+partFile); err == nil {
			return true, nil
		}
	}
	return false, nil
}

// duckTypes are the types under which DuckDB reads the columns.
var duckTypes = map[schema.Type]string{
	schema.Boolean: "BOOLEAN", schema.Int32: "INTEGER", schema.Int64: "BIGINT", schema.Uint64: "UBIGINT",
	schema.Double: "DOUBLE", schema.String: "VARCHAR", schema.Binary: "BLOB", schema.Timestamp: "TIMESTAMPTZ",
}

func emptyColumns(t *schema.Table) []string {
	var columns []string
	for i := range t.Columns {
		c := &t.Columns[i]
		duckType := duckTypes[c.Type]
		if c.List {
			duckType += "[]"
		}
		columns = append(columns, fmt.Sprintf("NULL::%s AS %s", duckType, c.Name))
	}
	return columns
}

// eventsView is the union of all tables of events, in the columns they share.
func eventsView() string {
	var sql strings.Builder
	sql.WriteString("-- Every event of every trace, once.\nCREATE OR REPLACE VIEW events AS\n")
	for i, t := range schema.HeaderTables() {
		if i > 0 {
			sql.WriteString("UNION ALL BY NAME\n")
		}
		var names []string
		for _, c := range schema.CommonColumns() {
			names = append(names, c.Name)
		}
		fmt.Fprintf(&sql, "SELECT '%s' AS header_table, %s, trace FROM %s\n", t.Name, strings.Join(names, ", "), t.Name)
	}
	return strings.TrimSuffix(sql.String(), "\n") + ";\n"
}
