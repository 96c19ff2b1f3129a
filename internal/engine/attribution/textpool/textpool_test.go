package textpool

import (
	"fmt"
	"testing"

	"github.com/etl2parquet/etl2parquet/schema"
)

// TestPools gives texts of two workers to pools with and without room for all.
func TestPools(t *testing.T) {
	for _, test := range []struct {
		name  string
		limit int64
		texts int // that have room in Strings and in Packed
	}{{"room for all", 1 << 20, 2000}, {"room for some", 40 * (overhead + 4), 40}, {"no room", 3, 0}} {
		t.Run(test.name, func(t *testing.T) {
			list := NewStrings(test.limit)
			packed := Packed{Limit: test.limit}
			first := Found{}
			want := make(map[string]Number)
			for range 2 { // workers; the second one renewed
				for i := range 4000 {
					text := fmt.Sprintf("%04d", i%2000)
					n := first.Number(schema.Text8, []byte(text))
					if n != first.Number(schema.Text8, []byte(text)) || string(first.Raw(n)) != text {
						t.Fatalf("text %s is number %d of the worker", text, n)
					}
					decoded, hash := first.At(n)
					at, other := list.Number(decoded, hash), packed.Number(decoded, hash)
					if old, has := want[text]; has && old != at {
						t.Fatalf("text %s is number %d, and was %d", text, at, old)
					}
					want[text] = at
					if at != NoRoom && (list.At(at) != text || list.Share(text) != text) || at == NoRoom && list.Share(text) != "" {
						t.Fatalf("text %s is missing", text)
					}
					if other != NoRoom && packed.At(other) != text {
						t.Fatalf("text %s is %s", text, packed.At(other))
					}
				}
				first = first.Renewed()
			}
			texts := packed.Close()
			if got := int(texts.End()) - 1; list.n != test.texts || got != test.texts || !texts.Consistent() {
				t.Errorf("%d and %d texts, want %d", list.n, got, test.texts)
			}
			if first.Len() != 0 || first.Bytes() != 0 {
				t.Errorf("%d texts are left", first.Len())
			}
		})
	}
}

// TestEmpty: a text without characters is no text.
func TestEmpty(t *testing.T) {
	var found Found
	for kind, text := range map[schema.Kind]string{schema.Text8: "\x00", schema.Text16: "\x00\x00"} {
		if n := found.Number(kind, []byte(text)); n != 0 || found.Len() != 0 {
			t.Errorf("it has number %d", n)
		}
	}
	list := NewStrings(10)
	if list.Share("") != "" || list.Dropped != 0 {
		t.Error("it is in the pool")
	}
}
