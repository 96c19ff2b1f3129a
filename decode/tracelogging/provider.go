package tracelogging

import (
	"crypto/sha1"
	"encoding/binary"
	"strings"
	"unicode/utf16"

	"github.com/etl2parquet/etl2parquet/schema"
)

// nameSpace is hashed before a name.
var nameSpace = [16]byte{0x48, 0x2c, 0x2d, 0xb2, 0xc3, 0x90, 0x47, 0xc8, 0x87, 0xf8, 0x1a, 0x15, 0xbf, 0xc1, 0x30, 0xfb}

// ProviderGUID returns the GUID that TraceLogging and EventSource providers derive
// from their name, unless their author chose another.
func ProviderGUID(name string) schema.GUID {
	b := nameSpace[:]
	for _, unit := range utf16.Encode([]rune(strings.ToUpper(name))) {
		b = binary.BigEndian.AppendUint16(b, unit)
	}
	sum := sha1.Sum(b)
	guid := schema.GUID(sum[:16])
	guid[7] = guid[7]&0x0f | 0x50 // version 5: the hash of a name
	return guid
}
