package attribution

import (
	"fmt"
	"testing"

	"github.com/etl2parquet/etl2parquet/schema"
)

// TestTextPools gives the texts of two workers to pools with and without room for all of them.
func TestTextPools(t *testing.T) {
	for _, test := range []struct {
		name  string
		limit int64
		texts int // that fit in stringPool and packedPool
	}{{"room for all", 1 << 20, 2000}, {"room for some", 40 * (textOverhead + 4), 40}, {"no room", 3, 0}} {
		t.Run(test.name, func(t *testing.T) {
			list := newStringPool(test.limit)
			packed := packedPool{limit: test.limit}
			first := foundTexts{}
			want := make(map[string]Text)
			for range 2 { // workers; the second one renewed
				for i := range 4000 {
					text := fmt.Sprintf("%04d", i%2000)
					n := first.number(schema.Text8, []byte(text))
					if n != first.number(schema.Text8, []byte(text)) || string(first.field(n)) != text {
						t.Fatalf("text %s is number %d of the worker", text, n)
					}
					decoded, hash := first.at(n)
					at, other := list.number(decoded, hash), packed.number(decoded, hash)
					if old, has := want[text]; has && old != at {
						t.Fatalf("text %s is number %d, and was %d", text, at, old)
					}
					want[text] = at
					if at != noRoom && (list.at(at) != text || list.share(text) != text) || at == noRoom && list.share(text) != "" {
						t.Fatalf("text %s is missing", text)
					}
					if other != noRoom && packed.at(other) != text {
						t.Fatalf("text %s is %s", text, packed.at(other))
					}
				}
				first = first.renewed()
			}
			texts := packed.close()
			if got := int(texts.end()) - 1; list.n != test.texts || got != test.texts || !texts.consistent() {
				t.Errorf("%d and %d texts, want %d", list.n, got, test.texts)
			}
			if first.len() != 0 || first.bytes() != 0 {
				t.Errorf("%d texts are left", first.len())
			}
		})
	}
}

// TestEmptyText checks that an empty text is no text.
func TestEmptyText(t *testing.T) {
	var found foundTexts
	for kind, text := range map[schema.Kind]string{schema.Text8: "\x00", schema.Text16: "\x00\x00"} {
		if n := found.number(kind, []byte(text)); n != 0 || found.len() != 0 {
			t.Errorf("it has number %d", n)
		}
	}
	list := newStringPool(10)
	if list.share("") != "" || list.dropped != 0 {
		t.Error("it is in the pool")
	}
}
