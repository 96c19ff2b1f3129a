package bundle

import (
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/etl2parquet/etl2parquet/facts"
	"github.com/etl2parquet/etl2parquet/internal/engine/index/indextest"
	"github.com/etl2parquet/etl2parquet/internal/engine/rows"
	"github.com/etl2parquet/etl2parquet/internal/engine/selection"
	"github.com/etl2parquet/etl2parquet/internal/formats/parquet/parquettest"
	"github.com/etl2parquet/etl2parquet/schema"
	"github.com/etl2parquet/etl2parquet/tools/testenv"
)

// comparedTrace is a trace for comparing conversions.
type comparedTrace struct {
	shared    string              // in ../shared; "" is the sample
	manifests bool                // decoded with those of ../shared
	within    selection.Selection // bounds all conversions of a large trace, also the full one
}

// comparedTraces have events of every source, messages, stacks, and payloads
// that do not fit.
var comparedTraces = []comparedTrace{
	{},
	{shared: "traces/HTTP_Server.etl", manifests: true},
	{shared: "traces/PktMon.etl"},
	{shared: "traces/gcevents.etl", manifests: true},
	{shared: "traces/BondEtwSample.etl"},
	{shared: "traces/SelfDescribingSingleEvent.etl"},
	{shared: "traces/diaghub.user_paged.1.etl", manifests: true, within: selection.Selection{Selection: facts.Selection{From: facts.TimeBound{Set: true, Kind: facts.BoundSinceStart, Since: 3e9}, To: facts.TimeBound{Set: true, Kind: facts.BoundSinceStart, Since: 305e7}}}},
	{shared: "traces/net.4.5.2.x86.etl", within: selection.Selection{Selection: facts.Selection{From: facts.TimeBound{Set: true, Kind: facts.BoundSinceStart, Since: 4e9}, To: facts.TimeBound{Set: true, Kind: facts.BoundSinceStart, Since: 4005e6}}}},
}

// TestSelectedRows checks that the values of a row do not depend on the rest of the
// selection, in every column of every table.
func TestSelectedRows(t *testing.T) {
	t.Parallel()
	testenv.Sequential(t) // but for conversions, which other tests race
	for _, trace := range comparedTraces {
		t.Run(filepath.Base(trace.shared), func(t *testing.T) {
			t.Parallel()
			path := "../../../testdata/sample.etl"
			if trace.shared != "" {
				testenv.Slow(t, "a real trace, with some forty selections")
				path = testenv.Shared(t, trace.shared)
			}
			o := testOptions
			o.Compression = "none"
			if trace.manifests {
				o.Schemas = indextest.OpenFiles(t, []string{testenv.Shared(t, "manifests")}, nil)
			}
			for _, mode := range []struct {
				name    string
				payload rows.PayloadMode
				fields  bool
			}{{"undecoded", rows.PayloadUndecoded, false}, {"all and fields", rows.PayloadAll, true}} {
				o.Payload, o.Fields = mode.payload, mode.fields
				t.Run(mode.name, func(t *testing.T) { compareSelections(t, path, &trace.within, o) })
			}
		})
	}
}

// TestSelectedRowsByHand does the same with small traces of stacks that are hard to
// distinguish, and of compressed payloads.
func TestSelectedRowsByHand(t *testing.T) {
	t.Parallel()
	testenv.Sequential(t) // but for conversions, which other tests race
	paths, err := filepath.Glob(rowGoldens + "/attribution/*.txtar")
	if err != nil || len(paths) < 5 {
		t.Fatalf("%d traces: %v", len(paths), err)
	}
	for _, path := range append(paths, rowGoldens+"/kernel/winsat.txtar") {
		t.Run(filepath.Base(path), func(t *testing.T) {
			t.Parallel()
			o := testOptions
			o.Compression = "none"
			compareSelections(t, indextest.Write(t, "t.etl", indextest.TraceIn(t, path)), &selection.Selection{}, o)
		})
	}
}

// compareSelections compares conversions of selections within bounds with the full
// conversion within the same bounds.
func compareSelections(t *testing.T, path string, within *selection.Selection, o Options) {
	o.Selection = *within
	all := datasetOf(t, path, o)
	if len(all.tables) < 6 {
		t.Fatalf("only %d tables", len(all.tables))
	}
	selections := map[string]selection.Selection{"headers": {Tables: []string{"*_header"}}, "payloads": {Tables: []string{"events/*"}}, "headers and problems": {Tables: []string{"*_header", "problems"}},
		"some headers and problems": {Tables: []string{"event_header", "problems"}},
		"columns":                   {Columns: []string{"process_id", "event_ref", "payload", "fields", "image_name", "frames", "field_list", "field"}},
		"columns of payloads":       {Tables: []string{"events/*", "stacks"}, Columns: []string{"payload_rest", "stack", "new_thread_id", "keyword"}},
	}
	for i, table := range slices.Sorted(maps.Keys(all.tables)) {
		if i%testenv.Times(t, 21, 7, 7, 7) == 0 || i%testenv.Times(t, 3, 1, 1, 1) == 0 && !strings.HasPrefix(table, schema.EventsFolder) { // other tables are similar
			selections["table "+table] = selection.Selection{Tables: []string{table}}
		}
	}
	for _, column := range []string{"provider_id", "event_name", "process_name", "process_id"} {
		for _, value := range all.values(column, testenv.Times(t, 2, 5, 5, 5)) {
			s := selection.Selection{}
			switch column {
			case "provider_id":
				s.Providers = []string{value}
			case "event_name":
				s.Events = []string{value}
			default:
				s.Processes = []string{value}
			}
			selections[column+" is "+value] = s
		}
	}
	for name, s := range selections {
		t.Run(name, func(t *testing.T) {
			o := o
			o.Selection = s
			o.Selection.From, o.Selection.To = within.From, within.To
			got := datasetOf(t, path, o)
			compareRows(t, all, got, &o.Selection)
			if column, value, ok := strings.Cut(name, " is "); ok && all.count(column, value) != got.count(column, value) {
				t.Errorf("%d events, want %d", got.count(column, value), all.count(column, value))
			}
		})
	}
	for _, share := range []int64{3, 5} {
		from := facts.TimeBound{Set: true, Kind: facts.BoundTime, At: all.timeAt(1, share)}
		to := facts.TimeBound{Set: true, Kind: facts.BoundTime, At: all.timeAt(2, share)}
		o.Selection = selection.Selection{Selection: facts.Selection{From: from, To: to}}
		compareRows(t, all, datasetOf(t, path, o), &o.Selection)
		o.Selection.Tables = []string{"*_header"}
		compareRows(t, all, datasetOf(t, path, o), &o.Selection)
	}
}

// compareRows checks that a conversion of a selection has exactly the selected rows of the
// full conversion, with the same values.
func compareRows(t *testing.T, all, got *convertedTrace, s *selection.Selection) {
	t.Helper()
	onlyTables := len(s.Providers)+len(s.Events)+len(s.Processes) == 0 && !(s.From.Kind == facts.BoundTime && s.From.Set)
	taken := make(map[string]bool) // by event_ref
	for _, rows := range got.tables {
		for _, row := range rows {
			taken[row["event_ref"]] = true
		}
	}
	stacks := got.stackIDs(func(ref string) bool { return ref != "NULL" })
	for table, rows := range all.tables {
		if !s.WantsTable(table) {
			continue
		}
		var want []parquettest.Row
		for _, row := range rows {
			if ref, of := row["event_ref"]; onlyTables || !of && table != schema.Problems.Name || of && ref != "NULL" && taken[ref] {
				want = append(want, row)
			}
		}
		have := got.tables[table]
		if s.Columns != nil {
			want = onlyColumns(want, s.Columns)
		}
		switch {
		case onlyTables:
		case table == schema.Problems.Name: // a selection has fewer payloads with problems
			continue
		case table == schema.Stacks.Name && !s.WantsTable(schema.StackEvents.Name): // no selected row refers to a stack
			continue
		case table == schema.Stacks.Name:
			want = slices.DeleteFunc(slices.Clone(rows), func(row parquettest.Row) bool { return !stacks[row["stack_id"]] })
		case table == schema.StackEvents.Name:
			have = slices.DeleteFunc(slices.Clone(have), func(row parquettest.Row) bool { return row["event_ref"] == "NULL" })
		}
		if table == schema.Problems.Name || table == schema.Stacks.Name { // their order depends on slabs and on the selected events
			slices.SortFunc(want, compareTexts)
			slices.SortFunc(have, compareTexts)
		}
		if slices.EqualFunc(want, have, maps.Equal) {
			continue
		}
		if len(want) != len(have) {
			t.Errorf("%s: %d rows, want %d", table, len(have), len(want))
		}
		for i := range min(len(want), len(have)) {
			if diff := testenv.Diff(want[i], have[i]); diff != "" {
				t.Errorf("%s: row %d: -full +selected:\n%.2000s", table, i, diff)
				break
			}
		}
	}
	for table, rows := range got.tables {
		if !s.WantsTable(table) || all.tables[table] == nil || len(rows) == 0 {
			t.Errorf("unexpected table %s", table)
		}
	}
}

// onlyColumns returns rows with the trace and some columns, or none if they have none of these.
func onlyColumns(rows []parquettest.Row, columns []string) (some []parquettest.Row) {
	for _, row := range rows {
		row = maps.Clone(row)
		maps.DeleteFunc(row, func(name, _ string) bool {
			column, _, _ := strings.Cut(name, ".")
			return name != "trace" && !slices.Contains(columns, column)
		})
		if len(row) > 1 {
			some = append(some, row)
		}
	}
	return some
}

func compareTexts(a, b parquettest.Row) int { return strings.Compare(fmt.Sprint(a), fmt.Sprint(b)) }

// convertedTrace has the rows of a dataset of one trace.
type convertedTrace struct{ tables map[string][]parquettest.Row }

func datasetOf(t *testing.T, path string, o Options) *convertedTrace {
	t.Helper()
	root := t.TempDir()
	d := &convertedTrace{tables: make(map[string][]parquettest.Row)}
	for _, f := range convertTo(t, root, path, o).Files {
		data := testenv.ReadFile(t, filepath.Join(root, filepath.FromSlash(f.File)))
		d.tables[f.Table] = parquettest.Rows(t, data)
	}
	if err := os.RemoveAll(root); err != nil { // the test makes hundreds of datasets
		t.Fatal(err)
	}
	return d
}

// stackIDs returns the stacks of the events whose event_ref takes accepts.
func (d *convertedTrace) stackIDs(takes func(ref string) bool) map[string]bool {
	ids := make(map[string]bool)
	for _, row := range d.tables[schema.StackEvents.Name] {
		if takes(row["event_ref"]) {
			ids[row["stack_id"]] = true
		}
	}
	return ids
}

// values returns the first values of a column in the tables of events, up to most.
func (d *convertedTrace) values(column string, most int) []string {
	var values []string
	for _, table := range schema.HeaderTables() {
		for _, row := range d.tables[table.Name] {
			if v := row[column]; v != "" && v != "NULL" && len(values) < most && !slices.Contains(values, v) {
				values = append(values, v)
			}
		}
	}
	return values
}

// count returns the number of events with a value in a column.
func (d *convertedTrace) count(column, value string) (n int) {
	for _, table := range schema.HeaderTables() {
		for _, row := range d.tables[table.Name] {
			if row[column] == value {
				n++
			}
		}
	}
	return n
}

// timeAt returns the time of the event at the fraction nth/share of all events.
func (d *convertedTrace) timeAt(nth, share int64) time.Time {
	var times []int64
	for _, table := range schema.HeaderTables() {
		for _, row := range d.tables[table.Name] {
			ns, err := strconv.ParseInt(row["time_ns"], 10, 64)
			if err != nil {
				panic(err)
			}
			times = append(times, ns)
		}
	}
	slices.Sort(times)
	return time.Unix(0, times[int64(len(times))*nth/share])
}
