package decode_test

import (
	"fmt"
	"testing"

	"github.com/etl2parquet/etl2parquet/decode"
	"github.com/etl2parquet/etl2parquet/decode/decodetest"
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
	case decode.FamilyEventTrace, decode.FamilyInstance:
		h := ev.EventTrace()
		id, _ := h.GUID()
		class, _, version := h.Class()
		l, ok := c.Type(id, class, uint8(version))
		return l, uint8(version), ok
	}
	return schema.Literal{}, 0, false
}

// knownMisfits counts, by trace and misfit, the payloads that are longer or
// shorter than their layout. None so far.
var knownMisfits = map[string]map[string]int{}

// knownWithout lists the kernel events of real traces without a layout, by hook
// or by class and type. They are two of SystemConfig that no public source
// names; each occurs once.
var knownWithout = map[string]bool{"hook 0x0b24 version 2": true, "hook 0x0b25 version 2": true}

// traceFit counts how the payloads of a trace fit their layouts.
type traceFit struct {
	exact, other, foreign int            // foreign: of other providers
	misfits               map[string]int // how many of each kind
	without               map[string]int // kernel events that have no layout
	spans                 []decode.Span
}

func (f *traceFit) add(ev *decode.Event) {
	literal, version, ok := literalOf(ev)
	if !ok {
		if name := kernelKey(ev); name != "" {
			f.without[name]++
		} else {
			f.foreign++
		}
		return
	}
	payload := ev.Payload()
	layout := decode.NewLayout(literal.Event, version, ev.PointerSize())
	var fit decode.Fit
	f.spans, fit = layout.Locate(payload, f.spans)
	problem := ""
	switch {
	case fit.Err != nil:
		problem = fit.Field.Name + ": " + fit.Err.Error()
	case fit.Used != len(payload):
		problem = fmt.Sprintf("%d used", fit.Used)
	default:
		problem = openText(literal.Event, payload, f.spans)
	}
	if problem == "" {
		f.exact++
		return
	}
	f.other++
	f.misfits[fmt.Sprintf("%s/%s version %d, pointers of %d, %d bytes: %s",
		literal.Event.Class, literal.Event.Name, version, ev.PointerSize(), len(payload), problem)]++
}

// openText names a text field without a NUL, if there is one. It takes all
// remaining bytes, so that using up the payload proves nothing.
func openText(e *schema.Event, payload []byte, spans []decode.Span) string {
	for i, s := range spans {
		if s.From < 0 || e.Fields[i].IsArray() && s.From == s.To {
			continue
		}
		text := payload[s.From:s.To]
		switch e.Fields[i].Kind {
		case schema.Text16:
			if len(text)%2 != 0 || text[len(text)-1] != 0 || text[len(text)-2] != 0 {
				return e.Fields[i].Name + ": no NUL"
			}
		case schema.Text8:
			if text[len(text)-1] != 0 {
				return e.Fields[i].Name + ": no NUL"
			}
		}
	}
	return ""
}

// kernelKey names the hook, or class and type, of an event of the kernel's
// classes.
func kernelKey(ev *decode.Event) string {
	switch ev.Family {
	case decode.FamilySystem:
		h := ev.System()
		return fmt.Sprintf("hook %#04x version %d", h.HookID(), h.Version())
	case decode.FamilyPerfInfo:
		h := ev.PerfInfo()
		return fmt.Sprintf("hook %#04x version %d", h.HookID(), h.Version())
	case decode.FamilyEventTrace, decode.FamilyInstance:
		h := ev.EventTrace()
		id, _ := h.GUID()
		class, _, version := h.Class()
		if name, ok := schema.ProviderName(id); ok {
			return fmt.Sprintf("%s type %d version %d", name, class, version)
		}
	}
	return ""
}

// TestLayoutsOnRealTraces locates the fields of every payload that has a
// layout. They must use the payload up to its last byte.
func TestLayoutsOnRealTraces(t *testing.T) {
	total := 0
	for name := range realTraces(t) {
		t.Run(name, func(t *testing.T) {
			f := openTrace(t, name)
			fit := traceFit{misfits: make(map[string]int), without: make(map[string]int)}
			decodetest.Walk(t, f, func(_ *decode.Buffer, ev *decode.Event) { fit.add(ev) })
			total += fit.exact
			if known := fit.exact + fit.other; known > 0 {
				t.Logf("%d of %d kernel payloads fit exactly (%.2f %%); %d events of other providers", fit.exact, known, 100*float64(fit.exact)/float64(known), fit.foreign)
			}
			for problem, n := range fit.misfits {
				if want := knownMisfits[name][problem]; n != want {
					t.Errorf("%d times, want %d: %s", n, want, problem)
				}
			}
			for problem, n := range knownMisfits[name] {
				if fit.misfits[problem] == 0 {
					t.Errorf("0 times, want %d: %s", n, problem)
				}
			}
			for key, n := range fit.without {
				if !knownWithout[key] {
					t.Errorf("%d events without a layout: %s", n, key)
				}
			}
		})
	}
	if total < 200_000 {
		t.Errorf("only %d payloads in all traces", total)
	}
}
