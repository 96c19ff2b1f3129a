package convert

import (
	"fmt"
	"os"
	"testing"

	"github.com/etl2parquet/etl2parquet/decode/etltest"
	"github.com/etl2parquet/etl2parquet/internal/index"
	"github.com/etl2parquet/etl2parquet/internal/index/indextest"
)

// work is what was made of the payloads of a trace: for how many kinds of
// event their layouts were compiled.
type work struct{ texts, fits, tables int }

// workOf converts a trace in one slab.
func workOf(t *testing.T, x *index.Index, o *Options) (w work, rows slabRows) {
	t.Helper()
	p := newPipeline(x, o, filterOf(t, x, &o.Selection), nil)
	g := new(gathered)
	if _, ok, err := g.gather(x, p.plan, slab{firstKey, lastKey}, p.events); err != nil || !ok {
		t.Fatal(ok, err)
	}
	rows = g.fillRows(p.rows, p.filler)
	for _, filler := range rows {
		if payloads, ok := filler.(*payloadRows); ok {
			w.tables += len(payloads.layouts)
		}
	}
	w.texts, w.fits = len(g.block.texts.layouts), len(g.block.fits.layouts)
	return w, rows
}

// TestDemand: payloads are located only where a column that is wanted says
// what is in them, or whether they could be decoded, and texts are made only
// where a table has them.
func TestDemand(t *testing.T) {
	text, err := os.ReadFile("testdata/user/manifest.txtar")
	if err != nil {
		t.Fatal(err)
	}
	messages := parseUserArchive(string(text))
	for name, x := range map[string]*index.Index{
		"kernel":   indextest.File(t, "../testdata/sample.etl"),
		"messages": indexFileWith(t, indextest.Write(t, "t.etl", etltest.MustParse(t, messages.files["trace"])), messages.schemaFiles(t)),
	} {
		for _, test := range []struct {
			name                string
			options             Options
			texts, fits, tables bool
		}{
			{"all", Options{}, name == "messages", false, true},
			{"headers", Options{Selection: Selection{Tables: []string{"*_header"}}}, false, true, false},
			{"headers and all payloads", Options{Payload: PayloadAll, Selection: Selection{Tables: []string{"*_header"}}}, false, false, false},
			{"headers and no payloads", Options{Payload: PayloadNone, Selection: Selection{Tables: []string{"*_header"}}}, false, false, false},
			{"headers and fields", Options{Fields: true, Payload: PayloadAll, Selection: Selection{Tables: []string{"*_header"}}}, true, false, false},
			{"problems", Options{Payload: PayloadAll, Selection: Selection{Tables: []string{"problems"}}}, false, true, false},
			{"stacks", Options{Selection: Selection{Tables: []string{"stacks"}}}, false, false, false},
			{"fixed", Options{Fields: true, Selection: Selection{Tables: []string{"traces"}}}, false, false, false},
			{"payloads", Options{Fields: true, Selection: Selection{Tables: []string{"events/*"}}}, name == "messages", false, true},
		} {
			t.Run(name+"/"+test.name, func(t *testing.T) {
				o := test.options
				o.Workers, o.Memory = 1, index.DefaultMemory
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

// TestFitsAlone: whether a payload fits depends on no event before it, of a
// table that is wanted, whose fields were found for a text.
func TestFitsAlone(t *testing.T) {
	text, err := os.ReadFile("testdata/user/manifest.txtar")
	if err != nil {
		t.Fatal(err)
	}
	path := indextest.Write(t, "t.etl", etltest.MustParse(t, fmt.Sprintf(`
trace ptr=64 buffersize=65536
stream
repeat %[1]d dt=1us { event64 provider=00000000-0000-0000-0000-000000000006 id=100 payload=str16:"Ann",u8:2 }
repeat %[1]d t=+1s dt=1us { system64 hook=0x0301 ver=4 pid=4 tid=8 payload=ptr:1,u32:200|100|1|0,ptr:0,u32:0,wbemsid:S-1-5-18,str8:b.exe,str16:"b",str16:"",str16:"" }
`, 2*blockRows)))
	o := testOptions
	o.Fields, o.Schemas = true, parseUserArchive(string(text)).schemaFiles(t)
	for _, tables := range [][]string{{"problems"}, {"problems", "event_header"}, {"problems", "system_trace_header"}, nil} {
		o.Selection.Tables = tables
		if report := convertTo(t, t.TempDir(), path, o); len(report.Problems) > 0 {
			t.Errorf("%q: problems %+v", tables, report.Problems)
		}
	}
}
