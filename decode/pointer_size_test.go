package decode

import (
	"math/rand/v2"
	"testing"

	"github.com/etl2parquet/etl2parquet/schema"
)

// TestPointerSizes checks when the header's size of pointers is used, and when the payload's.
func TestPointerSizes(t *testing.T) {
	pointer, number, text := schema.Field{Name: "p", Kind: schema.Pointer}, schema.Field{Name: "n", Kind: schema.U32}, schema.Field{Name: "t", Kind: schema.Text8}
	list, sid := schema.Field{Name: "l", Kind: schema.Pointer, Count: 2}, schema.Field{Name: "s", Kind: schema.WBEMSID}
	structure := schema.Field{Name: "s", Struct: []schema.Field{pointer}}
	for name, test := range map[string]struct {
		fields    []schema.Field
		version   uint8
		mayDiffer bool
	}{
		"a pointer":               {[]schema.Field{pointer, number}, 0, true},
		"a SID":                   {[]schema.Field{number, sid}, 0, true},
		"no pointers":             {[]schema.Field{number}, 0, false},
		"a list of pointers":      {[]schema.Field{list}, 0, false},
		"a structure of pointers": {[]schema.Field{structure}, 0, false},
		"a later version":         {[]schema.Field{pointer}, 1, false},
	} {
		if p := NewPointerSizes(&schema.Event{Fields: test.fields}, test.version); (p != nil) != test.mayDiffer {
			t.Errorf("%s: %v", name, p)
		}
	}
	fixed := NewPointerSizes(&schema.Event{Fields: []schema.Field{pointer, number}}, 0)
	ended := NewPointerSizes(&schema.Event{Fields: []schema.Field{pointer, text}}, 0)
	for _, test := range []struct {
		p              *PointerSizes
		payload        string
		inHeader, want int
	}{
		{fixed, "abcdabcdabcd", 8, 8}, {fixed, "abcdabcdabcd", 4, 8}, {fixed, "abcdabcd", 4, 4}, {fixed, "abcdabcd", 8, 4},
		{fixed, "abcdabcdab", 8, 8}, {fixed, "abcdabcdab", 4, 4}, {fixed, "", 4, 4},
		{ended, "abcdabcda\x00", 8, 8}, {ended, "abcdabcda\x00", 4, 4}, // both fit
		{ended, "abc\x00\x00\x00\x00\x00a\x00", 4, 8}, {ended, "abca\x00", 8, 4}, {ended, "abcda\x00b\x00", 4, 4},
	} {
		if got, _ := test.p.Of(test.inHeader, []byte(test.payload)); got != test.want {
			t.Errorf("%q with %d in the header: %d, want %d", test.payload, test.inHeader, got, test.want)
		}
	}
}

// TestPointerSizesOfRandom checks that another size than the header's is used only if the payload
// fits only that to the last byte, for random payloads of every kernel event.
func TestPointerSizesOfRandom(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	other := 0
	for _, table := range schema.KernelCatalog().Tables() {
		for _, e := range table.Literals() {
			for version := e.Since; version <= e.LastChange(); version++ {
				p := NewPointerSizes(e, version)
				if p == nil {
					continue
				}
				for range 40 {
					payload := make([]byte, r.IntN(96))
					for i := range payload {
						payload[i] = byte(r.IntN(2) * r.IntN(256))
					}
					for _, inHeader := range []int{4, 8} {
						size, spans := p.Of(inHeader, payload)
						isExact := func(size int) bool {
							_, fit := NewLayout(e, version, size).Locate(payload, nil)
							return fit.Err == nil && fit.Used == len(payload)
						}
						if size != inHeader {
							other++
						}
						if (size != inHeader) != (!isExact(inHeader) && isExact(12-inHeader)) || spans != nil && len(spans) != len(e.Fields) {
							t.Fatalf("%s version %d: %x with %d in the header: %d, %v", e.Name, version, payload, inHeader, size, spans)
						}
						l := NewLayout(e, version, size)
						located, fit := l.Locate(payload, nil)
						if got := l.Contradiction(payload, located, fit); got.Used > fit.Used || got.Err != nil && got.Field == nil {
							t.Fatalf("%s version %d: %x: %+v, was %+v", e.Name, version, payload, got, fit)
						}
					}
				}
			}
		}
	}
	if other == 0 {
		t.Error("no payload has the other size")
	}
}
