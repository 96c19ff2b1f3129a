package convert

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"golang.org/x/sync/errgroup"

	"github.com/etl2parquet/etl2parquet/internal/shell"
	"github.com/etl2parquet/etl2parquet/schema"
)

// WriteViews writes views.sql: a DuckDB view for every table, those without
// files among them, events, the union of the tables of events, and the views
// that people start from. Others may convert into the dataset at the same time:
// whoever writes last has seen all there is.
func (d *Dataset) WriteViews(ctx context.Context) error {
	sql, err := d.viewsSQL(ctx)
	for err == nil {
		if err = d.writeFile(ctx, viewsFile, []byte(sql)); err != nil {
			break
		}
		written := sql
		if sql, err = d.viewsSQL(ctx); sql == written {
			break
		}
	}
	return err
}

// viewsSQL returns the views of what is in the dataset now.
func (d *Dataset) viewsSQL(ctx context.Context) (string, error) {
	tables, err := d.tables(ctx)
	if err != nil {
		return "", err
	}
	if tables, err = d.filled(ctx, tables); err != nil {
		return "", err
	}
	var sql strings.Builder
	how := "The paths are as the folder was named when it was written:\n--   duckdb -init " + shell.Quote(d.store.URL(viewsFile))
	if strings.Contains(d.store.URL(""), "://") {
		how = "They read from its bucket, with the extension httpfs and a secret\n-- for the bucket (CREATE SECRET): fetch this file, and then\n--   duckdb -init " + viewsFile
	}
	fmt.Fprintf(&sql, "-- Views over this dataset for DuckDB. %s\n", how)
	over := Views()
	views := make(map[string]bool)
	for _, v := range over {
		views[v.Name] = true
	}
	for _, t := range schema.Tables() {
		views[t.ViewName()] = true
		fmt.Fprintf(&sql, "\n-- %s\nCREATE OR REPLACE VIEW %s AS ", t.Doc, t.ViewName())
		if slices.Contains(tables, t.Name) {
			sql.WriteString(d.readTables(t.Name))
			continue
		}
		fmt.Fprintf(&sql, "SELECT %s, NULL::VARCHAR AS trace WHERE false;\n", strings.Join(emptyColumns(t), ", "))
	}
	if err := d.userViews(ctx, &sql, tables, views); err != nil {
		return "", err
	}
	for _, v := range over {
		fmt.Fprintf(&sql, "\n-- %s\nCREATE OR REPLACE VIEW %s AS\n%s;\n", v.Doc, v.Name, v.SQL)
	}
	return sql.String(), nil
}

// userViews writes the views of the tables for events that schemas describe.
// Tables whose views would have one name share it.
func (d *Dataset) userViews(ctx context.Context, sql *strings.Builder, tables []string, taken map[string]bool) error {
	of := make(map[string][]string)
	var views []string
	users := make(map[string]bool)
	for _, t := range tables {
		if _, own := schema.LookupTable(t); own {
			continue
		}
		name := schema.ViewName(t)
		if taken[name] {
			name += "_"
		}
		if of[name] == nil {
			views = append(views, name)
		}
		of[name] = append(of[name], t)
		users[t] = true
	}
	if len(users) == 0 {
		return nil
	}
	s, err := d.tableShapes(ctx, users, false)
	if err != nil {
		return err
	}
	for _, name := range views {
		read := d.readTables(of[name]...)
		if split := s.splitNames(of[name]); len(split) > 0 {
			if read, err = d.readSplit(ctx, of[name], split); err != nil {
				return err
			}
		}
		fmt.Fprintf(sql, "\n-- %s\nCREATE OR REPLACE VIEW \"%s\" AS %s", strings.Join(of[name], ", "), name, read)
	}
	return nil
}

// traceLast selects all columns of files that have the trace in them. Where the
// others differ from file to file it would not be the last, as the partition is.
const traceLast = "SELECT * EXCLUDE (trace), trace"

// readTables reads all files of tables.
func (d *Dataset) readTables(tables ...string) string {
	selected, files := "SELECT *", "/*/*.parquet"
	if d.groups != nil {
		selected, files = traceLast, "/*.parquet"
	}
	var globs []string
	for _, t := range tables {
		globs = append(globs, sqlText(d.globOf(t)+files))
	}
	return selected + " FROM " + d.readParquet(globs) + ";\n"
}

// readParquet reads files, given as patterns in quotes.
func (d *Dataset) readParquet(globs []string) string {
	list := strings.Join(globs, ", ")
	if len(globs) > 1 {
		list = "[" + list + "]"
	}
	if d.groups != nil {
		return fmt.Sprintf("read_parquet(%s, hive_partitioning = false, union_by_name = true)", list)
	}
	return fmt.Sprintf("read_parquet(%s, hive_partitioning = true, hive_types = {'trace': VARCHAR}, union_by_name = true)", list)
}

// globOf is a pattern that only a name in the dataset matches.
func (d *Dataset) globOf(name string) string { return globEscape.Replace(d.store.URL(name)) }

// globEscape makes a path stand for itself in a pattern of DuckDB.
var globEscape = strings.NewReplacer("[", "[[]", "*", "[*]", "?", "[?]")

func sqlText(s string) string { return "'" + strings.ReplaceAll(s, "'", "''") + "'" }

// filled returns those of the tables that have files.
func (d *Dataset) filled(ctx context.Context, tables []string) ([]string, error) {
	has := make([]bool, len(tables))
	var g errgroup.Group
	g.SetLimit(atOnce)
	for i, t := range tables {
		g.Go(func() (err error) {
			has[i], err = d.hasFiles(ctx, t)
			return err
		})
	}
	if err := g.Wait(); err != nil {
		return nil, err
	}
	var filled []string
	for i, t := range tables {
		if has[i] {
			filled = append(filled, t)
		}
	}
	return filled, nil
}

func (d *Dataset) hasFiles(ctx context.Context, table string) (bool, error) {
	for entry, err := range d.store.List(ctx, table) {
		if err != nil {
			return false, err
		}
		if strings.HasSuffix(entry.Name, ".parquet") {
			return true, nil
		}
	}
	return false, nil
}

// duckTypes are the types under which DuckDB reads the columns, but for structs.
var duckTypes = map[schema.Type]string{
	schema.Boolean: "BOOLEAN", schema.Int32: "INTEGER", schema.Int64: "BIGINT", schema.Uint64: "UBIGINT",
	schema.Float: "FLOAT", schema.Double: "DOUBLE", schema.String: "VARCHAR", schema.Binary: "BLOB", schema.Timestamp: "TIMESTAMPTZ",
}

func emptyColumns(t *schema.Table) []string {
	var columns []string
	for i := range t.Columns {
		c := &t.Columns[i]
		columns = append(columns, fmt.Sprintf("NULL::%s AS %s", duckType(c), c.Name))
	}
	return columns
}

func duckType(c *schema.Column) string {
	name := duckTypes[c.Type]
	if c.Type == schema.Struct {
		var members []string
		for i := range c.Fields {
			members = append(members, c.Fields[i].Name+" "+duckType(&c.Fields[i]))
		}
		name = "STRUCT(" + strings.Join(members, ", ") + ")"
	}
	if c.List {
		name += "[]"
	}
	return name
}

// eventsView is the union of all tables of events, in the columns they share.
func eventsView() View {
	v := View{Name: "events", Doc: "Every event of every trace, once.",
		Columns: append([]schema.Column{{Name: "header_table", Type: schema.String, Doc: "Table of the event, by the type of its header."}}, schema.CommonColumns()...)}
	var names []string
	for _, c := range schema.CommonColumns() {
		names = append(names, c.Name)
	}
	var parts []string
	for _, t := range schema.HeaderTables() {
		parts = append(parts, fmt.Sprintf("SELECT '%s' AS header_table, %s, trace FROM %s", t.Name, strings.Join(names, ", "), t.Name))
	}
	v.SQL = strings.Join(parts, "\nUNION ALL\n")
	return v
}
