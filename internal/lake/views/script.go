package views

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"github.com/etl2parquet/etl2parquet/internal/base/texts"
	"github.com/etl2parquet/etl2parquet/internal/formats/parquet"
	"github.com/etl2parquet/etl2parquet/internal/lake/dataset"
	"github.com/etl2parquet/etl2parquet/schema"
)

// Write writes views.sql of a dataset: a DuckDB view for every table with rows and for the tables
// that queries may name without knowing the dataset's contents, and all views of this package.
// Other runs may convert into the dataset at the same time: the last one to call Write sees the
// results of all.
func Write(ctx context.Context, d *dataset.Dataset) error {
	for written := ""; ; {
		c, err := readContents(ctx, []Piece{{Dataset: d}})
		if err != nil {
			return err
		}
		sql, err := BuiltIn().script(ctx, c, nil)
		if err != nil || sql == written {
			return err
		}
		if err := d.WriteViews(ctx, sql); err != nil {
			return err
		}
		if same, err := c.isStill(ctx, d); err != nil || same {
			return err
		}
		written = sql
	}
}

// Piece is a dataset, or the part of it that views read.
type Piece struct {
	Dataset *dataset.Dataset
	Tables  map[string]bool // by their names in the dataset; nil means all
}

// has reports whether views may read a table from the piece.
func (p *Piece) has(table string) bool { return p.Tables == nil || p.Tables[table] }

// contents is what pieces have, as far as their views depend on it.
type contents struct {
	pieces   []Piece
	filled   []string // the tables with rows
	isFilled map[string]bool
	of       map[string]int // the piece with the files of a table
	shapes   *recordedShapes
}

// readContents reads the contents of pieces. If several have a table, it is read from the first of them.
func readContents(ctx context.Context, pieces []Piece) (*contents, error) {
	c := &contents{pieces: pieces, of: make(map[string]int), isFilled: make(map[string]bool), shapes: newRecordedShapes()}
	for i := range pieces {
		filled, err := pieces[i].Dataset.FilledTables(ctx)
		if err != nil {
			return nil, err
		}
		for _, table := range filled {
			if _, taken := c.of[table]; pieces[i].has(table) && !taken {
				c.filled, c.isFilled[table], c.of[table] = append(c.filled, table), true, i
			}
		}
	}
	return c, c.readShapes(ctx, c.shapes, userTables(c.filled), false)
}

// filledOwn returns the tables of package schema with rows, in their order.
func (c *contents) filledOwn() (tables []*schema.Table) {
	for _, name := range c.filled {
		if t, found := schema.LookupTable(name); found && t.Name == name {
			tables = append(tables, t)
		}
	}
	return tables
}

// isStill reports whether a dataset has what it had when its contents were read. It only compares the
// texts of the records, and does not parse them again.
func (c *contents) isStill(ctx context.Context, d *dataset.Dataset) (bool, error) {
	filled, err := d.FilledTables(ctx)
	if err != nil || !slices.Equal(filled, c.filled) {
		return false, err
	}
	var texts textSum
	err = d.EachRecord(ctx, func(text []byte) { texts.add(text) })
	return texts == c.shapes.texts, err
}

// readShapes reads the shapes of some tables from the records of the pieces.
func (c *contents) readShapes(ctx context.Context, to *recordedShapes, tables map[string]bool, withFiles bool) error {
	for i := range c.pieces {
		isOf := func(table string) bool { of, found := c.of[table]; return found && of == i }
		if err := to.read(ctx, c.pieces[i].Dataset, isOf, tables, withFiles); err != nil {
			return err
		}
	}
	to.shapes = to.shapes.withEvents(tables)
	return nil
}

// root returns the SQL expression for the folder with the files of a table.
func (c *contents) root(table string) string {
	if len(c.pieces) == 1 {
		return "getvariable('" + rootVariable + "')"
	}
	return sqlText(globEscape.Replace(c.pieces[c.of[table]].Dataset.Root()))
}

// Script returns the statements that define the views over the present contents of a dataset. If
// only is not nil, it defines exactly these views, even of tables that the dataset lacks. Their names,
// in lower case, can be any names of events: see [schema.EventNames].
func Script(ctx context.Context, d *dataset.Dataset, only map[string]bool) (string, error) {
	return BuiltIn().ScriptOfPieces(ctx, []Piece{{Dataset: d}}, only)
}

// ScriptOfPieces is [Script] for pieces, at least one, of which each has other tables of the same traces. Views
// over several pieces read them where they are now: they cannot be moved.
func (s *Set) ScriptOfPieces(ctx context.Context, pieces []Piece, only map[string]bool) (string, error) {
	c, err := readContents(ctx, pieces)
	if err != nil {
		return "", err
	}
	return s.script(ctx, c, only)
}

// script is the state of Script.
type script struct {
	*Set
	*contents
	only    map[string]bool // the views to define; nil means all
	taken   map[string]bool // see takenNames
	defined map[string]bool // views of tables with rows
	aliases aliases
	stepped bool // the clock of some trace was set
	breaks  bool // durations over some moments are not known

	payloads []payloadView // that have the fields of events
	strings.Builder
}

func (s *Set) begin(c *contents, only map[string]bool) *script {
	return &script{Set: s, contents: c, only: only, taken: s.takenNames(), defined: make(map[string]bool)}
}

func (s *Set) script(ctx context.Context, c *contents, only map[string]bool) (string, error) {
	w := s.begin(c, only)
	w.findAliases()
	w.head()
	if only == nil {
		w.write("SET VARIABLE ", loadingVariable, " = true;\n")
	}
	w.clocks()
	for _, t := range schema.Tables() {
		w.table(t)
	}
	if err := w.eventViews(ctx); err != nil {
		return "", err
	}
	w.writeAliases()
	w.absentTables()
	for _, v := range s.list {
		if w.wants(v.Name, false) && !w.leavesOut(v) {
			w.view(v.Name, v.Doc, "\n", w.viewSQL(v), ";\n")
		}
	}
	w.writeMacros()
	if only == nil {
		if slices.ContainsFunc(c.filled, func(table string) bool { return strings.HasPrefix(table, schema.EventsFolder) }) {
			w.writeEventMacro()
		}
		w.write("RESET VARIABLE ", loadingVariable, ";\n")
	}
	return w.String(), nil
}

// leavesOut reports whether a script of all views is without one of a user's, as it reads what only other datasets
// have.
func (w *script) leavesOut(v *View) bool {
	if w.only != nil || v.Folder == "" {
		return false
	}
	return slices.ContainsFunc(v.Reads, func(name string) bool {
		view := w.byName[name]
		return view == nil && !w.defined[name] && w.eventTable(name) == nil || view != nil && w.leavesOut(view)
	})
}

// viewSQL returns the SELECT of a view. Tables that the dataset lacks are empty in it. Without any of those
// that give it rows, only its columns are left, as most datasets have the events of few views.
func (w *script) viewSQL(v *View) string {
	sql := v.sqlOver(w.resolved)
	if w.breaks {
		sql = elapsedFound().ReplaceAllString(sql, elapsed+"($1, $3, $2)")
	}
	switch {
	case v.Name == schema.EventsName && w.only == nil:
		return "SELECT * EXCLUDE (fields, message, stack_id) FROM (\n" + sql + "\n)"
	case v.Name == schema.EventsName:
		return w.allEvents(v)
	case w.only != nil && v.Sources == nil:
		return sql
	case v.Name == fieldsView:
		return w.lazily(w.allEvents(w.byName[schema.EventsName]), v)
	case sql == "", w.only == nil && v.Rows != nil && !w.hasRows(v.Name):
		return w.noRows(slices.Concat([]schema.Column{schema.TraceColumn}, v.Columns))
	}
	reads := v.Reads
	if v.Sources != nil { // some are left out
		reads = readsOf(sql)
	}
	var absent []string
	for _, name := range reads {
		if w.byName[name] != nil || w.defined[name] || w.only[name] {
			continue
		}
		if t := w.eventTable(name); t != nil && t.IsPayload() {
			absent = append(absent, name+" AS ("+w.noRows(t.WithTrace().Columns)+")")
		}
	}
	if absent == nil {
		return sql
	}
	return "WITH " + strings.Join(absent, ",\n") + "\nSELECT * FROM (\n" + sql + "\n)"
}

// loadingVariable is the DuckDB variable that is set while the script is read.
const loadingVariable = "views_loading"

// lazily returns SQL that is the SELECT of a view once the script has been read. DuckDB opens what a view reads
// when it creates the view, which takes long for the tables of all events.
func (w *script) lazily(sql string, v *View) string {
	columns := w.noRows(slices.Concat([]schema.Column{schema.TraceColumn}, v.Columns))
	return fmt.Sprintf("FROM query(CASE WHEN getvariable('%s') THEN %s ELSE %s END)", loadingVariable, sqlText(columns), sqlText(sql))
}

// writeEventMacro writes the macro that reads the table of any event. The name of an event can have a slash, and
// that of its folder has none.
func (w *script) writeEventMacro() {
	const folder = "split_part(name, '/', 1) || '/' || replace(substr(name, strpos(name, '/') + 1), '/', '_')"
	files := fmt.Sprintf("getvariable('%s') || '/%s' || %s || '/*%s'", rootVariable, schema.EventsFolder, folder, dataset.FileSuffix)
	w.write("\nCREATE OR REPLACE MACRO event(name) AS TABLE ", w.withClock(readAll+readParquet([]string{files})+";\n"))
	w.write("COMMENT ON MACRO TABLE event IS 'The table of an event by its name, such as Thread/CSwitch: one row per event.';\n")
}

// hasRows reports whether the dataset has a table that gives a table or view its rows.
func (w *script) hasRows(name string) bool {
	return slices.ContainsFunc(w.RowsOf(name), func(table string) bool { return w.defined[table] })
}

// rootVariable is the DuckDB variable with the folder that the views read.
const rootVariable = "dataset_root"

// head writes how to use the views, and the statements that find the folder.
func (w *script) head() {
	root := w.pieces[0].Dataset.Root()
	how := "start it in this folder, duckdb -init " + dataset.ViewsFile
	if strings.Contains(root, "://") {
		how = "they read from the bucket, with the extension httpfs and a secret for it (CREATE SECRET); a copy of the folder: start DuckDB in it"
	}
	fmt.Fprintf(w, `-- DuckDB views over this dataset: %s; from elsewhere, if it was moved or copied, first SET VARIABLE dataset = 'its path', then .read %s.
SET VARIABLE %s = CASE
  WHEN getvariable('dataset') IS NOT NULL THEN replace(replace(replace(getvariable('dataset')::VARCHAR, '[', '[[]'), '*', '[*]'), '?', '[?]')
  WHEN EXISTS (SELECT * FROM glob('%s')) THEN '.'
  ELSE %s END;
`, how, dataset.ViewsFile, rootVariable, dataset.RecordPattern, sqlText(globEscape.Replace(root)))
}

// IsVariable reports whether the views use a variable of DuckDB with this name, in any case.
func IsVariable(name string) bool {
	return slices.ContainsFunc([]string{"dataset", rootVariable, startsVariable, stepsVariable, breaksVariable, loadingVariable}, func(v string) bool { return strings.EqualFold(v, name) })
}

// The DuckDB variables of what is known of the clock of each trace, by the name of the trace: the start of
// its session, in ns since 1970-01-01 UTC; the offsets of its events, by event_ref; and the moments,
// by clock_ns, over which durations are not known.
const (
	startsVariable = "trace_starts"
	stepsVariable  = "clock_steps"
	breaksVariable = "clock_breaks"
)

// elapsedForm is SQL for the ns between two times of a trace. Where some trace has moments over which they are
// not known, a script has the macro elapsed in its place.
const (
	elapsedForm = "CASE /* ns of %[1]s */ WHEN %[3]s >= %[2]s THEN %[3]s - %[2]s END"
	elapsed     = "elapsed_ns"
)

var elapsedFound = texts.Pattern(`CASE /\* ns of (\S+) \*/ WHEN (.+?) >= (.+?) THEN .+? END`)

// clocks writes the variables that the columns of time of views are computed with, and the
// macro. DuckDB looks traces up once for each row group, and not at all in queries without these columns: a join
// with a table would cost as much as reading a column, in every query.
func (w *script) clocks() {
	starts, steps, breaks := make(map[string]string), make(map[string]string), make(map[string]string)
	for trace, c := range w.shapes.clocks {
		starts[trace] = strconv.FormatInt(c.start, 10)
		if c.steps == nil {
			continue
		}
		var offsets []string
		for _, o := range c.steps.Offsets {
			offsets = append(offsets, fmt.Sprintf("{'event_ref': %d, 'ns': %d}", o.Ref, o.NS))
		}
		steps[trace] = "[" + strings.Join(offsets, ", ") + "]"
		if len(c.steps.Breaks) > 0 {
			breaks[trace] = strings.ReplaceAll(fmt.Sprint(c.steps.Breaks), " ", ", ")
		}
	}
	w.variable(startsVariable, starts)
	w.variable(stepsVariable, steps)
	w.variable(breaksVariable, breaks)
	if w.stepped, w.breaks = len(steps) > 0, len(breaks) > 0; w.breaks {
		fmt.Fprintf(w, "CREATE OR REPLACE MACRO %s(trace_name, since, until) AS CASE WHEN until >= since AND len(list_filter(coalesce(CAST(getvariable('%s') AS MAP(VARCHAR, BIGINT[]))[trace_name], []), lambda b: b > since AND b <= until)) = 0 THEN until - since END;\n", elapsed, breaksVariable)
	}
}

// variable writes a variable with a map by the name of the trace.
func (w *script) variable(name string, values map[string]string) {
	if len(values) == 0 {
		fmt.Fprintf(w, "SET VARIABLE %s = NULL;\n", name)
		return
	}
	fmt.Fprintf(w, "SET VARIABLE %s = MAP {", name)
	for i, trace := range slices.Sorted(maps.Keys(values)) {
		if i > 0 {
			w.WriteString(",")
		}
		fmt.Fprintf(w, "\n  %s: %s", sqlText(sqlComment(trace)), values[trace])
	}
	w.WriteString("};\n")
}

// viewBegins begins each view in a script.
const viewBegins = "\nCREATE OR REPLACE VIEW "

// withClock adds the columns of time that files lack, after time_ns, to SQL that reads the files of a table
// of events.
func (w *script) withClock(sql string) string {
	const before = "trace, event_ref, timestamp, " + schema.TimeColumn
	clock := schema.TimeColumn
	if w.stepped {
		clock = fmt.Sprintf("%s - coalesce(list_filter(CAST(getvariable('%s') AS MAP(VARCHAR, STRUCT(event_ref BIGINT, ns BIGINT)[]))[trace], lambda s: s.event_ref <= event_ref)[-1].ns, 0)", schema.TimeColumn, stepsVariable)
	}
	seconds := fmt.Sprintf("(%s - CAST(getvariable('%s') AS MAP(VARCHAR, BIGINT))[trace]) / 1e9 AS %s", clock, startsVariable, schema.SecondsColumn)
	from := "(" + strings.TrimSpace(strings.TrimSuffix(sql, ";\n")) + ")"
	if files, all := strings.CutPrefix(sql, readAll); all && !strings.Contains(files, unionByName) {
		from = strings.TrimSuffix(files, ";\n")
	}
	return fmt.Sprintf("SELECT %[1]s, %[2]s AS %[3]s, %[4]s, * EXCLUDE (%[1]s) FROM %[5]s;\n", before, clock, schema.ClockColumn, seconds, from)
}

// table writes the view of a table of package schema, if the script has it. A table of one kind of event is left
// out if the dataset lacks it, unless a question names it.
func (w *script) table(t *schema.Table) {
	name, isFilled := t.ViewName(), w.isFilled[t.Name]
	if !w.wants(name, isFilled && t.IsPayload()) || w.only == nil && !isFilled && t.IsPayload() {
		return
	}
	if isFilled && t.IsPayload() {
		w.kernelPayload(t)
	}
	sql := w.readTables(t.Name)
	switch {
	case !isFilled:
		sql = w.noRows(t.WithTrace().Columns) + ";\n"
	case w.shapes.partial[t.Name]:
		sql = w.noRows(t.Stored().WithTrace().Columns) + unionByName + sql
	}
	if isFilled && t.Column(schema.SecondsColumn) >= 0 {
		sql = w.withClock(sql)
	}
	w.defined[name] = isFilled
	w.view(name, t.Doc, " ", sql)
}

// takenNames returns the names of the views that are not of events described by schemas.
func (s *Set) takenNames() map[string]bool {
	taken := make(map[string]bool)
	for _, t := range schema.Tables() {
		taken[t.ViewName()] = true
	}
	for _, v := range s.list {
		taken[v.Name] = true
	}
	return taken
}

// absentTables writes empty views of the tables of the catalogue that a question names, or a view that it reads,
// and the dataset lacks.
func (w *script) absentTables() {
	for _, name := range slices.Sorted(maps.Keys(w.only)) {
		if w.taken[name] || w.defined[name] {
			continue
		}
		if t := w.eventTable(name); t != nil {
			w.view(sqlQuoted(name), t.Doc, " ", w.noRows(t.WithTrace().Columns)+";\n")
		}
	}
}

// view writes a view, by its name in SQL. Its sentence is a comment on it, which DuckDB shows in
// duckdb_views(). Columns have none: a view may lack a column that an earlier version did not write,
// and comments on columns would double the file. A script for one question has no comments.
func (w *script) view(name, doc string, sql ...string) {
	w.write(viewBegins, name, " AS")
	w.write(sql...)
	if w.only == nil && doc != "" {
		w.write("COMMENT ON VIEW ", name, " IS ", sqlText(sqlComment(doc)), ";\n")
	}
}

func (w *script) write(texts ...string) {
	for _, t := range texts {
		w.WriteString(t)
	}
}

// readTables returns SQL that reads all files of tables.
func (c *contents) readTables(tables ...string) string {
	var globs []string
	for _, t := range tables {
		globs = append(globs, c.inRoot(t, globEscape.Replace(t)+"/*"+dataset.FileSuffix))
	}
	return readAll + readParquet(globs) + ";\n"
}

// readAll precedes the files that are read as they are.
const readAll = "SELECT * FROM "

// readParquet returns SQL that reads files, given as expressions.
func readParquet(files []string) string {
	list := strings.Join(files, ", ")
	if len(files) > 1 {
		list = "[" + list + "]"
	}
	return fmt.Sprintf("read_parquet(%s, hive_partitioning = false, union_by_name = true)", list)
}

// inRoot returns the expression for a pattern of files of a table.
func (c *contents) inRoot(table, pattern string) string {
	return c.root(table) + " || " + sqlText("/"+pattern)
}

// globEscape escapes a path for a pattern of DuckDB.
var globEscape = strings.NewReplacer("[", "[[]", "*", "[*]", "?", "[?]")

func sqlText(s string) string { return "'" + strings.ReplaceAll(s, "'", "''") + "'" }

// sqlQuoted quotes a name for SQL.
func sqlQuoted(name string) string { return `"` + strings.ReplaceAll(name, `"`, `""`) + `"` }

// sqlComment makes a text one line. A folder that another program has made can have a line feed in its
// name, and DuckDB's program would run commands after it.
func sqlComment(s string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsControl(r) {
			return unicode.ReplacementChar
		}
		return r
	}, s)
}

// duckTypes are DuckDB's types of the columns, except structs.
var duckTypes = map[schema.Type]string{
	schema.Boolean: "BOOLEAN", schema.Int32: "INTEGER", schema.Int64: "BIGINT", schema.Uint64: "UBIGINT",
	schema.Float: "FLOAT", schema.Double: "DOUBLE", schema.String: "VARCHAR", schema.Binary: "BLOB", schema.Timestamp: "TIMESTAMPTZ",
}

// unionByName unites two SELECTs. A column that only one of them has is NULL in the rows of the
// other.
const unionByName = "\nUNION ALL BY NAME "

// noRows returns a SELECT of columns without rows, with their types in the dataset. It adds columns
// that no file has to a union.
func (w *script) noRows(columns []schema.Column) string {
	if w.shapes.signed {
		columns = parquet.Signed(&schema.Table{Columns: columns}).Columns
	}
	var list []string
	for _, c := range quoted(columns) {
		list = append(list, fmt.Sprintf("NULL::%s AS %s", duckType(&c), c.Name))
	}
	return selectNoRows(list)
}

func selectNoRows(list []string) string { return "SELECT " + strings.Join(list, ", ") + " WHERE false" }

// quoted returns columns with quoted names, because names of fields can be SQL keywords.
func quoted(columns []schema.Column) []schema.Column {
	columns = slices.Clone(columns)
	for i := range columns {
		columns[i].Name, columns[i].Fields = sqlQuoted(columns[i].Name), quoted(columns[i].Fields)
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

// resolved is a resolver by the contents: an event that a source calls by its id has the name that the trace gives it.
func (w *script) resolved(table string) (string, bool) {
	if view := w.aliases.of[table]; view != "" {
		table = view
	}
	return table, w.defined[table] || w.byName[table] != nil && w.hasRows(table)
}

// tableRead returns the table of an event by the catalogue and the sources, if a view reads it by any of its names.
func (w *script) tableRead(view string) *schema.Table {
	if w.named[view] {
		return w.eventTable(view)
	}
	least := "" // of its names, so that each run takes the same
	for alias, of := range w.aliases.of {
		if of == view && w.named[alias] && (least == "" || alias < least) {
			least = alias
		}
	}
	if least == "" {
		return nil
	}
	return w.eventTable(least)
}
