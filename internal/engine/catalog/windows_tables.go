package catalog

import (
	"strings"

	"github.com/etl2parquet/etl2parquet/internal/engine/catalog/windows"
	"github.com/etl2parquet/etl2parquet/schema"
)

// TableOfView returns the table of an event of Windows' catalogue by its name in SQL, such as
// microsoft_windows_dotnetruntime_gc_start, with the columns of all forms of the event; nil if the
// catalogue has no such event.
func TableOfView(name string) *schema.Table {
	c := windows.Catalog()
	for i := range c.Entries() {
		e := &c.Entries()[i]
		if e.Events == 0 || !strings.HasPrefix(name, schema.ViewName(schema.FolderName(e.Name))+"_") {
			continue
		}
		p, err := c.Provider(e.GUID)
		if err != nil {
			panic(err) // the catalogue is in the program; a test unpacks all of it
		}
		var events []schema.Described
		for k := range p.Events {
			ev := &p.Events[k]
			for _, own := range knownForms(ev.Schema) {
				events = append(events, schema.Described{Schema: own})
			}
		}
		tables, _ := schema.UserTables(events, 0, len(events))
		for _, t := range tables {
			if t.Table.ViewName() == name {
				return t.Table
			}
		}
	}
	return nil
}

// knownForms returns the forms that an event has where the catalogue of Windows has s, as real
// payloads have them. The caller may change them.
func knownForms(s *schema.Schema) []*schema.Schema {
	f := correct(keyOfSchema(s), &form{Schema: s})
	forms := []*schema.Schema{f.Schema}
	for _, other := range f.others {
		forms = append(forms, other.Schema)
	}
	for i, one := range forms {
		own := *one
		forms[i] = &own
	}
	return forms
}
