// Package viewcheck checks folders of views that users have written, as the tests of the program check its own.
package viewcheck

import (
	"context"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/rogpeppe/go-internal/txtar"

	"github.com/etl2parquet/etl2parquet/decode/etltest"
	"github.com/etl2parquet/etl2parquet/internal/answers"
	"github.com/etl2parquet/etl2parquet/internal/base/temporary"
	"github.com/etl2parquet/etl2parquet/internal/base/texts"
	"github.com/etl2parquet/etl2parquet/internal/engine/catalog"
	"github.com/etl2parquet/etl2parquet/internal/lake/views"
	"github.com/etl2parquet/etl2parquet/internal/lake/views/viewcases"
	"github.com/etl2parquet/etl2parquet/schema"
)

// ErrWrong means that a view of the folder is wrong.
var ErrWrong = errors.New("a view is wrong")

// Ask answers one SELECT over traces with the views that are checked, as CSV.
type Ask func(ctx context.Context, traces []string, sql string) (string, error)

// Check writes a line for each view of a folder, which the set has, and lines with what is wrong: with its form, with
// the tables that it reads, with its columns, and with its rows over the traces of its rows.txtar. It returns [ErrWrong]
// if anything is.
func Check(ctx context.Context, w io.Writer, folder string, set *views.Set, ask Ask) error {
	root, err := os.OpenRoot(folder)
	if err != nil {
		return err
	}
	defer root.Close()
	c := &checker{files: root.FS(), set: set, ask: ask}
	number, wrong := 0, 0
	for _, v := range set.Own() {
		if v.Folder != folder {
			continue
		}
		number++
		c.problems = nil
		cases, err := c.view(ctx, v)
		switch {
		case ctx.Err() != nil:
			return ctx.Err()
		case errors.Is(err, answers.ErrUnavailable):
			return err
		case err != nil:
			c.problems = append(c.problems, err.Error())
		}
		if c.problems == nil {
			fmt.Fprintf(w, "%s: right, %s\n", v.Name, texts.Counted(int64(cases), "test"))
			continue
		}
		wrong++
		fmt.Fprintf(w, "%s: wrong\n", v.Name)
		for _, text := range c.problems {
			fmt.Fprintf(w, "  %s\n", strings.ReplaceAll(string(texts.AppendSafe(nil, []byte(strings.TrimSpace(text)))), "\n", "\n    "))
		}
	}
	switch {
	case number == 0:
		return fmt.Errorf("%s has no view: a view is a folder in it, with view.sql and view.md, or with sources", folder)
	case wrong > 0:
		return ErrWrong
	}
	return nil
}

type checker struct {
	files    fs.FS
	set      *views.Set
	ask      Ask
	problems []string // of the view
}

// emptyCase is a case without events: what DuckDB says of the view itself is its error.
var emptyCase = &viewcases.Case{Traces: map[string]string{"empty": "trace\n"}, Query: "SELECT 0 AS n", Rows: "n\n0\n"}

func (c *checker) problem(format string, a ...any) {
	c.problems = append(c.problems, fmt.Sprintf(format, a...))
}

// view checks a view, and returns the number of its cases.
func (c *checker) view(ctx context.Context, v *views.View) (cases int, err error) {
	for _, name := range v.Reads {
		if near := c.unknown(name); near != "" {
			c.problem("it reads %s, which no table that the program knows is called; %s", name, near)
		}
	}
	if replaced := views.BuiltIn().Lookup(v.Name); replaced != nil {
		for _, column := range replaced.Columns {
			if !slices.ContainsFunc(v.Columns, func(own schema.Column) bool { return own.Name == column.Name }) {
				c.problem("it replaces the program's view, and lacks its column %s, which other views may read", column.Name)
			}
		}
	}
	if v.Sources != nil {
		var fault *answers.FaultError // of which all follow
		if err := c.rows(ctx, v, emptyCase, false); err != nil && !errors.As(err, &fault) {
			return 0, err
		}
	}
	for _, s := range v.Sources {
		for _, f := range c.set.Faults(s) {
			c.problem("%s.toml: %s has no field %s; %s", s.File, f.Event, f.Name, f.Hint)
		}
	}
	if c.problems != nil && v.Sources != nil {
		return 0, nil
	}
	if v.Rows == nil {
		c.problem("its first line does not say what gives it rows, as in: -- rows of disk_io")
	}
	text, err := fs.ReadFile(c.files, v.Name+"/"+viewcases.File)
	if errors.Is(err, fs.ErrNotExist) && views.BuiltIn().Lookup(v.Name) != nil && v.Sources != nil { // its own tests are the program's
		return 0, c.rows(ctx, v, emptyCase, true)
	}
	if errors.Is(err, fs.ErrNotExist) {
		return 0, fmt.Errorf("it has no %s: traces as text, a query, and the rows that it must have", viewcases.File)
	}
	if err != nil {
		return 0, err
	}
	list, err := viewcases.Parse(txtar.Parse(text))
	if err != nil {
		return 0, fmt.Errorf("%s: %w", viewcases.File, err)
	}
	for i, one := range list {
		if err := c.rows(ctx, v, one, i == 0); err != nil {
			c.problem("%s: %s: %v", viewcases.File, one.Name, err)
		}
	}
	return len(list), nil
}

// unknown returns a hint for a name that is not that of a table or view, if one has a similar name. Only a trace can
// tell whether it has a table of another name.
func (c *checker) unknown(name string) string {
	if c.set.IsTable(name) || c.set.Known(name) != nil {
		return ""
	}
	var names []string
	for _, v := range c.set.All() {
		names = append(names, v.Name)
	}
	for _, t := range schema.Tables() {
		names = append(names, t.ViewName())
	}
	similar := texts.Nearest(name, names)
	if len(similar) == 0 {
		similar = catalog.NearestTables(name)
	}
	if len(similar) == 0 {
		return ""
	}
	return texts.DidYouMean(similar)
}

// rows compares the rows of a case, and in the first one the columns of the view, too.
func (c *checker) rows(ctx context.Context, v *views.View, one *viewcases.Case, withColumns bool) (err error) {
	folder, err := temporary.NewFolder("", "etl2parquet-views-")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, folder.Remove()) }()
	var paths []string
	for _, name := range slices.Sorted(maps.Keys(one.Traces)) {
		trace, err := etltest.Parse(one.Traces[name])
		if err != nil {
			return fmt.Errorf("the trace %s: %w", name, err)
		}
		path := filepath.Join(folder.Path(), filepath.Base(name)+".etl")
		if err := os.WriteFile(path, trace, 0o600); err != nil {
			return err
		}
		paths = append(paths, path)
	}
	if withColumns {
		if err := c.columns(ctx, v, paths); err != nil {
			return err
		}
	}
	// The values are texts as DuckDB's shell prints them, so that NULL and an empty text differ.
	answer, err := c.ask(ctx, paths, `SELECT coalesce(CAST(COLUMNS('(.*)') AS VARCHAR), 'NULL') AS '\1' FROM (`+"\n"+strings.TrimRight(strings.TrimSpace(one.Query), ";")+"\n)")
	if err != nil {
		return err
	}
	want, err := csv.NewReader(strings.NewReader(one.Rows)).ReadAll()
	if err != nil {
		return fmt.Errorf("rows.csv: %w", err)
	}
	got, err := csv.NewReader(strings.NewReader(answer)).ReadAll()
	if err != nil {
		return err
	}
	if !slices.EqualFunc(want, got, slices.Equal) {
		return fmt.Errorf("the rows are\n%sand must be\n%s", answer, one.Rows)
	}
	return nil
}

// columns compares the documented columns of a view with those that DuckDB finds.
func (c *checker) columns(ctx context.Context, v *views.View, traces []string) error {
	if c.set.Lookup(v.Name) == nil { // a macro: its columns depend on its parameters
		return nil
	}
	answer, err := c.ask(ctx, traces, "SELECT column_name || ' ' || column_type AS c FROM (DESCRIBE FROM "+v.Name+")")
	if err != nil {
		return err
	}
	got, err := csv.NewReader(strings.NewReader(answer)).ReadAll()
	if err != nil {
		return err
	}
	want := [][]string{{"c"}}
	for _, column := range views.ColumnsInSQL(&schema.Table{Columns: slices.Concat([]schema.Column{schema.TraceColumn}, v.Columns)}) {
		want = append(want, []string{column.Name + " " + column.Type})
	}
	for i := range want {
		want[i][0] = strings.ReplaceAll(want[i][0], "TIMESTAMPTZ", "TIMESTAMP WITH TIME ZONE")
	}
	if !slices.EqualFunc(want, got, slices.Equal) {
		c.problem("its columns are\n%sand view.sql documents\n%s", lines(got[1:]), lines(want[1:]))
	}
	return nil
}

func lines(rows [][]string) string {
	var b strings.Builder
	for _, row := range rows {
		b.WriteString(strings.Join(row, " ") + "\n")
	}
	return b.String()
}
