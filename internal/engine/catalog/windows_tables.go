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
			f := correct(keyOfSchema(ev.Schema), &form{Schema: ev.Schema})
			own := *f.Schema // UserTables changes it
			events = append(events, schema.Described{Schema: &own})
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
