package views

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/etl2parquet/etl2parquet/schema"
)

// wideColumns returns the columns that files of an event have with different types, each as wide as
// all of them need, by name. It returns nil if DuckDB finds these types itself.
func (s tableShapes) wideColumns(event schema.Identity) map[string]schema.Column {
	types := make(map[string]map[string]bool) // by name
	for key := range s {
		if key.event != event {
			continue
		}
		addTypes(types, parseColumns(key.columns))
	}
	wide, isNative := make(map[string]schema.Column), true
	for name, kinds := range types {
		if len(kinds) < 2 {
			continue
		}
		forms := columnsOf(kinds)
		if len(forms) == 0 {
			continue
		}
		c := widest(forms)
		for i := range forms {
			isNative = isNative && widensTo(&forms[i], &c)
		}
		wide[name] = c
	}
	if isNative {
		return nil
	}
	return wide
}

// addTypes adds the types of columns, by name.
func addTypes(types map[string]map[string]bool, columns map[string]string) {
	for name, kind := range columns {
		if types[name] == nil {
			types[name] = make(map[string]bool)
		}
		types[name][kind] = true
	}
}

// widest returns a column as wide as all forms need.
func widest(forms []schema.Column) schema.Column {
	c := forms[0].Clone()
	for i := range forms[1:] {
		c.Widen(&forms[1+i])
	}
	return c
}

// columnsOf returns columns of the types, in order. It ignores texts that are no types.
func columnsOf(kinds map[string]bool) (list []schema.Column) {
	for _, kind := range slices.Sorted(maps.Keys(kinds)) {
		if c, ok := schema.ParseType(kind); ok {
			list = append(list, c)
		}
	}
	return list
}

// widensTo reports whether DuckDB itself turns the values of a column into those of a wider one, as
// [schema.Column.Widen] says, when it reads files together.
func widensTo(from, to *schema.Column) bool {
	switch {
	case from.List != to.List:
		return false
	case from.Type == schema.Struct && to.Type == schema.Struct:
		for i := range from.Fields {
			if m := memberOf(to, from.Fields[i].Name); m != nil && !widensTo(&from.Fields[i], m) {
				return false
			}
		}
		return true
	case from.Type == to.Type:
		return true
	case to.Type == schema.Double:
		return from.Type == schema.Float
	}
	return to.Type == schema.Int32 || to.Type == schema.Int64
}

func memberOf(c *schema.Column, name string) *schema.Column {
	if i := slices.IndexFunc(c.Fields, func(m schema.Column) bool { return m.Name == name }); i >= 0 {
		return &c.Fields[i]
	}
	return nil
}

// readWide returns SQL that reads the files of an event with the columns of its view. Files with the
// same columns are read together.
func (c *contents) readWide(ctx context.Context, v *eventView, wide map[string]schema.Column) (string, error) {
	wanted := make(map[string]bool)
	for _, t := range v.tables {
		wanted[t] = true
	}
	s := newRecordedShapes()
	if err := c.readShapes(ctx, s, wanted, true); err != nil {
		return "", err
	}
	files := make(map[selection][]string)
	for key, shape := range s.shapes {
		if key.event != v.event {
			continue
		}
		selected := selectWide(parseColumns(key.columns), wide)
		for _, file := range shape.files {
			files[selected] = append(files[selected], c.inRoot(key.table, globEscape.Replace(file)))
		}
	}
	if len(files) == 0 { // another run is about to replace the records
		return c.readTables(v.tables...), nil
	}
	var parts []string
	for _, selected := range slices.SortedFunc(maps.Keys(files), selection.compare) {
		slices.Sort(files[selected])
		parts = append(parts, "SELECT "+selected.columns+" FROM "+readParquet(slices.Compact(files[selected])))
	}
	return strings.Join(parts, unionByName) + ";\n", nil
}

// selection says what files are read together. DuckDB would give columns of different types a type
// of its own before it evaluates an expression: integers beside DOUBLE would lose digits.
type selection struct {
	columns string // the list of SELECT
	types   string // of the columns that it replaces
}

func (s selection) compare(other selection) int {
	return cmp.Or(strings.Compare(s.columns, other.columns), strings.Compare(s.types, other.types))
}

// selectWide returns the selection of columns, as wide as in the view.
func selectWide(columns map[string]string, wide map[string]schema.Column) selection {
	var replaced, types []string
	for _, name := range slices.Sorted(maps.Keys(columns)) {
		to, ok := wide[name]
		from, known := schema.ParseType(columns[name])
		if ok && known && !widensTo(&from, &to) {
			replaced = append(replaced, widened(sqlQuoted(name), &from, &to, 0)+" AS "+sqlQuoted(name))
			types = append(types, columns[name])
		}
	}
	if replaced == nil {
		return selection{columns: "*"}
	}
	return selection{"* REPLACE (" + strings.Join(replaced, ", ") + ")", strings.Join(types, "\n")}
}

// widened returns SQL that turns a value into that of a wider column. depth is the number of lists
// around it.
func widened(value string, from, to *schema.Column, depth int) string {
	switch {
	case to.List && !from.List:
		return fmt.Sprintf("CASE WHEN %s IS NOT NULL THEN [%s] END", value, widenedElement(value, from, to, depth))
	case to.List:
		x := fmt.Sprintf("x%d", depth)
		return fmt.Sprintf("list_transform(%s, lambda %s: %s)", value, x, widenedElement(x, from, to, depth+1))
	}
	return widenedElement(value, from, to, depth)
}

// widenedElement is widened for a value that is not a list.
func widenedElement(value string, from, to *schema.Column, depth int) string {
	if to.Type == schema.String {
		return textOf(value, from.Type)
	}
	if to.Type != schema.Struct {
		return fmt.Sprintf("CAST(%s AS %s)", value, duckTypes[to.Type])
	}
	var members []string
	for i := range to.Fields {
		m := &to.Fields[i]
		sql := fmt.Sprintf("CAST(NULL AS %s)", duckType(&quoted([]schema.Column{*m})[0]))
		if own := memberOf(from, m.Name); own != nil {
			sql = widened(value+"."+sqlQuoted(m.Name), own, m, depth)
		}
		members = append(members, sqlQuoted(m.Name)+" := "+sql)
	}
	return fmt.Sprintf("CASE WHEN %s IS NOT NULL THEN struct_pack(%s) END", value, strings.Join(members, ", "))
}

// textOf returns SQL for the text of a value, as in CSV.
func textOf(value string, of schema.Type) string {
	switch of {
	case schema.Timestamp:
		return fmt.Sprintf("strftime(%s AT TIME ZONE 'UTC', '%%Y-%%m-%%dT%%H:%%M:%%S.%%fZ')", value)
	case schema.Binary:
		return fmt.Sprintf("lower(hex(%s))", value)
	case schema.Struct:
		return fmt.Sprintf("CAST(to_json(%s) AS VARCHAR)", value)
	}
	return fmt.Sprintf("CAST(%s AS VARCHAR)", value)
}
