package packed

import (
	"math"
	"math/bits"

	"github.com/etl2parquet/etl2parquet/decode/definition"
	"github.com/etl2parquet/etl2parquet/schema"
)

// unpacker reads a block.
type unpacker struct {
	cursor
	texts  []string
	maps   []*schema.Values
	lists  [][]schema.Field
	builds []int
}

// unpack reads the events of a provider.
func unpack(data []byte, p *Provider, builds []int) error {
	u := &unpacker{cursor: cursor{data: data}, builds: builds}
	for range u.many(1) {
		u.texts = append(u.texts, u.cursor.text())
	}
	for range u.many(3) {
		u.maps = append(u.maps, u.valueMap())
	}
	for range u.many(1) {
		items := 0
		u.lists = append(u.lists, u.fields(nil, &items))
		if u.err != nil {
			return u.err
		}
	}
	n := u.many(minEvent)
	if n > maxOfType {
		u.fail("%d events", n)
	}
	for range n {
		ev := u.event(p)
		if u.err != nil {
			return u.err
		}
		p.Events = append(p.Events, ev)
	}
	if u.err == nil && u.at < len(data) {
		u.fail("%d bytes more than the events", len(data)-u.at)
	}
	return u.err
}

// minEvent is the least number of bytes that an event takes.
const minEvent = 17

// text reads a reference to a text.
func (u *unpacker) text() string {
	if n := u.small(len(u.texts)); n > 0 {
		return u.texts[n-1]
	}
	return ""
}

func (u *unpacker) valueMap() *schema.Values {
	v := &schema.Values{Name: u.text(), Flags: u.number(1) == 1}
	last := uint64(0)
	for i := range u.many(2) {
		step := u.number(math.MaxUint64)
		if u.err == nil && (i > 0 && step == 0 || step > math.MaxUint64-last) {
			u.fail("map %q is not in order", v.Name)
		}
		last += step
		v.Names = append(v.Names, schema.ValueName{Value: last, Name: u.text()})
	}
	return v
}

func (u *unpacker) event(p *Provider) Event {
	flags := u.number(flagNames<<1 - 1)
	s := &schema.Schema{Event: schema.Event{GUID: p.GUID, Class: p.Name, Certainty: schema.Documented, Natural: flags&flagNatural != 0}}
	s.Classic = flags&flagClassic != 0
	s.Source = u.source()
	s.ID, s.Version = uint16(u.number(math.MaxUint16)), uint8(u.number(math.MaxUint8))
	ev := Event{Schema: s, AnyVersion: flags&flagAnyVersion != 0, Builds: u.buildsOf(u.number(1<<len(u.builds) - 1))}
	s.Channel, s.ChannelName = uint8(u.number(math.MaxUint8)), u.text()
	s.Level, s.LevelName = uint8(u.number(math.MaxUint8)), u.text()
	s.Opcode, s.OpcodeName = uint8(u.number(math.MaxUint8)), u.text()
	s.Task, s.TaskName = uint16(u.number(math.MaxUint16)), u.text()
	s.Keyword = bits.Reverse64(u.number(math.MaxUint64))
	for range u.small(64) {
		s.Keywords = append(s.Keywords, u.text())
	}
	s.Name = u.text()
	if n := u.small(len(u.lists)); n > 0 {
		s.Fields = u.lists[n-1]
	}
	if flags&flagNames != 0 {
		s.Class, s.Doc, s.Certainty = u.text(), u.text(), schema.Certainty(u.text())
	}
	if flags&flagSource != 0 {
		s.Function, s.SourceFile, s.SourceLine = u.text(), u.text(), u.small(maxCount)
	}
	if flags&flagMessage != 0 {
		s.Message = u.message(len(s.Fields))
	}
	return ev
}

func (u *unpacker) message(fields int) schema.Message {
	m := schema.Message{}
	for range u.many(3) {
		m = append(m, schema.MessagePart{Text: u.text(), Field: u.small(fields) - 1, Format: u.text()})
	}
	return m
}

func (u *unpacker) buildsOf(mask uint64) (list []int) {
	for ; mask != 0; mask &= mask - 1 {
		list = append(list, u.builds[bits.TrailingZeros64(mask)])
	}
	return list
}

// source reads the source of a description.
func (u *unpacker) source() schema.Source {
	name := u.text()
	source, ok := schema.ParseSource(name)
	if !ok {
		u.fail("%q is no source of descriptions", name)
	}
	return source
}

// fields reads a list of fields. around has the fields before a structure, in the lists
// around it, innermost last; items counts the fields of the event.
func (u *unpacker) fields(around [][]schema.Field, items *int) []schema.Field {
	const minField = 4
	n := u.many(minField)
	if *items += n; *items > maxFields || len(around) > schema.MaxDepth {
		u.fail("more than %d fields, or structures more than %d deep", maxFields, schema.MaxDepth)
	}
	if u.err != nil || n == 0 {
		return nil
	}
	list := make([]schema.Field, n)
	u.names(list)
	for i := range list {
		u.field(&list[i], append(around[:len(around):len(around)], list[:i]), items)
		if u.err != nil {
			return nil
		}
	}
	return list
}

// names reads the original names of fields, and the column names that differ from the default.
func (u *unpacker) names(list []schema.Field) {
	originals, own := make([]string, len(list)), make([]string, len(list))
	for i := range list {
		originals[i], own[i] = u.text(), u.text()
	}
	taken := make(map[string]bool)
	for i, name := range schema.ColumnNames(originals) {
		if own[i] != "" {
			if name = own[i]; schema.ColumnNames([]string{name})[0] != name {
				u.fail("%q cannot be the name of a column", name)
			}
		}
		if taken[name] {
			u.fail("two fields have the column %s", name)
		}
		taken[name] = true
		list[i].Original, list[i].Name = originals[i], name
	}
}

// field reads a field except for its names. before has the fields before it: of its own list last,
// of the lists around it first.
func (u *unpacker) field(f *schema.Field, before [][]schema.Field, items *int) {
	flags := u.number(allFieldFlags)
	if flags&fieldStruct == 0 {
		kind, known := schema.ParseKind(u.text())
		if !known || kind == schema.LZNT1Text16 { // the size of such a text is in the field before it
			u.fail("the field %s is of no known kind", f.Name)
		}
		f.Kind = kind
	}
	f.Hex, f.Optional, f.CountPrefix, f.Aligned = flags&fieldHex != 0, flags&fieldOptional != 0, flags&fieldCountPrefix != 0, flags&fieldAligned != 0
	if flags&fieldTypes != 0 {
		f.InType, f.OutType = u.text(), u.text()
	}
	if flags&fieldDoc != 0 {
		f.Doc = u.text()
	}
	if flags&fieldUnit != 0 {
		f.Unit = schema.Unit(u.text())
	}
	if flags&fieldValues != 0 {
		f.Values = u.text()
	}
	if flags&fieldUnstated != 0 {
		f.Unstated = schema.Unstated(u.number(schema.AllUnstated))
	}
	if flags&fieldSizes != 0 {
		f.Sizes = make([]int, u.many(1))
		for i := range f.Sizes {
			f.Sizes[i] = u.small(maxCount)
		}
	}
	if flags&fieldLength != 0 {
		f.Length = u.small(maxCount) - 1
	}
	if flags&fieldCount != 0 {
		f.Count = u.small(maxCount) - 1
	}
	if flags&fieldLengthPrefix != 0 {
		f.LengthPrefix = schema.Prefix(u.number(uint64(schema.BytesIn32)))
	}
	if flags&fieldLengthOf != 0 {
		f.LengthField = u.refer(before)
	}
	if flags&fieldCountOf != 0 {
		f.CountField = u.refer(before)
	}
	if flags&fieldMap != 0 {
		if n := u.small(len(u.maps)); n > 0 {
			f.Map = u.maps[n-1]
		}
	}
	if flags&fieldStruct != 0 {
		f.Struct = u.fields(before, items)
		u.structure(f)
	}
	if flags&(fieldUnstated|fieldSizes) != 0 {
		u.unstated(f)
	}
	if flags&fieldDoc == 0 && u.err == nil {
		f.Doc = derivedDoc(f)
	}
}

// unstated checks the unstated facts of a field: only a binary value, or structures read as one,
// may have any size.
func (u *unpacker) unstated(f *schema.Field) {
	anySize := f.Unstated&schema.LengthUnstated != 0
	isBinary := f.Kind == schema.Bytes || f.Kind == schema.SocketAddress && !f.IsOpaque()
	switch {
	case (anySize || f.IsOpaque()) && (!isBinary || f.Length != 0 || f.LengthField != "" || f.LengthPrefix != schema.NoPrefix || f.IsArray()):
		u.fail("the field %s has another length than the one not stated", f.Name)
	case f.Unstated&schema.CountUnstated != 0 && (f.Count != 0 || f.CountField != "" || f.CountPrefix):
		u.fail("the field %s has another count than the one not stated", f.Name)
	case f.Sizes != nil && !anySize:
		u.fail("the field %s has sizes and a length", f.Name)
	}
}

// refer reads a reference to an earlier field that is a number.
func (u *unpacker) refer(before [][]schema.Field) string {
	up := u.small(len(before) - 1)
	list := before[len(before)-1-up]
	if len(list) == 0 {
		u.fail("a reference to a field before the first")
		return ""
	}
	f := &list[u.small(len(list)-1)]
	if !definition.IsNumber(f) {
		u.fail("%s gives a count or length and is no number", f.Name)
	}
	if at, index, ok := findField(f.Name, before); !ok || at != up || &before[len(before)-1-at][index] != f {
		u.fail("another field hides %s", f.Name)
	}
	return f.Name
}

// structure checks a structure: it has members, and an array of it cannot have many more values
// than bytes.
func (u *unpacker) structure(f *schema.Field) {
	if u.err == nil && len(f.Struct) == 0 {
		u.fail("the structure %s has no members", f.Name)
	}
	if err := definition.CheckArray(f); err != nil && u.err == nil {
		u.fail("the structure %s: %v", f.Name, err)
	}
}
