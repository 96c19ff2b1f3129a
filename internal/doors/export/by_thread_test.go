package export

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

// TestSorter checks that records with a key come together in their order, from memory and from disk.
func TestSorter(t *testing.T) {
	for _, most := range []int{1 << 20, 100, 0} {
		t.Run(fmt.Sprint(most), func(t *testing.T) {
			s := newSorter(t.TempDir())
			s.most, s.full = most, 20
			defer func() {
				if err := s.close(); err != nil {
					t.Error(err)
				}
			}()
			want := make(map[int32][]string)
			for i := range 1000 {
				key := int32(i * i % 7)
				record := strings.Repeat("x", i%5) + fmt.Sprint(i)
				want[key] = append(want[key], record)
				if err := s.add(key, []byte(record)); err != nil {
					t.Fatal(err)
				}
			}
			if (s.disk != nil) != (most < 1000) {
				t.Errorf("on disk: %t", s.disk != nil)
			}
			for key := range int32(9) {
				for range 2 { // they can be read again
					var got []string
					err := s.each(key, func(record []byte) error {
						got = append(got, string(record))
						return nil
					})
					if err != nil || !slices.Equal(got, want[key]) {
						t.Errorf("key %d: %v, %v, want %v", key, got, err, want[key])
					}
				}
			}
		})
	}
}

// TestSpanRecord checks that a span is read as it was written.
func TestSpanRecord(t *testing.T) {
	want := span{from: -1, to: 1 << 60, category: ofDisk, name: "read \x00", args: []arg{{"bytes", ""}, {"file", strings.Repeat("y", 300)}}}
	if got := readSpan(want.append(nil)); fmt.Sprint(got) != fmt.Sprint(want) {
		t.Errorf("%v, want %v", got, want)
	}
}
