package decode

// ItemType is EVENT_HEADER_EXTENDED_DATA_ITEM.ExtType.
type ItemType uint16

// The extended items (evntcons.h EVENT_HEADER_EXT_TYPE_*). Seen in traces:
// 1, 6, 0x0B and 0x0C; the others are documented.
const (
	ItemRelatedActivityID ItemType = 0x01 // GUID
	ItemSID               ItemType = 0x02 // SID
	ItemTerminalSessionID ItemType = 0x03 // u32
	ItemInstanceInfo      ItemType = 0x04 // u32 InstanceId, u32 ParentInstanceId, GUID ParentGuid
	ItemStackTrace32      ItemType = 0x05 // u64 MatchId, u32 Address[]
	ItemStackTrace64      ItemType = 0x06 // u64 MatchId, u64 Address[]; under 32-bit headers too
	ItemPEBSIndex         ItemType = 0x07 // u64
	ItemPMCCounters       ItemType = 0x08 // u64[]
	ItemPSMKey            ItemType = 0x09 // opaque
	ItemEventKey          ItemType = 0x0a // u64
	ItemSchemaTL          ItemType = 0x0b // TraceLogging metadata
	ItemProviderTraits    ItemType = 0x0c // provider traits
	ItemProcessStartKey   ItemType = 0x0d // u64
	ItemControlGUID       ItemType = 0x0e // GUID
	ItemQPCDelta          ItemType = 0x0f // i64
	ItemContainerID       ItemType = 0x10 // GUID, or its text
	ItemStackKey32        ItemType = 0x11 // u64 MatchId, u32 StackKey, u32 padding
	ItemStackKey64        ItemType = 0x12 // u64 MatchId, u64 StackKey
)

// itemHeaderSize is the size of an item's header in a file, which differs from the
// structure of the API: u16 size of the whole item, u16 ExtType, u16 whose bit 0
// is set if another item follows, u16 size of the data.
const itemHeaderSize = 8

// Items walks the extended items of an EVENT_HEADER.
type Items struct {
	Type ItemType
	Data []byte // of the current item; aliases the buffer

	event []byte
	start int // of the current item
	pos   int // of the next
	more  bool
	err   error
}

// Items returns an iterator over the extended items; it is empty if there are none.
func (h EventHeader) Items() Items {
	return Items{event: h, pos: EventHeaderSize, more: h.Flags()&EventFlagExtended != 0}
}

// TraceLogging returns the event's TraceLogging metadata, or nil.
func (h EventHeader) TraceLogging() []byte {
	for items := h.Items(); items.Next(); {
		if items.Type == ItemSchemaTL {
			return items.Data
		}
	}
	return nil
}

// Next moves to the next item.
func (it *Items) Next() bool {
	if !it.more {
		return false
	}
	rest := it.event[it.pos:]
	if len(rest) < itemHeaderSize {
		return it.fail(causef(ErrTruncated, "%d bytes are left; the header of an item has %d", len(rest), itemHeaderSize))
	}
	size, dataSize := int(le.Uint16(rest)), int(le.Uint16(rest[6:]))
	switch {
	case size < itemHeaderSize || size%eventAlignment != 0:
		return it.fail(causef(ErrCorrupt, "an item cannot have %d bytes", size))
	case size > len(rest):
		return it.fail(causef(ErrTruncated, "an item of %d bytes, but %d bytes are left", size, len(rest)))
	case dataSize > size-itemHeaderSize:
		return it.fail(causef(ErrCorrupt, "an item of %d bytes cannot hold %d bytes of data", size, dataSize))
	}
	it.Type = ItemType(le.Uint16(rest[2:]))
	it.Data = rest[itemHeaderSize : itemHeaderSize+dataSize]
	it.start = it.pos
	it.more = rest[4]&1 != 0
	it.pos += size
	return true
}

func (it *Items) fail(err error) bool {
	it.err, it.more = err, false
	return false
}

// Raw returns the current item with its header and padding.
func (it *Items) Raw() []byte { return it.event[it.start:it.pos] }

// End returns the offset in the event after the current item. After the last item
// it is the offset of the payload.
func (it *Items) End() int { return it.pos }

// Err returns the error that ended the walk before the last item, or nil.
func (it *Items) Err() error { return it.err }
