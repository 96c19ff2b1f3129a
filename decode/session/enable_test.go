package session

import (
	"bytes"
	"encoding/binary"
	"errors"
	"reflect"
	"runtime"
	"testing"

	"github.com/etl2parquet/etl2parquet/decode"
)

// enableItem is an item to write: the data are whole words.
type enableItem struct {
	kind uint16
	data []uint32
}

// bytesOf returns words as bytes.
func bytesOf(words ...uint32) (b []byte) {
	for _, w := range words {
		b = binary.LittleEndian.AppendUint32(b, w)
	}
	return b
}

// enableExtension returns the words of an extension.
func enableExtension(items ...enableItem) []uint32 {
	words := []uint32{0}
	for _, it := range items {
		words = append(words, uint32(it.kind)<<16|uint32(1+len(it.data)))
		words = append(words, it.data...)
	}
	words[0] = uint32(len(items))<<16 | uint32(len(words))
	return words
}

func TestParseEnableFlagExtension(t *testing.T) {
	tests := []struct {
		flags uint32
		want  EnableFlagExtension
		ok    bool
		items bool
	}{
		{0x00000000, EnableFlagExtension{}, false, false},
		{0x7FFFFFFF, EnableFlagExtension{}, false, false},
		{0x80FF0078, EnableFlagExtension{0x78, 0xFF, 0x80}, true, true},
		{0x80080130, EnableFlagExtension{0x130, 8, 0x80}, true, false},
		{0xFFFEFFFF, EnableFlagExtension{0xFFFF, 0xFE, 0xFF}, true, false},
	}
	for _, tt := range tests {
		got, ok := ParseEnableFlagExtension(tt.flags)
		if got != tt.want || ok != tt.ok || got.HasItems() != tt.items {
			t.Errorf("%#x: got %+v, %t, items %t", tt.flags, got, ok, got.HasItems())
		}
	}
}

func TestParseEnableExtension(t *testing.T) {
	tests := []struct {
		name  string
		bytes []byte
		want  *EnableFlags
	}{
		// The parameters with which PerfView traces the heap of a process.
		{"heap session", bytesOf(enableExtension(
			enableItem{2, []uint32{4711}}, enableItem{3, []uint32{0x1021, 0x1022}})...),
			&EnableFlags{
				PIDs:           []uint32{4711},
				StackWalkHooks: []uint16{0x1021, 0x1022},
			}},
		{"all types", bytesOf(enableExtension(
			enableItem{5, []uint32{0x1000, 0x40}},
			enableItem{4, []uint32{0x6C6F6F50, 0x2A3F0141}},
			enableItem{3, []uint32{0x0F2E, 0xFFFF}},
			enableItem{2, []uint32{4, 0xFFFFFFFF}},
			enableItem{1, []uint32{1, 2, 3, 4, 5, 6, 7, 0xFFFFFFFF}})...),
			&EnableFlags{
				GroupMasks:     []uint32{1, 2, 3, 4, 5, 6, 7, 0xFFFFFFFF},
				PIDs:           []uint32{4, 0xFFFFFFFF},
				StackWalkHooks: []uint16{0x0F2E, 0xFFFF},
				PoolTags:       []PoolTag{{'P', 'o', 'o', 'l'}, {'A', 1, '?', '*'}},
				StackCaching:   &StackCaching{CacheSize: 0x1000, BucketCount: 0x40},
			}},
		{"no items", bytesOf(enableExtension()...),
			&EnableFlags{}},
		{"items without data", bytesOf(enableExtension(
			enableItem{1, nil}, enableItem{2, nil}, enableItem{3, nil}, enableItem{4, nil})...),
			&EnableFlags{
				GroupMasks: []uint32{}, PIDs: []uint32{},
				StackWalkHooks: []uint16{}, PoolTags: []PoolTag{},
			}},
		{"unknown types", bytesOf(enableExtension(
			enableItem{0, nil}, enableItem{6, []uint32{0x04030201}},
			enableItem{2, []uint32{8}}, enableItem{6, nil}, enableItem{0xFFFF, nil})...),
			&EnableFlags{
				PIDs: []uint32{8},
				Unknown: []EnableFlagItem{
					{0, 0x4, []byte{}}, {6, 0x8, []byte{1, 2, 3, 4}},
					{6, 0x18, []byte{}}, {0xFFFF, 0x1c, []byte{}},
				},
			}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			for _, tail := range []int{0, 1, 64} { // what follows does not matter
				got, err := ParseEnableExtension(append(bytes.Clone(tt.bytes), make([]byte, tail)...))
				if err != nil {
					t.Fatal(err)
				}
				if !reflect.DeepEqual(got, tt.want) {
					t.Errorf("got %+v, want %+v", got, tt.want)
				}
			}
		})
	}
}

func TestParseEnableExtensionHostile(t *testing.T) {
	one := enableExtension(enableItem{2, []uint32{4711}}) // header, item, pid
	// with returns the extension one with a word replaced.
	with := func(i int, word uint32) []byte {
		words := append([]uint32(nil), one...)
		words[i] = word
		return bytesOf(words...)
	}
	tests := []struct {
		name  string
		bytes []byte
		cause error
		pos   int
	}{
		{"nothing", nil, decode.ErrTruncated, 0},
		{"header cut", bytesOf(one...)[:3], decode.ErrTruncated, 0},
		{"header length 0", with(0, 1<<16), decode.ErrCorrupt, 0},
		{"header length one too many", with(0, 1<<16|4), decode.ErrTruncated, 0},
		{"header length 65535", with(0, 1<<16|0xFFFF), decode.ErrTruncated, 0},
		{"header length ends in the item", with(0, 1<<16|2), decode.ErrTruncated, 4},
		{"header length leaves no item", with(0, 1<<16|1), decode.ErrTruncated, 4},
		{"cut in the item", bytesOf(one...)[:11], decode.ErrTruncated, 0},
		{"words without an item", with(0, 0<<16|3), decode.ErrCorrupt, 4},
		{"one item too many", with(0, 2<<16|3), decode.ErrTruncated, 12},
		{"65535 items", with(0, 0xFFFF<<16|3), decode.ErrTruncated, 12},
		{"item does not step", with(1, 2<<16), decode.ErrCorrupt, 4},
		{"65535 items do not step", bytesOf(0xFFFF<<16|2, 6<<16), decode.ErrCorrupt, 4},
		{"item too short for the array", with(1, 2<<16|1), decode.ErrCorrupt, 8},
		{"item one word too long", with(1, 2<<16|3), decode.ErrTruncated, 4},
		{"item of 65535 words", with(1, 2<<16|0xFFFF), decode.ErrTruncated, 4},
		{"item past the array, not the bytes", append(with(1, 2<<16|3), make([]byte, 64)...), decode.ErrTruncated, 4},
		{"unknown item too long", with(1, 99<<16|3), decode.ErrTruncated, 4},
		{"unknown item does not step", with(1, 99<<16), decode.ErrCorrupt, 4},
		{"second item does not step", bytesOf(2<<16|4, 2<<16|2, 4711, 1<<16), decode.ErrCorrupt, 12},
		{"nine masks", bytesOf(enableExtension(enableItem{1, make([]uint32, 9)})...), decode.ErrCorrupt, 40},
		{"hook of 17 bits", bytesOf(enableExtension(enableItem{3, []uint32{0x0F2E, 0x10000}})...), decode.ErrCorrupt, 12},
		{"stack caching without data", bytesOf(enableExtension(enableItem{5, nil})...), decode.ErrCorrupt, 8},
		{"stack caching of one word", bytesOf(enableExtension(enableItem{5, []uint32{1}})...), decode.ErrCorrupt, 8},
		{"stack caching of three words", bytesOf(enableExtension(enableItem{5, []uint32{1, 2, 3}})...), decode.ErrCorrupt, 8},
		{"two lists of processes", bytesOf(enableExtension(
			enableItem{2, []uint32{1}}, enableItem{2, []uint32{2}})...), decode.ErrUnsupported, 12},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got, err := ParseEnableExtension(tt.bytes)
			if got != nil || !errors.Is(err, tt.cause) {
				t.Fatalf("got %+v, %v, want %v", got, err, tt.cause)
			}
			checkSessionError(t, err, tt.pos)
		})
	}
}

// TestParseEnableExtensionClaims checks that the claims of a small blob cost no memory.
func TestParseEnableExtensionClaims(t *testing.T) {
	b := bytesOf(0xFFFF<<16|0xFFFF, 2<<16|0xFFFF)
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	for range 100 {
		if _, err := ParseEnableExtension(b); err == nil {
			t.Fatal("no error")
		}
	}
	runtime.ReadMemStats(&after)
	if n := (after.TotalAlloc - before.TotalAlloc) / 100; n > 4096 {
		t.Errorf("%d bytes allocated for a blob of %d", n, len(b))
	}
}

func TestEnableItemSpecs(t *testing.T) {
	for kind, spec := range enableItemSpecs {
		if (spec.parse != nil) != (kind > 0) || (spec.name != "") != (kind > 0) {
			t.Errorf("type %d: row %+v", kind, spec.name)
		}
	}
}

func TestPoolTagString(t *testing.T) {
	for tag, want := range map[PoolTag]string{
		{'P', 'r', 'o', 'c'}:   "Proc",
		{'F', 'S', '*', ' '}:   "FS* ",
		{'\\', 0, '~', 0x7F}:   `\x5c\x00~\x7f`,
		{0xFF, '\n', '?', 'a'}: `\xff\x0a?a`,
	} {
		if got := tag.String(); got != want {
			t.Errorf("%x: got %q, want %q", [4]byte(tag), got, want)
		}
	}
}

func FuzzParseEnableExtension(f *testing.F) {
	f.Add(bytesOf(enableExtension(
		enableItem{1, []uint32{1, 2, 3}}, enableItem{2, []uint32{4}}, enableItem{3, []uint32{0x0F2E}},
		enableItem{4, []uint32{0x6C6F6F50}}, enableItem{5, []uint32{1, 2}}, enableItem{6, []uint32{7}})...))
	f.Add(bytesOf(0xFFFF<<16|2, 6<<16))
	f.Add(bytesOf(enableExtension(enableItem{2, []uint32{1}}, enableItem{2, []uint32{2}})...))
	f.Fuzz(func(t *testing.T, b []byte) {
		before := bytes.Clone(b)
		got, err := ParseEnableExtension(b)
		if !bytes.Equal(b, before) {
			t.Fatal("the bytes were changed")
		}
		if (err == nil) != (got != nil) {
			t.Fatalf("result %+v and error %v", got, err)
		}
		if err != nil {
			var e *decode.Error
			if !errors.As(err, &e) || e.Pos < 0 || e.Pos > len(b) {
				t.Fatalf("%d bytes: %v", len(b), err)
			}
			return
		}
		// The result accounts for every word of the extension and depends on
		// nothing else.
		words, items := 1, len(got.Unknown)
		for _, item := range got.Unknown {
			end := item.Pos + 4 + len(item.Data)
			if item.Pos < 4 || end > len(b) || !bytes.Equal(b[item.Pos+4:end], item.Data) {
				t.Fatalf("item %+v is not in the extension", item)
			}
			words += 1 + len(item.Data)/4
		}
		for _, n := range []int{
			enableItemWords(got.GroupMasks), enableItemWords(got.PIDs),
			enableItemWords(got.StackWalkHooks), enableItemWords(got.PoolTags),
		} {
			if n > 0 {
				items++
				words += n
			}
		}
		if got.StackCaching != nil {
			items++
			words += 3
		}
		if n := int(binary.LittleEndian.Uint16(b[2:])); n != items {
			t.Fatalf("%d items, %d of them are in %+v", n, items, got)
		}
		if n := int(binary.LittleEndian.Uint16(b)); n != words {
			t.Fatalf("%d words, %d of them are in %+v", n, words, got)
		}
		again, err := ParseEnableExtension(b[:4*words])
		if err != nil || !reflect.DeepEqual(again, got) {
			t.Fatalf("without the bytes after the extension: %+v, %v, want %+v", again, err, got)
		}
		if _, err := ParseEnableExtension(b[:4*words-1]); !errors.Is(err, decode.ErrTruncated) {
			t.Fatalf("with the last byte cut off: %v", err)
		}
		GroupMaskNames(got.GroupMasks)
		for _, tag := range got.PoolTags {
			if len(tag.String()) < 4 {
				t.Fatalf("tag %x is %q", tag, tag)
			}
		}
	})
}

// enableItemWords returns the words of an item that holds list, with the
// item's header; 0 if there is no item.
func enableItemWords[T any](list []T) int {
	if list == nil {
		return 0
	}
	return 1 + len(list)
}
