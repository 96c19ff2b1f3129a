package dataset

import (
	"context"
	"strings"
	"sync"

	"github.com/etl2parquet/etl2parquet/internal/base/ordered"
	"github.com/etl2parquet/etl2parquet/internal/lake/store"
	"github.com/etl2parquet/etl2parquet/schema"
)

// Dataset is a dataset in a store.
type Dataset struct {
	store store.Store

	loading sync.Mutex
	bundles *bundles       // since Load
	sample  *RecordOptions // of a readable record, since Load; nil if there was none

	mu      sync.Mutex
	earlier []string // result of earlierTables, if known
	known   bool
}

// New returns the dataset in a store. To write to it, the store must have been
// prepared.
func New(s store.Store) *Dataset { return &Dataset{store: s} }

// Open returns the dataset in a folder. It creates the folder if necessary.
func Open(root string) (*Dataset, error) {
	ctx := context.Background()
	folder := store.NewFolder(root)
	if err := folder.Prepare(ctx); err != nil {
		return nil, err
	}
	d := New(folder)
	return d, d.Load(ctx)
}

// earlierTables returns the tables that existed when it was first called, or when [Dataset.Load] listed them.
// Tables created later have no files of an interrupted run, or [Dataset.Begin] and the end of this run find
// these; searching them too would take time that grows with the square of the number of traces.
func (d *Dataset) earlierTables(ctx context.Context) ([]string, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.known {
		return d.earlier, nil
	}
	tables, err := d.tables(ctx)
	if err == nil {
		d.earlier, d.known = tables, true
	}
	return tables, err
}

// noteEarlier sets the result of earlierTables to the tables among folders.
func (d *Dataset) noteEarlier(folders []string) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.earlier, d.known = tablesAmong(folders), true
}

// tables returns the names of the tables that have a folder: first those of package
// schema in its order, then the others by name.
func (d *Dataset) tables(ctx context.Context) ([]string, error) {
	found, err := d.tableFolders(ctx)
	return tablesAmong(found), err
}

// tablesAmong returns the tables among folders, in the order of tables.
func tablesAmong(folders []string) []string {
	own := make(map[*schema.Table]bool)
	var others []string
	for _, name := range folders {
		if t, found := schema.LookupTable(name); found && t.Name == name {
			own[t] = true
		} else if strings.HasPrefix(name, schema.EventsFolder) {
			others = append(others, name)
		}
	}
	var tables []string
	if len(own) > 0 {
		for _, t := range schema.Tables() {
			if own[t] {
				tables = append(tables, t.Name)
			}
		}
	}
	return append(tables, others...)
}

// tableFolders returns all folders at the depths where tables are.
func (d *Dataset) tableFolders(ctx context.Context) ([]string, error) {
	folders, err := d.store.Folders(ctx, "")
	if err != nil {
		return nil, err
	}
	events := strings.TrimSuffix(schema.EventsFolder, "/")
	providers, err := d.store.Folders(ctx, events)
	if err != nil {
		return nil, err
	}
	of := make([][]string, len(providers))
	err = ordered.Each(len(providers), atOnce, func(i int) (err error) {
		of[i], err = d.store.Folders(ctx, events+"/"+providers[i])
		return err
	})
	if err != nil {
		return nil, err
	}
	for i, p := range providers {
		for _, event := range of[i] {
			folders = append(folders, events+"/"+p+"/"+event)
		}
	}
	return folders, nil
}
