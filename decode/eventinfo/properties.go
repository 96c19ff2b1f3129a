package eventinfo

import (
	"fmt"

	"github.com/etl2parquet/etl2parquet/decode"
	"github.com/etl2parquet/etl2parquet/decode/tdh"
	"github.com/etl2parquet/etl2parquet/schema"
)

const (
	propertySize = 24
	maxDepth     = 32 // of nested structures
)

// EVENT_PROPERTY_INFO.Flags.
const (
	flagStruct       = 0x01
	flagParamLength  = 0x02 // length is the index of a property
	flagParamCount   = 0x04
	flagFixedCount   = 0x20
	flagHasTags      = 0x40
	flagCustomSchema = 0x80
)

// properties turns the EVENT_PROPERTY_INFO of a record into fields.
type properties struct {
	*blob
	count, top int
	used       []bool // by property: it is a member of a structure; none may be a member of two
}

// newProperties checks the numbers of properties against the size of the record.
func newProperties(b *blob) *properties {
	count, top := b.u32(propertyCountAt), b.u32(topLevelCountAt)
	if most := uint32(len(b.data)-propertiesAt) / propertySize; count > most {
		b.fault(propertyCountAt, decode.ErrTruncated, "%d properties, but only %d fit", count, most)
		count = most
	}
	if top > count {
		b.fault(topLevelCountAt, decode.ErrCorrupt, "%d top-level properties of %d in all", top, count)
		top = count
	}
	return &properties{blob: b, count: int(count), top: int(top), used: make([]bool, count)}
}

// fields makes the fields, and returns the index of the field of each top-level property.
func (p *properties) fields() ([]schema.Field, []int) {
	s := p.scope(0, p.top, nil, 0)
	inserts := make([]int, 0, p.top)
	for i := range p.top {
		inserts = append(inserts, s.index(i))
	}
	return s.fields, inserts
}

// scope is the fields of an event or structure.
type scope struct {
	outer   *scope
	names   []string // of the columns
	first   int      // property
	fields  []schema.Field
	indices []int // in fields, by property from first; -1 if it has no field
	broken  bool  // the bytes after the fields cannot be interpreted
}

// index returns the index of the field of a property, or -1 if it has none or comes later.
func (s *scope) index(property int) int {
	if property < s.first || property-s.first >= len(s.indices) {
		return -1
	}
	return s.indices[property-s.first]
}

// scope makes the fields of a range of properties, up to the first damaged one.
func (p *properties) scope(first, end int, outer *scope, depth int) *scope {
	s := &scope{outer: outer, first: first}
	var names []string
	for i := first; i < end; i++ {
		p.used[i] = true
		names = append(names, p.name(p.at(i)+4))
	}
	s.names = schema.ColumnNames(names)
	for i := first; i < end; i++ {
		f := schema.Field{Name: s.names[i-first]}
		present, ok := p.field(&f, i, names[i-first], s, depth)
		if present {
			s.indices = append(s.indices, len(s.fields))
			s.fields = append(s.fields, f)
		} else {
			s.indices = append(s.indices, -1)
		}
		if !ok {
			s.broken = true
			break
		}
	}
	return s
}

func (p *properties) at(property int) int { return propertiesAt + property*propertySize }

// field makes the field of a property. present is false if the field takes no
// bytes, or an unknown number; ok is false if the fields after it cannot be read.
func (p *properties) field(f *schema.Field, property int, name string, s *scope, depth int) (present, ok bool) {
	at := p.at(property)
	flags := p.u32(at)
	var notes []string
	if tag := p.u32(at+20) & 0x0fffffff; flags&flagHasTags != 0 && tag != 0 {
		f.Tags, notes = tag, append(notes, fmt.Sprintf("tag %#x", tag))
	}
	none, ok := p.setCount(f, flags, at, s)
	if !ok {
		return false, false
	}
	if flags&flagStruct != 0 {
		tdh.DeclareStruct(f, name, notes...)
		present, ok = p.structure(f, at, s, depth)
		return present && !none, ok
	}
	in, out := tdh.InType(p.u16(at+8)), tdh.OutType(p.u16(at+10))
	tdh.Declare(f, name, in, out, notes...)
	if in == tdh.Null {
		return false, true
	}
	if length := p.u16(at + 18); flags&flagParamLength == 0 {
		f.Length = length
	} else if f.LengthField, ok = p.refer(at+18, length, s); !ok {
		return false, false
	}
	if err := tdh.Apply(f, in, out); err != nil {
		p.faultOf(at+8, err)
		return false, false
	}
	if flags&flagCustomSchema == 0 {
		f.Values = p.name(at + 12)
	}
	return !none, true
}

// setCount sets the number of values of a field; none is true if it is always 0.
func (p *properties) setCount(f *schema.Field, flags uint32, at int, s *scope) (none, ok bool) {
	count := p.u16(at + 16)
	switch {
	case flags&flagParamCount != 0:
		f.CountField, ok = p.refer(at+16, count, s)
		return false, ok
	case flags&flagFixedCount != 0 || count > 1:
		f.Count = count
		return count == 0, true
	}
	return false, true
}

// refer returns the column of a property that holds a count or length. It must be
// an earlier number, among the same fields or those around them.
func (p *properties) refer(at, property int, s *scope) (string, bool) {
	for in := s; in != nil; in = in.outer {
		i := in.index(property)
		if i < 0 {
			continue
		}
		f := &in.fields[i]
		if f.Struct != nil || f.IsArray() || !f.Kind.IsNumber() {
			p.fault(at, decode.ErrCorrupt, "property %d, which holds a count or length, is not a number", property)
			return "", false
		}
		for inner := s; inner != in; inner = inner.outer {
			for _, name := range inner.names {
				if name == f.Name { // the reference would find the inner field
					p.fault(at, decode.ErrUnsupported, "two fields are called %s, and the outer one holds a count or length", name)
					return "", false
				}
			}
		}
		return f.Name, true
	}
	p.fault(at, decode.ErrCorrupt, "property %d, which holds a count or length, does not precede its array or text", property)
	return "", false
}

// structure makes the fields of a structure. If only the first fields are known,
// they can be read, but the structure cannot be skipped, as an array requires.
func (p *properties) structure(f *schema.Field, at int, s *scope, depth int) (present, ok bool) {
	first, members := p.u16(at+8), p.u16(at+10)
	switch {
	case first < p.top || first+members > p.count:
		p.fault(at+8, decode.ErrCorrupt, "a structure has the properties %d to %d, but members are %d to %d", first, first+members, p.top, p.count)
		return false, false
	case depth == maxDepth:
		p.fault(at+8, decode.ErrUnsupported, "structures are nested more than %d deep", maxDepth)
		return false, false
	}
	for i := first; i < first+members; i++ {
		if p.used[i] {
			p.fault(at+8, decode.ErrCorrupt, "property %d belongs to two structures", i)
			return false, false
		}
	}
	inner := p.scope(first, first+members, s, depth+1)
	f.Struct = inner.fields
	return len(f.Struct) > 0 && !(inner.broken && f.IsArray()), !inner.broken
}
