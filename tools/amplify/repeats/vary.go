package repeats

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"github.com/etl2parquet/etl2parquet/decode"
	"github.com/etl2parquet/etl2parquet/internal/engine/catalog"
	"github.com/etl2parquet/etl2parquet/internal/engine/index"
	"github.com/etl2parquet/etl2parquet/schema"
)

// change says how the bytes of a field vary from repeat to repeat. Every change maps a value to
// another one by the number of the repeat only, so that equal values stay equal inside a repeat:
// keys, addresses and names still refer to the same things. Changes of lists also vary by event,
// because their elements refer to nothing.
type change uint8

const (
	changeText8  change = iota // letters to letters, digits to digits
	changeText16               //
	changeGUID                 // by exclusive or
	change32                   // addresses of 4 bytes
	change64                   // addresses and large numbers of 8 bytes
	changeID                   // numbers of 4 bytes that are only identifiers
	changeList16               // elements, by the same amount for the whole list
	changeList32
)

// variation is a field that varies.
type variation struct {
	from, to uint32 // in the buffer
	change   change
}

// finder finds the fields that vary, by the descriptions that a conversion uses.
type finder struct {
	catalog *catalog.Catalog
	layouts map[layoutKey]*decode.Layout
	images  []addresses // of loaded images, sorted and merged
	spans   []decode.Span
	list    []variation
	inImage bool // a field of the event is an address in an image
}

// addresses is a range of addresses.
type addresses struct{ from, to uint64 }

type layoutKey struct {
	event       *schema.Event
	version     uint8
	pointerSize int
}

func newFinder(f *decode.File) (*finder, error) {
	x, err := index.Build(context.Background(), f, index.Options{Workers: 1, Memory: index.DefaultMemory})
	if err != nil {
		return nil, err
	}
	return &finder{catalog: x.Catalog, layouts: make(map[layoutKey]*decode.Layout), images: imagesOf(x)}, x.Close()
}

// imagesOf returns the addresses of all images of a trace.
func imagesOf(x *index.Index) (list []addresses) {
	images := x.Tables().Images
	for i := range images {
		list = append(list, addresses{images[i].Base, images[i].Base + images[i].Size})
	}
	slices.SortFunc(list, func(a, b addresses) int { return cmp.Compare(a.from, b.from) })
	merged := list[:0]
	for _, a := range list {
		if n := len(merged); n > 0 && a.from <= merged[n-1].to {
			merged[n-1].to = max(merged[n-1].to, a.to)
			continue
		}
		merged = append(merged, a)
	}
	return merged
}

// isInImage reports whether an address is in an image.
func (f *finder) isInImage(v uint64) bool {
	i, found := slices.BinarySearchFunc(f.images, v, func(a addresses, v uint64) int { return cmp.Compare(a.from, v) })
	return found || i > 0 && v < f.images[i-1].to
}

// sameClasses are the classes whose events describe the session or other events. They do not
// vary.
var sameClasses = []string{"EventTrace", "EventMetadata", "SysConfig", "SystemConfig"}

// livingClasses are the classes of things that last through a longer trace: repeats list the same
// processes and images. They vary in traces without images.
var livingClasses = []string{"Process", "Thread", "Image", "ImageID", "Microsoft-Windows-Kernel-Process"}

// manifestEvent is the id of the events with which an EventSource describes itself.
const manifestEvent = 0xfffe

// find returns the fields of an event that vary.
func (f *finder) find(ev *decode.Event) []variation {
	f.list = f.list[:0]
	if ev.Family == decode.FamilyEvent {
		f.items(ev)
	}
	var key catalog.Key
	f.catalog.KeyOf(ev, &key)
	k := f.catalog.Of(&key)
	if k == nil || k.Literal.Event == nil || ev.Family == decode.FamilyMessage || key.ID == manifestEvent {
		return f.list
	}
	if f.staysSame(k.Literal.Event.Class) {
		return f.list
	}
	l := f.layout(layoutKey{k.Literal.Event, k.Version, ev.PointerSize()})
	payload := ev.Payload()
	spans, fit := l.Locate(payload, f.spans)
	if f.spans = spans; fit.Err != nil || fit.Used != len(payload) {
		return f.list // the description may be for another version
	}
	f.inImage = false
	f.fields(l, k.Literal.Event.Fields, payload, spans, uint32(ev.Offset+ev.PayloadOffset()))
	if f.inImage { // it describes code at a fixed address, so it does not vary
		f.list = slices.DeleteFunc(f.list, func(v variation) bool { return v.change != change64 && v.change != change32 })
	}
	return f.list
}

// staysSame reports whether the events of a class do not vary.
func (f *finder) staysSame(class string) bool {
	return slices.Contains(sameClasses, class) || len(f.images) > 0 && slices.Contains(livingClasses, class)
}

func (f *finder) layout(key layoutKey) *decode.Layout {
	l := f.layouts[key]
	if l == nil {
		l = decode.NewLayout(key.event, key.version, key.pointerSize)
		f.layouts[key] = l
	}
	return l
}

// items finds addresses and keys of stacks in extended items.
func (f *finder) items(ev *decode.Event) {
	const (
		itemHeader = 8 // bytes
		matchID    = 8 // before the addresses or the key
	)
	items, at := ev.Header().Items(), decode.EventHeaderSize
	for ; items.Next(); at = items.End() {
		c := change64
		switch items.Type {
		case decode.ItemStackTrace64, decode.ItemStackKey64:
		case decode.ItemStackTrace32, decode.ItemStackKey32:
			c = change32
		default:
			continue
		}
		if len(items.Data) > matchID {
			from := uint32(ev.Offset + at + itemHeader)
			f.addresses(items.Data[matchID:], from+matchID, c, false)
		}
	}
}

// fields finds the fields of an event or of a structure in it.
func (f *finder) fields(l *decode.Layout, fields []schema.Field, payload []byte, spans []decode.Span, base uint32) {
	structures := l.Structures()
	for i := range fields {
		s, field := spans[i], &fields[i]
		switch {
		case s.From < 0 || s.From == s.To:
		case structures[i] != nil:
			frame := decode.Frame{Spans: spans}
			for at := int(s.From); at < int(s.To); {
				inner, next := structures[i].Element(payload, at, &frame, nil)
				f.fields(structures[i], field.Struct, payload, inner, base)
				if next <= at {
					break
				}
				at = next
			}
		default:
			c, ok := changeOf(field, l.PointerSize)
			switch {
			case !ok:
			case c == change32 || c == change64:
				f.addresses(payload[s.From:s.To], base+uint32(s.From), c, !field.IsArray())
			default:
				s.From += int32(devicePrefix(payload[s.From:s.To], c))
				f.list = append(f.list, variation{base + uint32(s.From), base + uint32(s.To), c})
			}
		}
	}
}

// devicePrefix returns the length of the device name at the start of a path. It stays, because other
// events map it to a drive.
func devicePrefix(text []byte, c change) int {
	width := 1
	switch c {
	case changeText8:
	case changeText16:
		width = 2
	default:
		return 0
	}
	const start = `\Device\`
	for i := range len(start) {
		if at := i * width; at >= len(text) || text[at] != start[i] {
			return 0
		}
	}
	for at := len(start) * width; at < len(text); at += width {
		if text[at] == '\\' {
			return at
		}
	}
	return 0
}

// addresses adds the addresses of a list that are in no image; images do not move.
func (f *finder) addresses(list []byte, at uint32, c change, alone bool) {
	width := uint32(8)
	if c == change32 {
		width = 4
	}
	for ; len(list) >= int(width); list, at = list[width:], at+width {
		v := uint64(le.Uint32(list))
		if width == 8 {
			v = le.Uint64(list)
		}
		switch last := len(f.list) - 1; {
		case v < least:
		case f.isInImage(v):
			f.inImage = f.inImage || alone
		case last >= 0 && f.list[last].to == at && f.list[last].change == c:
			f.list[last].to += width
		default:
			f.list = append(f.list, variation{at, at + width, c})
		}
	}
}

// changeOf returns the change of a field, if it varies. Process and thread ids, small numbers, times
// and flags stay, because attribution and the shape of rows depend on them.
func changeOf(f *schema.Field, pointerSize int) (change, bool) {
	switch f.Kind {
	case schema.Text8, schema.Chars8:
		return changeText8, true
	case schema.Text16, schema.Chars16:
		return changeText16, true
	case schema.GUIDs:
		return changeGUID, true
	case schema.Pointer, schema.Key:
		if pointerSize == 4 {
			return change32, true
		}
		return change64, true
	case schema.U64:
		return change64, true
	case schema.U32, schema.I32:
		if f.IsArray() {
			return changeList32, true
		}
		return changeID, isID(f.Name)
	case schema.U16, schema.I16:
		return changeList16, f.IsArray()
	}
	return 0, false
}

// isID reports whether a number is only an identifier, by the field's name.
func isID(name string) bool {
	name = strings.ToLower(strings.ReplaceAll(name, "_", ""))
	for _, end := range []string{"token", "timedatestamp", "checksum", "hash"} {
		if strings.HasSuffix(name, end) {
			return true
		}
	}
	return false
}
