package etltest

import (
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"strconv"
	"strings"
)

// GUID is a Windows GUID as it lies in a trace: u32, u16 and u16 in little
// endian order, then eight bytes.
type GUID [16]byte

// ParseGUID reads 22fb2cd6-0e7b-422b-a0c7-2fad1fd0e716, with or without braces.
func ParseGUID(s string) (GUID, error) {
	var g GUID
	t := s
	if strings.HasPrefix(t, "{") && strings.HasSuffix(t, "}") {
		t = t[1 : len(t)-1]
	}
	b, err := hex.DecodeString(strings.ReplaceAll(t, "-", ""))
	if err != nil || len(b) != 16 || len(t) != 36 || t[8] != '-' || t[13] != '-' || t[18] != '-' || t[23] != '-' {
		return g, fmt.Errorf("bad guid %q", s)
	}
	binary.LittleEndian.PutUint32(g[0:], binary.BigEndian.Uint32(b[0:]))
	binary.LittleEndian.PutUint16(g[4:], binary.BigEndian.Uint16(b[4:]))
	binary.LittleEndian.PutUint16(g[6:], binary.BigEndian.Uint16(b[6:]))
	copy(g[8:], b[8:])
	return g, nil
}

// String returns the GUID in lower case with dashes and without braces.
func (g GUID) String() string {
	return fmt.Sprintf("%08x-%04x-%04x-%x-%x", binary.LittleEndian.Uint32(g[0:]),
		binary.LittleEndian.Uint16(g[4:]), binary.LittleEndian.Uint16(g[6:]), g[8:10], g[10:])
}

// SID turns S-1-5-18 into the bytes of a SID: u8 revision, u8 count, six
// bytes of authority in big endian order, then count times u32.
func SID(s string) ([]byte, error) {
	parts := strings.Split(s, "-")
	if len(parts) < 3 || parts[0] != "S" {
		return nil, fmt.Errorf("bad sid %q", s)
	}
	revision, err1 := strconv.ParseUint(parts[1], 10, 8)
	authority, err2 := strconv.ParseUint(parts[2], 10, 48)
	if err1 != nil || err2 != nil || len(parts) > 3+255 {
		return nil, fmt.Errorf("bad sid %q", s)
	}
	out := binary.BigEndian.AppendUint64(nil, authority)
	out[0], out[1] = byte(revision), byte(len(parts)-3)
	for _, p := range parts[3:] {
		v, err := strconv.ParseUint(p, 10, 32)
		if err != nil {
			return nil, fmt.Errorf("bad sid %q", s)
		}
		out = binary.LittleEndian.AppendUint32(out, uint32(v))
	}
	return out, nil
}
