package rows

import (
	"testing"

	"github.com/etl2parquet/etl2parquet/decode/etltest"
	"github.com/etl2parquet/etl2parquet/internal/engine/attribution"
	"github.com/etl2parquet/etl2parquet/internal/engine/index"
	"github.com/etl2parquet/etl2parquet/internal/engine/index/indextest"
	"github.com/etl2parquet/etl2parquet/internal/engine/rows/slabs"
	"github.com/etl2parquet/etl2parquet/internal/engine/selection"
	"github.com/etl2parquet/etl2parquet/tools/testenv"
)

// work counts the work on the payloads of a trace: the kinds of event whose layouts were
// compiled for each purpose, and the events of a block whose owner was looked up.
type work struct{ texts, fits, tables, owners int }

// demandOptions are the options and the selection of a conversion.
type demandOptions struct {
	Payload   PayloadMode
	Fields    bool
	Selection selection.Selection
}

// workOf converts a trace in one slab.
func workOf(t *testing.T, x *index.Index, o *demandOptions) (w work, rows SlabRows) {
	t.Helper()
	f := filterOf(t, x, &o.Selection)
	g := new(Gathered)
	if _, ok, err := g.Gather(x, f.Plan(x), slabs.Whole(), f.Events()); err != nil || !ok {
		t.Fatal(ok, err)
	}
	ctx := f.Context(x, o.Payload, o.Fields, FieldsJSON, nil)
	rows = g.FillRows(ctx, func(id TableID) Filler { return NewFiller(id, ctx) })
	for _, filler := range rows {
		if payloads, ok := filler.(*payloadRows); ok {
			w.tables += payloads.layouts.Len()
		}
	}
	var unknown attribution.Owner
	unknown.Clear()
	for i := range g.block.rows {
		if r := &g.block.rows[i]; r.Kind != nil && r.owner != unknown {
			w.owners++
		}
	}
	w.texts, w.fits = g.block.texts.layouts.Len(), g.block.fits.Layouts()
	return w, rows
}

// TestDemand checks that payloads are located only for selected columns that depend on their
// content or on their decoding, and that texts are made only for tables that have them.
func TestDemand(t *testing.T) {
	text := testenv.ReadFile(t, "testdata/user/manifest.txtar")
	messages := indextest.ParseArchive(string(text))
	for name, x := range map[string]*index.Index{
		"kernel":   indextest.File(t, "../../../testdata/sample.etl"),
		"messages": indextest.FileWith(t, indextest.Write(t, "t.etl", etltest.MustParse(t, messages.Files["trace"])), messages.SchemaFiles(t)),
	} {
		for _, test := range []struct {
			name                string
			options             demandOptions
			texts, fits, tables bool
		}{
			{"all", demandOptions{}, name == "messages", false, true},
			{"headers", demandOptions{Selection: selection.Selection{Tables: []string{"*_header"}}}, false, true, false},
			{"headers and all payloads", demandOptions{Payload: PayloadAll, Selection: selection.Selection{Tables: []string{"*_header"}}}, false, false, false},
			{"headers and no payloads", demandOptions{Payload: PayloadNone, Selection: selection.Selection{Tables: []string{"*_header"}}}, false, false, false},
			{"headers and fields", demandOptions{Fields: true, Payload: PayloadAll, Selection: selection.Selection{Tables: []string{"*_header"}}}, true, false, false},
			{"problems", demandOptions{Payload: PayloadAll, Selection: selection.Selection{Tables: []string{"problems"}}}, false, true, false},
			{"stack_events", demandOptions{Selection: selection.Selection{Tables: []string{"stack_events"}}}, false, false, false},
			{"stacks", demandOptions{Selection: selection.Selection{Tables: []string{"stacks"}}}, false, false, false},
			{"fixed", demandOptions{Fields: true, Selection: selection.Selection{Tables: []string{"traces"}}}, false, false, false},
			{"times of headers", demandOptions{Fields: true, Selection: selection.Selection{Tables: []string{"*_header"}, Columns: []string{"time_ns"}}}, false, false, false},
			{"payloads of headers", demandOptions{Fields: true, Selection: selection.Selection{Tables: []string{"*_header"}, Columns: []string{"payload"}}}, false, true, false},
			{"fields of headers", demandOptions{Fields: true, Selection: selection.Selection{Tables: []string{"*_header"}, Columns: []string{"fields"}}}, true, false, false},
			{"messages of all events", demandOptions{Selection: selection.Selection{Tables: []string{"events"}, Columns: []string{"message"}}}, name == "messages", false, false},
			{"fields of all events", demandOptions{Selection: selection.Selection{Tables: []string{"events"}, Columns: []string{"fields"}}}, true, false, false},
			{"all events", demandOptions{Selection: selection.Selection{Tables: []string{"events"}}}, true, true, false},
			{"names of all events", demandOptions{Selection: selection.Selection{Tables: []string{"events"}, Columns: []string{"event_name"}}}, false, false, false},
			{"owners of payloads", demandOptions{Selection: selection.Selection{Tables: []string{"events/*"}, Columns: []string{"process_id", "provider_name"}}}, false, false, false},
			{"payloads", demandOptions{Fields: true, Selection: selection.Selection{Tables: []string{"events/*"}}}, name == "messages", false, true},
		} {
			t.Run(name+"/"+test.name, func(t *testing.T) {
				o := test.options
				w, rows := workOf(t, x, &o)
				if w.texts > 0 != test.texts || w.fits > 0 != test.fits || w.tables > 0 != test.tables {
					t.Errorf("%+v", w)
				}
				for id, table := range x.Catalog.EventTables() {
					if rows[id] != nil && !o.Selection.WantsTable(table.Name) {
						t.Errorf("rows of %s", table.Name)
					}
				}
			})
		}
	}
}

// TestDemandOfOwners checks that owners are looked up only for columns that show them.
func TestDemandOfOwners(t *testing.T) {
	x := indextest.File(t, "../../../testdata/sample.etl")
	for _, test := range []struct {
		tables, columns []string
		want            bool
	}{
		{nil, nil, true},
		{[]string{"*_header"}, []string{"time_ns", "payload", "fields", "hook_id"}, false},
		{[]string{"*_header"}, []string{"time_ns", "id_source"}, true},
		{[]string{"*_header"}, []string{"header_thread_id"}, true},
		{[]string{"events/*"}, []string{"time_ns", "new_thread_id", "payload_rest"}, false},
		{[]string{"events/*"}, []string{"file_name"}, true},
		{[]string{"events"}, []string{"fields"}, false},
		{[]string{"events"}, []string{"process_name"}, true},
		{[]string{"stacks"}, nil, false},
		{[]string{"problems"}, nil, false},
	} {
		o := demandOptions{Fields: true, Selection: selection.Selection{Tables: test.tables, Columns: test.columns}}
		if w, _ := workOf(t, x, &o); w.owners > 0 != test.want {
			t.Errorf("%v of %v: %d owners", test.columns, test.tables, w.owners)
		}
	}
}

// filterOf prepares a selection that matches the trace.
func filterOf(t testing.TB, x *index.Index, s *selection.Selection) *Filter {
	t.Helper()
	f, err := NewFilter(s, x)
	if err != nil {
		t.Fatal(err)
	}
	return f
}
