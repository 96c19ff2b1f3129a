package fits

import (
	"cmp"

	"github.com/etl2parquet/etl2parquet/decode"
	"github.com/etl2parquet/etl2parquet/internal/engine/catalog"
	"github.com/etl2parquet/etl2parquet/schema"
)

// Fitter checks whether payloads fit their layouts. It belongs to one worker.
type Fitter struct {
	layouts Layouts[Layout]
	sizes   map[sizesKey]*decode.PointerSizes // of kernel events; nil if the header's size is right
	spans   []decode.Span
	located []decode.Span // of the last payload; its memory belongs to the fitter or to the layout
	scratch []byte
}

// Layouts returns how many layouts the fitter has compiled.
func (f *Fitter) Layouts() int { return f.layouts.Len() }

// Reading returns how much of a payload of a given size is read. A TraceLogging event describes
// itself, so one that ends early is damaged. A manifest in the trace does not prove damage:
// programs with different versions of a library log under one provider, and only one of their
// manifests is used.
func Reading(k *catalog.Kind, fit *decode.Fit, size int) decode.Reading {
	if fit.Shorter && k.Source == schema.FromTraceLogging {
		return decode.Damaged
	}
	return fit.Reading(size)
}

// Choose returns the kind whose layout a payload has, given one that varies: of the first descriptions of
// which one fits exactly. If none does, it is the first for which the payload is a shorter form, else the
// given one.
func (f *Fitter) Choose(k *catalog.Kind, pointerSize int32, payload []byte) *catalog.Kind {
	var nearest *catalog.Kind
	for next := k; next != nil; next = next.Weaker {
		form, fit := f.among(next, pointerSize, payload)
		switch {
		case fit == exact:
			return form
		case fit == shorter && nearest == nil:
			nearest = form
		}
	}
	return cmp.Or(nearest, k)
}

// fitting says how a payload fits a layout that reads it whole.
type fitting uint8

const (
	unfit fitting = iota
	shorter
	exact
)

func (f *Fitter) fitting(k *catalog.Kind, pointerSize int32, payload []byte) fitting {
	switch fit := f.Fit(k, pointerSize, payload); {
	case Reading(k, &fit, len(payload)) != decode.Whole:
		return unfit
	case k.MustTell() && !k.IsTold(payload, f.located):
		return unfit
	case fit.Shorter:
		return shorter
	}
	return exact
}

// among returns the one of descriptions that count alike whose layout a payload has: the first that fits
// exactly, else the first for which the payload is a shorter form, else that of the trace's build. Layouts
// between which nothing decides are tried by disambiguate.
func (f *Fitter) among(k *catalog.Kind, pointerSize int32, payload []byte) (*catalog.Kind, fitting) {
	if k.Shared != nil {
		return f.disambiguate(k, pointerSize, payload)
	}
	chosen, best := k, unfit
	for next := -1; next < len(k.Others) && best < exact; next++ {
		form := k
		if next >= 0 {
			form = k.Others[next]
		}
		if fit := f.fitting(form, pointerSize, payload); fit > best {
			chosen, best = form, fit
		}
	}
	return chosen, best
}

// disambiguate returns the kind whose layout a payload has, given one of several layouts between which
// nothing decides: the one that fits exactly, or that a value of the payload confirms; if there
// are several, the beginning they share. If none fits, the newest wins.
func (f *Fitter) disambiguate(k *catalog.Kind, pointerSize int32, payload []byte) (*catalog.Kind, fitting) {
	var only, confirmed *catalog.Kind
	fits, confirmations := 0, 0
	for next := -1; next < len(k.Others); next++ {
		form := k
		if next >= 0 {
			form = k.Others[next]
		}
		if f.fitting(form, pointerSize, payload) != exact {
			continue
		}
		only, fits = form, fits+1
		if form.IsTold(payload, f.located) {
			confirmed, confirmations = form, confirmations+1
		}
	}
	switch {
	case fits == 0:
		return k, unfit
	case fits == 1:
		return only, exact
	case confirmations == 1:
		return confirmed, exact
	}
	return k.Shared, exact
}

// sizesKey identifies events that share a size of pointers.
type sizesKey struct {
	event   *schema.Event
	version uint8
}

// PointerSizes returns the detector of pointer sizes in payloads of a kind; nil if the header of
// the event is reliable.
func (f *Fitter) PointerSizes(k *catalog.Kind) *decode.PointerSizes {
	if k.Source != schema.FromKernel {
		return nil
	}
	key := sizesKey{k.Literal.Event, k.Version}
	sizes, known := f.sizes[key]
	if !known {
		if f.sizes == nil {
			f.sizes = make(map[sizesKey]*decode.PointerSizes)
		}
		sizes = decode.NewPointerSizes(key.event, key.version)
		f.sizes[key] = sizes
	}
	return sizes
}

// Fit returns how a payload fits the layout of its kind, with pointers of the size in its header
// or, if only that fits, of the other size.
func (f *Fitter) Fit(k *catalog.Kind, pointerSize int32, payload []byte) decode.Fit {
	fit := f.fit(k, pointerSize, payload)
	if k.Source != schema.FromKernel || fit.Err == nil && fit.Used == len(payload) {
		return fit
	}
	if sizes := f.PointerSizes(k); sizes != nil {
		if size, _ := sizes.Of(int(pointerSize), payload); int32(size) != pointerSize {
			return f.fit(k, int32(size), payload)
		}
	}
	return Checked(k, f.layout(k, pointerSize).Layout, payload, f.located, fit)
}

// Checked returns how a payload fits a layout of its kind. If a payload of a kernel event does not
// fit exactly, [decode.Layout.Contradiction] decides whether it is damaged: its texts are
// elsewhere.
func Checked(k *catalog.Kind, l *decode.Layout, payload []byte, spans []decode.Span, fit decode.Fit) decode.Fit {
	if k.Source == schema.FromKernel && fit.Used < len(payload) && fit.Err == nil {
		return l.Contradiction(payload, spans, fit)
	}
	return fit
}

// fit returns how a payload fits the layout of its kind with a size of pointers.
func (f *Fitter) fit(k *catalog.Kind, pointerSize int32, payload []byte) decode.Fit {
	l := f.layout(k, pointerSize)
	if l.IsFixed && len(payload) >= l.FixedSize {
		f.located = l.Fixed
		return decode.Fit{Used: l.FixedSize}
	}
	var fit decode.Fit
	f.spans, fit = l.Locate(payload, f.spans)
	f.located = f.spans
	return f.decompressed(l, payload, f.spans, fit)
}

// NoDate returns the first field of the last payload whose time is not a valid date, or nil.
func (f *Fitter) NoDate(k *catalog.Kind, pointerSize int32, payload []byte) *schema.Field {
	if l := f.layout(k, pointerSize); l.Times != nil {
		return decode.NoDate(l.Times, payload, &decode.Frame{Spans: f.located})
	}
	return nil
}

// Located is NoDate for a payload whose fields are already located.
func (f *Fitter) Located(k *catalog.Kind, pointerSize int32, payload []byte, spans []decode.Span, fit decode.Fit) decode.Fit {
	f.located = spans
	return f.decompressed(f.layout(k, pointerSize), payload, spans, fit)
}

// decompressed returns how a payload fits, taking into account that its compressed text may be
// damaged.
func (f *Fitter) decompressed(l *Layout, payload []byte, spans []decode.Span, fit decode.Fit) decode.Fit {
	if l.Compressed >= 0 && spans[l.Compressed].From >= 0 {
		var misfit *decode.Fit
		if f.scratch, misfit = l.Decompress(f.scratch[:0], payload, spans); misfit != nil {
			return *misfit
		}
	}
	return fit
}

// Exact returns the layout of a kind if [Fitter.Choose] selects it for every payload that it fits
// exactly, and reads such a payload whole; else nil.
func (f *Fitter) Exact(k *catalog.Kind, pointerSize int32) *decode.Layout {
	if l := f.layout(k, pointerSize); k.Shared == nil && k.Processes == nil && !k.MustTell() && l.Compressed < 0 {
		return l.Layout
	}
	return nil
}

// IsBySize reports whether the size of a payload of a kind alone decides how much of it is read.
func (f *Fitter) IsBySize(k *catalog.Kind, pointerSize int32) bool {
	if k.Processes != nil || k.Weaker != nil && !f.IsBySize(k.Weaker, pointerSize) {
		return false
	}
	for _, other := range k.Others {
		if !f.layout(other, pointerSize).isBySize {
			return false
		}
	}
	return f.layout(k, pointerSize).isBySize
}

func (f *Fitter) layout(k *catalog.Kind, pointerSize int32) *Layout {
	if l := f.layouts.Find(k, pointerSize); l != nil {
		return l
	}
	key := KeyOf(k, pointerSize)
	l := NewLayout(key)
	return f.layouts.Add(key, &l)
}
