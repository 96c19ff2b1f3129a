package views

import (
	_ "embed" // for the file below
	"fmt"
	"strings"
	"sync"
)

// readyFile has what a script needs of the views, as text: their SQL for DuckDB with the templates
// executed, and the lines before it. Reading the folders took a fifth of the time of converting a
// small trace. A test writes it with -update.
const readyFile = "duckdb.sql"

//go:embed duckdb.sql
var readyText string

// ready is the set of [all] without pages, types of columns and SQL for Spark.
var ready = sync.OnceValue(func() *set {
	s, err := parseReady(readyText)
	if err != nil {
		panic(err) // the file is embedded in the program, so every test would fail
	}
	s.absent = sync.OnceValue(func() absentTables { return splitAbsent(absentText) })
	s.kernel = sync.OnceValue(func() absentTables { return splitAbsent(kernelText) })
	s.empty = sync.OnceValue(func() *emptyViews { return indexed(emptyText, emptyLines) })
	return s
})

// The beginnings of the lines before the SQL of a view in readyFile, after two dashes. A macro has its
// parameters after its name.
const (
	readyView    = "-- view "
	readyMacro   = "-- macro "
	readyDoc     = "-- doc "
	readyRows    = "-- rows of "
	readyReads   = "-- reads "
	readyColumns = "-- columns "
)

// readySections separates views in readyFile. No SQL of a view has a semicolon.
const readySections = ";\n\n"

// readyLines returns the set as the text of readyFile.
func (s *set) readyLines() string {
	var b strings.Builder
	section := func(head string, v *View) {
		fmt.Fprintf(&b, "%s\n%s%s\n", head, readyDoc, v.Doc)
		for _, list := range []struct {
			begin string
			names []string
		}{{readyRows, v.Rows}, {readyReads, v.Reads}, {readyColumns, v.columnNames()}} {
			if len(list.names) > 0 {
				fmt.Fprintf(&b, "%s%s\n", list.begin, strings.Join(list.names, ", "))
			}
		}
		b.WriteString(v.SQL(DuckDB) + readySections)
	}
	for _, v := range s.list {
		section(readyView+v.Name, v)
	}
	for _, m := range s.macros {
		section(readyMacro+m.Name+" "+strings.Join(m.Parameters, ", "), &m.View)
	}
	return b.String()
}

// parseReady parses the text of readyFile.
func parseReady(text string) (*set, error) {
	s := &set{byName: make(map[string]*View)}
	for text != "" {
		section, rest, found := strings.Cut(text, readySections)
		if !found {
			return nil, fmt.Errorf("%s: no end of %q", readyFile, section)
		}
		head, lines, _ := strings.Cut(section, "\n")
		v := new(View)
		if name, isView := strings.CutPrefix(head, readyView); isView {
			v.Name = name
			s.list, s.byName[name] = append(s.list, v), v
		} else if macro, isMacro := strings.CutPrefix(head, readyMacro); isMacro {
			m := new(Macro)
			name, parameters, _ := strings.Cut(macro, " ")
			v, m.Name, m.Parameters = &m.View, name, strings.Split(parameters, ", ")
			s.macros = append(s.macros, m)
		} else {
			return nil, fmt.Errorf("%s: no view: %q", readyFile, head)
		}
		v.readyHead(lines)
		text = rest
	}
	return s, nil
}

// readyHead parses the lines after the name of a view, and its SQL.
func (v *View) readyHead(text string) {
	for {
		line, rest, _ := strings.Cut(text, "\n")
		if doc, found := strings.CutPrefix(line, readyDoc); found {
			v.Doc = doc
		} else if names, found := strings.CutPrefix(line, readyRows); found {
			v.Rows = strings.Split(names, ", ")
		} else if names, found := strings.CutPrefix(line, readyReads); found {
			v.Reads = strings.Split(names, ", ")
		} else if names, found := strings.CutPrefix(line, readyColumns); found {
			v.names = names
		} else {
			break
		}
		text = rest
	}
	v.sql[DuckDB] = func() (string, error) { return text, nil }
}

// columnNames returns the names of the columns after trace.
func (v *View) columnNames() []string {
	if v.names != "" {
		return strings.Split(v.names, ", ")
	}
	var names []string
	for i := range v.Columns {
		names = append(names, v.Columns[i].Name)
	}
	return names
}
