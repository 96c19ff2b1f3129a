package absence

import (
	"slices"
	"strings"
	"testing"

	"github.com/etl2parquet/etl2parquet/decode"
	"github.com/etl2parquet/etl2parquet/decode/session"
	"github.com/etl2parquet/etl2parquet/internal/engine/index/indextest"
	"github.com/etl2parquet/etl2parquet/schema"
	"github.com/etl2parquet/etl2parquet/tools/testenv"
)

// otherFlags are the traces whose flags do not record the kernel events that they have: their program
// has merged sessions, or wrote a header of its own.
var otherFlags = []string{"diaghub.kernel.1.etl"}

// TestTraces explains every empty table of kernel events of the real traces, and checks it against the
// flags that the session recorded. A trace must not have events whose flag its session did not enable.
func TestTraces(t *testing.T) {
	said := make(map[finding]int)
	for _, path := range testenv.SharedFiles(t, "traces/*.etl") {
		x, name := indextest.File(t, path), indextest.Name(path)
		info, err := x.Summary(t.Context(), name, 1)
		if err != nil {
			t.Fatal(err)
		}
		trace := Trace{Name: name}
		if err := trace.AddEvents(info.EventTypes); err != nil {
			t.Fatal(err)
		}
		for _, masks := range []*decode.GroupMasks{x.Session.Masks, x.Session.EndMasks} {
			if masks != nil {
				trace.AddFlags(session.GroupMaskNames(masks.Masks[:]))
			}
		}
		flags := trace.Flags
		if want := slices.Contains(otherFlags, name); trace.Flags != nil && trace.isIncomplete() != want {
			t.Errorf("%s: flags that do not record its events: %v, want %v", name, !want, want)
		}
		for table, events := range kernelEvents() {
			f, n := trace.find(group(events).byRecorder())
			if n > 0 {
				said[f]++
				continue
			}
			recorder := events[0].Recorder
			isSaid := slices.Contains(flags, recorder) || slices.ContainsFunc(alsoRecord[recorder], func(other string) bool { return slices.Contains(flags, other) })
			switch {
			case f == noneLogged && !isSaid, f == notEnabled && (isSaid || x.Session.Masks == nil), f == notSaid && isSaid, f == noKernel && trace.hasKernelEvents():
				t.Errorf("%s, %s: %d, and %s in the flags: %v", name, table, f, recorder, isSaid)
			}
			said[f]++
			if text := Explain([]Read{{Name: table, Tables: []string{table}}}, []Trace{trace}); !strings.HasPrefix(text, table+" needs "+events[0].Name) {
				t.Errorf("%s: %s", name, text)
			}
		}
		for _, fixed := range schema.FixedTables() {
			if text := Explain([]Read{{Name: fixed.Name, Tables: []string{fixed.Name}}}, []Trace{trace}); text == "" {
				t.Errorf("%s: nothing about %s", name, fixed.Name)
			}
		}
	}
	t.Logf("tables without rows: %d had no kernel events in the trace, %d a flag that the session did not enable, %d one that it enabled, %d one of which the trace does not say it, %d have no known flag",
		said[noKernel], said[notEnabled], said[noneLogged], said[notSaid], said[hasNone])
}
