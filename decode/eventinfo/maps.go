package eventinfo

import (
	"cmp"
	"slices"

	"github.com/etl2parquet/etl2parquet/decode"
	"github.com/etl2parquet/etl2parquet/schema"
)

// EVENT_MAP_INFO.Flag.
const (
	mapValues        = 0x01
	mapBits          = 0x02
	mapPatterns      = 0x04
	mapWBEMValues    = 0x08
	mapWBEMBits      = 0x10
	mapWBEMFlag      = 0x20 // with mapWBEMValues: these are bits
	mapWBEMNoNumbers = 0x40 // the entries count up from 0
)

const (
	guidSize     = 16
	mapEntriesAt = 0x10
	mapEntrySize = 8
	stringValues = 1 // the type of values that are texts, not numbers
)

// ParseMap reads the payload of a record with the names of numbers. values is nil
// for a map from texts. If the record is damaged, ParseMap returns an error
// together with the intact names.
func ParseMap(payload []byte) (provider schema.GUID, values *schema.Values, err error) {
	if len(payload) < guidSize+mapEntriesAt {
		b := blob{what: "EVENT_MAP_INFO"}
		b.fault(0, decode.ErrTruncated, "the record has %d bytes, at least %d are needed", len(payload), guidSize+mapEntriesAt)
		return provider, nil, b.err
	}
	provider = schema.GUID(payload[:guidSize])
	b := &blob{data: payload[guidSize:], what: "EVENT_MAP_INFO"}
	kind := b.u32(4)
	if kind&mapPatterns != 0 || b.u32(12) == stringValues {
		return provider, nil, nil
	}
	values = &schema.Values{Name: b.name(0), Flags: kind&(mapBits|mapWBEMBits|mapWBEMFlag) != 0}
	count := b.u32(8)
	if most := uint32(len(b.data)-mapEntriesAt) / mapEntrySize; count > most {
		b.fault(8, decode.ErrTruncated, "%d entries, but only %d fit", count, most)
		count = most
	}
	if kind&mapWBEMNoNumbers != 0 && values.Flags {
		count = min(count, 64) // bits
	}
	for i := range int(count) {
		at := mapEntriesAt + i*mapEntrySize
		value := uint64(b.u32(at + 4))
		if kind&mapWBEMNoNumbers != 0 {
			value = uint64(i)
			if values.Flags {
				value = 1 << i
			}
		}
		if name := b.name(at); name != "" {
			values.Names = append(values.Names, schema.ValueName{Value: value, Name: name})
		}
	}
	values.Names = sorted(values.Names)
	return provider, values, b.err
}

// sorted orders names by number and keeps the first name of each number.
func sorted(names []schema.ValueName) []schema.ValueName {
	slices.SortStableFunc(names, func(a, b schema.ValueName) int { return cmp.Compare(a.Value, b.Value) })
	return slices.CompactFunc(names, func(a, b schema.ValueName) bool { return a.Value == b.Value })
}
