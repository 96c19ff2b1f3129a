package decode

import (
	"slices"

	"github.com/etl2parquet/etl2parquet/schema"
)

// search finds the readings of a payload whose layout has fields with unstated facts: the ways to
// give each of these fields a size so that the fields take the payload to its last byte. A reading
// is used only if it is the only one.
//
//   - A field that may be an array is read as one value, unless two or more values
//     make a reading too. An empty array is not tried: the payload would be too short, unless
//     another array made up for it.
//   - A structure that has members in some sources is read with these members.
//   - A binary value is read with each size that its name allows. If it is the only unstated
//     field, it is read with every size.
type search struct {
	*locator
	layout  *Layout
	frame   Frame  // the current reading
	arrays  int    // fields of the current reading that have several values
	found   int    // readings, at most 2
	isArray bool   // the first reading has a field with several values
	best    []Span // of the first reading
}

// readings locates the fields of a layout from the first unstated one on, which begins at an offset
// of the payload. It reports whether there is exactly one reading; otherwise these fields are
// missing.
func (p *locator) readings(l *Layout, at int) bool {
	first, spans := l.unstated[0], p.stack
	s := search{locator: p, layout: l, frame: Frame{Spans: spans}}
	s.from(first, at)
	if s.found == 1 && !s.isArray && p.work >= 0 {
		copy(spans, s.best)
		return true
	}
	for i := first; i < len(l.fields); i++ {
		spans[l.fields[i].index] = missing
	}
	return false
}

// isFinite reports whether each unstated field has a list of sizes, or there is only one such
// field.
func (l *Layout) isFinite() bool {
	for _, i := range l.unstated {
		f := l.fields[i].field
		isAny := f.Unstated&schema.LengthUnstated != 0 && f.Sizes == nil || f.IsOpaque()
		if f.Unstated&schema.LayoutUnstated != 0 || isAny && len(l.unstated) > 1 {
			return false
		}
	}
	return true
}

// from reads the fields from an index on, starting at an offset.
func (s *search) from(index, at int) {
	l := s.layout
	for i := index; i < len(l.fields); i++ {
		f := &l.fields[i]
		if s.work -= 1 + f.members(); s.work < 0 {
			return
		}
		if f.field.Unstated&schema.LengthUnstated != 0 || f.field.IsOpaque() {
			s.sizes(i, at)
			return
		}
		if f.field.Unstated&schema.CountUnstated != 0 {
			s.counts(i, at)
			return
		}
		from := align(at, f.align)
		if f.field.Optional && from >= len(s.payload) {
			s.frame.Spans[f.index] = missing
			continue
		}
		span, err := s.field(f, from, &s.frame)
		if err != nil {
			return
		}
		s.frame.Spans[f.index] = span
		at = int(span.To)
	}
	if at != len(s.payload) {
		return
	}
	if s.found++; s.found == 1 {
		s.best, s.isArray = slices.Clone(s.frame.Spans), s.arrays > 0
	}
}

// counts reads a field that may be an array, and the fields after it, with each number of values
// from one on.
func (s *search) counts(index, at int) {
	f := &s.layout.fields[index]
	arrays := s.arrays
	defer func() { s.arrays = arrays }()
	for n := 1; s.found < 2 && s.work >= 0; n++ {
		span, err := s.field(f, align(at, f.align), &s.frame)
		if err != nil || int(span.To) <= at {
			return
		}
		at = int(span.To)
		if n == 1 {
			s.frame.Spans[f.index] = span
		} else {
			s.arrays = arrays + 1
		}
		s.from(index+1, at)
		s.work--
	}
}

// members returns the number of members of the structures that a field holds.
func (f *layoutField) members() int {
	if f.elements == nil {
		return 0
	}
	return len(f.elements.all)
}

// sizes reads a value of an unstated size, and the fields after it, with each size.
func (s *search) sizes(index, at int) {
	f := &s.layout.fields[index]
	left := len(s.payload) - at
	try := func(size int) {
		if size <= left && s.allows(f, size) {
			s.frame.Spans[f.index] = Span{int32(at), int32(at + size)}
			s.from(index+1, at+size)
		}
	}
	if len(s.layout.unstated) > 1 {
		for _, size := range f.field.Sizes {
			try(size)
		}
		return
	}
	if tail, fixed := s.layout.tail(index + 1); fixed {
		if tail <= left {
			try(left - tail)
		}
		return
	}
	for size := 0; size <= left && s.found < 2 && s.work >= 0; size++ {
		try(size)
	}
}

// allows reports whether a value may have a size. A binary value has at least one byte, and so do
// structures, unless another field says that there are none.
func (s *search) allows(f *layoutField, size int) bool {
	if !f.field.IsOpaque() || f.counter.index < 0 {
		return size > 0
	}
	n, err := number(s.payload, f.counter, &s.frame, f.field.CountField)
	return err == nil && size >= n && (size == 0) == (n == 0)
}

// tail returns the total size of the fields from an index on, if it is the same in all payloads.
func (l *Layout) tail(index int) (size int, fixed bool) {
	for i := index; i < len(l.fields); i++ {
		f := &l.fields[i]
		n := max(f.field.Count, 1)
		if f.width == 0 || f.align > 1 || f.field.Optional || f.counter.index >= 0 || f.measure.index >= 0 || f.field.CountPrefix ||
			f.field.Count == schema.Rest || f.field.LengthPrefix != schema.NoPrefix || n > maxFixed/f.width {
			return 0, false
		}
		if size += n * f.width; size > maxFixed {
			return 0, false
		}
	}
	return size, true
}
