package views

import (
	"fmt"
	"io/fs"
	"slices"
	"strings"

	"github.com/etl2parquet/etl2parquet/schema"
)

// Macro is a view with parameters: a table macro.
type Macro struct {
	View
	Parameters []string
}

// Macros returns the macros, by name. The caller must not change them.
func (s *Set) Macros() []*Macro { return s.macros }

// LookupMacro returns the macro with a name, in any case, or nil.
func (s *Set) LookupMacro(name string) *Macro {
	for _, m := range s.macros {
		if strings.EqualFold(m.Name, name) {
			return m
		}
	}
	return nil
}

// MacroTables returns the macros as tables, by which their columns are explained.
func (s *Set) MacroTables() []*schema.Table {
	var tables []*schema.Table
	for _, m := range s.macros {
		tables = append(tables, &schema.Table{Name: m.Name, Doc: m.Doc, Columns: m.Columns})
	}
	return tables
}

// readMacro reads the folder of a macro: macro.sql is like a view.sql that begins with the parameters.
func readMacro(files fs.FS, name string) (*Macro, error) {
	text, err := fs.ReadFile(files, name+"/macro.sql")
	if err != nil {
		return nil, err
	}
	page, err := fs.ReadFile(files, name+"/view.md")
	if err != nil {
		return nil, err
	}
	m := &Macro{View: View{Name: name, Page: string(page)}}
	if m.Doc, err = firstParagraph(m.Page); err != nil {
		return nil, fmt.Errorf("%s/view.md: %w", name, err)
	}
	line, rest, _ := strings.Cut(string(text), "\n")
	list, found := strings.CutPrefix(line, "-- parameters ")
	if !found {
		return nil, fmt.Errorf("%s/macro.sql: it does not begin with its parameters", name)
	}
	m.Parameters = strings.Split(list, ", ")
	if m.sql, err = m.columns(m.rows(rest)); err != nil {
		return nil, fmt.Errorf("%s/macro.sql: %w", name, err)
	}
	m.Reads = readsOf(m.sql)
	return m, nil
}

// matching returns SQL for the events whose fields or message may have the parameter text of a macro.
// It compares without quotation marks, backslashes, colons and spaces, which the JSON of fields has
// elsewhere, and takes all events if the text has control characters, which JSON escapes.
func matching(events string) string {
	return "SELECT * FROM " + events + " AS m WHERE " + mayMatch("m.fields") + " OR " + mayMatch("'message ' || m.message")
}

// mayMatch returns the condition of matching for a text.
func mayMatch(value string) string {
	return fmt.Sprintf(`CASE WHEN regexp_matches(text, '[[:cntrl:]]') THEN %[1]s IS NOT NULL `+
		`WHEN regexp_matches(text, '["\\: ]') THEN contains(translate(lower(%[1]s), '"\: ', ''), translate(lower(text), '"\: ', '')) `+
		`ELSE contains(lower(%[1]s), lower(text)) END`, value)
}

// writeMacros writes the macros.
func (w *script) writeMacros() {
	for _, m := range w.macros {
		if w.only != nil && !w.only[m.Name] {
			continue
		}
		sql := strings.ReplaceAll(m.sql, matching(fieldsView), w.matching())
		w.write("\nCREATE OR REPLACE MACRO ", m.Name, "(", strings.Join(m.Parameters, ", "), ") AS TABLE\n", sql, ";\n")
		if w.only == nil {
			fmt.Fprintf(w, "COMMENT ON MACRO TABLE %s IS %s;\n", m.Name, sqlText(sqlComment(m.Doc)))
		}
	}
}

// matching is the function matching for the dataset. The view of all events joins the fields of all
// payloads; here only those that may match are joined.
func (w *script) matching() string {
	if w.only == nil || len(w.payloads) == 0 {
		return matching(fieldsView)
	}
	var list []string
	for i := range w.payloads {
		list = append(list, w.payloads[i].sql(jsonSQL{w.shapes.signed}, "t"))
	}
	return "SELECT m.* REPLACE (coalesce(m.fields, p.fields) AS fields, coalesce(m.message, p.message) AS message)\n  FROM (\n" +
		w.byName[schema.EventsName].sql + "\n  ) AS m\n  LEFT JOIN (\n    SELECT * FROM (\n      " + strings.Join(list, "\n      UNION ALL ") +
		"\n    ) AS m WHERE " + mayMatch("m.fields") + " OR " + mayMatch("'message ' || m.message") +
		"\n  ) AS p ON p.trace = m.trace AND p.event_ref = m.event_ref\n  WHERE p.event_ref IS NOT NULL OR " + mayMatch("m.fields") + " OR " + mayMatch("'message ' || m.message")
}

// neededMacros adds the names that the macros among needed ones read, and the fields of events.
func (s *Set) neededMacros(needed map[string]bool) {
	for _, m := range s.macros {
		if !needed[m.Name] {
			continue
		}
		for _, name := range m.Reads {
			needed[name] = true
		}
		if slices.Contains(m.Reads, fieldsView) {
			needed[EventFields] = true
		}
	}
}
