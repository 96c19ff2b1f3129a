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

// earlierTables returns the tables that existed when it was first called. Tables created
// later have no files of an interrupted run; searching them too would take time that
// grows with the square of the number of traces.
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

// tables returns the names of the tables that have a folder: first those of package
// schema in its order, then the others by name.
func (d *Dataset) tables(ctx context.Context) ([]string, error) {
	found, err := d.tableFolders(ctx)
	if err != nil {
		return nil, err
	}
	has := make(map[string]bool)
	for _, name := range found {
		has[name] = true
	}
	var tables []string
	for _, t := range schema.Tables() {
		if has[t.Name] {
			tables = append(tables, t.Name)
			delete(has, t.Name)
		}
	}
	for _, name := range found {
		if has[name] && strings.HasPrefix(name, schema.EventsFolder) {
			tables = append(tables, name)
		}
	}
	return tables, nil
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
