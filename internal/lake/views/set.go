package views

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"slices"
	"strings"
	"sync"

	"github.com/etl2parquet/etl2parquet/schema"
	"github.com/etl2parquet/etl2parquet/views"
)

// Set is an immutable set of views and macros.
type Set struct {
	list     []*View // each after the views that it reads
	byName   map[string]*View
	macros   []*Macro                 // by name
	named    map[string]bool          // the tables that the views read, by their names in SQL
	optional map[string]*schema.Table // the columns that sources call optional, by the table's name in SQL

	ofUsers map[string]bool // whether sources of users read a table that sources read

	MaxEvents int // see maxEventViews; a field for tests
}

// BuiltIn returns the views of the program.
var BuiltIn = sync.OnceValue(func() *Set {
	s, err := readSet(views.Folders, new(Set))
	if err != nil {
		panic(err) // the folders are embedded in the program, so every test would fail
	}
	return s
})

// All returns the views: events, then the others by name, but each after the views that it reads.
// The caller must not change them.
func (s *Set) All() []*View { return s.list }

// Lookup returns the view with a name, or nil.
func (s *Set) Lookup(name string) *View { return s.byName[name] }

// With returns the set with the views of users' folders, each of the form of views/. A view of a later folder
// replaces one of the same name. Nothing outside of a folder is read: a link that leads out of it is an error.
func (s *Set) With(folders ...string) (*Set, error) {
	if len(folders) == 0 {
		return s, nil
	}
	views, macros := slices.Clone(s.list), slices.Clone(s.macros)
	for _, folder := range folders {
		root, err := os.OpenRoot(folder)
		if err != nil {
			return nil, err
		}
		read, err := readSet(root.FS(), s)
		if err = errors.Join(err, root.Close()); err != nil {
			return nil, fmt.Errorf("%s: %w", folder, err)
		}
		for i, v := range append(read.list, read.macroViews()...) {
			if err := v.checkName(); err != nil {
				return nil, fmt.Errorf("%s: %w", folder, err)
			}
			v.Folder = folder
			views = slices.DeleteFunc(views, func(other *View) bool { return other.Name == v.Name })
			macros = slices.DeleteFunc(macros, func(other *Macro) bool { return other.Name == v.Name })
			if i < len(read.list) {
				views = append(views, v)
			}
		}
		macros = append(macros, read.macros...)
	}
	return newSet(views, macros)
}

// macroViews returns what the macros have as views.
func (s *Set) macroViews() (list []*View) {
	for _, m := range s.macros {
		list = append(list, &m.View)
	}
	return list
}

// Own returns the views and macros of users, by name.
func (s *Set) Own() []*View {
	own := slices.DeleteFunc(slices.Concat(s.list, s.macroViews()), func(v *View) bool { return v.Folder == "" })
	slices.SortFunc(own, func(a, b *View) int { return strings.Compare(a.Name, b.Name) })
	return own
}

// Reading returns the set with the tables and views that users' views read, by name, as DuckDB parses them.
func (s *Set) Reading(reads map[string][]string) (*Set, error) {
	views, macros := slices.Clone(s.list), slices.Clone(s.macros)
	read := func(v *View) error {
		list := slices.Sorted(slices.Values(reads[v.Name]))
		v.Reads = slices.Compact(list)
		for _, table := range v.Rows {
			if !slices.Contains(v.Reads, table) {
				return fmt.Errorf("%s of %s does not read %s, which gives it rows", v.Name, v.Folder, table)
			}
		}
		return nil
	}
	var wrong error
	for i, v := range views {
		if v.Folder != "" {
			own := *v
			views[i], wrong = &own, errors.Join(wrong, read(&own))
		}
	}
	for i, m := range macros {
		if m.Folder != "" {
			own := *m
			macros[i], wrong = &own, errors.Join(wrong, read(&own.View))
		}
	}
	if wrong != nil {
		return nil, wrong
	}
	return newSet(views, macros)
}

// checkName checks the name of a user's view.
func (v *View) checkName() error {
	switch {
	case nameLength(v.Name) != len(v.Name):
		return fmt.Errorf("%s: the name of a view has small letters, digits and _, and no digit first", v.Name)
	case BuiltIn().takenNames()[v.Name] && BuiltIn().byName[v.Name] == nil, v.Name == schema.EventsName, v.Name == fieldsView:
		return fmt.Errorf("%s: a table has this name, or a view that others are made of", v.Name)
	}
	return nil
}

// readSet reads the folders of views, of which some may only add sources to those of the base.
func readSet(files fs.FS, base *Set) (*Set, error) {
	entries, err := fs.ReadDir(files, ".")
	if err != nil {
		return nil, err
	}
	var views []*View
	var macros []*Macro
	for _, e := range entries {
		if strings.HasPrefix(e.Name(), ".") {
			continue
		}
		if info, err := fs.Stat(files, e.Name()); err != nil { // a link may lead to a folder
			return nil, err
		} else if !info.IsDir() {
			continue
		}
		if isFile(files, e.Name()+"/macro.sql") {
			m, err := readMacro(files, e.Name())
			if err != nil {
				return nil, err
			}
			macros = append(macros, m)
			continue
		}
		v, err := readView(files, e.Name(), base.byName[e.Name()])
		if err != nil {
			return nil, err
		}
		views = append(views, v)
	}
	return newSet(views, macros)
}

func newSet(list []*View, macros []*Macro) (_ *Set, err error) {
	s := &Set{list: list, macros: macros, byName: make(map[string]*View), named: make(map[string]bool), MaxEvents: maxEventViews}
	for _, v := range list {
		s.byName[v.Name] = v
	}
	slices.SortFunc(s.macros, func(a, b *Macro) int { return strings.Compare(a.Name, b.Name) })
	// events, with which most questions begin, is first in lists.
	slices.SortFunc(s.list, func(a, b *View) int { return cmp.Or(cmp.Compare(later(a), later(b)), strings.Compare(a.Name, b.Name)) })
	for _, v := range s.list {
		for _, name := range v.Reads {
			if s.byName[name] == nil {
				s.named[name] = true
			}
		}
	}
	s.optional, s.ofUsers = optionalColumns(s.list), make(map[string]bool)
	for _, v := range s.list {
		for _, source := range v.Sources {
			for _, table := range source.Rows() {
				s.ofUsers[table] = s.ofUsers[table] || v.Folder != ""
			}
		}
	}
	s.list, err = s.ordered()
	return s, err
}

func later(v *View) int {
	if v.Name == schema.EventsName {
		return 0
	}
	return 1
}

// ordered returns the views, each after the views that it reads. A cycle of views that read each
// other is an error.
func (s *Set) ordered() ([]*View, error) {
	var list []*View
	var path []string // the views being visited, each read by the one before it
	done := make(map[string]bool)
	var add func(v *View) error
	add = func(v *View) error {
		switch {
		case done[v.Name]:
			return nil
		case slices.Contains(path, v.Name):
			return fmt.Errorf("views read each other: %s", strings.Join(append(path, v.Name), " -> "))
		}
		path = append(path, v.Name)
		for _, name := range v.Reads {
			if used := s.byName[name]; used != nil {
				if err := add(used); err != nil {
					return err
				}
			}
		}
		path = path[:len(path)-1]
		done[v.Name] = true
		list = append(list, v)
		return nil
	}
	for _, v := range s.list {
		if err := add(v); err != nil {
			return nil, err
		}
	}
	return list, nil
}

func isFile(files fs.FS, name string) bool {
	_, err := fs.Stat(files, name)
	return err == nil
}

// optionalColumns returns the tables with the columns that the sources of views call optional, by their names in SQL.
func optionalColumns(list []*View) map[string]*schema.Table {
	tables := make(map[string]*schema.Table)
	for _, v := range list {
		for _, s := range v.Sources {
			for _, step := range s.steps() {
				for _, event := range step.Events {
					name := tableOf(event)
					if tables[name] == nil {
						provider, own, isEvent := strings.Cut(event, "/")
						folder := schema.FolderName(provider)
						if isEvent {
							folder += "/" + schema.FolderName(own)
						} else if table, found := schema.LookupTable(name); found && !table.IsPayload() || slices.ContainsFunc(list, func(v *View) bool { return v.Name == name }) {
							continue
						}
						tables[name] = &schema.Table{Name: schema.EventsFolder + folder, Doc: "Payloads of " + event + "."}
					}
					for column, kind := range step.Optional {
						c, _ := schema.ParseType(kind) // checkSource has checked it
						c.Name, c.Nullable = column, true
						if tables[name].Column(column) < 0 {
							tables[name].Columns = append(tables[name].Columns, c)
						}
					}
					slices.SortFunc(tables[name].Columns, func(a, b schema.Column) int { return strings.Compare(a.Name, b.Name) })
				}
			}
		}
	}
	return tables
}
