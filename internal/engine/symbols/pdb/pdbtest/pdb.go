package pdbtest

import (
	"bytes"
	"cmp"
	"encoding/binary"
	"slices"

	"github.com/etl2parquet/etl2parquet/schema"
)

// PDB is the content of a file.
type PDB struct {
	BlockSize int // 4096 if it is 0
	Gap       int // blocks after the third that Bytes leaves out, and that no stream uses
	GUID      schema.GUID
	Age       uint32
	Sections  []Section
	// OriginalSections, ToSource and FromSource belong to an image that was reordered.
	OriginalSections []Section
	ToSource         []Moved
	FromSource       []Moved
	Modules          []Module
	Publics          []Public
	Unlisted         bool // the publics have no list by address
}

// Section is a section of the image. The first one has number 1.
type Section struct{ RVA, Size uint32 }

// Moved is an entry of an OMAP.
type Moved struct{ From, To uint32 }

// Module is an object file with its functions.
type Module struct {
	Name        string
	Functions   []Function
	Annotations [][]string // outside of its functions
	Raw         []byte     // symbol records after all others
}

// Function is a procedure.
type Function struct {
	Name         string
	Kind         uint16 // S_GPROC32 if it is 0
	Section      uint16
	Offset, Size uint32
	File         string
	Lines        []Line
	Annotations  [][]string
}

// Line is a line of code that begins Offset bytes after its function's start.
type Line struct{ Offset, Number uint32 }

// Public is a public symbol.
type Public struct {
	Name    string
	Section uint16
	Offset  uint32
}

// Numbers of the streams that are always present. Those of modules follow.
const (
	infoStream = 1 + iota
	typesStream
	dbiStream
	idsStream
	namesStream
	publicsStream
	recordsStream
	sectionsStream
	originalStream
	toSourceStream
	fromSourceStream
	firstModule
)

// Kinds of record.
const (
	Procedure       = 0x1110
	LocalProcedure  = 0x110f
	LocalID         = 0x1146
	Thunk           = 0x1102
	publicKind      = 0x110e
	annotationKind  = 0x1019
	skippedKind     = 0x0007
	linesKind       = 0xf2
	checksumsKind   = 0xf4
	contributionsV1 = 0xeffe0000 + 19970605
)

// Bytes returns the file.
func (p *PDB) Bytes() []byte {
	names := newTexts()
	streams := make([][]byte, firstModule)
	var sizes [][2]int
	for i := range p.Modules {
		symbols, lines := p.Modules[i].stream(names)
		streams = append(streams, slices.Concat(symbols, lines))
		sizes = append(sizes, [2]int{len(symbols), len(lines)})
	}
	streams[infoStream] = p.info()
	streams[dbiStream] = p.dbi(sizes)
	streams[namesStream] = names.stream()
	streams[recordsStream], streams[publicsStream] = p.publics()
	streams[sectionsStream] = sectionHeaders(p.Sections)
	streams[originalStream] = sectionHeaders(p.OriginalSections)
	streams[toSourceStream] = omap(p.ToSource)
	streams[fromSourceStream] = omap(p.FromSource)
	return container(cmp.Or(p.BlockSize, 4096), p.Gap, streams)
}

// put appends values in the byte order of the format.
func put(b []byte, values ...any) []byte {
	for _, v := range values {
		switch v := v.(type) {
		case string:
			b = append(append(b, v...), 0)
		case []byte:
			b = append(b, v...)
		default:
			var err error
			if b, err = binary.Append(b, binary.LittleEndian, v); err != nil {
				panic(err)
			}
		}
	}
	return b
}

// fill appends zeros up to a multiple of 4 bytes.
func fill(b []byte) []byte { return append(b, make([]byte, -len(b)&3)...) }

// record appends a symbol record.
func record(b []byte, kind uint16, values ...any) []byte {
	content := fill(put([]byte{0, 0, 0, 0}, values...))
	binary.LittleEndian.PutUint16(content, uint16(len(content)-2))
	binary.LittleEndian.PutUint16(content[2:], kind)
	return append(b, content...)
}

func (p *PDB) info() []byte {
	const version = 20000404
	b := put(nil, uint32(version), uint32(1), p.Age, p.GUID[:])
	texts := put(nil, "/LinkInfo", "/names")
	b = put(b, uint32(len(texts)), texts)
	b = put(b, uint32(1), uint32(2), uint32(1), uint32(1), uint32(0)) // one entry of two, which is present
	return put(b, uint32(len("/LinkInfo")+1), uint32(namesStream))
}

func sectionHeaders(all []Section) []byte {
	var b []byte
	for _, s := range all {
		b = put(b, [8]byte{'.', 't'}, s.Size, s.RVA, s.Size, [20]byte{})
	}
	return b
}

func omap(all []Moved) []byte {
	var b []byte
	for _, e := range all {
		b = put(b, e.From, e.To)
	}
	return b
}

// publics returns the records and the stream with their list by address.
func (p *PDB) publics() (records, list []byte) {
	at := make(map[Public]uint32)
	for _, s := range p.Publics {
		at[s] = uint32(len(records))
		records = record(records, publicKind, uint32(2), s.Offset, s.Section, s.Name)
	}
	if p.Unlisted {
		return records, nil
	}
	sorted := slices.Clone(p.Publics)
	slices.SortFunc(sorted, func(a, b Public) int {
		return cmp.Or(cmp.Compare(a.Section, b.Section), cmp.Compare(a.Offset, b.Offset), cmp.Compare(a.Name, b.Name))
	})
	list = put(nil, uint32(0), uint32(4*len(sorted)), [20]byte{})
	for _, s := range sorted {
		list = put(list, at[s])
	}
	return records, list
}

// texts are the names of source files.
type texts struct {
	bytes.Buffer
	at map[string]uint32
}

func newTexts() *texts {
	t := &texts{at: make(map[string]uint32)}
	t.WriteByte(0)
	return t
}

// add returns the offset of a text.
func (t *texts) add(s string) uint32 {
	at, ok := t.at[s]
	if !ok {
		at = uint32(t.Len())
		t.at[s] = at
		t.WriteString(s + "\x00")
	}
	return at
}

func (t *texts) stream() []byte {
	return put(nil, uint32(0xEFFEEFFE), uint32(1), uint32(t.Len()), t.Bytes(), uint32(0), uint32(0))
}
