package parquet

import (
	"bytes"
	"encoding/binary"
	"math"

	"github.com/parquet-go/parquet-go/format"

	"github.com/etl2parquet/etl2parquet/schema"
)

// maxBound is the longest text kept as a bound. A chunk with longer ones has no statistics, because
// they would take more space than they save.
const maxBound = 128

// bounds are the smallest and largest value of a page: numbers in signed order (see
// chunkEncoder.addValues), or texts.
type bounds struct {
	low, high         int64
	lowText, highText []byte
}

func newBounds() bounds { return bounds{low: math.MaxInt64, high: math.MinInt64} }

// ints widens the bounds by numbers, each with some bits inverted.
func (b *bounds) ints(values []int64, flip int64) {
	low, high := b.low, b.high
	for _, v := range values {
		v ^= flip
		low, high = min(low, v), max(high, v)
	}
	b.low, b.high = low, high
}

// small widens the bounds by numbers.
func (b *bounds) small(values []int32) {
	low, high := b.low, b.high
	for _, v := range values {
		low, high = min(low, int64(v)), max(high, int64(v))
	}
	b.low, b.high = low, high
}

// pageBounds returns the bounds of the page.
func (e *chunkEncoder) pageBounds() bounds {
	b := e.bounds
	if e.spec.Type != schema.String || e.spec.Encoding != schema.Repeating {
		return b
	}
	first := true
	for i, used := range e.dictionary.used {
		if !used {
			continue
		}
		text := e.dictionary.texts[i] // an empty one may be nil
		if first || bytes.Compare(text, b.lowText) < 0 {
			b.lowText = text
		}
		if first || bytes.Compare(text, b.highText) > 0 {
			b.highText = text
		}
		first = false
	}
	if len(b.lowText) <= maxBound && len(b.highText) <= maxBound { // copied, because the batch is reused
		b.lowText, b.highText = bytes.Clone(b.lowText), bytes.Clone(b.highText)
	}
	return b
}

// hasBounds reports whether bounds are kept for a column: not for payloads and similar columns, for
// which no query uses a range.
func hasBounds(c *schema.Column) bool {
	switch c.Type {
	case schema.Int32, schema.Int64, schema.Uint64, schema.Timestamp:
		return true
	case schema.String:
		return c.Encoding == schema.Repeating
	}
	return false
}

// pageInfo is the entry of a page in the page indexes.
type pageInfo struct {
	location format.PageLocation
	nulls    int64
	empty    bool // the page has no value
	bounds   bounds
}

// chunkPages are the pages of a chunk.
type chunkPages struct {
	spec    *schema.Column
	bounded bool
	list    []pageInfo
}

func (p *chunkPages) reset(spec *schema.Column) {
	p.spec, p.bounded = spec, hasBounds(spec)
}

// checkBounds drops the bounds of all pages if one of them is too long.
func (p *chunkPages) checkBounds() {
	for i := range p.list {
		b := &p.list[i].bounds
		p.bounded = p.bounded && len(b.lowText) <= maxBound && len(b.highText) <= maxBound
	}
	if !p.bounded {
		for i := range p.list {
			p.list[i].bounds.lowText, p.list[i].bounds.highText = nil, nil
		}
	}
}

// encodeBounds returns bounds in the encoding of the format.
func (p *chunkPages) encodeBounds(b *bounds) (low, high []byte) {
	switch p.spec.Type {
	case schema.String:
		return nonNil(b.lowText), nonNil(b.highText)
	case schema.Int32:
		return binary.LittleEndian.AppendUint32(nil, uint32(b.low)), binary.LittleEndian.AppendUint32(nil, uint32(b.high))
	case schema.Uint64:
		return binary.LittleEndian.AppendUint64(nil, uint64(b.low^math.MinInt64)), binary.LittleEndian.AppendUint64(nil, uint64(b.high^math.MinInt64))
	}
	return binary.LittleEndian.AppendUint64(nil, uint64(b.low)), binary.LittleEndian.AppendUint64(nil, uint64(b.high))
}

// nonNil makes an empty text differ from no text.
func nonNil(text []byte) []byte {
	if text == nil {
		return []byte{}
	}
	return text
}

// compare compares bounds by their lower or upper ends.
func compareBounds(a, b *bounds) (low, high int) {
	order := func(x, y int64, s, t []byte) int {
		switch {
		case x < y:
			return -1
		case x > y:
			return 1
		}
		return bytes.Compare(s, t)
	}
	return order(a.low, b.low, a.lowText, b.lowText), order(a.high, b.high, a.highText, b.highText)
}

// statistics returns the bounds and nulls of the chunk.
func (p *chunkPages) statistics() format.Statistics {
	p.checkBounds()
	var s format.Statistics
	var all *bounds
	for i := range p.list {
		page := &p.list[i]
		s.NullCount += page.nulls
		if page.empty {
			continue
		}
		if all == nil {
			first := page.bounds
			all = &first
			continue
		}
		low, high := compareBounds(&page.bounds, all)
		if low < 0 {
			all.low, all.lowText = page.bounds.low, page.bounds.lowText
		}
		if high > 0 {
			all.high, all.highText = page.bounds.high, page.bounds.highText
		}
	}
	if p.bounded && all != nil {
		s.MinValue, s.MaxValue = p.encodeBounds(all)
	}
	return s
}

// columnIndex returns the index by value, or nil if no bounds are kept.
func (p *chunkPages) columnIndex() *format.ColumnIndex {
	if !p.bounded {
		return nil
	}
	index := new(format.ColumnIndex)
	var last *bounds
	ascending, descending := true, true
	for i := range p.list {
		page := &p.list[i]
		low, high := []byte{}, []byte{}
		if !page.empty {
			low, high = p.encodeBounds(&page.bounds)
			if last != nil {
				lows, highs := compareBounds(&page.bounds, last)
				ascending = ascending && lows >= 0 && highs >= 0
				descending = descending && lows <= 0 && highs <= 0
			}
			last = &page.bounds
		}
		index.NullPages = append(index.NullPages, page.empty)
		index.MinValues = append(index.MinValues, low)
		index.MaxValues = append(index.MaxValues, high)
		index.NullCounts = append(index.NullCounts, page.nulls)
	}
	switch {
	case ascending:
		index.BoundaryOrder = format.Ascending
	case descending:
		index.BoundaryOrder = format.Descending
	}
	return index
}

// offsetIndex returns the index by row.
func (p *chunkPages) offsetIndex() *format.OffsetIndex {
	index := new(format.OffsetIndex)
	for i := range p.list {
		index.PageLocations = append(index.PageLocations, p.list[i].location)
	}
	return index
}
