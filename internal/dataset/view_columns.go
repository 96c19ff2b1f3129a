package dataset

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"slices"
	"strings"
	"sync"

	"golang.org/x/sync/errgroup"

	"github.com/etl2parquet/etl2parquet/schema"
)

// recordColumns are the columns of a table that not all tables of events have,
// by name, with their types. Of tables that are the same in every trace they
// are nil.
func recordColumns(t *schema.Table) map[string]string {
	if _, own := schema.LookupTable(t.Name); own {
		return nil
	}
	columns := make(map[string]string)
	for i := range t.Columns {
		if c := &t.Columns[i]; c.Name != schema.TraceColumn.Name && !slices.ContainsFunc(schema.CommonColumns(), func(common schema.Column) bool { return common.Name == c.Name }) {
			columns[c.Name] = c.TypeName()
		}
	}
	return columns
}

// tableShapes are the columns that the files of tables have: by table and by the
// columns as JSON, the files.
type tableShapes map[string]map[string][]string

// tableShapes reads from the records what the files of some tables are like. The
// files themselves, of which a dataset may have very many, are named on demand.
func (d *Dataset) tableShapes(ctx context.Context, tables map[string]bool, withFiles bool) (tableShapes, error) {
	found := make(tableShapes)
	var mu sync.Mutex
	var g errgroup.Group
	g.SetLimit(atOnce)
	for entry, err := range d.store.List(ctx, recordsFolder) {
		if err != nil {
			return nil, err
		}
		if !isRecordFile(entry.Name) {
			continue
		}
		g.Go(func() error {
			text, err := d.store.ReadFile(ctx, entry.Name)
			switch {
			case errors.Is(err, fs.ErrNotExist): // another run is about to replace it
				return nil
			case err != nil:
				return err
			}
			var record struct {
				Files []struct {
					Table, File string
					Columns     json.RawMessage
				}
			}
			if json.Unmarshal(text, &record) != nil {
				return nil // not ours to understand: the trace is converted again
			}
			mu.Lock()
			defer mu.Unlock()
			for _, f := range record.Files {
				if !tables[f.Table] {
					continue
				}
				if found[f.Table] == nil {
					found[f.Table] = make(map[string][]string)
				}
				files := found[f.Table][string(f.Columns)]
				if withFiles {
					files = append(files, f.File)
				}
				found[f.Table][string(f.Columns)] = files
			}
			return nil
		})
	}
	return found, g.Wait()
}

// typedName is a column by its name and type.
type typedName struct{ name, kind string }

// splitNames returns the names that columns have in the view of tables, if they
// have others there: of columns of one name whose types no column can hold, the
// simplest keeps the name, and the others get their type behind it.
func (s tableShapes) splitNames(tables []string) map[typedName]string {
	kinds := make(map[string]map[string]bool) // by name
	taken := map[string]bool{"trace": true}
	for _, c := range schema.CommonColumns() {
		taken[c.Name] = true
	}
	for _, t := range tables {
		for columns := range s[t] {
			for name, kind := range parseColumns(columns) {
				if kinds[name] == nil {
					kinds[name] = make(map[string]bool)
				}
				kinds[name][kind], taken[name] = true, true
			}
		}
	}
	split := make(map[typedName]string)
	for _, name := range slices.Sorted(maps.Keys(kinds)) {
		for n, class := range typeClasses(kinds[name]) {
			if n == 0 {
				continue
			}
			plain := name + "_" + class[0].TypeSuffix()
			unique := plain
			for i := 2; taken[unique]; i++ {
				unique = fmt.Sprintf("%s_%d", plain, i)
			}
			taken[unique] = true
			for _, c := range class {
				split[typedName{name, c.TypeName()}] = unique
			}
		}
	}
	return split
}

// parseColumns reads the columns of a record; those that cannot be read are as
// if they were not there.
func parseColumns(text string) map[string]string {
	var columns map[string]string
	if text == "" || json.Unmarshal([]byte(text), &columns) != nil {
		return nil
	}
	return columns
}

// typeClasses puts types together of which one column can have the values, the
// simplest first.
func typeClasses(kinds map[string]bool) (classes [][]schema.Column) {
	if len(kinds) < 2 {
		return nil
	}
	var columns []schema.Column
	for kind := range kinds {
		if c, ok := schema.ParseType(kind); ok {
			columns = append(columns, c)
		}
	}
	slices.SortFunc(columns, func(a, b schema.Column) int {
		return cmp.Or(cmp.Compare(familyOf(&a), familyOf(&b)), cmp.Compare(a.TypeName(), b.TypeName()))
	})
	for i := range columns {
		c := &columns[i]
		fits := func(class []schema.Column) bool {
			return !slices.ContainsFunc(class, func(other schema.Column) bool { return !combine(c, &other) })
		}
		if n := slices.IndexFunc(classes, fits); n >= 0 {
			classes[n] = append(classes[n], *c)
		} else {
			classes = append(classes, []schema.Column{*c})
		}
	}
	return classes
}

// typeFamily is types of which DuckDB makes one: numbers and texts, times,
// bytes, structures, and lists of these.
type typeFamily uint8

const (
	plainValues typeFamily = iota
	timeValues
	byteValues
	structValues
	listValues // and lists of each
)

func familyOf(c *schema.Column) typeFamily {
	family := plainValues
	switch c.Type {
	case schema.Timestamp:
		family = timeValues
	case schema.Binary:
		family = byteValues
	case schema.Struct:
		family = structValues
	}
	if c.List {
		family += listValues
	}
	return family
}

// combine reports whether DuckDB has a type for the values of both columns.
func combine(a, b *schema.Column) bool {
	if familyOf(a) != familyOf(b) {
		return false
	}
	for i := range a.Fields {
		for j := range b.Fields {
			if a.Fields[i].Name == b.Fields[j].Name && !combine(&a.Fields[i], &b.Fields[j]) {
				return false
			}
		}
	}
	return true
}

// readSplit reads the files of tables that disagree on columns, those of the
// same names together.
func (d *Dataset) readSplit(ctx context.Context, tables []string, split map[typedName]string) (string, error) {
	wanted := make(map[string]bool)
	for _, t := range tables {
		wanted[t] = true
	}
	s, err := d.tableShapes(ctx, wanted, true)
	if err != nil {
		return "", err
	}
	files := make(map[string][]string) // by what is selected
	for _, t := range tables {
		for columns, list := range s[t] {
			selected := selectSplit(parseColumns(columns), split)
			for _, file := range list {
				files[selected] = append(files[selected], inRoot(globEscape.Replace(file)))
			}
		}
	}
	var parts []string
	for _, selected := range slices.Sorted(maps.Keys(files)) {
		slices.Sort(files[selected])
		parts = append(parts, "SELECT "+selected+" FROM "+readParquet(slices.Compact(files[selected])))
	}
	return strings.Join(parts, "\nUNION ALL BY NAME ") + ";\n", nil
}

// selectSplit selects columns by the names that they have in the view.
func selectSplit(columns map[string]string, split map[typedName]string) string {
	var old, renamed []string
	for _, name := range slices.Sorted(maps.Keys(columns)) {
		if other := split[typedName{name, columns[name]}]; other != "" {
			old = append(old, `"`+name+`"`)
			renamed = append(renamed, fmt.Sprintf(`"%s" AS "%s"`, name, other))
		}
	}
	if old == nil {
		return "*"
	}
	return "* EXCLUDE (" + strings.Join(old, ", ") + "), " + strings.Join(renamed, ", ")
}
