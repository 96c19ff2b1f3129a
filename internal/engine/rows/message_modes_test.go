package rows

import (
	"maps"
	"path/filepath"
	"strconv"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/etl2parquet/etl2parquet/decode"
	"github.com/etl2parquet/etl2parquet/decode/decodetest"
	"github.com/etl2parquet/etl2parquet/decode/etltest"
	"github.com/etl2parquet/etl2parquet/internal/engine/catalog"
	"github.com/etl2parquet/etl2parquet/internal/engine/index"
	"github.com/etl2parquet/etl2parquet/internal/engine/index/indextest"
	"github.com/etl2parquet/etl2parquet/schema"
	"github.com/etl2parquet/etl2parquet/tools/testenv"
)

// TestMessageModes checks that each mode renders the right messages, with the same text as in the
// mode for all messages. A table has the column if a message of its events is rendered.
func TestMessageModes(t *testing.T) {
	archives, err := filepath.Glob("testdata/user/*.txtar")
	if err != nil || archives == nil {
		t.Fatal(archives, err)
	}
	const noFields = "an event without fields"
	counts := make(map[catalog.MessageMode]map[string]int)
	for _, path := range archives {
		text := testenv.ReadFile(t, path)
		a := indextest.ParseArchive(string(text))
		trace, files := etltest.MustParse(t, a.Files["trace"]), a.SchemaFiles(t)
		of := func(mode catalog.MessageMode) (*index.Index, map[string]string, []tableTexts) {
			f := decodetest.Open(t, trace)
			x, err := index.Build(t.Context(), f, index.Options{Workers: 1, Schemas: files, Messages: mode})
			if err != nil {
				t.Fatal(err)
			}
			all := rowsOf(t, x, &everything, PayloadUndecoded, false)
			return x, messagesByRef(x, all), all
		}
		_, all, _ := of(catalog.MessagesAll)
		for _, mode := range []catalog.MessageMode{catalog.MessagesUndecoded, catalog.MessagesAll, catalog.MessagesNone} {
			x, got, tables := of(mode)
			if counts[mode] == nil {
				counts[mode] = make(map[string]int)
			}
			rows, rendered := x.EventKinds(), make(map[string]bool) // by event_kind
			for i := range x.Catalog.Kinds {
				k := &x.Catalog.Kinds[i]
				rendered[strconv.Itoa(int(rows[i]))] = k.Rendered != nil
				if k.Rendered == nil {
					continue
				}
				counts[mode][k.Source.String()]++
				if len(k.Literal.Event.Fields) == 0 {
					counts[mode][noFields]++
				}
				if table := k.Literal.Table; table != nil && table.Table.Column(schema.MessageColumn) < 0 {
					t.Errorf("%s, mode %d: %s has no messages", path, mode, table.Table.Name)
				}
			}
			want := maps.Clone(all)
			for family := range int(decode.Families) {
				for row, ref := range tables[family]["event_ref"] {
					if !rendered[tables[family][schema.KindColumn][row]] {
						delete(want, ref)
					}
				}
			}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("%s, mode %d: -want +got:\n%s", path, mode, diff)
			}
		}
	}
	if n := counts[catalog.MessagesUndecoded]; n["tmf"] == 0 || n[noFields] == 0 || n["manifest"] > n[noFields] {
		t.Errorf("undecoded: %v", n)
	}
	if n := counts[catalog.MessagesAll]; n["tmf"] == 0 || n["manifest"] == 0 || n["eventinfo"] == 0 || n["eventsource"] == 0 {
		t.Errorf("all: %v", n)
	}
	if n := counts[catalog.MessagesNone]; len(n) > 0 {
		t.Errorf("none: %v", n)
	}
}
