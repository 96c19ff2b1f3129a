package decode

import (
	"encoding/binary"
	"encoding/hex"
	"net/netip"
	"strconv"
)

// The known address families of a SOCKADDR, and their sizes in bytes.
const (
	familyIPv4, sizeIPv4 = 2, 8 // the other 8 of the 16 bytes are unused
	familyIPv6, sizeIPv6 = 23, 28
)

// appendSocketAddress appends a SOCKADDR as "address:port". If the family is
// unknown, it appends the number of the family and the bytes after it.
func appendSocketAddress(dst, b []byte) []byte {
	if len(b) < 2 {
		return hex.AppendEncode(dst, b)
	}
	family := le.Uint16(b)
	switch {
	case family == familyIPv4 && len(b) >= sizeIPv4:
		return netip.AddrPortFrom(netip.AddrFrom4([4]byte(b[4:])), binary.BigEndian.Uint16(b[2:])).AppendTo(dst)
	case family == familyIPv6 && len(b) >= sizeIPv6:
		dst = netip.AddrFrom16([16]byte(b[8:])).AppendTo(append(dst, '['))
		if scope := le.Uint32(b[24:]); scope != 0 {
			dst = strconv.AppendUint(append(dst, '%'), uint64(scope), 10)
		}
		return strconv.AppendUint(append(dst, "]:"...), uint64(binary.BigEndian.Uint16(b[2:])), 10)
	}
	dst = strconv.AppendUint(append(dst, "family "...), uint64(family), 10)
	if len(b) == 2 {
		return dst
	}
	return hex.AppendEncode(append(dst, ' '), b[2:])
}
