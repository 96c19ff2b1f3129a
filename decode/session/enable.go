package session

import (
	"encoding/binary"
	"strings"

	"github.com/etl2parquet/etl2parquet/decode"
)

// EnableFlags selects what a session records. It is the word at 0x48 of EVENT_TRACE_PROPERTIES and
// of WMI_LOGGER_INFORMATION. If its highest bit (EVENT_TRACE_FLAG_EXTENSION) is set, the word is a
// TRACE_ENABLE_FLAG_EXTENSION:
//
//	0x00 u16 Offset, bytes from the start of the properties
//	0x02 u8  Length
//	0x03 u8  Flag, 0x80 (no use of its other bits is known)
//
// In the form of Windows 5.1, Length words at Offset are the extended
// EnableFlags. In the form of 6.0 and later Length is 0xFF
// (EVENT_TRACE_FLAG_EXT_LEN_NEW_STRUCT, so that the word is 0x80FF0000
// | Offset) and at Offset is a TRACE_ENABLE_FLAG_EXT_HEADER:
//
//	0x00 u16 Length, words in the extension, this header included
//	0x02 u16 Items, number of items that follow
//
// and then the items, each led by a TRACE_ENABLE_FLAG_EXT_ITEM:
//
//	0x00 u16 Offset, words from here to the next item (not bytes)
//	0x02 u16 Type, 1 to 5 as below
//
//	type                        since  data
//	1 ETW_EXT_ENABLE_FLAGS      6.0    u32[0..8], PERFINFO_GROUPMASK
//	2 ETW_EXT_PIDS              6.0    u32[], process ids
//	3 ETW_EXT_STACKWALK_FILTER  6.0    u32[], hook ids of 16 bits
//	4 ETW_EXT_POOLTAG_FILTER    6.1    u32[], pool tags
//	5 ETW_EXT_STACK_CACHING     6.2    u32[2], ETW_STACK_CACHING_CONFIG
//
// A word is 4 bytes, and nothing is aligned.
//
// Microsoft documents none of it, and it is not in trace files. Layouts and data of the items are
// from Geoff Chappell's "TRACE_ENABLE_FLAG_EXTENSION" and phnt's ntwmi.h, after NTWMI.H of the
// Windows 10 and 1511 WDKs; for types 1 to 3 and the header also from PerfView
// (ETWKernelControl.cs), which writes them. All of these agree. No blob has been observed. That the
// items fill the extension is inferred from the definition of their Offset.
const (
	enableFlagExtension  = 0x80000000 // EVENT_TRACE_FLAG_EXTENSION
	enableExtensionItems = 0xFF       // EVENT_TRACE_FLAG_EXT_LEN_NEW_STRUCT
	extensionHeaderSize  = 4          // of TRACE_ENABLE_FLAG_EXT_HEADER and _ITEM alike
)

// EnableFlagExtension is a TRACE_ENABLE_FLAG_EXTENSION, the meaning of an
// EnableFlags word with its highest bit set.
type EnableFlagExtension struct {
	Offset uint16 // bits 0-15, bytes from the start of the properties
	Length uint8  // bits 16-23, words at Offset; 0xFF for the 6.0 form
	Flag   uint8  // bits 24-31, highest bit set
}

// ParseEnableFlagExtension splits an EnableFlags word. It returns false if the word is not an
// extension but plain EVENT_TRACE_FLAG_ bits.
func ParseEnableFlagExtension(flags uint32) (EnableFlagExtension, bool) {
	if flags&enableFlagExtension == 0 {
		return EnableFlagExtension{}, false
	}
	return EnableFlagExtension{
		Offset: uint16(flags),
		Length: uint8(flags >> 16),
		Flag:   uint8(flags >> 24),
	}, true
}

// HasItems reports whether the form is that of 6.0, a sequence of items, not that of 5.1, an array
// of words.
func (x EnableFlagExtension) HasItems() bool { return x.Length == enableExtensionItems }

// EnableFlags is what an extension of Windows 6.0 and later selects. Its slices have as many elements as there
// are words, and belong to the caller, except for the Data of Unknown. A slice is nil if its item is missing
// and empty if the item has no data.
type EnableFlags struct {
	// GroupMasks are the first up to 8 words of a PERFINFO_GROUPMASK. GroupMaskNames names the bits.
	GroupMasks []uint32
	// PIDs are the processes to trace.
	PIDs []uint32
	// StackWalkHooks are the events to take stacks for: the group in the
	// high byte, the event type in the low byte (0x0F2E is SampledProfile).
	// Windows takes up to 256.
	StackWalkHooks []uint16
	// PoolTags are the tags of the allocations to trace. Windows takes up
	// to 4.
	PoolTags []PoolTag
	// StackCaching is nil unless the item is present.
	StackCaching *StackCaching
	// Unknown are the items of unknown types, in order.
	Unknown []EnableFlagItem
}

// PoolTag is the tag of a pool allocation, four characters in the order in
// which tools show them.
type PoolTag [4]byte

// String returns the tag as text, with anything but printable ASCII as \xNN.
func (t PoolTag) String() string {
	const hex = "0123456789abcdef"
	var s strings.Builder
	for _, c := range t {
		if c < ' ' || c > '~' || c == '\\' {
			s.WriteString(`\x`)
			s.WriteByte(hex[c>>4])
			s.WriteByte(hex[c&0xF])
			continue
		}
		s.WriteByte(c)
	}
	return s.String()
}

// StackCaching is an ETW_STACK_CACHING_CONFIG. The unit of CacheSize is unknown.
type StackCaching struct {
	CacheSize   uint32 // 0x00
	BucketCount uint32 // 0x04, number of hash buckets
}

// EnableFlagItem is an item of an unknown type.
type EnableFlagItem struct {
	Type uint16
	Pos  int    // byte position of the item in the extension
	Data []byte // what follows the item's header; aliases the extension
}

// enableItemSpec says how to read one type of item. The data are whole words.
type enableItemSpec struct {
	name  string
	parse func(f *EnableFlags, data []byte, pos int) error
}

// enableItemSpecs is indexed by TRACE_ENABLE_FLAG_EXT_ITEM.Type.
var enableItemSpecs = [...]enableItemSpec{
	ItemEnableFlags:     {"ETW_EXT_ENABLE_FLAGS", parseItemEnableFlags},
	ItemPIDs:            {"ETW_EXT_PIDS", parseItemPIDs},
	ItemStackWalkFilter: {"ETW_EXT_STACKWALK_FILTER", parseItemStackWalk},
	ItemPoolTagFilter:   {"ETW_EXT_POOLTAG_FILTER", parseItemPoolTags},
	ItemStackCaching:    {"ETW_EXT_STACK_CACHING", parseItemStackCaching},
}

// The types of items.
const (
	ItemEnableFlags uint16 = 1 + iota
	ItemPIDs
	ItemStackWalkFilter
	ItemPoolTagFilter
	ItemStackCaching
)

// ItemName returns Microsoft's name of a type of item, or "".
func ItemName(t uint16) string {
	if int(t) < len(enableItemSpecs) {
		return enableItemSpecs[t].name
	}
	return ""
}

// ParseEnableExtension reads the extension in the form of Windows 6.0 and later at the start of b. Errors are of type
// *Error: ErrTruncated for a structure that extends beyond b or the extension, ErrCorrupt for values that
// contradict the format, ErrUnsupported for a known item that occurs twice, because the behaviour of Windows is
// unknown.
func ParseEnableExtension(b []byte) (*EnableFlags, error) {
	const where = "TRACE_ENABLE_FLAG_EXT_HEADER"
	if len(b) < extensionHeaderSize {
		return nil, decode.BlobError(0, where, decode.ErrTruncated, "%#x bytes are left", len(b))
	}
	end := 4 * int(binary.LittleEndian.Uint16(b))
	items := int(binary.LittleEndian.Uint16(b[2:]))
	if end < extensionHeaderSize {
		return nil, decode.BlobError(0, where+".Length", decode.ErrCorrupt, "the extension is shorter than its header")
	}
	if end > len(b) {
		return nil, decode.BlobError(0, where+".Length", decode.ErrTruncated, "%#x bytes, %#x are left", end, len(b))
	}
	f := &EnableFlags{}
	pos := extensionHeaderSize
	var seen [len(enableItemSpecs)]bool
	for i := range items {
		item, next, err := nextEnableItem(b[:end], pos)
		if err != nil {
			return nil, err
		}
		pos = next
		if int(item.Type) >= len(enableItemSpecs) || enableItemSpecs[item.Type].parse == nil {
			f.Unknown = append(f.Unknown, item)
			continue
		}
		spec := enableItemSpecs[item.Type]
		if seen[item.Type] {
			return nil, decode.BlobError(item.Pos, spec.name, decode.ErrUnsupported, "item %d is the second of its type", i)
		}
		seen[item.Type] = true
		if err := spec.parse(f, item.Data, item.Pos+extensionHeaderSize); err != nil {
			return nil, err
		}
	}
	if pos != end {
		return nil, decode.BlobError(pos, where+".Items", decode.ErrCorrupt,
			"%#x bytes of the extension follow its %d items", end-pos, items)
	}
	return f, nil
}

// nextEnableItem returns the item at pos, which must not be beyond the end of
// extension, and the position after it.
func nextEnableItem(extension []byte, pos int) (EnableFlagItem, int, error) {
	const where = "TRACE_ENABLE_FLAG_EXT_ITEM"
	rest := len(extension) - pos
	if rest < extensionHeaderSize {
		return EnableFlagItem{}, 0, decode.BlobError(pos, where, decode.ErrTruncated, "%#x bytes are left", rest)
	}
	size := 4 * int(binary.LittleEndian.Uint16(extension[pos:]))
	if size < extensionHeaderSize {
		return EnableFlagItem{}, 0, decode.BlobError(pos, where+".Offset", decode.ErrCorrupt, "the item is shorter than its header")
	}
	if size > rest {
		return EnableFlagItem{}, 0, decode.BlobError(pos, where+".Offset", decode.ErrTruncated,
			"%#x bytes, %#x are left", size, rest)
	}
	next := pos + size
	return EnableFlagItem{
		Type: binary.LittleEndian.Uint16(extension[pos+2:]),
		Pos:  pos,
		Data: extension[pos+extensionHeaderSize : next : next],
	}, next, nil
}

func parseItemEnableFlags(f *EnableFlags, data []byte, pos int) error {
	if len(data) > 4*decode.GroupMaskWords {
		return decode.BlobError(pos+4*decode.GroupMaskWords, "ETW_EXT_ENABLE_FLAGS", decode.ErrCorrupt,
			"%d words, but a group mask has %d", len(data)/4, decode.GroupMaskWords)
	}
	f.GroupMasks = extensionWords(data)
	return nil
}

func parseItemPIDs(f *EnableFlags, data []byte, _ int) error {
	f.PIDs = extensionWords(data)
	return nil
}

func parseItemStackWalk(f *EnableFlags, data []byte, pos int) error {
	f.StackWalkHooks = make([]uint16, 0, len(data)/4)
	for i := 0; i < len(data); i += 4 {
		hook := binary.LittleEndian.Uint32(data[i:])
		if hook > 0xFFFF {
			return decode.BlobError(pos+i, "ETW_EXT_STACKWALK_FILTER", decode.ErrCorrupt, "hook id %#x has more than 16 bits", hook)
		}
		f.StackWalkHooks = append(f.StackWalkHooks, uint16(hook))
	}
	return nil
}

func parseItemPoolTags(f *EnableFlags, data []byte, _ int) error {
	f.PoolTags = make([]PoolTag, 0, len(data)/4)
	for ; len(data) > 0; data = data[4:] {
		f.PoolTags = append(f.PoolTags, PoolTag(data[:4]))
	}
	return nil
}

func parseItemStackCaching(f *EnableFlags, data []byte, pos int) error {
	if len(data) != 8 {
		return decode.BlobError(pos, "ETW_STACK_CACHING_CONFIG", decode.ErrCorrupt, "%d bytes instead of 8", len(data))
	}
	f.StackCaching = &StackCaching{
		CacheSize:   binary.LittleEndian.Uint32(data),
		BucketCount: binary.LittleEndian.Uint32(data[4:]),
	}
	return nil
}

// extensionWords returns the little-endian words in data.
func extensionWords(data []byte) []uint32 {
	words := make([]uint32, 0, len(data)/4)
	for ; len(data) > 0; data = data[4:] {
		words = append(words, binary.LittleEndian.Uint32(data))
	}
	return words
}
