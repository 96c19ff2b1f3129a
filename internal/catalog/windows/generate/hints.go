package main

import (
	"cmp"
	"regexp"

	"github.com/etl2parquet/etl2parquet/decode/tdh"
)

// namedSizes are the sizes of binary values that a name stands for.
var namedSizes = []struct {
	name  *regexp.Regexp
	sizes []int
}{
	{regexp.MustCompile(`(?i)sha-?1`), []int{20}},       // FIPS 180-4
	{regexp.MustCompile(`(?i)sha-?256`), []int{32}},     // FIPS 180-4
	{regexp.MustCompile(`(?i)md5`), []int{16}},          // RFC 1321
	{regexp.MustCompile(`(?i)luid$`), []int{8}},         // LUID of winnt.h
	{regexp.MustCompile(`(?i)ipv6address$`), []int{16}}, // RFC 4291
	{regexp.MustCompile(`(?i)hash`), []int{16, 20, 32, 48, 64}},
}

// seenField is a field of all versions of an event.
type seenField struct {
	provider string
	event    uint16
	name     string
}

// seenOutTypes are out-types that records of real traces state of an event's field, and neither
// the builds nor templates.
var seenOutTypes = map[seenField]string{
	{"Microsoft-Windows-PktMon", 160, "DropLocation"}: "HexInt32",      // PktMon.etl
	{"Microsoft-Windows-DNS-Client", 1001, "Address"}: "SocketAddress", // net.4.5.2.x86.etl
}

// stateSeen gives fields of an event the out-types that real traces state.
func stateSeen(provider string, event uint16, fields []sourceField) {
	for i := range fields {
		f := &fields[i]
		f.Out = cmp.Or(f.Out, seenOutTypes[seenField{provider, event, f.Name}])
	}
}

// sizesOf returns the sizes that a binary value of an unstated length may have: that of fields
// of this name elsewhere, or those that its name stands for. nil means any.
func sizesOf(f *sourceField) []int {
	if f.LikelyLength > 0 {
		return []int{f.LikelyLength}
	}
	for _, known := range namedSizes {
		if known.name.MatchString(f.Name) {
			return known.sizes
		}
	}
	return nil
}

// likelyMembers returns the members that structures of a name have elsewhere, unless values of
// the type that the field would have as no structure could take as many bytes.
func likelyMembers(f *sourceField) []sourceField {
	if f.LikelyFields == nil {
		return nil
	}
	plain := 16 // no plain value of a constant size has more bytes
	if in, ok := tdh.ParseInType(f.Type); ok {
		plain = mostBytes(in)
	}
	if least := leastBytes(f.LikelyFields); least <= plain {
		return nil
	}
	return f.LikelyFields
}

// leastBytes returns the least number of bytes that members take.
func leastBytes(members []sourceField) (n int) {
	for i := range members {
		m := &members[i]
		if m.Count.field != "" {
			continue
		}
		one := 0
		switch in, _ := tdh.ParseInType(m.Type); in {
		case tdh.Int8, tdh.UInt8, tdh.AnsiString:
			one = 1
		case tdh.Int16, tdh.UInt16, tdh.UnicodeString:
			one = 2
		case tdh.Int32, tdh.UInt32, tdh.HexInt32, tdh.Boolean, tdh.Float, tdh.Pointer:
			one = 4
		case tdh.Int64, tdh.UInt64, tdh.HexInt64, tdh.Double, tdh.FileTime:
			one = 8
		case tdh.GUID, tdh.SystemTime:
			one = 16
		}
		n += one * max(m.Count.number, 1)
	}
	return n
}

// mostBytes returns the most bytes that a value of a constant size takes.
func mostBytes(in tdh.InType) int {
	switch in {
	case tdh.Int8, tdh.UInt8:
		return 1
	case tdh.Int16, tdh.UInt16:
		return 2
	case tdh.Int32, tdh.UInt32, tdh.HexInt32, tdh.Boolean, tdh.Float:
		return 4
	case tdh.Int64, tdh.UInt64, tdh.HexInt64, tdh.Double, tdh.FileTime, tdh.Pointer:
		return 8
	}
	return 16
}
