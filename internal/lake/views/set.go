package views

import (
	"cmp"
	"fmt"
	"io/fs"
	"slices"
	"strings"
	"sync"

	"github.com/etl2parquet/etl2parquet/schema"
	"github.com/etl2parquet/etl2parquet/views"
)

// set is an immutable set of views.
type set struct {
	list   []*View // each after the views that it reads
	byName map[string]*View
	macros []*Macro        // by name
	named  map[string]bool // the tables that the views read, by their names in SQL

	maxEvents int // see maxEventViews
}

// all returns the views of the program.
var all = sync.OnceValue(func() *set {
	s, err := readSet(views.Folders)
	if err != nil {
		panic(err) // the folders are embedded in the program, so every test would fail
	}
	return s
})

// All returns the views: events, then the others by name, but each after the views that it reads.
// The caller must not change them.
func All() []*View { return all().list }

// Lookup returns the view with a name, or nil.
func Lookup(name string) *View { return all().byName[name] }

// readSet reads the folders of views.
func readSet(files fs.FS) (*set, error) {
	paths, err := fs.Glob(files, "*/view.sql")
	if err != nil {
		return nil, err
	}
	s := &set{byName: make(map[string]*View), named: make(map[string]bool), maxEvents: maxEventViews}
	for _, path := range paths {
		v, err := readView(files, strings.TrimSuffix(path, "/view.sql"))
		if err != nil {
			return nil, err
		}
		s.byName[v.Name] = v
		s.list = append(s.list, v)
	}
	if paths, err = fs.Glob(files, "*/macro.sql"); err != nil {
		return nil, err
	}
	for _, path := range paths {
		m, err := readMacro(files, strings.TrimSuffix(path, "/macro.sql"))
		if err != nil {
			return nil, err
		}
		s.macros = append(s.macros, m)
	}
	// events, with which most questions begin, is first in lists.
	slices.SortStableFunc(s.list, func(a, b *View) int { return cmp.Compare(later(a), later(b)) })
	for _, v := range s.list {
		for _, name := range v.Reads {
			if s.byName[name] == nil {
				s.named[name] = true
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
func (s *set) ordered() ([]*View, error) {
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
