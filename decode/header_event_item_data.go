package decode

import (
	"bytes"
	"strings"

	"github.com/etl2parquet/etl2parquet/schema"
)

// Fits reports whether the data of an item has a size that its type allows.
func (t ItemType) Fits(data []byte) bool {
	n := len(data)
	switch t {
	case ItemRelatedActivityID, ItemControlGUID:
		return n == 16
	case ItemSID:
		return n >= 8 && data[0] == 1 && n >= 8+4*int(data[1]) && allZero(data[8+4*int(data[1]):])
	case ItemTerminalSessionID:
		return n == 4
	case ItemInstanceInfo:
		return n == 24
	case ItemStackTrace32:
		return n >= 8 && n%4 == 0
	case ItemStackTrace64:
		return n >= 8 && n%8 == 0
	case ItemPMCCounters:
		return n%8 == 0
	case ItemPEBSIndex, ItemEventKey, ItemProcessStartKey, ItemQPCDelta:
		return n == 8
	case ItemStackKey32:
		return n == 12 || n == 16
	case ItemStackKey64:
		return n == 16
	}
	return true
}

// allZero reports whether data is padding.
func allZero(data []byte) bool {
	for _, b := range data {
		if b != 0 {
			return false
		}
	}
	return true
}

// ContainerID returns the id in the data of a CONTAINER_ID item. It is documented as a GUID, but
// TraceEvent reads its text. So 16 bytes are read as a GUID, and any other size as text.
func ContainerID(data []byte) string {
	if len(data) == 16 {
		return schema.GUID(data).String()
	}
	if end := bytes.IndexByte(data, 0); end >= 0 {
		data = data[:end]
	}
	return strings.ToValidUTF8(string(data), "\uFFFD")
}
