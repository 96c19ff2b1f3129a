package catalog

import (
	"reflect"
	"slices"
	"sync"

	"github.com/etl2parquet/etl2parquet/decode/tracelogging"
	"github.com/etl2parquet/etl2parquet/internal/engine/problems"
	"github.com/etl2parquet/etl2parquet/schema"
)

// Expected finds the descriptions that events will probably have once the trace is read: the
// kernel's, their own, and those of files and catalogues. It cannot know yet what the trace itself
// says about other events. So the result for a kind is used only if the final catalogue of the
// trace reads its payloads in the same way. It is safe for use from many goroutines.
type Expected struct {
	mu      sync.Mutex
	sources *Sources
	kinds   map[expectedKey]*Kind
}

// expectedKey identifies a kind of event in the whole trace. The number of its metadata is 0,
// because each chunk of the trace numbers metadata on its own.
type expectedKey struct {
	Key
	metadata string
}

// NewExpected returns the expectations for a trace that a build of Windows wrote. files may be nil.
func NewExpected(files *Files, build int) *Expected {
	return &Expected{sources: NewSources(new(Learned), SourceOptions{Files: files, Build: build}, new(problems.List)), kinds: make(map[expectedKey]*Kind)}
}

// Kind returns the expected kind of events with a key in a chunk of the trace, or nil. l has the
// metadata of the chunk.
func (e *Expected) Kind(k *Key, l *Learned) *Kind {
	key := expectedKey{Key: *k}
	if k.Meta > 0 {
		key.Meta, key.metadata = 0, l.metadata.list[k.Meta-1]
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	found, ok := e.kinds[key]
	if !ok {
		found = e.find(k, key.metadata)
		e.kinds[key] = found
	}
	return found
}

func (e *Expected) find(k *Key, metadata string) *Kind {
	if literal, ok := k.KernelLiteral(); ok {
		return &Kind{Number: len(e.kinds), Literal: literal, Source: schema.FromKernel, Version: k.LayoutVersion()}
	}
	if k.Meta > 0 {
		found, err := tracelogging.Parse([]byte(metadata))
		if found == nil || err != nil {
			return nil
		}
		return e.kind(k, &description{Schema: found})
	}
	d := e.sources.find(&EventType{Key: *k}, "")
	if d == nil {
		return nil
	}
	kind := e.kind(k, d)
	d.addTo(kind, func(d *description) *Kind { return e.kind(k, d) })
	return kind
}

// kind returns the kind of events that have a description.
func (e *Expected) kind(k *Key, d *description) *Kind {
	return &Kind{Number: len(e.kinds), Literal: schema.Literal{Event: &d.Event}, Source: d.Source, Version: k.LayoutVersion(), telling: d.telling()}
}

// ReadsLike reports whether payloads of both kinds are read in the same way: to the same end, and
// into fields of the same names.
func (k *Kind) ReadsLike(other *Kind) bool {
	a, b := k.Literal.Event, other.Literal.Event
	switch {
	case a == nil || b == nil || (k.Shared == nil) != (other.Shared == nil) || (k.Weaker == nil) != (other.Weaker == nil) || k.MustTell() != other.MustTell() || k.Processes != nil || other.Processes != nil:
		return false
	case k.Version != other.Version || (k.Source == schema.FromTraceLogging) != (other.Source == schema.FromTraceLogging):
		return false
	case a != b && (a.Natural != b.Natural || a.NULs != b.NULs || !locatedAlike(a.Fields, b.Fields) || !reflect.DeepEqual(k.telling, other.telling)):
		return false
	}
	return (k.Shared == nil || k.Shared.ReadsLike(other.Shared)) && (k.Weaker == nil || k.Weaker.ReadsLike(other.Weaker)) && slices.EqualFunc(k.Others, other.Others, (*Kind).ReadsLike)
}

// locatedAlike reports whether fields have the same names and are located alike.
func locatedAlike(a, b []schema.Field) bool {
	return slices.EqualFunc(a, b, func(a, b schema.Field) bool {
		if !locatedAlike(a.Struct, b.Struct) || (a.Struct == nil) != (b.Struct == nil) {
			return false
		}
		for _, f := range []*schema.Field{&a, &b} { // parts that do not change where bytes are
			f.Struct, f.Unit, f.Values, f.Parts, f.Map, f.Hex, f.Code, f.Original, f.InType, f.OutType, f.Tags, f.Doc = nil, "", "", nil, nil, false, false, "", "", "", 0, ""
		}
		return reflect.DeepEqual(a, b)
	})
}
