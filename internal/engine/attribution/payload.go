package attribution

import (
	"bytes"
	"encoding/binary"

	"github.com/etl2parquet/etl2parquet/decode"
	"github.com/etl2parquet/etl2parquet/schema"
)

var le = binary.LittleEndian

// layoutKey identifies a layout of an event.
type layoutKey struct {
	event       *schema.Event
	version     uint8
	pointerSize int
}

// pointerSizes detects the sizes of pointers in payloads of kernel events. It belongs to one
// goroutine.
type pointerSizes map[pointerSizesKey]*decode.PointerSizes

type pointerSizesKey struct {
	event   *schema.Event
	version uint8
}

// of returns the size of pointers in a payload. inHeader is the size that the event's header
// states.
func (p *pointerSizes) of(e *schema.Event, version uint8, inHeader int, payload []byte) int {
	key := pointerSizesKey{e, version}
	sizes, known := (*p)[key]
	if !known {
		if *p == nil {
			*p = make(pointerSizes)
		}
		sizes = decode.NewPointerSizes(e, version)
		(*p)[key] = sizes
	}
	if sizes == nil {
		return inHeader
	}
	size, _ := sizes.Of(inHeader, payload)
	return size
}

// payloads reads the payloads of events by the names of their fields.
type payloads struct {
	layouts map[layoutKey]*namedLayout
	recent  [1 << recentLayouts]recentLayout
	sizes   pointerSizes
	spans   []decode.Span
	scratch []byte
	product lastText
	company lastText
}

// lastText is the text of a field in the last event that had the field. Adjacent files are mostly of
// one product.
type lastText struct {
	kind  schema.Kind
	bytes []byte
	text  string
}

// of returns the text of a field, as [payload.text] does.
func (l *lastText) of(p *payload, name fieldName) string {
	f, b := p.field(name)
	if f == nil {
		return ""
	}
	if f.Kind != l.kind || !bytes.Equal(b, l.bytes) {
		l.kind, l.bytes, l.text = f.Kind, append(l.bytes[:0], b...), p.text(name)
	}
	return l.text
}

// recentLayout is the layout of a kind of event that was read recently.
type recentLayout struct {
	tag    eventTag
	event  *schema.Event // nil if no layout is known
	layout *namedLayout  // with pointers of the size in the header
}

// namedLayout is a layout whose fields are found by name.
type namedLayout struct {
	*decode.Layout
	places [fieldNames]uint8 // of fields in the event
	spans  []decode.Span     // of a payload, for Layout.LocateExact
}

// Places of fields that the event lacks, and of those that must be searched for: several fields have
// the name, or there are too many before it.
const noPlace, anyPlace = 255, 254

// find fills in the places of fields.
func (l *namedLayout) find(event *schema.Event) {
	for name := range l.places {
		l.places[name] = noPlace
		for i := range event.Fields {
			if event.Fields[i].Name != namesOfFields[name] {
				continue
			}
			if l.places[name] != noPlace || i >= anyPlace {
				l.places[name] = anyPlace
				break
			}
			l.places[name] = uint8(i)
		}
	}
}

const recentLayouts = 6

// recentLayout returns the slot for the layout of a kind. If its tag differs, it holds the layout
// of another kind. No tag is 0.
func (p *payloads) recentLayout(tag eventTag) *recentLayout {
	return &p.recent[uint64(tag)*0x9e3779b97f4a7c15>>(64-recentLayouts)]
}

// payload is a payload being read.
type payload struct {
	bytes       []byte
	fields      []schema.Field
	spans       []decode.Span
	pointerSize int
	layout      *namedLayout
	from        *payloads
}

// keep stores in l the layout of a kind. event may be nil.
func (p *payloads) keep(l *recentLayout, tag eventTag, event *schema.Event, version uint8, ev *decode.Event) {
	*l = recentLayout{tag: tag, event: event}
	if event != nil {
		l.layout = p.layout(event, version, ev.PointerSize())
	}
}

// layout returns the layout of an event for a version and a size of pointers.
func (p *payloads) layout(event *schema.Event, version uint8, pointerSize int) *namedLayout {
	key := layoutKey{event, version, pointerSize}
	layout := p.layouts[key]
	if layout == nil {
		if p.layouts == nil {
			p.layouts = make(map[layoutKey]*namedLayout)
		}
		layout = &namedLayout{Layout: decode.NewLayout(event, version, pointerSize)}
		layout.spans, _, _ = layout.Prefix()
		layout.find(event)
		p.layouts[key] = layout
	}
	return layout
}

// read locates the fields of an event. Fields that do not fit are missing. Pointers have the size
// in the header, or the other size if the payload fits only that.
func (p *payloads) read(l *recentLayout, ev *decode.Event) payload {
	raw, pointerSize := ev.Payload(), ev.PointerSize()
	if l.layout.LocateExact(raw, l.layout.spans) {
		return payload{raw, l.event.Fields, l.layout.spans, pointerSize, l.layout, p}
	}
	var fit decode.Fit
	p.spans, fit = l.layout.Locate(raw, p.spans)
	if (fit.Err != nil || fit.Used < len(raw)) && pointerSize > 0 {
		version := l.layout.Version
		if size := p.sizes.of(l.event, version, pointerSize, raw); size != pointerSize {
			pointerSize = size
			p.spans, _ = p.layout(l.event, version, size).Locate(raw, p.spans)
		} else {
			l.layout.Contradiction(raw, p.spans, fit)
		}
	}
	return payload{raw, l.event.Fields, p.spans, pointerSize, l.layout, p}
}

// field returns a named field, or nil if the payload lacks it.
func (p *payload) field(name fieldName) (*schema.Field, []byte) {
	at := p.layout.places[name]
	if at < anyPlace {
		if s := p.spans[at]; s.From >= 0 {
			return &p.fields[at], p.bytes[s.From:s.To]
		}
		return nil, nil
	}
	if at == anyPlace {
		for i := range p.fields {
			if s := p.spans[i]; s.From >= 0 && p.fields[i].Name == namesOfFields[name] {
				return &p.fields[i], p.bytes[s.From:s.To]
			}
		}
	}
	return nil, nil
}

// number returns the value of a named field.
func (p *payload) number(name fieldName) (uint64, bool) {
	f, b := p.field(name)
	if f == nil {
		return 0, false
	}
	return number(b), true
}

func (p *payload) number32(name fieldName) (uint32, bool) {
	n, ok := p.number(name)
	return uint32(n), ok
}

// text returns the text of a field, or "".
func (p *payload) text(name fieldName) string {
	f, b := p.field(name)
	switch {
	case f == nil:
		return ""
	case f.Kind == schema.Text8:
		return decode.NarrowText(b)
	case f.Kind == schema.Chars16: // NULs, and sometimes more, fill the rest
		b = b[:decode.TextEnd(schema.Text16, b)]
	}
	p.from.scratch = decode.AppendUTF16(p.from.scratch[:0], b)
	return string(p.from.scratch)
}

// sid returns the bytes of a SID stored in the form of WBEM, or "".
func (p *payload) sid(name fieldName) string {
	_, b := p.field(name)
	return string(decode.WBEMSID(b, p.pointerSize))
}

// number reads a number of up to 8 bytes.
func number(b []byte) uint64 {
	switch len(b) {
	case 1:
		return uint64(b[0])
	case 2:
		return uint64(le.Uint16(b))
	case 4:
		return uint64(le.Uint32(b))
	case 8:
		return le.Uint64(b)
	}
	return 0
}
