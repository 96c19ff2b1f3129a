package index

import (
	"context"
	"errors"
	"io"
	"slices"
	"sync"

	"github.com/etl2parquet/etl2parquet/decode"
	"github.com/etl2parquet/etl2parquet/facts"
	"github.com/etl2parquet/etl2parquet/internal/base/ordered"
	"github.com/etl2parquet/etl2parquet/internal/engine/catalog"
	"github.com/etl2parquet/etl2parquet/internal/engine/fits"
)

// KindCount counts the events of a kind.
type KindCount struct {
	Events         int64
	facts.Payloads        // without empty ones
	Unstated       int64  // the payloads in part that end at an unstated field
	Field          string // the field of these, or else the one that does not fit; the first by name if there are several
}

// Described counts payloads of one size that are read at least in part.
func (c *KindCount) Described(reading decode.Reading, size, rest int, payloads int64) {
	switch {
	case size == 0:
		return
	case reading == decode.Whole:
		c.Whole += payloads
		c.BytesWhole += int64(size) * payloads
		return
	case reading == decode.Damaged:
		c.Damaged += payloads
	}
	c.InPart += payloads
	c.BytesInPart += int64(size-rest) * payloads
	c.BytesRest += int64(rest) * payloads
}

// Stopped counts payloads that are read only up to the field at.
func (c *KindCount) Stopped(at string, unstated bool, payloads int64) {
	if unstated {
		c.Unstated += payloads
	}
	if c.Field == "" || at < c.Field {
		c.Field = at
	}
}

// fit counts payloads of one size by how they fit.
func (c *KindCount) fit(k *catalog.Kind, fit *decode.Fit, size int, payloads int64) {
	reading := fits.Reading(k, fit, size)
	c.Described(reading, size, size-fit.Used, payloads)
	if size > 0 && reading != decode.Whole && fit.Field != nil {
		c.Stopped(fit.Field.Name, reading == decode.InPart, payloads)
	}
}

// Undescribed counts payloads that nothing describes.
func (c *KindCount) Undescribed(payloads, bytes int64) {
	c.Raw += payloads
	c.BytesRaw += bytes
}

// Tally counts events by the number of their kind. The last element counts the events of
// unlisted kinds.
type Tally []KindCount

// Merge adds the counts of others.
func (t Tally) Merge(other Tally) {
	for i := range other {
		t[i].Events += other[i].Events
		t[i].merge(&other[i])
	}
}

// merge adds the counts of other payloads.
func (c *KindCount) merge(from *KindCount) {
	c.Payloads.Add(&from.Payloads)
	if from.Field != "" {
		c.Stopped(from.Field, false, 0)
	}
	c.Unstated += from.Unstated
}

// Events returns the number of events.
func (t Tally) Events() (n int64) {
	for i := range t {
		n += t[i].Events
	}
	return n
}

// Payloads returns the sum of the payloads of all kinds.
func (t Tally) Payloads() (sum facts.Payloads) {
	for i := range t {
		sum.Add(&t[i].Payloads)
	}
	return sum
}

// Counts are the counts of the payloads of a trace, once they are made.
type Counts struct {
	mu    sync.Mutex
	tally Tally
}

// Count counts the payloads of the whole trace, unless that is done already. It reads only the
// buffers that contain kinds of event for which the payload sizes, counted by the index pass, do
// not decide how payloads are read.
func (x *Index) Count(ctx context.Context, workers int) (Tally, error) {
	x.Counts.mu.Lock()
	defer x.Counts.mu.Unlock()
	if x.Counts.tally != nil {
		return x.Counts.tally, nil
	}
	p := payloadPass{x: x, tally: make(Tally, len(x.Types)+1), unread: make([]bool, len(x.Types))}
	p.bySize()
	if err := p.read(ctx, workers); err != nil {
		return nil, err
	}
	x.Counts.tally = p.tally
	return p.tally, nil
}

// Counted stores the counts of a pass that made rows, if that pass covered all events.
func (x *Index) Counted(t Tally) {
	x.Counts.mu.Lock()
	defer x.Counts.mu.Unlock()
	if t.Events() == x.Events {
		x.Counts.tally = t
	}
}

// Payloads returns the counts by kind of event. Count must have been called.
func (x *Index) Payloads() Tally {
	x.Counts.mu.Lock()
	defer x.Counts.mu.Unlock()
	return x.Counts.tally
}

// PayloadsOf returns the counts of a kind of event; they are zero if Count was not called.
func (x *Index) PayloadsOf(t *catalog.EventType) *KindCount {
	if n, counts := x.Catalog.Of(&t.Key).Number, x.Payloads(); n < len(counts) {
		return &counts[n]
	}
	return new(KindCount)
}

// payloadPass counts the payloads of a trace.
type payloadPass struct {
	x      *Index
	tally  Tally
	unread []bool         // by kind: its payloads must be read
	bits   []catalog.Bits // of those kinds

	mu      sync.Mutex
	workers []*payloadWorker
}

// bySize counts the payloads of the kinds that need not be read.
func (p *payloadPass) bySize() {
	var fitter fits.Fitter
	var zeros []byte
	for i := range p.x.Types {
		t, k, c := &p.x.Types[i], &p.x.Catalog.Kinds[i], &p.tally[i]
		c.Events = t.Events
		switch {
		case k.Literal.Event == nil:
			c.Undescribed(t.Events-t.Empty, t.Bytes)
			continue
		case i < len(p.x.judged) && p.x.judged[i].isOf(t, k):
			c.Payloads, c.Unstated, c.Field = p.x.judged[i].Payloads, p.x.judged[i].Unstated, p.x.judged[i].Field
			continue
		case !t.KnowsSizes() || slices.ContainsFunc(t.Sizes, func(s catalog.SizeCount) bool { return !fitter.IsBySize(k, p.x.pointerSize(int(s.PointerSize))) }):
			p.unread[i] = true
			p.bits = append(p.bits, t.Bits)
			continue
		}
		for _, s := range t.Sizes {
			if n := int(s.Size); n > len(zeros) {
				zeros = make([]byte, n) // the most that an event can have
			}
			c.payload(&fitter, k, p.x.pointerSize(int(s.PointerSize)), zeros[:s.Size], s.Events)
		}
	}
	p.tally[len(p.x.Types)].Events = p.x.UnlistedEvents
	if p.x.UnlistedEvents > 0 { // any buffer may have unlisted events
		p.bits = []catalog.Bits{catalog.AnyKind}
	}
}

// payload counts payloads that are read like this one.
func (c *KindCount) payload(fitter *fits.Fitter, k *catalog.Kind, pointerSize int32, payload []byte, payloads int64) {
	if k.Varies {
		k = fitter.Choose(k, pointerSize, payload)
	}
	fit := fitter.Fit(k, pointerSize, payload)
	c.fit(k, &fit, len(payload), payloads)
}

// pointerSize returns the size of pointers in payloads, given the size in the event's header.
func (x *Index) pointerSize(inHeader int) int32 {
	switch {
	case inHeader > 0:
		return int32(inHeader)
	case x.File.Header().PointerSize == 4:
		return 4
	}
	return 8
}

// payloadWorker reads payloads.
type payloadWorker struct {
	buffer decode.Buffer
	finder catalog.Finder
	fitter fits.Fitter
	tally  Tally
}

// read reads the payloads of the remaining kinds.
func (p *payloadPass) read(ctx context.Context, workers int) error {
	if len(p.bits) == 0 {
		return nil
	}
	chunks := chunksOf(p.x.File)
	nothing := func(struct{}) error { return nil }
	err := ordered.Do(ctx, workers, len(chunks), func(w *payloadWorker, i int) (struct{}, error) {
		p.join(w)
		for buffer := chunks[i].from; buffer < chunks[i].to; buffer++ {
			if slices.ContainsFunc(p.bits, p.x.Buffers[buffer].Kinds.MayHave) {
				if err := p.readBuffer(w, buffer); err != nil {
					return struct{}{}, err
				}
			}
		}
		return struct{}{}, nil
	}, nothing)
	for _, w := range p.workers {
		p.tally.Merge(w.tally)
	}
	return err
}

// join prepares a worker, once.
func (p *payloadPass) join(w *payloadWorker) {
	if w.tally != nil {
		return
	}
	w.tally, w.finder.Catalog = make(Tally, len(p.tally)), p.x.Catalog
	p.mu.Lock()
	defer p.mu.Unlock()
	p.workers = append(p.workers, w)
}

// readBuffer counts the payloads of a buffer. The index pass has reported its damage.
func (p *payloadPass) readBuffer(w *payloadWorker, i int) error {
	var damage *decode.Error
	if err := p.x.File.ReadBuffer(i, &w.buffer); err != nil && !errors.As(err, &damage) {
		return err
	}
	var ev decode.Event
	for {
		err := w.buffer.Next(&ev)
		switch {
		case errors.Is(err, io.EOF) || errors.As(err, &damage):
			return nil
		case err != nil:
			return err
		}
		found := w.finder.Find(&ev)
		if found.Place < 0 {
			p.unlisted(w, &ev)
			continue
		}
		if !p.unread[found.Place] {
			continue
		}
		payload := ev.Raw
		if found.Items > 0 {
			payload = payload[decode.EventHeaderSize+len(w.finder.Items(found.Items)):]
		} else {
			payload = ev.Payload()
		}
		w.tally[found.Place].payload(&w.fitter, p.x.Catalog.Kinds[found.Place].OfEvent(&ev), p.x.pointerSize(ev.PointerSize()), payload, 1)
	}
}

// unlisted counts the payload of an event of an unlisted kind.
func (p *payloadPass) unlisted(w *payloadWorker, ev *decode.Event) {
	var key catalog.Key
	w.finder.KeyOf(ev, &key)
	k, c, payload := p.x.Catalog.Of(&key), &w.tally[len(p.x.Types)], ev.Payload()
	switch {
	case ev.Family == decode.FamilyOther:
		c.Undescribed(1, int64(len(ev.Raw)))
	case len(payload) == 0:
	case k.Literal.Event == nil:
		c.Undescribed(1, int64(len(payload)))
	default:
		c.payload(&w.fitter, k, p.x.pointerSize(ev.PointerSize()), payload, 1)
	}
}
