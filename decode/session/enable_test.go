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

// propertiesWith returns properties: a fixed part of 0xEE, gap bytes of names, and
// the words.
func propertiesWith(gap int, words ...uint32) []byte {
	b := bytes.Repeat([]byte{0xEE}, propertiesFixedSize+gap)
	for _, w := range words {
		b = binary.LittleEndian.AppendUint32(b, w)
	}
	return b
}

// enableExtension returns the words of an extension in the 6.0 form.
func enableExtension(items ...enableItem) []uint32 {
	words := []uint32{0}
	for _, it := range items {
		words = append(words, uint32(it.kind)<<16|uint32(1+len(it.data)))
		words = append(words, it.data...)
	}
	words[0] = uint32(len(items))<<16 | uint32(len(words))
	return words
}

// itemsFlags is the EnableFlags word for a 6.0 extension after gap bytes.
func itemsFlags(gap int) uint32 { return 0x80FF0000 | uint32(propertiesFixedSize+gap) }

// arrayFlags is the EnableFlags word for a 5.1 extension after gap bytes.
func arrayFlags(gap int, length uint8) uint32 {
	return 0x80000000 | uint32(length)<<16 | uint32(propertiesFixedSize+gap)
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

func TestParseEnableFlags(t *testing.T) {
	tests := []struct {
		name       string
		properties []byte
		flags      uint32
		want       *EnableFlags
	}{
		{"plain", nil, 0x00010303, &EnableFlags{GroupMasks: []uint32{0x00010303}}},
		{"plain, nothing", nil, 0, &EnableFlags{GroupMasks: []uint32{0}}},
		{"5.1, two words", propertiesWith(0, 1, 2, 3), arrayFlags(0, 2),
			&EnableFlags{Form: EnableFlagsArray, GroupMasks: []uint32{1, 2}}},
		{"5.1, nine words", propertiesWith(6, 1, 2, 3, 4, 5, 6, 7, 8, 9), arrayFlags(6, 9),
			&EnableFlags{
				Form:       EnableFlagsArray,
				GroupMasks: []uint32{1, 2, 3, 4, 5, 6, 7, 8}, Extra: []uint32{9},
			}},
		// The parameters with which PerfView traces the heap of a process.
		{"6.0, heap session", propertiesWith(38, enableExtension(
			enableItem{2, []uint32{4711}}, enableItem{3, []uint32{0x1021, 0x1022}})...), itemsFlags(38),
			&EnableFlags{
				Form: EnableFlagsItems, PIDs: []uint32{4711},
				StackWalkHooks: []uint16{0x1021, 0x1022},
			}},
		{"6.0, all types", propertiesWith(1, enableExtension(
			enableItem{5, []uint32{0x1000, 0x40}},
			enableItem{4, []uint32{0x6C6F6F50, 0x2A3F0141}},
			enableItem{3, []uint32{0x0F2E, 0xFFFF}},
			enableItem{2, []uint32{4, 0xFFFFFFFF}},
			enableItem{1, []uint32{1, 2, 3, 4, 5, 6, 7, 0xFFFFFFFF}})...), itemsFlags(1),
			&EnableFlags{
				Form:           EnableFlagsItems,
				GroupMasks:     []uint32{1, 2, 3, 4, 5, 6, 7, 0xFFFFFFFF},
				PIDs:           []uint32{4, 0xFFFFFFFF},
				StackWalkHooks: []uint16{0x0F2E, 0xFFFF},
				PoolTags:       []PoolTag{{'P', 'o', 'o', 'l'}, {'A', 1, '?', '*'}},
				StackCaching:   &StackCaching{CacheSize: 0x1000, BucketCount: 0x40},
			}},
		{"6.0, no items", propertiesWith(0, enableExtension()...), itemsFlags(0),
			&EnableFlags{Form: EnableFlagsItems}},
		{"6.0, items without data", propertiesWith(0, enableExtension(
			enableItem{1, nil}, enableItem{2, nil}, enableItem{3, nil}, enableItem{4, nil})...), itemsFlags(0),
			&EnableFlags{
				Form: EnableFlagsItems, GroupMasks: []uint32{}, PIDs: []uint32{},
				StackWalkHooks: []uint16{}, PoolTags: []PoolTag{},
			}},
		{"6.0, unknown types", propertiesWith(0, enableExtension(
			enableItem{0, nil}, enableItem{6, []uint32{0x04030201}},
			enableItem{2, []uint32{8}}, enableItem{6, nil}, enableItem{0xFFFF, nil})...), itemsFlags(0),
			&EnableFlags{
				Form: EnableFlagsItems, PIDs: []uint32{8},
				Unknown: []EnableFlagItem{
					{0, 0x7C, []byte{}}, {6, 0x80, []byte{1, 2, 3, 4}},
					{6, 0x90, []byte{}}, {0xFFFF, 0x94, []byte{}},
				},
			}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			for _, tail := range []int{0, 1, 64} { // what follows does not matter
				properties := append(bytes.Clone(tt.properties), make([]byte, tail)...)
				got, err := ParseEnableFlags(properties, tt.flags)
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

func TestParseEnableFlagsHostile(t *testing.T) {
	const base = propertiesFixedSize
	one := enableExtension(enableItem{2, []uint32{4711}}) // header, item, pid
	// with returns the extension one with a word replaced.
	with := func(i int, word uint32) []byte {
		words := append([]uint32(nil), one...)
		words[i] = word
		return propertiesWith(0, words...)
	}
	tests := []struct {
		name       string
		properties []byte
		flags      uint32
		cause      error
		pos        int
	}{
		{"no properties", nil, itemsFlags(0), decode.ErrTruncated, base},
		{"offset 0", propertiesWith(0, one...), 0x80FF0000, decode.ErrCorrupt, 0},
		{"offset at EnableFlags", propertiesWith(0, one...), 0x80FF0048, decode.ErrCorrupt, 0x48},
		{"offset at the end of the fixed part", propertiesWith(0, one...), 0x80FF0077, decode.ErrCorrupt, 0x77},
		{"offset one past the end", propertiesWith(0), itemsFlags(1), decode.ErrTruncated, base + 1},
		{"offset far past the end", propertiesWith(0, one...), 0x80FFFFFF, decode.ErrTruncated, 0xFFFF},
		{"array: offset in the fixed part", propertiesWith(0, 1), 0x80010077, decode.ErrCorrupt, 0x77},
		{"array: offset past the end", propertiesWith(0, 1), 0x8001FFFF, decode.ErrTruncated, 0xFFFF},
		{"array: no words", propertiesWith(0, 1), arrayFlags(0, 0), decode.ErrCorrupt, base},
		{"array: one word too many", propertiesWith(0, 1, 2), arrayFlags(0, 3), decode.ErrTruncated, base},
		{"array: last word cut", propertiesWith(0, 1, 2)[:base+7], arrayFlags(0, 2), decode.ErrTruncated, base},
		{"array: longest", propertiesWith(0, 1, 2), arrayFlags(0, 0xFE), decode.ErrTruncated, base},
		{"header missing", propertiesWith(0), itemsFlags(0), decode.ErrTruncated, base},
		{"header cut", propertiesWith(0, one...)[:base+3], itemsFlags(0), decode.ErrTruncated, base},
		{"header length 0", with(0, 1<<16), itemsFlags(0), decode.ErrCorrupt, base},
		{"header length one too many", with(0, 1<<16|4), itemsFlags(0), decode.ErrTruncated, base},
		{"header length 65535", with(0, 1<<16|0xFFFF), itemsFlags(0), decode.ErrTruncated, base},
		{"header length ends in the item", with(0, 1<<16|2), itemsFlags(0), decode.ErrTruncated, base + 4},
		{"header length leaves no item", with(0, 1<<16|1), itemsFlags(0), decode.ErrTruncated, base + 4},
		{"properties cut in the item", propertiesWith(0, one...)[:base+11], itemsFlags(0), decode.ErrTruncated, base},
		{"words without an item", with(0, 0<<16|3), itemsFlags(0), decode.ErrCorrupt, base + 4},
		{"one item too many", with(0, 2<<16|3), itemsFlags(0), decode.ErrTruncated, base + 12},
		{"65535 items", with(0, 0xFFFF<<16|3), itemsFlags(0), decode.ErrTruncated, base + 12},
		{"item does not step", with(1, 2<<16), itemsFlags(0), decode.ErrCorrupt, base + 4},
		{"65535 items do not step", propertiesWith(0, 0xFFFF<<16|2, 6<<16), itemsFlags(0), decode.ErrCorrupt, base + 4},
		{"item too short for the array", with(1, 2<<16|1), itemsFlags(0), decode.ErrCorrupt, base + 8},
		{"item one word too long", with(1, 2<<16|3), itemsFlags(0), decode.ErrTruncated, base + 4},
		{"item of 65535 words", with(1, 2<<16|0xFFFF), itemsFlags(0), decode.ErrTruncated, base + 4},
		{"item past the array, not the properties", append(with(1, 2<<16|3), make([]byte, 64)...),
			itemsFlags(0), decode.ErrTruncated, base + 4},
		{"unknown item too long", with(1, 99<<16|3), itemsFlags(0), decode.ErrTruncated, base + 4},
		{"unknown item does not step", with(1, 99<<16), itemsFlags(0), decode.ErrCorrupt, base + 4},
		{"second item does not step", propertiesWith(0, 2<<16|4, 2<<16|2, 4711, 1<<16),
			itemsFlags(0), decode.ErrCorrupt, base + 12},
		{"nine masks", propertiesWith(0, enableExtension(enableItem{1, make([]uint32, 9)})...),
			itemsFlags(0), decode.ErrCorrupt, base + 8 + 32},
		{"hook of 17 bits", propertiesWith(0, enableExtension(enableItem{3, []uint32{0x0F2E, 0x10000}})...),
			itemsFlags(0), decode.ErrCorrupt, base + 12},
		{"stack caching without data", propertiesWith(0, enableExtension(enableItem{5, nil})...),
			itemsFlags(0), decode.ErrCorrupt, base + 8},
		{"stack caching of one word", propertiesWith(0, enableExtension(enableItem{5, []uint32{1}})...),
			itemsFlags(0), decode.ErrCorrupt, base + 8},
		{"stack caching of three words", propertiesWith(0, enableExtension(enableItem{5, []uint32{1, 2, 3}})...),
			itemsFlags(0), decode.ErrCorrupt, base + 8},
		{"two lists of processes", propertiesWith(0, enableExtension(
			enableItem{2, []uint32{1}}, enableItem{2, []uint32{2}})...), itemsFlags(0), decode.ErrUnsupported, base + 12},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got, err := ParseEnableFlags(tt.properties, tt.flags)
			if got != nil || !errors.Is(err, tt.cause) {
				t.Fatalf("got %+v, %v, want %v", got, err, tt.cause)
			}
			checkSessionError(t, err, tt.pos)
		})
	}
}

// TestParseEnableFlagsClaims checks that the claims of a small blob cost no memory.
func TestParseEnableFlagsClaims(t *testing.T) {
	properties := propertiesWith(0, 0xFFFF<<16|0xFFFF, 2<<16|0xFFFF)
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	for range 100 {
		if _, err := ParseEnableFlags(properties, itemsFlags(0)); err == nil {
			t.Fatal("no error")
		}
	}
	runtime.ReadMemStats(&after)
	if n := (after.TotalAlloc - before.TotalAlloc) / 100; n > 4096 {
		t.Errorf("%d bytes allocated for a blob of %d", n, len(properties))
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

func FuzzParseEnableFlags(f *testing.F) {
	f.Add([]byte(nil), uint32(0x00010303))
	f.Add(propertiesWith(6, 1, 2, 3, 4, 5, 6, 7, 8, 9), arrayFlags(6, 9))
	f.Add(propertiesWith(1, enableExtension(
		enableItem{1, []uint32{1, 2, 3}}, enableItem{2, []uint32{4}}, enableItem{3, []uint32{0x0F2E}},
		enableItem{4, []uint32{0x6C6F6F50}}, enableItem{5, []uint32{1, 2}}, enableItem{6, []uint32{7}})...), itemsFlags(1))
	f.Add(propertiesWith(0, 0xFFFF<<16|2, 6<<16), itemsFlags(0))
	f.Add(propertiesWith(0, enableExtension(enableItem{2, []uint32{1}}, enableItem{2, []uint32{2}})...), itemsFlags(0))
	f.Fuzz(func(t *testing.T, properties []byte, flags uint32) {
		before := bytes.Clone(properties)
		got, err := ParseEnableFlags(properties, flags)
		if !bytes.Equal(properties, before) {
			t.Fatal("the properties were changed")
		}
		if (err == nil) != (got != nil) {
			t.Fatalf("result %+v and error %v", got, err)
		}
		ext, ok := ParseEnableFlagExtension(flags)
		if err != nil {
			var e *decode.Error
			if !errors.As(err, &e) || !ok || e.Pos < 0 {
				t.Fatalf("error %v for %#x", err, flags)
			}
			if e.Pos > len(properties) && e.Pos != int(ext.Offset) {
				t.Fatalf("position %#x of %#x bytes: %v", e.Pos, len(properties), err)
			}
			return
		}
		if !ok {
			if len(got.GroupMasks) != 1 || got.GroupMasks[0] != flags {
				t.Fatalf("%#x became %+v", flags, got)
			}
			return
		}
		// The result accounts for every word of the extension and depends on
		// nothing else.
		start, words := int(ext.Offset), int(ext.Length)
		if ext.HasItems() {
			words = 1
			items := len(got.Unknown)
			for _, item := range got.Unknown {
				end := item.Pos + 4 + len(item.Data)
				if item.Pos < start+4 || end > len(properties) || !bytes.Equal(properties[item.Pos+4:end], item.Data) {
					t.Fatalf("item %+v is not in the properties", item)
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
			if n := int(binary.LittleEndian.Uint16(properties[start+2:])); n != items {
				t.Fatalf("%d items, %d of them are in %+v", n, items, got)
			}
			if n := int(binary.LittleEndian.Uint16(properties[start:])); n != words {
				t.Fatalf("%d words, %d of them are in %+v", n, words, got)
			}
		} else if n := len(got.GroupMasks) + len(got.Extra); n != words || len(got.GroupMasks) > 8 {
			t.Fatalf("%d words became %+v", words, got)
		}
		end := start + 4*words
		if end > len(properties) {
			t.Fatalf("%+v ends at %#x of %#x bytes", got, end, len(properties))
		}
		again, err := ParseEnableFlags(properties[:end], flags)
		if err != nil || !reflect.DeepEqual(again, got) {
			t.Fatalf("without the bytes after the extension: %+v, %v, want %+v", again, err, got)
		}
		if _, err := ParseEnableFlags(properties[:end-1], flags); !errors.Is(err, decode.ErrTruncated) {
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
