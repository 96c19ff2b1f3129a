// Package viewcases reads the tests of views.
package viewcases

import (
	"fmt"
	"strings"

	"github.com/rogpeppe/go-internal/txtar"
)

// File is the file with the cases of a view, in its folder.
const File = "rows.txtar"

// Case is a test of the rows of a view: traces, a query, and its result. In rows.txtar it consists of
// <name>/trace, a trace as text, or <name>/<trace>.trace for each of several traces; <name>/query.sql; and
// <name>/rows.csv, with a header line and NULL for missing values.
type Case struct {
	Name, Query, Rows string
	Traces            map[string]string // texts by name
}

// Parse returns the cases of a rows.txtar, of which there must be one.
func Parse(archive *txtar.Archive) (cases []*Case, err error) {
	byName := make(map[string]*Case)
	for _, f := range archive.Files {
		name, kind, _ := strings.Cut(f.Name, "/")
		c := byName[name]
		if c == nil {
			c = &Case{Name: name, Traces: make(map[string]string)}
			byName[name] = c
			cases = append(cases, c)
		}
		trace, isTrace := strings.CutSuffix(kind, ".trace")
		switch {
		case kind == "query.sql":
			c.Query = string(f.Data)
		case kind == "rows.csv":
			c.Rows = string(f.Data)
		case kind == "trace":
			c.Traces[kind] = string(f.Data)
		case isTrace:
			c.Traces[trace] = string(f.Data)
		default:
			return nil, fmt.Errorf("%s is no part of a test", f.Name)
		}
	}
	if cases == nil {
		return nil, fmt.Errorf("it has no test")
	}
	return cases, nil
}
