package pdb

import (
	"bytes"

	"github.com/etl2parquet/etl2parquet/schema"
)

// Numbers of streams.
const (
	infoStream = 1
	dbiStream  = 3
)

// The start of the info stream: version, signature, age, GUID.
const (
	infoAgeAt  = 8
	infoGUIDAt = 12
	infoSize   = 28
)

// info is the content of the info stream.
type info struct {
	guid  schema.GUID
	age   uint32
	names int // number of the stream with the names of source files; noStream if there is none
}

// readInfo reads the info stream.
func readInfo(s stream) (info, error) {
	const where = "info"
	head, err := s.read(0, infoSize, where)
	if err != nil {
		return info{}, err
	}
	i := info{guid: schema.GUID(head[infoGUIDAt:]), age: u32(head, infoAgeAt), names: noStream}
	rest, err := s.read(infoSize, s.size-infoSize, where)
	if err != nil {
		return info{}, err
	}
	if number, ok := namedStream(rest, "/names\x00"); ok {
		i.names = int(number)
	}
	return i, nil
}

// namedStream looks up a name, with a zero at its end, in the map of named streams: texts, then a
// hash table of pairs (offset in the texts, number of the stream). It searches the map as a list. A
// truncated map has no more names, because only lines need one.
func namedStream(data []byte, name string) (uint32, bool) {
	texts, data, ok := cut(data)
	if !ok || len(data) < 8 {
		return 0, false
	}
	entries := int64(u32(data, 0))
	if _, data, ok = cutWords(data[8:]); !ok { // which are present
		return 0, false
	}
	if _, data, ok = cutWords(data); !ok { // which are deleted
		return 0, false
	}
	for ; entries > 0 && len(data) >= 8; entries-- {
		if at := int64(u32(data, 0)); at < int64(len(texts)) && bytes.HasPrefix(texts[at:], []byte(name)) {
			return u32(data, 4), true
		}
		data = data[8:]
	}
	return 0, false
}

// cut cuts off bytes that are preceded by their number.
func cut(data []byte) (content, rest []byte, ok bool) {
	if len(data) < 4 || int64(u32(data, 0)) > int64(len(data)-4) {
		return nil, nil, false
	}
	n := int(u32(data, 0))
	return data[4 : 4+n], data[4+n:], true
}

// cutWords cuts off 4-byte words that are preceded by their number.
func cutWords(data []byte) (content, rest []byte, ok bool) {
	if len(data) < 4 || int64(u32(data, 0)) > int64(len(data)-4)/4 {
		return nil, nil, false
	}
	n := 4 * int(u32(data, 0))
	return data[4 : 4+n], data[4+n:], true
}
