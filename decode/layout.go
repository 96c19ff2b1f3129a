package decode

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math"
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
	l.size = l.width()
	l.spans, _, _ = l.Prefix()
}

// maxFixed bounds the total size of fields at fixed positions. No payload is as
// long, and no position overflows.
const maxFixed = 1 << 20

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

// align returns the first multiple of to, a power of two, that is not below at.
func align(at, to int) int { return (at + to - 1) &^ (to - 1) }

// valueWidth returns the bytes of one value, or 0 if they depend on the payload.
func (f *layoutField) valueWidth(l *Layout) int {
	switch {
	case f.elements != nil:
		return f.elements.size
	case f.field.LengthPrefix != schema.NoPrefix, f.measure.index >= 0:
		return 0
	case f.field.Kind.HasLength():
		unit, _ := f.field.Kind.Width(l.PointerSize)
		if f.field.Length > maxFixed/unit {
			return 0
		}
		return unit * max(f.field.Length, 0)
	}
	width, _ := f.field.Kind.Width(l.PointerSize)
	return width
}

// width returns the bytes of a structure, or 0 if they depend on the payload.
func (l *Layout) width() int {
	if l.prefix < len(l.fields) {
		return 0
	}
	if !l.natural {
		return l.fixed
	}
	widest := 1
	for i := range l.all {
		widest = max(widest, alignment(&l.all[i], l.PointerSize))
	}
	return align(l.fixed, widest)
}

// alignment returns the alignment of a field in C.
func alignment(f *schema.Field, pointerSize int) int {
	if f.Struct != nil {
		widest := 1
		for i := range f.Struct {
			widest = max(widest, alignment(&f.Struct[i], pointerSize))
		}
		return widest
	}
	switch width, ok := f.Kind.Width(pointerSize); {
	case !ok, f.Kind == schema.MAC:
		return 1
	case f.Kind == schema.GUIDs, f.Kind == schema.IPv6:
		return 4
	case f.Kind == schema.SystemTime:
		return 2
	default:
		return width
	}
}

// Fit reports how well a payload fits a layout.
type Fit struct {
	Used  int           // bytes of the payload that the fields take, from its start
	Field *schema.Field // the first field that does not fit, or nil
	Err   error         // why Field does not fit
	// Shorter reports that Err only means that the payload ends where Field would begin, and that
	// no present field counts a missing one: a shorter form of the event.
	Shorter bool
}

// Reading says how much of a payload a layout reads.
type Reading uint8

const (
	Whole   Reading = iota // every byte is in a field; fields of a shorter form may be missing
	InPart                 // some bytes are in no field
	Damaged                // the payload contradicts the layout
)

// Reading returns how much of a payload of size bytes is read.
func (f *Fit) Reading(size int) Reading {
	switch {
	case f.Err == nil && f.Used == size, f.Shorter:
		return Whole
	case f.Err == nil, errors.Is(f.Err, ErrUnstated):
		return InPart
	}
	return Damaged
}

// Locate finds the fields of a payload. It uses the memory of spans if that
// suffices. The result has a span for each of Event.Fields; the span is missing if
// this version lacks the field or the field did not fit. All spans lie inside the
// payload. The span of an array begins at its first value.
func (l *Layout) Locate(payload []byte, spans []Span) ([]Span, Fit) {
	work := workFor(payload)
	spans, fit := l.locate(payload, 0, nil, spans[:0], &work)
	if l.nuls && fit.Used < len(payload) {
		return l.reread(payload, spans, fit)
	}
	return spans, fit
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

// Element finds the fields of the structure at an offset of the payload, inside the
// span of its field. It returns them and the offset of the next structure. frame
// has the fields around the structure. The memory of spans is used if it suffices.
func (l *Layout) Element(payload []byte, at int, frame *Frame, spans []Span) (fields []Span, next int) {
	work := workFor(payload)
	fields, fit := l.locate(payload, at, frame, spans[:0], &work)
	if l.size > 0 {
		return fields, at + l.size
	}
	return fields, fit.Used
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

// locate appends the spans of the fields, which begin at the offset start.
func (l *Layout) locate(payload []byte, start int, outer *Frame, spans []Span, work *int) ([]Span, Fit) {
	base := len(spans)
	if *work -= len(l.all); *work < 0 && len(l.all) > 0 {
		spans = append(spans, slices.Repeat([]Span{missing}, len(l.all))...)
		return spans, Fit{Used: start, Field: &l.all[0], Err: causef(ErrCorrupt, "more fields than a payload of %d bytes may have", len(payload))}
	}
	spans = append(spans, l.spans...)
	first, at := l.prefix, start+l.fixed
	switch {
	case at > len(payload):
		first, at = 0, start
		for i := range l.fields[:l.prefix] {
			spans[base+l.fields[i].index] = missing
		}
	case start > 0:
		for i := range l.fields[:l.prefix] {
			s := l.fields[i].span
			spans[base+l.fields[i].index] = Span{s.From + int32(start), s.To + int32(start)}
		}
	}
	for i := first; i < len(l.fields); i++ {
		f := &l.fields[i]
		if to := f.quick(payload, at, spans[base:]); to >= 0 {
			spans[base+f.index] = Span{int32(at), int32(to)}
			at = to
			continue
		}
		if f.unread != nil {
			return l.readings(payload, i, at, outer, spans, base, work)
		}
		from := start + align(at-start, f.align)
		if f.field.Optional && from >= len(payload) {
			continue
		}
		if f.field.Count == schema.Rest && from > len(payload) {
			from = at // the payload ends in the padding, so the rest is empty
		}
		var s Span
		var err error
		s, spans, err = l.field(payload, from, f, outer, spans, base, work)
		if err != nil {
			fields := spans[base : base+len(l.all)]
			return spans[:base+len(l.all)], Fit{Used: at, Field: f.field, Err: err, Shorter: at == len(payload) && l.mayEnd(payload, i, fields)}
		}
		spans[base+f.index] = s
		at = int(s.To)
	}
	return spans, Fit{Used: at}
}

// mayEnd reports whether a payload may end before a field: neither that field nor a later one has
// values or units that an earlier field counts.
func (l *Layout) mayEnd(payload []byte, first int, spans []Span) bool {
	for i := range l.fields[first:] {
		f := &l.fields[first+i]
		for _, r := range []reference{f.counter, f.measure} {
			if r.index < 0 {
				continue
			}
			if r.up > 0 {
				return false
			}
			if s := spans[r.index]; s.From >= 0 && Uint(payload[s.From:s.To]) != 0 {
				return false
			}
		}
	}
	return true
}

// field returns the span of a field that begins at from. Spans that it appends are temporary: they
// belong to structures.
func (l *Layout) field(payload []byte, from int, f *layoutField, outer *Frame, spans []Span, base int, work *int) (Span, []Span, error) {
	if from > len(payload) {
		return missing, spans, ended(payload)
	}
	frame := Frame{spans[base : base+len(l.all)], outer}
	n, err := l.count(payload, &from, f, &frame)
	if err != nil {
		return missing, spans, err
	}
	width := f.width
	if f.measure.index >= 0 {
		if width, err = l.measured(payload, f, &frame); err != nil {
			return missing, spans, err
		}
	}
	left := len(payload) - from
	if width > 0 || f.measure.index >= 0 {
		if n == schema.Rest {
			n = left / max(width, 1)
		}
		if width > 0 && n > left/width { // n*width could overflow
			return missing, spans, causef(ErrTruncated, "%d bytes are left, %d x %d bytes are needed", left, n, width)
		}
		return Span{int32(from), int32(from + n*width)}, spans, nil
	}
	at := from
	for range n {
		var s Span
		if s, spans, err = l.value(payload, at, f, &frame, spans, work); err != nil {
			return missing, spans, err
		}
		if int(s.To) == at && (n > 1 || !f.field.Kind.HasLength() && f.elements == nil) {
			return missing, spans, causef(ErrTruncated, "the payload ends before the last of %d values", n)
		}
		if n == 1 && !f.field.IsArray() {
			return s, spans, nil
		}
		at = int(s.To)
	}
	return Span{int32(from), int32(at)}, spans, nil
}

// ended returns the error for a field that begins after the end of its payload.
func ended(payload []byte) error {
	return causef(ErrTruncated, "the payload of %d bytes ends before this field", len(payload))
}

// count returns the number of values of a field, 1 if it is not an array. It moves from past a
// count that precedes the values.
func (l *Layout) count(payload []byte, from *int, f *layoutField, frame *Frame) (int, error) {
	switch {
	case f.counter.index >= 0:
		return number(payload, f.counter, frame, f.field.CountField)
	case f.field.CountPrefix:
		if len(payload)-*from < 2 {
			return 0, causef(ErrTruncated, "%d bytes are left for its count", len(payload)-*from)
		}
		n := int(le.Uint16(payload[*from:]))
		*from += 2
		return n, nil
	case f.field.Count != 0:
		return f.field.Count, nil
	}
	return 1, nil
}

// measured returns the size of a value whose length is in another field.
func (l *Layout) measured(payload []byte, f *layoutField, frame *Frame) (int, error) {
	n, err := number(payload, f.measure, frame, f.field.LengthField)
	if err != nil {
		return 0, err
	}
	unit, fixed := f.field.Kind.Width(l.PointerSize)
	if f.field.Kind.HasLength() {
		return n * unit, nil
	}
	return n, checkLength(f.field.Kind, n, unit, fixed)
}

// checkLength compares the length that a payload claims for a value with the width
// of its kind, if that is fixed.
func checkLength(k schema.Kind, n, width int, fixed bool) error {
	if fixed && !k.HasLength() && n != width {
		return causef(ErrCorrupt, "%d bytes, but %v has %d", n, k, width)
	}
	return nil
}

// number reads the count or length that a field refers to.
func number(payload []byte, r reference, frame *Frame, name string) (int, error) {
	for range r.up {
		frame = frame.Outer
	}
	s := frame.Spans[r.index]
	if s.From < 0 {
		return 0, causef(ErrCorrupt, "the field %s, which holds its count or length, is missing", name)
	}
	n := Uint(payload[s.From:s.To])
	if n > uint64(len(payload)) { // no value takes less than a byte
		return 0, causef(ErrCorrupt, "a count or length of %d in a payload of %d bytes", n, len(payload))
	}
	return int(n), nil
}

// value returns the span of one value whose length depends on the payload. The
// span begins after a length prefix.
func (l *Layout) value(payload []byte, at int, f *layoutField, frame *Frame, spans []Span, work *int) (Span, []Span, error) {
	switch {
	case f.elements != nil:
		all, fit := f.elements.locate(payload, at, frame, spans, work)
		return Span{int32(at), int32(fit.Used)}, all[:len(spans)], inside(fit)
	case f.field.LengthPrefix != schema.NoPrefix:
		s, err := prefixed(payload, at, f.field, l.PointerSize)
		return s, spans, err
	case f.field.Kind.HasLength(): // the value takes the rest of the payload
		unit, _ := f.field.Kind.Width(l.PointerSize)
		n := 0
		switch left := len(payload) - at; {
		case f.field.Length == schema.Rest:
			n = left / unit * unit
		case f.field.Length > 0: // no payload is that long: see valueWidth
			return missing, spans, causef(ErrTruncated, "%d bytes are left, %d x %d bytes are needed", left, f.field.Length, unit)
		}
		return Span{int32(at), int32(at + n)}, spans, nil
	}
	end, err := l.valueEnd(payload, at, f.field.Kind)
	return Span{int32(at), int32(end)}, spans, err
}

// inside returns the error for a field inside a structure.
func inside(fit Fit) error {
	if fit.Err == nil {
		return nil
	}
	return fmt.Errorf("%s: %w", fit.Field.Name, fit.Err)
}

// prefixed returns the span of a value that has a length prefix.
func prefixed(payload []byte, at int, f *schema.Field, pointerSize int) (Span, error) {
	size := f.LengthPrefix.Size()
	left := len(payload) - at - size
	if left < 0 {
		return missing, causef(ErrTruncated, "%d bytes are left for its length", len(payload)-at)
	}
	n := 0
	switch b := payload[at:]; f.LengthPrefix {
	case schema.BytesIn16Big:
		n = int(binary.BigEndian.Uint16(b))
	case schema.BytesIn32:
		n = int(min(le.Uint32(b), math.MaxInt32))
	case schema.UnitsIn16:
		unit, _ := f.Kind.Width(pointerSize)
		n = unit * int(le.Uint16(b))
	default:
		n = int(le.Uint16(b))
	}
	if n > left {
		return missing, causef(ErrTruncated, "%d bytes, but %d are left", n, left)
	}
	width, fixed := f.Kind.Width(pointerSize)
	if err := checkLength(f.Kind, n, width, fixed); err != nil {
		return missing, err
	}
	from := at + size
	return Span{int32(from), int32(from + n)}, nil
}

// Value splits the values of an array, from its span, into the next value and the rest. It is not
// for structures. Values whose length is in another field are returned as one.
func (l *Layout) Value(f *schema.Field, values []byte) (value, rest []byte) {
	width, constant := f.Kind.Width(l.PointerSize)
	switch {
	case f.LengthPrefix != schema.NoPrefix:
		s, err := prefixed(values, 0, f, l.PointerSize)
		if err != nil { // cannot happen in a span that Locate returned
			return values, nil
		}
		return values[s.From:s.To], values[s.To:]
	case f.Kind.HasLength():
		if f.Length <= 0 { // the rest, or a length in another field: returned as one value
			return values, nil
		}
		width *= f.Length
	case !constant:
		end, err := l.valueEnd(values, 0, f.Kind)
		if err != nil {
			return values, nil
		}
		width = end
	}
	return values[:width], values[width:]
}

// ValueWidth returns the size of each value of an array whose values have a length that another
// field holds.
func (l *Layout) ValueWidth(index int, payload []byte, frame *Frame) int {
	for i := range l.fields {
		if f := &l.fields[i]; f.index == index && f.measure.index >= 0 {
			if width, err := l.measured(payload, f, frame); err == nil {
				return width
			}
		}
	}
	return 0
}

// valueEnd returns the end of a value of variable length.
func (l *Layout) valueEnd(payload []byte, at int, kind schema.Kind) (int, error) {
	switch kind {
	case schema.WBEMSID:
		return wbemSIDEnd(payload, at, l.PointerSize)
	case schema.SID:
		return sidEnd(payload, at)
	}
	return at + TextEnd(kind, payload[at:]), nil
}
