package convert

import (
	"encoding/binary"

	"github.com/etl2parquet/etl2parquet/schema"
)

// texts gives each distinct text of a batch a number, its code.
type texts struct {
	bytes []byte
	ends  []uint32
	codes map[string]uint32
	guids map[schema.GUID]uint32
	// recent answers most questions about GUIDs without the map.
	recent [256]struct {
		id   schema.GUID
		code uint32
		used bool
	}
}

func (t *texts) reset() {
	t.bytes, t.ends = t.bytes[:0], t.ends[:0]
	if t.codes == nil {
		t.codes, t.guids = make(map[string]uint32), make(map[schema.GUID]uint32)
	}
	clear(t.codes)
	clear(t.guids)
	clear(t.recent[:])
}

func (t *texts) add() uint32 {
	t.ends = append(t.ends, uint32(len(t.bytes)))
	return uint32(len(t.ends) - 1)
}

// text returns the code of s.
func (t *texts) text(s string) uint32 {
	if code, ok := t.codes[s]; ok {
		return code
	}
	t.bytes = append(t.bytes, s...)
	code := t.add()
	t.codes[s] = code
	return code
}

// blob returns the code of b.
func (t *texts) blob(b []byte) uint32 {
	if code, ok := t.codes[string(b)]; ok {
		return code
	}
	return t.text(string(b))
}

// guid returns the code of a GUID's text.
func (t *texts) guid(id schema.GUID) uint32 {
	hash := (binary.LittleEndian.Uint64(id[:]) ^ binary.LittleEndian.Uint64(id[8:])) * 0x9e3779b97f4a7c15
	recent := &t.recent[hash>>56]
	if recent.used && recent.id == id {
		return recent.code
	}
	code, ok := t.guids[id]
	if !ok {
		t.bytes, _ = id.AppendText(t.bytes) // never fails
		code = t.add()
		t.guids[id] = code
	}
	recent.id, recent.code, recent.used = id, code, true
	return code
}

func (t *texts) len() int { return len(t.ends) }

// at returns the text of a code; it is valid until reset.
func (t *texts) at(code uint32) []byte {
	start := uint32(0)
	if code > 0 {
		start = t.ends[code-1]
	}
	return t.bytes[start:t.ends[code]:t.ends[code]]
}

func (t *texts) memory() int64 { return int64(2*len(t.bytes) + 32*len(t.ends)) }
