package decode

import (
	"bytes"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/etl2parquet/etl2parquet/schema"
)

// PointerSizes detects the size of pointers in the payloads of a version of a kernel event, if it
// differs from the size in the header of the event. It belongs to one goroutine.
type PointerSizes struct {
	of    [2]sizedLayout // with pointers of 4 and of 8 bytes
	spans []Span
}

// sizedLayout is a layout for a size of pointers.
type sizedLayout struct {
	layout  *Layout
	size    int // of all payloads with exactly these fields,
	isFixed bool
	spans   []Span // for Layout.LocateExact
}

// NewPointerSizes returns nil if the header's size is always used. That is so for
//
//   - an event without pointers,
//   - a version later than the last that is known to have changed the fields: more bytes than the
//     header's size needs may be new fields,
//   - lists of pointers: twice as many of 4 bytes take as much space as those of 8.
func NewPointerSizes(e *schema.Event, version uint8) *PointerSizes {
	if e == nil || version > e.LastChange() || !e.HasPointers(version) || e.HasPointerLists(version) {
		return nil
	}
	p := new(PointerSizes)
	for i := range p.of {
		s := &p.of[i]
		s.layout = NewLayout(e, version, 4*(i+1))
		s.spans, s.size, s.isFixed = s.layout.Prefix()
	}
	return p
}

// IsPlain reports whether a payload has the size of its fixed fields, with pointers of the header's
// size. Then [PointerSizes.Of] returns that size.
func (p *PointerSizes) IsPlain(inHeader int, payload []byte) bool {
	s := &p.of[inHeader>>3]
	return s.isFixed && len(payload) == s.size
}

// Of returns the size of pointers in a payload: the size in the header of its event, or the other
// size if the payload fits its layout to the last byte only with that. If finding an exact fit
// required locating the fields, spans has their positions, valid until the next call.
func (p *PointerSizes) Of(inHeader int, payload []byte) (size int, spans []Span) {
	at := inHeader >> 3
	isExact, spans := p.fit(at, payload)
	if isExact {
		return inHeader, spans
	}
	if isExact, spans = p.fit(1-at, payload); isExact {
		return 12 - inHeader, spans
	}
	return inHeader, nil
}

// fit reports whether a payload fits a layout to the last byte. spans is nil if the size decides.
func (p *PointerSizes) fit(at int, payload []byte) (isExact bool, spans []Span) {
	s := &p.of[at]
	if s.isFixed {
		return len(payload) == s.size, nil
	}
	if len(payload) < s.size {
		return false, nil
	}
	if s.layout.LocateExact(payload, s.spans) {
		return true, s.spans
	}
	var fit Fit
	p.spans, fit = s.layout.Locate(payload, p.spans)
	return fit.Err == nil && fit.Used == len(payload), p.spans
}

// Contradiction returns how a payload of a kernel event fits its layout. If bytes are left over,
// and a text before them has characters that no name has, the texts and the other fields are
// elsewhere: the payload is damaged, and the fields from that text on are missing.
func (l *Layout) Contradiction(payload []byte, spans []Span, fit Fit) Fit {
	if fit.Err != nil || fit.Used >= len(payload) || !l.Event.HasPointers(l.Version) {
		return fit
	}
	for i := range l.fields {
		f := &l.fields[i]
		s := spans[f.index]
		if s.From < 0 || f.field.IsArray() || !isNoText(f.field.Kind, payload[s.From:s.To]) {
			continue
		}
		for j := range l.fields[i:] {
			spans[l.fields[i+j].index] = missing
		}
		return Fit{Used: int(s.From), Field: f.field, Err: causef(ErrCorrupt, "no text here, and %d bytes after the known fields", len(payload)-fit.Used)}
	}
	return fit
}

// isNoText reports whether the bytes of a text field are not text: they have control characters or,
// in a wide text, unpaired surrogates or noncharacters. Wide texts may be command lines, which can
// contain tabs and line ends.
func isNoText(kind schema.Kind, b []byte) bool {
	switch kind {
	case schema.Text8:
		return bytes.ContainsFunc(b, func(c rune) bool { return c > 0 && c < ' ' })
	case schema.Text16:
		for len(b) > 1 {
			c := rune(le.Uint16(b))
			b = b[2:]
			switch {
			case c > 0 && c < ' ' && c != '\t' && c != '\n' && c != '\r', c >= 0xfffe:
				return true
			case !utf16.IsSurrogate(c):
			case len(b) < 2 || utf16.DecodeRune(c, rune(le.Uint16(b))) == utf8.RuneError:
				return true
			default:
				b = b[2:]
			}
		}
	}
	return false
}
