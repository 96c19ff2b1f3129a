package index

import (
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/etl2parquet/etl2parquet/decode"
	"github.com/etl2parquet/etl2parquet/facts"
	"github.com/etl2parquet/etl2parquet/internal/base/ordered"
	"github.com/etl2parquet/etl2parquet/internal/engine/attribution"
	"github.com/etl2parquet/etl2parquet/internal/engine/catalog"
)

// Sibling is another trace of the same session. Its facts about processes, threads, images and
// files are valid for the trace, too.
type Sibling struct {
	Name string // of the file
	Open func(context.Context) (SiblingFile, error)
}

// SiblingFile is a sibling that is being read.
type SiblingFile interface {
	io.ReaderAt
	io.Closer
	Size() int64
}

// nearPerSecond is 1 divided by the longest time, in seconds, between the records of one start or
// end in two traces: the provider that records it a second time does so microseconds later.
const nearPerSecond = 1000

// siblingReader adds the facts in siblings to the tables of a trace.
type siblingReader struct {
	builder *attribution.Builder
	learned *catalog.Learned // what they say about events
	workers int
	without Facts // see Options
	near    decode.Ticks
	damage  []facts.Problem // at most one for each sibling
	unread  []bool          // see Index
}

// read reads siblings one after another. It records what cannot be read of them. The error is from
// the context.
func (r *siblingReader) read(ctx context.Context, siblings []Sibling) error {
	for _, s := range siblings {
		r.builder.Sibling(r.near)
		err := r.readOne(ctx, s)
		if ctx.Err() != nil {
			return ctx.Err()
		}
		var damage *decode.Error
		r.unread = append(r.unread, err != nil && !errors.As(err, &damage) && !errors.Is(err, decode.ErrNotETL))
		if err != nil {
			r.damage = append(r.damage, facts.Problem{Severity: facts.SeverityInfo, Code: "sibling_damaged", Count: 1, Buffer: -1, FileOffset: -1, Position: -1,
				Message: fmt.Sprintf("%s, a trace of the same session, cannot be read as a whole: names that only it has may be missing: %v", s.Name, err)})
		}
	}
	return nil
}

// readOne reads a sibling as far as possible, and returns its first damage.
func (r *siblingReader) readOne(ctx context.Context, s Sibling) error {
	in, err := s.Open(ctx)
	if err != nil {
		return err
	}
	defer in.Close() // it was only read
	f, err := decode.NewFile(in, in.Size())
	if err != nil {
		return err
	}
	var damage error
	stopped := false
	chunks := chunksOf(f)
	err = ordered.Do(ctx, r.workers, len(chunks),
		func(w *indexWorker, i int) (*siblingChunk, error) {
			return readSibling(w, f, chunks[i], r.without), ctx.Err()
		},
		func(c *siblingChunk) error {
			if stopped {
				return nil
			}
			r.builder.Add(&c.records)
			r.learned.Merge(&c.learned)
			if damage == nil {
				damage = c.damage
			}
			stopped = c.stopped
			return nil
		})
	return errors.Join(err, damage)
}

// siblingChunk holds the facts in a sequence of buffers of a sibling.
type siblingChunk struct {
	records attribution.Records
	learned catalog.Learned
	damage  error // the first
	stopped bool  // the file cannot be read from here on
}

func readSibling(w *indexWorker, f *decode.File, of chunk, without Facts) *siblingChunk {
	c := new(siblingChunk)
	c.records.Without = without
	c.records.OfSibling()
	c.records.Share(&w.known)
	for i := of.from; i < of.to && !c.stopped; i++ {
		c.read(w, f, i)
	}
	return c
}

// read reads a buffer.
func (c *siblingChunk) read(w *indexWorker, f *decode.File, i int) {
	var damage *decode.Error
	if err := f.ReadBuffer(i, &w.buffer); err != nil {
		c.note(err)
		if c.stopped = !errors.As(err, &damage); c.stopped {
			return
		}
	}
	c.records.Begin(i)
	var ev decode.Event
	for {
		err := w.buffer.Next(&ev)
		if errors.Is(err, io.EOF) {
			return
		}
		if err != nil {
			c.note(err)
			return
		}
		c.event(&ev)
	}
}

func (c *siblingChunk) note(err error) {
	if c.damage == nil {
		c.damage = err
	}
}

func (c *siblingChunk) event(ev *decode.Event) {
	c.records.See(ev)
	switch ev.Family {
	case decode.FamilyEvent:
		c.records.Manifest(ev, ev.Header())
		c.learned.Describe(ev)
	case decode.FamilyEventTrace, decode.FamilyInstance:
		var key catalog.Key
		key.Of(ev)
		c.learned.Note(ev, &key)
		c.records.Class(ev, key.GUID, uint8(key.ID), key.LayoutVersion())
	case decode.FamilySystem, decode.FamilyPerfInfo:
		var key catalog.Key
		key.Of(ev)
		c.records.Hook(ev, uint16(key.ID), uint8(key.Version))
	}
}

// noteSiblings reports the siblings of the trace, and what could not be read of them.
func (x *Index) noteSiblings(o *Options, r *siblingReader) {
	for _, s := range o.Siblings {
		x.Siblings = append(x.Siblings, s.Name)
	}
	x.Unread = r.unread
	for _, damage := range r.damage {
		x.Problems.Add(damage)
	}
}
