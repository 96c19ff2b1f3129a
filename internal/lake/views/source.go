package views

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"slices"
	"strings"

	"github.com/BurntSushi/toml"

	"github.com/etl2parquet/etl2parquet/internal/base/texts"
	"github.com/etl2parquet/etl2parquet/schema"
)

// Source is one of the things that give a view rows: events of a provider, pairs of events, or another view.
type Source struct {
	File string `toml:"-"` // its name in the folder of the view

	Name         string // value of the column source
	Rank         int    // of several that tell one thing the lowest counts
	Recorded     string // what records its events
	Public       []string
	Proven       []string // real traces that give it rows
	Note         string
	TraceLogging bool // its events are described in the trace only
	Disabled     bool

	From        *Step // of rows; nil for pairs
	Start, Stop *Step
	Order       Order // of pairs
	Orphans     bool  // a stop without a start has a row

	Columns map[string]string // of the view: expressions of SQL over the columns of the events
}

// Step says which events a source reads.
type Step struct {
	Events   []string          // names as commands take them, or names of tables and views
	SQL      string            // a SELECT over Events in their place
	Where    string            // a condition over their columns; "" means all
	Optional map[string]string // types, as in a dataset, of columns that older forms or the catalogue lack
	Key      []string          // expressions by which a stop is found
}

// viewFile is view.toml: the view without its sources.
type viewFile struct {
	Column []struct {
		Name, Type, Doc, Unit string
		Nullable              *bool
	}
	Merge *Merge
	Sigma sigmas
}

// Sigma says how rules of Sigma name what a view has.
type Sigma struct {
	Product, Category, Service string
	Where                      string            // a condition for the rows that the log source has
	Fields                     map[string]string // the columns by Sigma's names
}

// sigmas is a table, or an array of tables.
type sigmas []Sigma

// UnmarshalTOML makes a table a list of one.
func (s *sigmas) UnmarshalTOML(value any) error {
	list, isList := value.([]map[string]any)
	if !isList {
		one, isOne := value.(map[string]any)
		if !isOne {
			return errors.New("sigma is no table")
		}
		list = []map[string]any{one}
	}
	for _, table := range list {
		text := func(name string) string { t, _ := table[name].(string); return t }
		one := Sigma{Product: text("product"), Category: text("category"), Service: text("service"), Where: text("where"), Fields: make(map[string]string)}
		fields, _ := table["fields"].(map[string]any)
		for name, column := range fields {
			one.Fields[name], _ = column.(string)
		}
		*s = append(*s, one)
	}
	return nil
}

const (
	viewFileName = "view.toml"
	sourceSuffix = ".toml"
	defaultRank  = 50
)

// readQuestion reads a folder with sources: of a new view, or of one that exists, whose sources it adds to. A source
// replaces that of the same file name.
func readQuestion(files fs.FS, name string, base *View) (*View, error) {
	v := &View{Name: name}
	if base != nil {
		if base.sql != "" {
			return nil, fmt.Errorf("%s: the view is one statement, which takes no sources", name)
		}
		own := *base
		own.Sources = slices.Clone(base.Sources)
		v = &own
	}
	text, err := fs.ReadFile(files, name+"/"+viewFileName)
	switch {
	case err == nil:
		if err := v.readFile(files, string(text)); err != nil {
			return nil, err
		}
	case !errors.Is(err, fs.ErrNotExist):
		return nil, err
	case base == nil:
		return nil, fmt.Errorf("%s: no view has this name, and the folder has no view.sql, macro.sql or %s", name, viewFileName)
	}
	entries, err := fs.ReadDir(files, name)
	if err != nil {
		return nil, err
	}
	for _, e := range entries {
		if !strings.HasSuffix(e.Name(), sourceSuffix) || e.Name() == viewFileName || strings.HasPrefix(e.Name(), ".") {
			continue
		}
		s, err := readSource(files, name, e.Name())
		if err != nil {
			return nil, fmt.Errorf("%s/%s: %w", name, e.Name(), err)
		}
		v.Sources = append(slices.DeleteFunc(v.Sources, func(other *Source) bool { return other.File == s.File }), s)
	}
	v.Sources = slices.DeleteFunc(v.Sources, func(s *Source) bool { return s.Disabled })
	if len(v.Sources) == 0 {
		return nil, fmt.Errorf("%s: the view has no source, a file beside %s", name, viewFileName)
	}
	slices.SortStableFunc(v.Sources, func(a, b *Source) int {
		return cmp.Or(cmp.Compare(a.Rank, b.Rank), strings.Compare(a.File, b.File))
	})
	v.Reads, v.Rows = nil, nil
	for _, s := range v.Sources {
		if err := v.checkSource(s); err != nil {
			return nil, fmt.Errorf("%s/%s%s: %w", name, s.File, sourceSuffix, err)
		}
		v.Rows, v.Reads = append(v.Rows, s.Rows()...), append(v.Reads, s.reads()...)
	}
	if v.hasColumn(schema.StackIDColumn) {
		v.Reads = append(v.Reads, schema.StackEvents.Name)
	}
	slices.Sort(v.Reads)
	v.Reads = slices.Compact(v.Reads)
	return v, nil
}

// readFile reads view.toml, and the page of a new view.
func (v *View) readFile(files fs.FS, text string) error {
	var file viewFile
	if err := decodeTOML(text, &file); err != nil {
		return fmt.Errorf("%s/%s: %w", v.Name, viewFileName, err)
	}
	v.Columns, v.shared, v.merge, v.Sigma = nil, nil, file.Merge, file.Sigma
	for _, c := range file.Column {
		if c.Type == "" && c.Doc == "" {
			shared, err := viewColumn(c.Name)
			if err != nil {
				return fmt.Errorf("%s/%s: the column %q needs a type and doc, as not all events have it", v.Name, viewFileName, c.Name)
			}
			v.Columns, v.shared = append(v.Columns, shared), append(v.shared, c.Name)
			continue
		}
		column, ok := schema.ParseType(c.Type)
		if !ok || nameLength(c.Name) != len(c.Name) {
			return fmt.Errorf("%s/%s: not a column: %q of the type %q, which can be STRING, INT64, DOUBLE, BOOLEAN, TIMESTAMP and others", v.Name, viewFileName, c.Name, c.Type)
		}
		column.Name, column.Doc, column.Nullable, column.Unit = c.Name, c.Doc, c.Nullable == nil || *c.Nullable, schema.Unit(c.Unit)
		v.Columns = append(v.Columns, column)
	}
	page, err := fs.ReadFile(files, v.Name+"/view.md")
	if err != nil {
		return err
	}
	v.Page = string(page)
	if v.Doc, err = firstParagraph(v.Page); err != nil {
		return fmt.Errorf("%s/view.md: %w", v.Name, err)
	}
	if v.merge != nil {
		return v.merge.check(v)
	}
	return nil
}

func (v *View) hasColumn(name string) bool {
	return slices.ContainsFunc(v.Columns, func(c schema.Column) bool { return c.Name == name })
}

func decodeTOML(text string, to any) error {
	meta, err := toml.Decode(text, to)
	if err != nil {
		return err
	}
	for _, key := range meta.Undecoded() {
		if key[0] != "sigma" { // its type reads it whole
			return fmt.Errorf("%s has no meaning here", key)
		}
	}
	return nil
}

func readSource(files fs.FS, view, file string) (*Source, error) {
	text, err := fs.ReadFile(files, view+"/"+file)
	if err != nil {
		return nil, err
	}
	s := &Source{File: strings.TrimSuffix(file, sourceSuffix), Rank: defaultRank, Orphans: true}
	if err := decodeTOML(string(text), s); err != nil {
		return nil, err
	}
	if s.Start != nil && s.Stop != nil && s.Stop.Key == nil {
		s.Stop.Key = s.Start.Key
	}
	return s, nil
}

// steps returns the steps that a source has.
func (s *Source) steps() (list []*Step) {
	for _, step := range []*Step{s.From, s.Start, s.Stop} {
		if step != nil {
			list = append(list, step)
		}
	}
	return list
}

// Events returns the names of the events, tables and views that the source reads, as it names them.
func (s *Source) Events() (list []string) {
	for _, step := range s.steps() {
		list = append(list, step.Events...)
	}
	return list
}

// Where returns the condition that the events of a source satisfy; of pairs, the starts. "" means all.
func (s *Source) Where() string { return s.steps()[0].Where }

// Rows returns the tables and views that give the source its rows, by their names in SQL.
func (s *Source) Rows() (list []string) {
	for _, step := range s.steps() {
		if step == s.Stop && !s.Orphans {
			continue
		}
		for _, event := range step.Events {
			list = append(list, tableOf(event))
		}
	}
	return list
}

// reads returns all that the source reads.
func (s *Source) reads() (list []string) {
	for _, step := range s.steps() {
		for _, event := range step.Events {
			list = append(list, tableOf(event))
		}
		list = append(list, readsOf(step.SQL)...)
	}
	return list
}

// tableOf returns the name in SQL of the table of an event.
func tableOf(event string) string { return schema.ViewName(event) }

// Expressions returns the expressions of a source, each with what it is.
func (s *Source) Expressions() map[string]string {
	all := make(map[string]string)
	for column, e := range s.Columns {
		all["column "+column] = e
	}
	for _, step := range s.steps() {
		if step.Where != "" {
			all["where "+step.Where] = step.Where
		}
		for _, key := range step.Key {
			all["key "+key] = key
		}
	}
	return all
}

// MergeExpressions returns the expressions by which the view merges rows.
func (v *View) MergeExpressions() []string {
	if v.merge == nil {
		return nil
	}
	return append([]string{v.merge.by()}, v.merge.Key...)
}

// checkSource checks the form of a source.
func (v *View) checkSource(s *Source) error {
	switch {
	case s.Name == "":
		return errors.New("it has no name")
	case (s.From == nil) == (s.Start == nil && s.Stop == nil) || (s.Start == nil) != (s.Stop == nil):
		return errors.New("it needs either from, or start and stop")
	case s.From != nil && s.Order != "":
		return errors.New("order is of a source with start and stop")
	case s.Start != nil && len(s.Start.Key) == 0:
		return errors.New("start has no key, by which its stop is found")
	case s.Start != nil && s.Stop.Key != nil && len(s.Stop.Key) != len(s.Start.Key):
		return errors.New("the keys of start and stop have different lengths")
	}
	if err := s.Order.check(); err != nil {
		return err
	}
	for _, step := range s.steps() {
		if len(step.Events) == 0 {
			return errors.New("it names no events")
		}
		for name, kind := range step.Optional {
			if _, ok := schema.ParseType(kind); !ok {
				return fmt.Errorf("optional %s: %q is no type, as STRING, INT64, DOUBLE or LIST<STRING>", name, kind)
			}
		}
	}
	for _, name := range slices.Sorted(maps.Keys(s.Columns)) {
		if !v.hasColumn(name) {
			var names []string
			for _, c := range v.Columns {
				names = append(names, c.Name)
			}
			hint := texts.Nearest(name, names)
			if hint == nil {
				return fmt.Errorf("the view has no column %s", name)
			}
			return fmt.Errorf("the view has no column %s; %s", name, texts.DidYouMean(hint))
		}
	}
	for what, e := range s.Expressions() {
		if _, err := namesIn(e); err != nil {
			return fmt.Errorf("%s: %w", what, err)
		}
	}
	return nil
}

// Fault is a name in an expression that is no column of an event.
type Fault struct{ Event, Name, Hint string }

// Faults returns the names in the expressions of a source that are not columns of its events: neither of the catalogue,
// nor optional ones.
func (s *Set) Faults(source *Source) (list []Fault) {
	check := func(step *Step, qualifier string, expressions []string) {
		if step.SQL != "" {
			return // DuckDB finds it
		}
		for _, event := range step.Events {
			if s.byName[tableOf(event)] != nil {
				continue
			}
			t := s.eventTable(tableOf(event))
			if t == nil { // DuckDB finds a table that is none
				continue
			}
			columns := t.WithTrace()
			var known []string
			for i := range columns.Columns {
				known = append(known, columns.Columns[i].Name)
			}
			hint := func(name string) string {
				if similar := texts.Nearest(name, known); similar != nil {
					return texts.DidYouMean(similar)
				}
				if eventTable(tableOf(event)) == nil {
					return "the catalogue does not have the event, so optional names its fields, with their types"
				}
				return "if other forms of the event have it, optional names it, with its type"
			}
			for _, e := range expressions {
				names, _ := namesIn(e) // checkSource has reported the error
				for _, n := range names {
					isFault := n.qualifier == qualifier && columns.Column(n.name) < 0
					if isFault && !slices.ContainsFunc(list, func(f Fault) bool { return f.Event == event && f.Name == n.name }) {
						list = append(list, Fault{event, n.name, hint(n.name)})
					}
				}
			}
		}
	}
	var columns []string
	for _, name := range slices.Sorted(maps.Keys(source.Columns)) {
		columns = append(columns, source.Columns[name])
	}
	if source.From != nil {
		check(source.From, "", append(columns, source.From.Where))
		return list
	}
	for _, step := range []*Step{source.Start, source.Stop} {
		check(step, "", append(slices.Clone(step.Key), step.Where))
	}
	check(source.Start, startName, columns)
	check(source.Stop, stopName, columns)
	return list
}
