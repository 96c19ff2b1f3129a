package rows

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/etl2parquet/etl2parquet/schema"
)

// TestFills checks that every column has one fill, and every fill a column.
func TestFills(t *testing.T) {
	tables := append(slices.Clone(schema.HeaderTables()), schema.StackEvents, schema.Stacks, schema.EventsTable())
	for id, table := range tables {
		var filled []string
		for _, list := range fillsOf(TableID(id)) {
			for i := range list {
				filled = append(filled, list[i].name)
			}
		}
		for _, fill := range map[TableID][]stackFill{stackEventTable: stackEventFills, stackTable: stackFills}[TableID(id)] {
			filled = append(filled, fill.name)
		}
		compareNames(t, table.Name, filled, table.Columns)
	}
	common := schema.CommonColumns()
	var filled []string
	for _, list := range [][]columnFill{eventFills, payloadFills} {
		for i := range list {
			filled = append(filled, list[i].name)
		}
	}
	compareNames(t, "tables of payloads", filled, common[:len(common)-1])
	filled = nil
	for _, list := range [][]columnFill{descriptorFills, relatedFills} {
		for i := range list {
			filled = append(filled, list[i].name)
		}
	}
	compareNames(t, "tables of events with an EVENT_HEADER", filled, schema.EventColumns())
	for kind, has := range map[schema.IdentityKind]bool{schema.ProviderEvent: true, schema.TraceLoggingEvent: true, schema.ClassEvent: false, schema.MessageEvent: false} {
		table := &schema.Table{Event: schema.Identity{Kind: kind}}
		for _, c := range schema.EventColumns() {
			if filled := payloadFill(table, c.Name) != nil; filled != has {
				t.Errorf("%s of an event of kind %s is filled: %t", c.Name, kind, filled)
			}
		}
	}
	for _, table := range schema.KernelCatalog().Tables() {
		for i := range headerIDFills {
			if has := payloadFill(table.Table, headerIDFills[i].name) != nil; has != table.Table.HasHeaderIDs() {
				t.Errorf("%s: %s is filled: %t", table.Table.Name, headerIDFills[i].name, has)
			}
		}
	}
}

func compareNames(t *testing.T, table string, filled []string, columns []schema.Column) {
	t.Helper()
	var names []string
	for i := range columns {
		names = append(names, columns[i].Name)
	}
	slices.Sort(names)
	slices.Sort(filled)
	if diff := cmp.Diff(names, filled); diff != "" {
		t.Errorf("%s: -columns +fills:\n%s", table, diff)
	}
}

// TestFillFunctions checks that a fill has one function, for the type of its column.
func TestFillFunctions(t *testing.T) {
	for id, table := range append(slices.Clone(schema.HeaderTables()), schema.StackEvents, schema.Stacks, schema.EventsTable()) {
		for i := range table.Columns {
			c := &table.Columns[i]
			fill := findFill(fillsOf(TableID(id)), c.Name)
			if fill == nil { // a column of stacks
				continue
			}
			functions := 0
			for _, has := range []bool{fill.wide != nil, fill.times != nil, fill.narrow != nil, fill.ints != nil, fill.small != nil, fill.ids != nil, fill.codes != nil, fill.fill != nil} {
				if has {
					functions++
				}
			}
			isInt := c.Type == schema.Int64 || c.Type == schema.Uint64 || c.Type == schema.Timestamp
			if functions != 1 ||
				(fill.ints != nil || fill.wide != nil) && (!isInt || c.Nullable || c.List) ||
				(fill.small != nil || fill.narrow != nil) && (c.Type != schema.Int32 || c.Nullable || c.List) ||
				(fill.ids != nil || fill.times != nil) && (!isInt || !c.Nullable || c.List) ||
				fill.codes != nil && (c.Type != schema.String || c.Encoding == schema.Varied || !c.Nullable || c.List) {
				t.Errorf("%s.%s: the fill does not fit the column's type", table.Name, c.Name)
			}
		}
	}
}
