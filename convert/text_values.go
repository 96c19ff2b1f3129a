package convert

import (
	"bytes"
	"encoding/binary"
	"strconv"
	"strings"

	"github.com/etl2parquet/etl2parquet/schema"
)

// sidText returns a SID as S-1-5-21-...; data must be long enough (see fits).
func sidText(data []byte) string {
	var authority uint64
	for _, b := range data[2:8] {
		authority = authority<<8 | uint64(b)
	}
	s := "S-" + strconv.Itoa(int(data[0])) + "-" + strconv.FormatUint(authority, 10)
	for i := range int(data[1]) {
		s += "-" + strconv.FormatUint(uint64(binary.LittleEndian.Uint32(data[8+4*i:])), 10)
	}
	return s
}

// containerText returns the id of a container. Documentation has it as a GUID,
// TraceEvent reads the text of one; so 16 bytes are taken for the former.
func containerText(data []byte) string {
	if len(data) == 16 {
		return schema.GUID(data).String()
	}
	if end := bytes.IndexByte(data, 0); end >= 0 {
		data = data[:end]
	}
	return strings.ToValidUTF8(string(data), "\uFFFD")
}
