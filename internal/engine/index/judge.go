package index

import (
	"github.com/etl2parquet/etl2parquet/decode"
	"github.com/etl2parquet/etl2parquet/internal/engine/catalog"
	"github.com/etl2parquet/etl2parquet/internal/engine/fits"
)

// SmallTrace is the size of a trace up to which Options.Judge does not pay: reading the trace again
// is faster than finding descriptions twice.
const SmallTrace = 4 << 20

// judged counts the payloads of a kind of event by how they fit the kind that is expected for them.
// The counts are valid if all payloads were judged, and if the expected kind reads them like the
// one in the trace's final catalogue.
type judged struct {
	KindCount // without the payloads that fit exactly; Events counts all payloads
	kind      *catalog.Kind
	layouts   [2]*decode.Layout // of payloads with pointers of 4 and 8 bytes; see fits.Fitter.Exact
	whole     int64             // payloads that fit exactly
	bytes     int64             // of these
}

// beginKind prepares for payloads of a new kind in a chunk. If their sizes decide how they are
// read, they are counted by size. The others are judged, if Options.Judge is set.
func (x *Index) beginKind(c *chunk, key *catalog.Key) {
	var kind *catalog.Kind
	if x.expected != nil {
		kind = x.expected.Kind(key, &c.learned)
	} else if literal, ok := key.KernelLiteral(); ok {
		kind = &catalog.Kind{Literal: literal, Version: key.LayoutVersion()}
	}
	var sizes catalog.Sizes
	var j *judged // a hostile trace has many kinds: most are not judged
	switch {
	case kind == nil || c.fitter.IsBySize(kind, 4) && c.fitter.IsBySize(kind, 8):
		sizes.Begin(key)
	case x.expected != nil:
		j = &judged{kind: kind, layouts: [2]*decode.Layout{c.fitter.Exact(kind, 4), c.fitter.Exact(kind, 8)}}
	}
	c.sizes, c.judged = append(c.sizes, sizes), append(c.judged, j)
}

// judge counts a payload. Most payloads fit exactly, which is fast to check.
func (j *judged) judge(fitter *fits.Fitter, pointerSize int32, payload []byte) {
	j.Events++
	if l := j.layouts[pointerSize>>3&1]; l != nil && len(payload) > 0 && l.Takes(payload) {
		j.whole++
		j.bytes += int64(len(payload))
		return
	}
	j.payload(fitter, j.kind, pointerSize, payload, 1)
}

// mergeJudged adds the payloads of a chunk whose types are merged.
func (x *Index) mergeJudged(c *chunk) {
	for i, from := range c.judged {
		if from == nil {
			continue
		}
		place := x.types.Place(&c.types.List[i].Key)
		if place < 0 {
			continue
		}
		for place >= len(x.judged) {
			x.judged = append(x.judged, judged{})
		}
		to := &x.judged[place]
		to.kind = from.kind // the same in all chunks
		to.Events += from.Events
		to.Whole += from.whole
		to.BytesWhole += from.bytes
		to.merge(&from.KindCount)
	}
}

// isOf reports whether the counts are for a type whose events are of a kind.
func (j *judged) isOf(t *catalog.EventType, k *catalog.Kind) bool {
	return j.kind != nil && j.Events == t.Events && k.ReadsLike(j.kind)
}
