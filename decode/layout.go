package decode

import (
	"slices"

	"github.com/etl2parquet/etl2parquet/schema"
)

// Span is the position of a field in a payload: payload[From:To]. A missing field has From -1.
type Span struct{ From, To int32 }

// missing is the span of a missing field.
var missing = Span{-1, -1}

// Layout gives the positions of the fields of an event, or of a structure in it,
// for one version and pointer size. It is immutable.
type Layout struct {
	Event       *schema.Event // the event, also in the layout of a structure
	Version     uint8
	PointerSize int

	all    []schema.Field // of the event or structure; spans are by index in it
	fields []layoutField
	prefix int    // number of fields at the start whose positions are the same in all payloads
	fixed  int    // bytes of these fields
	size   int    // bytes of a structure; 0 if it depends on the payload
	spans  []Span // of a payload that ends after the prefix
	nested int    // most fields to be located at a time: these, and those of one structure at each depth
	// Fields with unstated facts, by index in fields.
	unstated []int
	natural  bool // fields are aligned as in C
	nuls     bool // texts may have NULs inside: see reread
}

// layoutField is a field of the event that this version has.
type layoutField struct {
	index    int // in Layout.all
	field    *schema.Field
	align    int
	width    int       // bytes of one value; 0 if it depends on the payload
	counter  reference // to the field with the count
	measure  reference // to the field with the length
	elements *Layout   // of one structure, if the field holds structures
	span     Span
	step     step
	unread   error // the error for a field with unstated facts, if it cannot be read
}

// reference identifies an earlier field, in the same structure or in one around it.
type reference struct {
	up    int // levels of structures to leave
	index int // of the field there; -1 if there is no reference
}

// Frame gives the positions of the fields around a structure: they may hold the counts and lengths
// of fields in the structure.
type Frame struct {
	Spans []Span // of the fields, from Locate or Element
	Outer *Frame // the frame around these fields, if they are in a structure themselves
}

// NewLayout compiles the layout of an event.
func NewLayout(e *schema.Event, version uint8, pointerSize int) *Layout {
	l := &Layout{Event: e, Version: version, PointerSize: pointerSize, natural: e.Natural, nuls: e.NULs != schema.NoNULs}
	l.compile(e.Fields, nil)
	return l
}

// compile computes the parts of the layout that are the same in all payloads.
// outer has the fields around a structure, innermost first.
func (l *Layout) compile(fields []schema.Field, outer [][]schema.Field) {
	l.all = fields
	deepest := 0
	scopes := append([][]schema.Field{fields}, outer...)
	at, constant := 0, true
	for i := range fields {
		f := &fields[i]
		if !f.In(l.Version) {
			continue
		}
		lf := layoutField{index: i, field: f, align: 1, counter: find(f.CountField, scopes), measure: find(f.LengthField, scopes)}
		if f.Struct != nil {
			lf.elements = &Layout{Event: l.Event, Version: l.Version, PointerSize: l.PointerSize, natural: l.natural || f.Aligned}
			lf.elements.compile(f.Struct, scopes)
			deepest = max(deepest, lf.elements.nested)
		}
		lf.width = lf.valueWidth(l)
		if l.natural {
			lf.align = alignment(f, l.PointerSize)
		}
		if f.Unstated != 0 {
			lf.unread = causef(ErrUnstated, "%v", f.Unstated)
			l.unstated = append(l.unstated, len(l.fields))
		}
		n := 1
		if f.Count > 0 {
			n = f.Count
		}
		constant = constant && f.Unstated == 0 && lf.width > 0 && f.Count != schema.Rest && lf.counter.index < 0 && !f.CountPrefix && !f.Optional &&
			f.LengthPrefix == schema.NoPrefix && n <= (maxFixed-at)/lf.width
		if constant {
			at = align(at, lf.align)
			lf.span = Span{int32(at), int32(at + n*lf.width)}
			at += n * lf.width
			l.prefix, l.fixed = len(l.fields)+1, at
		}
		lf.step = lf.stepOf()
		l.fields = append(l.fields, lf)
	}
	l.nested = len(fields) + deepest
	l.size = l.width()
	l.spans, _, _ = l.Prefix()
}

// find returns a reference to the field of this name in the innermost scope that has one.
func find(name string, scopes [][]schema.Field) reference {
	if name == "" {
		return reference{index: -1}
	}
	for up, fields := range scopes {
		for i := range fields {
			if fields[i].Name == name {
				return reference{up, i}
			}
		}
	}
	return reference{index: -1} // cannot happen: a test checks all references in the tables
}

// Structure returns the layout of the structures that a field holds, or nil.
func (l *Layout) Structure(index int) *Layout {
	for i := range l.fields {
		if l.fields[i].index == index {
			return l.fields[i].elements
		}
	}
	return nil
}

// Structures returns [Layout.Structure] of every field. There may be thousands, and each call of
// Structure searches them.
func (l *Layout) Structures() []*Layout {
	list := make([]*Layout, len(l.all))
	for i := range l.fields {
		list[l.fields[i].index] = l.fields[i].elements
	}
	return list
}

// Prefix returns the spans of the fields that are at the same position in every
// payload of at least size bytes. It has a span for each of Event.Fields; the spans
// of all other fields are missing. all reports whether this version has no other
// fields.
func (l *Layout) Prefix() (spans []Span, size int, all bool) {
	spans = slices.Repeat([]Span{missing}, len(l.all))
	for i := range l.fields[:l.prefix] {
		spans[l.fields[i].index] = l.fields[i].span
	}
	return spans, l.fixed, l.prefix == len(l.fields)
}
