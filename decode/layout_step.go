package decode

import "github.com/etl2parquet/etl2parquet/schema"

// step says how most fields after the prefix are located, without checking for rare features: an
// alignment, a prefix with a count or length, structures.
type step uint8

const (
	anyStep     step = iota // Layout.field decides
	fixedStep               // one value of a fixed size
	countedStep             // values of a fixed size; another field has their number
	wideStep                // one text that ends with a NUL
	narrowStep
)

// stepOf returns how the field is located.
func (f *layoutField) stepOf() step {
	s := f.field
	isPlain := f.align == 1 && s.Unstated == 0 && f.elements == nil && f.measure.index < 0 && !s.CountPrefix && !s.Optional && s.LengthPrefix == schema.NoPrefix
	switch {
	case !isPlain:
	case f.width > 0 && f.counter.index >= 0 && f.counter.up == 0:
		return countedStep
	case f.counter.index >= 0 || s.Count != 0:
	case f.width > 0:
		return fixedStep
	case s.Kind == schema.Text16:
		return wideStep
	case s.Kind == schema.Text8:
		return narrowStep
	}
	return anyStep
}

// quick returns the end of a field that begins at an offset of the payload, or -1 if only
// Layout.field can decide: the field is of another kind, or does not fit. spans has the fields
// before it.
func (f *layoutField) quick(payload []byte, at int, spans []Span) int {
	size := uint64(0)
	switch f.step {
	case wideStep:
		if at < len(payload) {
			return at + wideEnd(payload[at:])
		}
		return -1
	case narrowStep:
		if at < len(payload) {
			return at + narrowEnd(payload[at:])
		}
		return -1
	case fixedStep:
		size = uint64(f.width)
	case countedStep:
		s := spans[f.counter.index]
		if s.From < 0 {
			return -1
		}
		n := Uint(payload[s.From:s.To])
		if n > uint64(len(payload)) { // size could overflow
			return -1
		}
		size = n * uint64(f.width)
	default:
		return -1
	}
	if at > len(payload) || size > uint64(len(payload)-at) {
		return -1
	}
	return at + int(size)
}

// Takes reports whether the fields take exactly the payload, as [Layout.Locate] would find. It
// locates nothing, and may report false for a layout with fields other than numbers, texts and
// counted arrays.
func (l *Layout) Takes(payload []byte) bool {
	at := l.fixed
	if at > len(payload) {
		return false
	}
	for i := l.prefix; i < len(l.fields); i++ {
		if i == len(l.fields)-1 && l.fields[i].step == wideStep {
			return at < len(payload) && isWide(payload[at:])
		}
		if at = l.fields[i].quick(payload, at, l.spans); at < 0 {
			return false
		}
	}
	return at == len(payload)
}

// LocateExact locates the fields of a payload that they take exactly, as [Layout.Locate] does, in
// less time. spans begins as the spans that [Layout.Prefix] returns, and may be reused: only fields
// after the prefix are set. If LocateExact returns false, it has set some of them, and only Locate
// finds the fields: the payload does not fit exactly, or the layout has fields other than numbers,
// texts and counted arrays.
func (l *Layout) LocateExact(payload []byte, spans []Span) bool {
	at := l.fixed
	if at > len(payload) || len(spans) > leastWork {
		return false
	}
	for i := l.prefix; i < len(l.fields); i++ {
		f := &l.fields[i]
		to := f.quick(payload, at, spans)
		if to < 0 {
			return false
		}
		spans[f.index] = Span{int32(at), int32(to)}
		at = to
	}
	return at == len(payload)
}
