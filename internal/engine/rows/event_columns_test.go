package rows

import (
	"strconv"
	"testing"

	"github.com/etl2parquet/etl2parquet/decode"
	"github.com/etl2parquet/etl2parquet/internal/engine/index"
	"github.com/etl2parquet/etl2parquet/schema"
)

// TestEventColumns checks that event tables and stacks have the same values for an event as
// its header table, and that each kind has as many events as event_types counts.
func TestEventColumns(t *testing.T) {
	tracesToProject(t, func(t *testing.T, x *index.Index) {
		all := rowsOf(t, x, &everything, PayloadNone, false)
		type place struct{ family, row int }
		headers, events := make(map[string]place), make(map[string]int64)
		for family := range int(decode.Families) {
			for row, ref := range all[family]["event_ref"] {
				headers[ref] = place{family, row}
				events[all[family][schema.KindColumn][row]]++
			}
		}
		for row, kind := range x.SortedTypes() {
			if n := events[strconv.Itoa(row)]; n != kind.Events {
				t.Errorf("%d events of kind %d, want %d", n, row, kind.Events)
			}
		}
		for id, table := range all {
			if id < int(decode.Families) || table == nil {
				continue
			}
			names := []string{schema.KindColumn}
			if TableID(id) >= firstPayload && x.Catalog.Tables[id-int(firstPayload)].Table.HasDescriptor() {
				for _, c := range schema.EventColumns() {
					names = append(names, c.Name)
				}
			}
			for _, name := range names {
				for row, ref := range table["event_ref"] {
					if h, ok := headers[ref]; ok && all[h.family][name][h.row] != table[name][row] {
						t.Fatalf("table %d: %s of event %s is %s, want %s", id, name, ref, table[name][row], all[h.family][name][h.row])
					}
				}
			}
		}
	})
}
