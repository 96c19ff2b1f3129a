package attribution

import (
	"testing"

	"github.com/etl2parquet/etl2parquet/decode"
	"github.com/etl2parquet/etl2parquet/schema"
)

// TestNamedFields checks that each name finds the same field as a search, in all versions of all kernel
// events, and that all names are in use.
func TestNamedFields(t *testing.T) {
	used := make(map[fieldName]bool)
	var events []*schema.Event
	for _, table := range schema.KernelCatalog().Tables() {
		events = append(events, table.Literals()...)
	}
	for _, event := range events {
		for version := range uint8(6) {
			l := &namedLayout{Layout: decode.NewLayout(event, version, 8)}
			l.find(event)
			bytes := make([]byte, 4096)
			spans, _ := l.Locate(bytes, nil)
			p := payload{bytes: bytes, fields: event.Fields, spans: spans, pointerSize: 8, layout: l}
			for name := range fieldNames {
				var want *schema.Field
				for i := range event.Fields {
					if want == nil && spans[i].From >= 0 && event.Fields[i].Name == namesOfFields[name] {
						want = &event.Fields[i]
					}
				}
				if got, _ := p.field(name); got != want {
					t.Errorf("%s, version %d: field %s is %v, want %v", event.Name, version, namesOfFields[name], got, want)
				}
				used[name] = used[name] || want != nil
			}
		}
	}
	for name := range fieldNames {
		if !used[name] {
			t.Errorf("no event has a field %q", namesOfFields[name])
		}
	}
}
