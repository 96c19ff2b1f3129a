package decode_test

import (
	"errors"
	"fmt"
	"io"
	"sort"
	"testing"

	"github.com/etl2parquet/etl2parquet/decode"
	"github.com/etl2parquet/etl2parquet/schema"
)

// literalOf returns the layout of an event's payload.
func literalOf(ev *decode.Event) (schema.Literal, uint8, bool) {
	c := schema.KernelCatalog()
	switch ev.Family {
	case decode.FamilySystem:
		h := ev.System()
		l, ok := c.Hook(h.HookID(), h.Version())
		return l, h.Version(), ok
	case decode.FamilyPerfInfo:
		h := ev.PerfInfo()
		l, ok := c.Hook(h.HookID(), h.Version())
		return l, h.Version(), ok
	case decode.FamilyEventTrace:
		h := ev.EventTrace()
		id, _ := h.GUID()
		class, _, version := h.Class()
		l, ok := c.Type(id, class, uint8(version))
		return l, uint8(version), ok
	}
	return schema.Literal{}, 0, false
}

// TestLayoutsOnRealTraces locates the fields of every payload that has a
// layout: each must be used up to its last byte.
func TestLayoutsOnRealTraces(t *testing.T) {
	for name := range realTraces(t) {
		t.Run(name, func(t *testing.T) {
			f := openTrace(t, name)
			var buffer decode.Buffer
			var spans []decode.Span
			var exact, rest, failed, without int
			misfits := make(map[string]int)
			for i := range f.Buffers() {
				if err := f.ReadBuffer(i, &buffer); err != nil {
					t.Fatal(err)
				}
				var ev decode.Event
				for {
					err := buffer.Next(&ev)
					if errors.Is(err, io.EOF) {
						break
					}
					if err != nil {
						t.Fatal(err)
					}
					literal, version, ok := literalOf(&ev)
					if !ok {
						without++
						continue
					}
					payload := ev.Payload()
					layout := decode.NewLayout(literal.Event, version, ev.PointerSize())
					var fit decode.Fit
					spans, fit = layout.Locate(payload, spans)
					key := fmt.Sprintf("%s/%s v%d ptr%d %d bytes", literal.Event.Class, literal.Event.Name, version, ev.PointerSize(), len(payload))
					switch {
					case fit.Err != nil:
						failed++
						misfits[key+": "+fit.Field.Name+": "+fit.Err.Error()]++
					case fit.Used != len(payload):
						rest++
						misfits[fmt.Sprintf("%s: %d used", key, fit.Used)]++
					default:
						exact++
					}
				}
			}
			t.Logf("%d exact, %d with a rest, %d that do not fit, %d without a layout", exact, rest, failed, without)
			var list []string
			for k, n := range misfits {
				list = append(list, fmt.Sprintf("%6d %s", n, k))
			}
			sort.Strings(list)
			for _, l := range list {
				t.Log(l)
			}
		})
	}
}
