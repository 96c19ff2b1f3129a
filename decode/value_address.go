package decode

import (
	"encoding/binary"
	"encoding/hex"
	"net/netip"
	"strconv"
)

// The families of a SOCKADDR that are known, and the bytes that each takes.
const (
	familyIPv4, sizeIPv4 = 2, 8 // the last 8 of 16 mean nothing
	familyIPv6, sizeIPv6 = 23, 28
)

// appendSocketAddress appends a SOCKADDR as "address:port"; one of a family
// that is not known as that family's number and the bytes behind it.
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
