package rows

import (
	"math/rand/v2"
	"path/filepath"
	"slices"
	"strconv"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/etl2parquet/etl2parquet/decode"
	"github.com/etl2parquet/etl2parquet/decode/etltest"
	"github.com/etl2parquet/etl2parquet/facts"
	"github.com/etl2parquet/etl2parquet/internal/engine/catalog"
	"github.com/etl2parquet/etl2parquet/internal/engine/columns"
	"github.com/etl2parquet/etl2parquet/internal/engine/index"
	"github.com/etl2parquet/etl2parquet/internal/engine/index/indextest"
	"github.com/etl2parquet/etl2parquet/internal/engine/rows/slabs"
	"github.com/etl2parquet/etl2parquet/internal/engine/selection"
	"github.com/etl2parquet/etl2parquet/schema"
	"github.com/etl2parquet/etl2parquet/tools/testenv"
)

// everything selects all tables, including the table of all events.
var everything = selection.Selection{Tables: []string{"*", schema.EventsName}}

// tableTexts is a table as text: the values of each column, by name.
type tableTexts map[string][]string

// rowsOf returns the tables of a selection from a trace, by TableID.
func rowsOf(t testing.TB, x *index.Index, s *selection.Selection, payload PayloadMode, fields bool) []tableTexts {
	t.Helper()
	f := filterOf(t, x, s)
	ctx := f.Context(x, payload, fields, FieldsJSON, nil)
	tables := make([]tableTexts, len(ctx.Tables))
	var g Gathered
	p := f.Plan(x)
	for from := p.Slabs; len(from) > 0; from = from[1:] {
		cut, ok, err := g.Gather(x, p, from[0], f.Events())
		if err != nil {
			t.Fatal(err)
		}
		if !ok {
			from = append([]slabs.Slab{{}, {From: from[0].From, To: cut}, {From: cut, To: from[0].To}}, from[1:]...)
			continue
		}
		for id, filler := range g.FillRows(ctx, func(id TableID) Filler { return NewFiller(id, ctx) }) {
			if filler != nil {
				b := filler.Batch()
				if err := b.Check(); err != nil || b.Table != f.Table(TableID(id)) {
					t.Fatal(err, b.Table.Name)
				}
				if tables[id] == nil {
					tables[id] = make(tableTexts)
				}
				tables[id].add(b)
			}
		}
	}
	return tables
}

func (texts tableTexts) add(b *columns.Batch) {
	for i := range b.Columns {
		c := &b.Columns[i]
		texts[c.Spec.Name] = append(texts[c.Spec.Name], columnTexts(b, c)...)
	}
}

// tracesToProject calls do with traces of all kinds: small ones of this repository and real
// ones.
func tracesToProject(t *testing.T, do func(t *testing.T, x *index.Index)) {
	t.Run("sample", func(t *testing.T) { do(t, indextest.File(t, "../../../testdata/sample.etl")) })
	for name, s := range indextest.Shapes {
		if testing.Short() && name != "few ticks" && name != "compressed" {
			continue // they have the same events at other times
		}
		t.Run(name, func(t *testing.T) { do(t, indextest.Data(t, indextest.RandomTrace(t, testenv.Seeded(name), s))) })
	}
	archives, err := filepath.Glob("testdata/user/*.txtar")
	if err != nil || archives == nil {
		t.Fatal(archives, err)
	}
	for _, path := range archives {
		text := testenv.ReadFile(t, path)
		a := indextest.ParseArchive(string(text))
		t.Run(path, func(t *testing.T) {
			do(t, indextest.FileWith(t, indextest.Write(t, "t.etl", etltest.MustParse(t, a.Files["trace"])), a.SchemaFiles(t)))
		})
	}
	for _, path := range testenv.SharedTraces(t) {
		t.Run(path, func(t *testing.T) { do(t, indextest.File(t, path)) })
	}
}

// TestProjection checks that the values of a column do not depend on the rest of the selection, and
// that there are no other columns.
func TestProjection(t *testing.T) {
	tracesToProject(t, func(t *testing.T, x *index.Index) {
		for _, mode := range []struct {
			payload PayloadMode
			fields  bool
		}{{PayloadUndecoded, true}, {PayloadAll, false}, {PayloadUndecoded, false}} {
			all := rowsOf(t, x, &everything, mode.payload, mode.fields)
			random := testenv.Seeded(t.Name())
			for range testenv.Times(t, 3, 6, 12, 60) {
				s := randomProjection(random, x, all)
				compareProjection(t, x, &s, all, rowsOf(t, x, &s, mode.payload, mode.fields))
			}
		}
	})
}

// TestProjectionOfEachColumn selects each column of a trace alone.
func TestProjectionOfEachColumn(t *testing.T) {
	x := indextest.File(t, "../../../testdata/sample.etl")
	all := rowsOf(t, x, &everything, PayloadUndecoded, false)
	names := make(map[string]bool)
	for _, table := range all {
		for name := range table {
			names[name] = true
		}
	}
	for name := range names {
		s := selection.Selection{Tables: everything.Tables, Columns: []string{name}}
		compareProjection(t, x, &s, all, rowsOf(t, x, &s, PayloadUndecoded, false))
	}
}

// randomProjection selects a few columns of all tables, of the header tables, or of one
// table.
func randomProjection(random *rand.Rand, x *index.Index, all []tableTexts) selection.Selection {
	s := everything
	var ids []int
	for id := range all {
		if all[id] != nil {
			ids = append(ids, id)
		}
	}
	at := ids[random.IntN(len(ids))]
	switch random.IntN(4) {
	case 0:
		s.Tables = []string{x.Catalog.EventTables()[at].Name}
	case 1:
		s.Tables = []string{"*_header"}
	case 2:
		s.Tables = []string{schema.EventsName, "stack_events", "stacks"}
	}
	names := make([]string, 0, len(all[at]))
	for name := range all[at] {
		names = append(names, name)
	}
	slices.Sort(names)
	for range 1 + random.IntN(3) {
		s.Columns = append(s.Columns, names[random.IntN(len(names))])
	}
	for _, name := range []string{schema.PayloadColumn, schema.FieldsColumn} {
		if random.IntN(4) == 0 {
			s.Columns = append(s.Columns, name)
		}
	}
	return s
}

func compareProjection(t *testing.T, x *index.Index, s *selection.Selection, all, got []tableTexts) {
	t.Helper()
	for id, table := range x.Catalog.EventTables() {
		var want tableTexts
		if s.WantsTable(table.Name) {
			for _, name := range s.Columns {
				if texts, has := all[id][name]; has {
					if want == nil {
						want = make(tableTexts)
					}
					want[name] = texts
				}
			}
		}
		if diff := cmp.Diff(want, got[id]); diff != "" {
			t.Fatalf("%s: %v of %v: -full +projected:\n%.2000s", table.Name, s.Columns, s.Tables, diff)
		}
	}
}

// TestProblemsOfProjection checks that the table of problems has the payloads that do not fit
// for any selection of columns.
func TestProblemsOfProjection(t *testing.T) {
	found := 0
	tracesToProject(t, func(t *testing.T, x *index.Index) {
		want := misfitsOf(t, x, new(selection.Selection))
		found += len(want)
		for _, columns := range [][]string{{"code"}, {"code", "time_ns"}, {"code", "process_id", "image_base", "file_name"}, {"count", "payload_rest"}} {
			got := misfitsOf(t, x, &selection.Selection{Columns: columns})
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("%v: -all +projected:\n%.2000s", columns, diff)
			}
		}
	})
	if found == 0 {
		t.Error("every payload fits")
	}
}

// misfitsOf returns the payloads that do not fit.
func misfitsOf(t *testing.T, x *index.Index, s *selection.Selection) []facts.Problem {
	t.Helper()
	f := filterOf(t, x, s)
	ctx := f.Context(x, PayloadUndecoded, false, FieldsJSON, nil)
	var m PayloadProblemMerger
	eachSlab(t, x, f.Plan(x), func(g *Gathered) {
		m.Add(g.TakePayloadProblems(g.FillRows(ctx, func(id TableID) Filler { return NewFiller(id, ctx) })))
	})
	return m.List
}

// TestEventsTable checks that the table of all events has the events of the header tables, in
// the order of time, each with its fields and message.
func TestEventsTable(t *testing.T) {
	tracesToProject(t, func(t *testing.T, x *index.Index) {
		const fields = true
		all := rowsOf(t, x, &everything, PayloadUndecoded, fields)
		alone := rowsOf(t, x, &selection.Selection{Tables: []string{"EVENTS"}}, PayloadUndecoded, !fields)
		if diff := cmp.Diff(all[EventsTable], alone[EventsTable]); diff != "" {
			t.Fatalf("-among others +alone:\n%.2000s", diff)
		}
		want := unionOfHeaders(t, x, all)
		messages := messagesByRef(x, all)
		got := all[EventsTable]
		if len(want) != len(got["time_ns"]) || int64(len(want)) != x.Events {
			t.Fatalf("%d events of %d, the trace has %d", len(got["time_ns"]), len(want), x.Events)
		}
		for i := range want {
			for name, value := range want[i] {
				if got[name][i] != value {
					t.Fatalf("event %d: %s is %s, want %s", i, name, got[name][i], value)
				}
			}
			if ref := want[i]["event_ref"]; got[schema.MessageColumn][i] != messages[ref] {
				t.Fatalf("event %s: the message is %s, want %s", ref, got[schema.MessageColumn][i], messages[ref])
			}
		}
	})
}

// unionOfHeaders returns the rows of the header tables in the order of events.
func unionOfHeaders(t *testing.T, x *index.Index, all []tableTexts) []map[string]string {
	t.Helper()
	byRef := make(map[string]map[string]string)
	for family := range decode.Families {
		for i, ref := range all[family]["event_ref"] {
			row := map[string]string{"header_table": strconv.Quote(schema.HeaderTables()[family].Name)}
			for _, id := range []string{"hook_id", "class_type", "event_id", "message_number"} {
				if numbers, has := all[family][id]; has {
					row["event_id"] = numbers[i]
				}
			}
			for _, c := range schema.CommonColumns() {
				row[c.Name] = all[family][c.Name][i]
			}
			if fields, has := all[family][schema.FieldsColumn]; has {
				row[schema.FieldsColumn] = fields[i]
			}
			if byRef[ref] != nil {
				t.Fatalf("event %s is in two tables", ref)
			}
			byRef[ref] = row
		}
	}
	var rows []map[string]string
	for _, ev := range inKeyOrder(indextest.Walk(t, x.File)) {
		rows = append(rows, byRef[strconv.FormatInt(int64(ev.Buffer)<<32|int64(ev.Offset), 10)])
	}
	if len(rows) != len(byRef) {
		t.Fatalf("%d events, the header tables have %d", len(rows), len(byRef))
	}
	return rows
}

// messagesByRef returns the messages in other tables. It omits tables whose events have a
// field with the name of the message column.
func messagesByRef(x *index.Index, all []tableTexts) map[string]string {
	messages := make(map[string]string)
	for id, table := range all {
		if TableID(id) == EventsTable || TableID(id) >= firstPayload && !hasMessages(x.Catalog, x.Catalog.Tables[TableID(id)-firstPayload]) {
			continue
		}
		for i, message := range table[schema.MessageColumn] {
			if message != "" {
				messages[table["event_ref"][i]] = message
			}
		}
	}
	return messages
}

func hasMessages(c *catalog.Catalog, t *schema.EventTable) bool {
	return slices.ContainsFunc(c.Kinds, func(k catalog.Kind) bool { return k.Literal.Table == t && k.Rendered != nil })
}
