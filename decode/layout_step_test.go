package decode

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/etl2parquet/etl2parquet/schema"
)

// TestQuick checks that all fields are where Layout.field finds them, in arbitrary bytes.
func TestQuick(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	quick, taken := make(map[step]int), 0
	for _, table := range schema.KernelCatalog().Tables() {
		for _, e := range table.Literals() {
			for _, pointerSize := range []int{4, 8} {
				l, slow := NewLayout(e, e.Since, pointerSize), NewLayout(e, e.Since, pointerSize)
				withoutSteps(slow)
				for range 8 {
					payload := make([]byte, r.IntN(100))
					for i := range payload {
						payload[i] = byte(r.IntN(256) * r.IntN(2) * r.IntN(2))
					}
					spans, fit := l.Locate(payload, nil)
					want, wantFit := slow.Locate(payload, nil)
					if !slices.Equal(spans, want) || fmt.Sprint(fit) != fmt.Sprint(wantFit) {
						t.Fatalf("%s/%s in %x: %v, %v, want %v, %v", e.Class, e.Name, payload, spans, fit, want, wantFit)
					}
					exact, _, _ := l.Prefix()
					isExact := l.LocateExact(payload, exact)
					if isExact != l.Takes(payload) || isExact && !slices.Equal(exact, spans) {
						t.Fatalf("%s/%s in %x: exactly %t, %v, want %v", e.Class, e.Name, payload, isExact, exact, spans)
					}
					if l.Takes(payload) {
						taken++
						if fit.Err != nil || fit.Used != len(payload) {
							t.Fatalf("%s/%s takes %x: %v", e.Class, e.Name, payload, fit)
						}
					}
				}
				for i := range l.fields {
					quick[l.fields[i].step]++
				}
			}
		}
	}
	for s := anyStep; s <= narrowStep; s++ {
		if quick[s] == 0 {
			t.Errorf("no field has step %d", s)
		}
	}
	if taken < 100 {
		t.Errorf("%d payloads are taken exactly", taken)
	}
}

// withoutSteps makes a layout use Layout.field for all fields.
func withoutSteps(l *Layout) {
	for i := range l.fields {
		l.fields[i].step = anyStep
		if elements := l.fields[i].elements; elements != nil {
			withoutSteps(elements)
		}
	}
}

// TestTextEnd checks that texts end after the first zero unit.
func TestTextEnd(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 8))
	for _, kind := range []schema.Kind{schema.Text16, schema.Text8} {
		unit := 1
		if kind == schema.Text16 {
			unit = 2
		}
		for length := range 90 {
			for range 100 {
				b := make([]byte, length)
				for i := range b {
					b[i] = []byte{0, 1, 0x41, 0x80, 0xff}[r.IntN(5)]
				}
				if r.IntN(2) == 0 { // without a NUL, except perhaps one near the end
					for i := range max(0, length-r.IntN(6)) {
						b[i] |= 1
					}
				}
				want := 0
				for want+unit <= length && !bytes.Equal(b[want:want+unit], make([]byte, unit)) {
					want += unit
				}
				if want += unit; want > length {
					want = length
				}
				if got := TextEnd(kind, b); got != want {
					t.Fatalf("%v %x: %d, want %d", kind, b, got, want)
				}
				if kind == schema.Text16 && length > 0 && isWide(b) != (want == length) {
					t.Fatalf("%x is one text: %t", b, isWide(b))
				}
			}
		}
	}
}
