package dataset

import (
	"cmp"
	"context"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"unicode"

	"golang.org/x/sync/errgroup"

	"github.com/etl2parquet/etl2parquet/schema"
)

// WriteViews writes views.sql: a DuckDB view for every table that has rows, and
// for those that queries may name without knowing what is in the dataset; events,
// the union of the tables of events; and the views that people start from. Others
// may convert into the dataset at the same time: whoever writes last has seen all
// there is.
func (d *Dataset) WriteViews(ctx context.Context) error {
	sql, err := d.ViewsSQL(ctx, nil)
	for err == nil {
		if err = d.writeFile(ctx, viewsFile, []byte(sql)); err != nil {
			break
		}
		written := sql
		if sql, err = d.ViewsSQL(ctx, nil); sql == written {
			break
		}
	}
	return err
}

// ViewsSQL returns the views of what is in the dataset now. If only is not nil, these views alone
// are returned, also those of tables that the dataset does not have.
func (d *Dataset) ViewsSQL(ctx context.Context, only map[string]bool) (string, error) {
	tables, err := d.tables(ctx)
	if err != nil {
		return "", err
	}
	if tables, err = d.filled(ctx, tables); err != nil {
		return "", err
	}
	s, err := d.tableShapes(ctx, userTables(tables), false)
	if err != nil {
		return "", err
	}
	var sql strings.Builder
	sql.WriteString(d.viewsHead())
	over, always := Views(), TablesNamed()
	views := make(map[string]bool)
	for _, v := range over {
		views[v.Name] = true
	}
	for _, t := range schema.Tables() {
		views[t.ViewName()] = true
		isFilled := slices.Contains(tables, t.Name)
		if only != nil && !only[t.ViewName()] || only == nil && !isFilled && strings.HasPrefix(t.Name, schema.EventsFolder) && !always[t.ViewName()] {
			continue
		}
		fmt.Fprintf(&sql, "\n-- %s\nCREATE OR REPLACE VIEW %s AS ", t.Doc, t.ViewName())
		switch {
		case isFilled && s.partial[t.Name]:
			sql.WriteString(noRows(t.WithTrace().Columns) + unionByName + readTables(t.Name))
		case isFilled:
			sql.WriteString(readTables(t.Name))
		default:
			sql.WriteString(noRows(t.WithTrace().Columns) + ";\n")
		}
	}
	if err := d.userViews(ctx, &sql, s, views, only); err != nil {
		return "", err
	}
	for _, v := range over {
		if only != nil && !only[v.Name] {
			continue
		}
		fmt.Fprintf(&sql, "\n-- %s\nCREATE OR REPLACE VIEW %s AS\n%s;\n", v.Doc, v.Name, v.SQL)
	}
	return sql.String(), nil
}

// cookbookTables are the views of tables of events that the queries of
// docs/cookbook.md name.
var cookbookTables = []string{
	"pagefault_hardfault", "perfinfo_dpc", "perfinfo_isr", "perfinfo_isr_msi", "perfinfo_threadeddpc", "perfinfo_timerdpc",
	"registry_create", "registry_delete", "registry_deletevalue", "registry_enumeratekey", "registry_enumeratevaluekey", "registry_kcbcreate",
	"registry_kcbdelete", "registry_kcbrundownbegin", "registry_kcbrundownend", "registry_open", "registry_query", "registry_querymultiplevalue",
	"registry_queryvalue", "registry_setinformation", "registry_setvalue",
	"tcpip_recvipv4", "tcpip_recvipv6", "tcpip_sendipv4", "tcpip_sendipv6",
}

// TablesNamed returns the views of tables that the views people start from
// and the cookbook name. They are there without rows, too.
func TablesNamed() map[string]bool {
	named := make(map[string]bool)
	for _, name := range cookbookTables {
		named[name] = true
	}
	for _, v := range StartViews() {
		for _, word := range sqlName.FindAllString(v.SQL, -1) {
			named[word] = true // most are no tables
		}
	}
	return named
}

var sqlName = regexp.MustCompile(`[a-z][a-z0-9_]*`)

// rootVariable is the variable of DuckDB with the folder that the views read.
const rootVariable = "dataset_root"

// sharedFunctions are functions of Spark that views use, for DuckDB before version 2.
const sharedFunctions = `CREATE OR REPLACE MACRO cardinality(list) AS len(list);
CREATE OR REPLACE MACRO array_join(list, separator) AS list_aggregate(list, 'string_agg', separator);
`

// viewsHead says how to use the views, and finds the folder.
func (d *Dataset) viewsHead() string {
	root := strings.TrimSuffix(d.store.URL(""), "/")
	how := "start it in this folder, duckdb -init " + viewsFile
	if strings.Contains(root, "://") {
		how = "they read from the bucket, with the extension httpfs and a secret for it (CREATE SECRET); a copy of the folder: start DuckDB in it"
	}
	return fmt.Sprintf(`-- DuckDB views over this dataset: %s; from elsewhere, if it was moved or copied, first SET VARIABLE dataset = 'its path', then .read %s.
SET VARIABLE %s = CASE
  WHEN getvariable('dataset') IS NOT NULL THEN replace(replace(replace(getvariable('dataset')::VARCHAR, '[', '[[]'), '*', '[*]'), '?', '[?]')
  WHEN EXISTS (SELECT * FROM glob('%s/*%s')) THEN '.'
  ELSE %s END;
%s`, how, viewsFile, rootVariable, recordsFolder, recordSuffix, sqlText(globEscape.Replace(root)), sharedFunctions)
}

// readTables reads all files of tables.
func readTables(tables ...string) string {
	var globs []string
	for _, t := range tables {
		globs = append(globs, inRoot(globEscape.Replace(t)+"/*"+fileSuffix))
	}
	return "SELECT * FROM " + readParquet(globs) + ";\n"
}

// readParquet reads files, given as expressions.
func readParquet(files []string) string {
	list := strings.Join(files, ", ")
	if len(files) > 1 {
		list = "[" + list + "]"
	}
	return fmt.Sprintf("read_parquet(%s, hive_partitioning = false, union_by_name = true)", list)
}

// inRoot is the expression for a pattern of files in the dataset.
func inRoot(pattern string) string {
	return "getvariable('" + rootVariable + "') || " + sqlText("/"+pattern)
}

// globEscape makes a path stand for itself in a pattern of DuckDB.
var globEscape = strings.NewReplacer("[", "[[]", "*", "[*]", "?", "[?]")

func sqlText(s string) string { return "'" + strings.ReplaceAll(s, "'", "''") + "'" }

// sqlQuoted is a name in SQL.
func sqlQuoted(name string) string { return `"` + strings.ReplaceAll(name, `"`, `""`) + `"` }

// sqlComment is a text in a comment. A folder that somebody else has made can have a line feed in
// its name, behind which DuckDB would run commands.
func sqlComment(s string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsControl(r) {
			return unicode.ReplacementChar
		}
		return r
	}, s)
}

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
		if strings.HasSuffix(entry.Name, fileSuffix) {
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

// unionByName adds rows to others. A column that only some have is NULL in the others.
const unionByName = "\nUNION ALL BY NAME "

// noRows selects columns and no row. In a union it has the columns that no file has.
func noRows(columns []schema.Column) string {
	var list []string
	for i := range columns {
		c := &columns[i]
		list = append(list, fmt.Sprintf("NULL::%s AS %s", duckType(c), c.Name))
	}
	return "SELECT " + strings.Join(list, ", ") + " WHERE false"
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

// headerNumbers are the columns of header tables with the id, level, opcode and task of an
// event, as far as they have them.
var headerNumbers = map[string][4]string{
	"system_trace_header":   {"hook_id"},
	"perfinfo_trace_header": {"hook_id"},
	"event_trace_header":    {"class_type", "class_level"},
	"event_instance_header": {"class_type", "class_level"},
	"event_header":          {"event_id", "level", "opcode", "task"},
	"message_trace_header":  {"message_number"},
	"other_header":          {"header_type"},
}

// eventsView is the union of all tables of events, in the columns they share, with names
// from event_types. The level, opcode and task there are those of the first event of a kind.
func eventsView() View {
	v := View{Name: "events", Doc: "Every event of every trace, once.", Columns: slices.Concat(
		[]schema.Column{{Name: "header_table", Type: schema.String, Doc: "Table of the event, by the type of its header."}}, schema.CommonColumns(), schema.SummaryColumns())}
	var names []string
	for _, c := range schema.CommonColumns() {
		names = append(names, c.Name)
	}
	var parts []string
	for _, t := range schema.HeaderTables() {
		part := fmt.Sprintf("SELECT trace, '%s' AS header_table, %s", t.Name, strings.Join(names, ", "))
		for i, column := range headerNumbers[t.Name] {
			part += fmt.Sprintf(", %s AS %s", cmp.Or(column, "CAST(NULL AS INTEGER)"), [...]string{"id", "level", "opcode", "task"}[i])
		}
		parts = append(parts, part+" FROM "+t.Name)
	}
	v.SQL = "SELECT e.trace, e.header_table, e." + strings.Join(names, ", e.") + ", e.id AS event_id"
	for _, name := range []string{"level", "opcode", "task"} {
		v.SQL += fmt.Sprintf(",\n  CASE WHEN e.%[1]s IS NULL OR e.%[1]s = k.%[1]s THEN k.%[1]s_name END AS %[1]s_name", name)
	}
	v.SQL += ",\n  (e.time_ns - s.start_ns) / 1e9 AS seconds\nFROM (\n" + strings.Join(parts, "\nUNION ALL\n") +
		"\n) e LEFT JOIN event_types k ON k.trace = e.trace AND k.event_kind = e.event_kind " +
		"LEFT JOIN (SELECT trace, min(first_event_ns) AS start_ns FROM buffers GROUP BY trace) s ON s.trace = e.trace"
	return v
}
