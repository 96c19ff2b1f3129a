package etltest

import "encoding/binary"

// Item is an extended data item of an Event32 or Event64.
type Item struct {
	Type ItemType
	Data []byte

	// Spoiled values, if not nil, of the item's header, which otherwise
	// fits the data and the item's place in the chain.
	ItemSize, DataSize, Linkage *uint16
}

// ItemType is the type of an extended data item.
type ItemType uint16

// The types of extended data items.
const (
	ItemRelatedActivity ItemType = 0x01
	ItemSID             ItemType = 0x02
	ItemSession         ItemType = 0x03
	ItemInstanceInfo    ItemType = 0x04
	ItemStack32         ItemType = 0x05
	ItemStack64         ItemType = 0x06
	ItemPEBSIndex       ItemType = 0x07
	ItemPMC             ItemType = 0x08
	ItemPSMKey          ItemType = 0x09
	ItemEventKey        ItemType = 0x0A
	ItemSchema          ItemType = 0x0B // Schema.Bytes
	ItemTraits          ItemType = 0x0C // Traits.Bytes
	ItemStartKey        ItemType = 0x0D
	ItemControlGUID     ItemType = 0x0E
	ItemQPCDelta        ItemType = 0x0F
	ItemContainer       ItemType = 0x10
	ItemStackKey32      ItemType = 0x11
	ItemStackKey64      ItemType = 0x12
)

// StackData returns the data of an ItemStack32 (ptrSize 4) or ItemStack64
// (ptrSize 8): u64 MatchId, then the addresses. With ptrSize 8 it is that of
// an ItemStackKey64, too.
func StackData(ptrSize int, match uint64, addresses ...uint64) []byte {
	out := binary.LittleEndian.AppendUint64(nil, match)
	for _, a := range addresses {
		out = zeros(out, ptrSize)
		put(out[len(out)-ptrSize:], ptrSize, a)
	}
	return out
}

// appendItems appends a chain of items: u16 ItemSize, u16 ExtType, u16
// Linkage (bit 0: another item follows), u16 DataSize, data, zeros up to a
// multiple of 8.
func appendItems(dst []byte, items []Item) []byte {
	for i, item := range items {
		n := len(item.Data)
		itemSize, dataSize, linkage := uint16(align8(8+n)), uint16(n), uint16(0)
		if i < len(items)-1 {
			linkage = 1
		}
		if item.ItemSize != nil {
			itemSize = *item.ItemSize
		}
		if item.DataSize != nil {
			dataSize = *item.DataSize
		}
		if item.Linkage != nil {
			linkage = *item.Linkage
		}
		dst = binary.LittleEndian.AppendUint16(dst, itemSize)
		dst = binary.LittleEndian.AppendUint16(dst, uint16(item.Type))
		dst = binary.LittleEndian.AppendUint16(dst, linkage)
		dst = binary.LittleEndian.AppendUint16(dst, dataSize)
		dst = append(dst, item.Data...)
		dst = zeros(dst, align8(n)-n)
	}
	return dst
}
