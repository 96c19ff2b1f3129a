package catalog

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"math"
	"strings"
	"testing"
)

// TestNoMetadata checks that an event without metadata and one with empty metadata differ in kind.
func TestNoMetadata(t *testing.T) {
	var l Learned
	for _, test := range []struct {
		metadata []byte
		want     uint32
	}{{nil, 0}, {[]byte{}, 1}, {nil, 0}, {[]byte("a"), 2}, {[]byte{}, 1}} {
		if got := l.TraceLogging(test.metadata); got != test.want || l.metadata.find(test.metadata) != test.want {
			t.Errorf("%#v: %d, want %d", test.metadata, got, test.want)
		}
	}
}

// TestRecentNumbers checks that the cache agrees with the interner, also for strings that share a
// slot, that are not known yet, and that are empty.
func TestRecentNumbers(t *testing.T) {
	var n interner
	var r recentNumbers
	long := strings.Repeat("x", 40)
	texts := []string{"", "a", "b", long, long[1:], long[:3] + "y" + long[:36], long[:4] + "y" + long[:35]}
	for i := range 200 {
		texts = append(texts, fmt.Sprintf("provider\x00Event%d\x00Field\x00\x08", i))
	}
	if recentPlace([]byte(texts[3])) != recentPlace([]byte(texts[5])) {
		t.Error("no two long texts share a place")
	}
	for round := range 5 { // each round makes a fourth of the texts known
		for i, text := range texts {
			got, want := r.find(&n, []byte(text)), n.find([]byte(text))
			if got != want || (want > 0) != (i%4 < round) {
				t.Fatalf("round %d, %q: %d, want %d", round, text, got, want)
			}
			if i%4 == round {
				n.add(text)
			}
		}
	}
}

// TestNumbersOfItems checks that equal items share one number, and that items beyond the limits on
// their number and bytes have none.
func TestNumbersOfItems(t *testing.T) {
	for _, size := range []int{8, 1000} {
		var f Finder
		for i := range 70_000 {
			items := make([]byte, size)
			binary.LittleEndian.PutUint32(items, uint32(i))
			number := f.number(items)
			if number > 0 && !bytes.Equal(f.Items(number), items) {
				t.Fatalf("items %d of %d bytes have the number of %x", i, size, f.Items(number))
			}
			if again := f.number(items); again != number {
				t.Fatalf("items %d of %d bytes have the numbers %d and %d", i, size, number, again)
			}
			if hasNumber := i < min(math.MaxUint16, maxItems/size); (number > 0) != hasNumber {
				t.Fatalf("items %d of %d bytes have the number %d", i, size, number)
			}
		}
	}
	if n := new(Finder).number(nil); n != 0 {
		t.Errorf("no items have the number %d", n)
	}
}
