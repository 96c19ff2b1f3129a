package attribution

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/etl2parquet/etl2parquet/schema"
)

// TestTextPools gives the texts of two workers to pools with and without room for all of them.
func TestTextPools(t *testing.T) {
	for _, test := range []struct {
		name          string
		limit         int64
		texts, packed int // that fit in stringPool and packedPool
	}{{"room for all", 1 << 20, 2000, 2000}, {"room for some", 40 * (textOverhead + 4), 40, 58}, {"no room", 3, 0, 0}} {
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
			if got := int(texts.end()) - 1; list.n != test.texts || got != test.packed || !texts.consistent() {
				t.Errorf("%d and %d texts, want %d and %d", list.n, got, test.texts, test.packed)
			}
			if first.len() != 0 || first.bytes() != 0 {
				t.Errorf("%d texts are left", first.len())
			}
		})
	}
}

// TestTextBlocks fills a pool with texts up to the size of a block, so that many do not fit in the rest
// of a block.
func TestTextBlocks(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	pool := packedPool{limit: 64 << 20}
	var want []string
	for i := range 400 {
		size := 1 + r.IntN(100<<10)
		switch i {
		case 7:
			size = textBlock
		case 8:
			size = textBlock + 1
		}
		text := bytes.Repeat([]byte{byte(i)}, size)
		text = append(text, byte(i>>8))[1:]
		n := pool.number(text, hashOfText(text))
		if size > textBlock {
			if n != noRoom {
				t.Fatalf("a text of %d bytes has number %d", size, n)
			}
			continue
		}
		if again := pool.number(text, hashOfText(text)); again != n || int(n) > len(want)+1 {
			t.Fatalf("text %d is number %d, then %d", len(want)+1, n, again)
		}
		if int(n) > len(want) {
			want = append(want, string(text))
		}
	}
	texts := pool.close()
	for i := range want {
		if got := texts.at(Text(i + 1)); got != want[i] {
			t.Errorf("text %d has %d bytes, want %d", i+1, len(got), len(want[i]))
		}
	}
	if !texts.consistent() || len(texts.blocks) < 10 || int(texts.end()) != len(want)+1 {
		t.Errorf("%d texts in %d blocks, want %d", texts.end()-1, len(texts.blocks), len(want))
	}
	for name, wrong := range map[string]textList{
		"no block":           {nil, []uint32{1}},
		"beyond its block":   {[]string{"ab"}, []uint32{3}},
		"beyond the last":    {[]string{"ab"}, []uint32{1, textBlock + 1}},
		"out of order":       {[]string{"ab"}, []uint32{2, 1}},
		"an empty text":      {[]string{"ab"}, []uint32{1, 1}},
		"an empty text, too": {[]string{"ab"}, []uint32{0}},
	} {
		if wrong.consistent() {
			t.Errorf("%s: the texts are consistent", name)
		}
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
