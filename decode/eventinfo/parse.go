package eventinfo

import (
	"encoding/binary"
	"strings"

	"github.com/etl2parquet/etl2parquet/decode"
	"github.com/etl2parquet/etl2parquet/schema"
)

// Record is the content of a TRACE_EVENT_INFO.
type Record struct {
	*schema.Schema
	MessageText string // as in the manifest, "%1 has begun"; Schema.Message is not set
	inserts     []int  // index in Fields of each top-level property, or -1
}

// Insert returns the index in Fields of the field for the insert %n of the message.
func (r *Record) Insert(n int) (index int, ok bool) {
	if n < 1 || n > len(r.inserts) || r.inserts[n-1] < 0 {
		return 0, false
	}
	return r.inserts[n-1], true
}

// The offsets of TRACE_EVENT_INFO.
const (
	eventGUIDAt     = 0x10
	descriptorAt    = 0x20
	sourceAt        = 0x30
	providerNameAt  = 0x34
	levelNameAt     = 0x38
	channelNameAt   = 0x3c
	keywordNamesAt  = 0x40
	taskNameAt      = 0x44
	opcodeNameAt    = 0x48
	messageAt       = 0x4c
	eventNameAt     = 0x5c // of an activity, where the source is WBEM
	propertyCountAt = 0x64
	topLevelCountAt = 0x68
	flagsAt         = 0x6c
	propertiesAt    = 0x70
)

// tagsShift is the number of TEMPLATE_FLAGS before the 28 bits of the event's tag.
const tagsShift = 4

// sourceWBEM is the DecodingSource of classic events.
const sourceWBEM = 1

// Parse reads a TRACE_EVENT_INFO. If it is damaged, Parse returns an error together
// with the intact part: the fields before the first damaged one.
func Parse(data []byte) (*Record, error) {
	r := &Record{Schema: &schema.Schema{Source: schema.FromEventInfo}}
	b := &blob{data: data, what: "TRACE_EVENT_INFO"}
	if len(data) < propertiesAt {
		b.fault(0, decode.ErrTruncated, "the record has %d bytes, at least %d are needed", len(data), propertiesAt)
		return r, b.err
	}
	r.describe(b)
	p := newProperties(b)
	r.Fields, r.inserts = p.fields()
	return r, b.err
}

// describe reads everything except the properties.
func (r *Record) describe(b *blob) {
	r.GUID = b.guid(0)
	d := b.data[descriptorAt:]
	r.ID, r.Version = binary.LittleEndian.Uint16(d), d[2]
	r.Channel, r.Level, r.Opcode = d[3], d[4], d[5]
	r.Task, r.Keyword = binary.LittleEndian.Uint16(d[6:]), binary.LittleEndian.Uint64(d[8:])
	source := b.u32(sourceAt)
	if class := b.guid(eventGUIDAt); source == sourceWBEM && !class.IsZero() {
		r.Classic, r.GUID, r.ID = true, class, uint16(r.Opcode)
	}
	r.Class = b.name(providerNameAt)
	r.LevelName, r.ChannelName = local(b.name(levelNameAt)), local(b.name(channelNameAt))
	for _, name := range b.texts(keywordNamesAt) {
		r.Keywords = append(r.Keywords, local(name))
	}
	r.TaskName, r.OpcodeName = local(b.name(taskNameAt)), local(b.name(opcodeNameAt))
	if source != sourceWBEM {
		r.Name = b.name(eventNameAt)
	}
	r.Tags = b.u32(flagsAt) >> tagsShift
	r.MessageText = b.text(messageAt, len(b.data))
}

// local returns a name without the prefix of names from winmeta.xml: tools show win:Start as Start.
func local(name string) string { return strings.TrimPrefix(name, "win:") }

// Link gives fields the names of their numbers; lookup finds them by the name of
// the map. The name of a map that is not found is dropped: it means nothing outside
// its provider.
func Link(fields []schema.Field, lookup func(name string) *schema.Values) {
	for i := range fields {
		f := &fields[i]
		if f.Values != "" {
			f.Map, f.Values = lookup(f.Values), ""
		}
		Link(f.Struct, lookup)
	}
}
