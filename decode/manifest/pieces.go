package manifest

import (
	"encoding/binary"

	"github.com/etl2parquet/etl2parquet/schema"
)

// EventID is the id of the events in which EventSource logs its manifest, in
// chunks of up to 0xFF00 bytes. The payload of each is
//
//	0x00 u8  Format, 1 for XML
//	0x01 u8  MajorVersion
//	0x02 u8  MinorVersion
//	0x03 u8  Magic, 0x5B
//	0x04 u16 TotalChunks
//	0x06 u16 ChunkNumber, from 0
//	0x08     the chunk, UTF-8
const EventID = 0xfffe

const (
	envelopeSize = 8
	formatXML    = 1
	magic        = 0x5b
)

// ChunkSchema describes the events in which a provider logs its manifest.
func ChunkSchema(provider schema.GUID, name string, version uint8) *schema.Schema {
	return &schema.Schema{
		Event: schema.Event{Class: name, Name: "ManifestData", GUID: provider, Certainty: schema.Verified,
			Doc: "Chunks of the manifests of EventSources, one behind another the XML that describes the provider's events.",
			Fields: []schema.Field{
				{Name: "format", Kind: schema.U8, Doc: "1: XML."},
				{Name: "major_version", Kind: schema.U8, Doc: "Of the manifest."},
				{Name: "minor_version", Kind: schema.U8, Doc: "Of the manifest."},
				{Name: "magic", Kind: schema.U8, Doc: "0x5B."},
				{Name: "total_chunks", Kind: schema.U16, Doc: "Of the manifest."},
				{Name: "chunk_number", Kind: schema.U16, Doc: "From 0 on."},
				{Name: "chunk", Kind: schema.Bytes, Length: schema.Rest, Doc: "UTF-8, of which a character may be in two chunks."},
			}},
		Source: schema.FromEventSource, ID: EventID, Version: version,
	}
}

// Limits on collected chunks. The bytes of a chunk that is logged repeatedly count
// once: every process logs its chunks at its start and at its end.
const (
	maxPieces     = 1 << 17
	maxPieceBytes = 32 << 20
)

// Pieces collects the chunks of the manifests in a trace. The zero value is empty.
// Memory is only used for the bytes present, not for sizes that a chunk claims.
//
// Parts of a trace can be collected separately and merged in the order of the file.
// The result is the same as if all were added to one Pieces, unless a limit is
// reached.
type Pieces struct {
	list     []piece
	contents []string       // each distinct chunk
	byText   map[string]int `snapshot:"-"` // its index in contents
	bytes    int            // of contents
	// Invalid counts payloads that are not chunks, Dropped counts chunks beyond the limits.
	Invalid, Dropped int64
}

// piece is a chunk as it was logged.
type piece struct {
	stream
	number  uint16
	content int // index in Pieces.contents
}

// stream identifies chunks that can belong to one manifest: a thread logs all
// chunks of a manifest in a row.
type stream struct {
	provider        schema.GUID
	process, thread uint32
	major, minor    uint8
	total           uint16
}

// Add collects the payload of an event with the id [EventID]. It keeps no
// reference to the payload.
func (p *Pieces) Add(provider schema.GUID, process, thread uint32, payload []byte) {
	if len(payload) < envelopeSize || payload[0] != formatXML || payload[3] != magic {
		p.Invalid++
		return
	}
	total, number := binary.LittleEndian.Uint16(payload[4:]), binary.LittleEndian.Uint16(payload[6:])
	if number >= total {
		p.Invalid++
		return
	}
	p.add(piece{stream{provider, process, thread, payload[1], payload[2], total}, number, 0}, payload[envelopeSize:])
}

func (p *Pieces) add(one piece, chunk []byte) {
	content, known := p.byText[string(chunk)]
	if len(p.list) == maxPieces || !known && p.bytes+len(chunk) > maxPieceBytes {
		p.Dropped++
		return
	}
	if !known {
		if p.byText == nil {
			p.byText = make(map[string]int)
		}
		content = len(p.contents)
		text := string(chunk)
		p.contents = append(p.contents, text)
		p.byText[text] = content
		p.bytes += len(chunk)
	}
	one.content = content
	p.list = append(p.list, one)
}

// Consistent reports whether the pieces fit together, for pieces that were read from a file.
// Assemble works with them then, but no more can be added.
func (p *Pieces) Consistent() bool {
	for i := range p.list {
		if one := &p.list[i]; one.content < 0 || one.content >= len(p.contents) || one.number >= one.total {
			return false
		}
	}
	return true
}

// Merge adds the pieces of a later part of the trace.
func (p *Pieces) Merge(later *Pieces) {
	for _, one := range later.list {
		p.add(one, []byte(later.contents[one.content]))
	}
	p.Invalid += later.Invalid
	p.Dropped += later.Dropped
}
