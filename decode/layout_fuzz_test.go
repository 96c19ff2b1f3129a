package decode_test

import (
	"slices"
	"testing"

	"github.com/etl2parquet/etl2parquet/decode"
	"github.com/etl2parquet/etl2parquet/schema"
)

// literals returns the kernel's events. Fuzz inputs refer to them by number.
func literals(t testing.TB) []*schema.Event {
	t.Helper()
	var list []*schema.Event
	for _, table := range schema.KernelCatalog().Tables() {
		list = append(list, table.Literals()...)
	}
	if len(list) < 600 {
		t.Fatalf("%d layouts", len(list))
	}
	return list
}

// FuzzLocate locates the fields of any layout in arbitrary bytes.
func FuzzLocate(f *testing.F) {
	list := literals(f)
	seeds := 0
	for n, e := range list {
		for _, wide := range []bool{false, true} {
			l := decode.NewLayout(e, e.Since, pointerSize(wide))
			payload := writePayload(l, 2).payload
			for _, seed := range [][]byte{payload, payload[:len(payload)/2], append(slices.Clip(payload), 0xff)} {
				f.Add(uint16(n), e.Since, wide, seed)
				seeds++
			}
		}
	}
	if seeds < 3600 {
		f.Fatalf("%d seeds", seeds)
	}
	var spans, again []decode.Span
	f.Fuzz(func(t *testing.T, n uint16, version uint8, wide bool, payload []byte) {
		if len(payload) > 64<<10 {
			return
		}
		e := list[int(n)%len(list)]
		if !e.In(version) {
			version = e.Since
		}
		l := decode.NewLayout(e, version, pointerSize(wide))
		var fit, fitAgain decode.Fit
		spans, fit = l.Locate(payload, spans)
		checkSpans(t, l, payload, spans, fit)
		for i := range again {
			again[i] = decode.Span{From: -7, To: 1 << 30}
		}
		again, fitAgain = decode.NewLayout(e, version, pointerSize(wide)).Locate(slices.Clip(payload), again)
		if !slices.Equal(spans, again) || fit.Used != fitAgain.Used || fit.Field != fitAgain.Field || (fit.Err == nil) != (fitAgain.Err == nil) ||
			fit.Err != nil && fit.Err.Error() != fitAgain.Err.Error() {
			t.Fatalf("%s: first %v, %+v, then %v, %+v", layoutText(l), spans, fit, again, fitAgain)
		}
		if fit.Err == nil && allocations(func() { spans, _ = l.Locate(payload, spans) }) != 0 {
			t.Fatalf("%s: allocates", layoutText(l))
		}
		checkPrefixes(t, l, payload, fit.Used)
	})
}

func pointerSize(wide bool) int {
	if wide {
		return 8
	}
	return 4
}

// checkPrefixes checks that fields that fit do not move if bytes follow.
func checkPrefixes(t *testing.T, l *decode.Layout, payload []byte, used int) {
	t.Helper()
	before, _ := l.Locate(payload, nil)
	longer := append(slices.Clip(payload), 0xcc, 0xcc, 0xcc)
	after, fit := l.Locate(longer, nil)
	checkSpans(t, l, longer, after, fit)
	for i := range before {
		if before[i].From >= 0 && int(before[i].To) < len(payload) && after[i] != before[i] && l.Event.Fields[i].Count != schema.Rest {
			t.Fatalf("%s: %s at %v, but at %v if more bytes follow", layoutText(l), l.Event.Fields[i].Name, before[i], after[i])
		}
	}
	if fit.Used < used {
		t.Fatalf("%s: %d bytes used, but %d if more follow", layoutText(l), used, fit.Used)
	}
}
