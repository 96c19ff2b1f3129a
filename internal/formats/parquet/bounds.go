package parquet

import (
	"bytes"
	"encoding/binary"
	"math"
	"slices"

	"github.com/parquet-go/parquet-go/encoding/thrift"
	"github.com/parquet-go/parquet-go/format"

	"github.com/etl2parquet/etl2parquet/schema"
)

// bounds are the smallest and largest value of a page: numbers in signed order (see
// chunkEncoder.addValues), false and true as 0 and 1, floating-point numbers by orderOfFloat, or
// texts.
type bounds struct {
	low, high         int64
	lowText, highText []byte
	lowCut, highCut   bool // the text is a shorter one, which is below or above all texts
	none              bool // there are values, but no bounds for them
}

func newBounds() bounds { return bounds{low: math.MaxInt64, high: math.MinInt64} }

// ints widens the bounds by numbers, each with some bits inverted. Two at a time take two thirds of
// the time of one by one, as each waits for the bounds with the one before.
func (b *bounds) ints(values []int64, flip int64) {
	low, high := b.low, b.high
	for ; len(values) >= 2; values = values[2:] {
		v, w := values[0]^flip, values[1]^flip
		low, high = min(low, min(v, w)), max(high, max(v, w))
	}
	for _, v := range values {
		low, high = min(low, v^flip), max(high, v^flip)
	}
	b.low, b.high = low, high
}

// small widens the bounds by numbers.
func (b *bounds) small(values []int32) {
	low, high := int32(math.MaxInt32), int32(math.MinInt32)
	for ; len(values) >= 2; values = values[2:] {
		v, w := values[0], values[1]
		low, high = min(low, min(v, w)), max(high, max(v, w))
	}
	for _, v := range values {
		low, high = min(low, v), max(high, v)
	}
	b.low, b.high = min(b.low, int64(low)), max(b.high, int64(high))
}

// flipOf returns the bits to invert in the numbers of a column, so that their signed order is that of
// the column.
func flipOf(c *schema.Column) int64 {
	if c.Type == schema.Uint64 {
		return math.MinInt64
	}
	return 0
}

// bools widens the bounds by truth values.
func (b *bounds) bools(values []bool) {
	if slices.Contains(values, false) {
		b.low, b.high = 0, max(b.high, 0)
	}
	if slices.Contains(values, true) {
		b.low, b.high = min(b.low, 1), 1
	}
}

// float widens the bounds by the bits of a floating-point number. A page with NaN has no bounds:
// the format orders NaN nowhere, but DuckDB and Polars place it above all numbers, and a reader that
// skips rows by an upper bound would lose it.
func (b *bounds) float(bits int64, isNaN bool) {
	bits = orderOfFloat(bits)
	b.low, b.high, b.none = min(b.low, bits), max(b.high, bits), b.none || isNaN
}

// orderOfFloat turns the bits of a floating-point number, with the sign extended, into a number of
// the same order, and back.
func orderOfFloat(bits int64) int64 {
	if bits < 0 {
		return bits ^ math.MaxInt64
	}
	return bits
}

// listsAll reports whether the dictionary has all values of the page, and no others: then its entries,
// which are fewer, give the bounds.
func (e *chunkEncoder) listsAll() bool { return !e.dictionary.later && hasDictionary(e.spec) }

// pageBounds returns the bounds of the page.
func (e *chunkEncoder) pageBounds() bounds {
	b := e.bounds
	if e.spec.Type != schema.String || e.spec.Encoding != schema.Repeating {
		if e.listsAll() {
			b.ints(e.dictionary.numbers, flipOf(e.spec))
		}
		return b
	}
	first := true
	for i, used := range e.dictionary.used {
		if !used && e.dictionary.later {
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
	b.cut(longestBound(e.g.Rows))
	return b
}

// hasBounds reports whether bounds are kept for a column: not for payloads and similar columns, for
// which no query uses a range.
func hasBounds(c *schema.Column) bool {
	switch c.Type {
	case schema.Boolean, schema.Int32, schema.Int64, schema.Uint64, schema.Float, schema.Double, schema.Timestamp:
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

// checkBounds drops the bounds of all pages if one of them has none.
func (p *chunkPages) checkBounds() {
	for i := range p.list {
		p.bounded = p.bounded && !p.list[i].bounds.none
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
	case schema.Boolean:
		return lowBytes(b.low, b.high, 1)
	case schema.Int32:
		return lowBytes(b.low, b.high, 4)
	case schema.Float:
		low, high := b.floats(math.MinInt32)
		return lowBytes(low, high, 4)
	case schema.Double:
		low, high := b.floats(math.MinInt64)
		return lowBytes(low, high, 8)
	case schema.Uint64:
		return lowBytes(b.low^math.MinInt64, b.high^math.MinInt64, 8)
	}
	return lowBytes(b.low, b.high, 8)
}

// lowBytes returns the low bytes of two numbers.
func lowBytes(a, b int64, width int) (low, high []byte) {
	both := make([]byte, 16)
	binary.LittleEndian.PutUint64(both, uint64(a))
	binary.LittleEndian.PutUint64(both[8:], uint64(b))
	return both[:width:width], both[8 : 8+width]
}

// floats returns the bits of bounds that are floating-point numbers. The format wants -0, whose bits
// are given, as the lower bound of zeros, and +0 as the upper: either may be in the page.
func (b *bounds) floats(minusZero int64) (low, high int64) {
	low, high = orderOfFloat(b.low), orderOfFloat(b.high)
	if low == 0 {
		low = minusZero
	}
	if high == minusZero {
		high = 0
	}
	return low, high
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

// nulls returns the number of nulls of the chunk.
func (p *chunkPages) nulls() (n int64) {
	for i := range p.list {
		n += p.list[i].nulls
	}
	return n
}

// statistics returns the bounds and nulls of the chunk.
func (p *chunkPages) statistics() statistics {
	p.checkBounds()
	s := statistics{NullCount: p.nulls()}
	var all bounds
	some := false // pages have values
	for i := range p.list {
		page := &p.list[i]
		switch {
		case page.empty:
		case some:
			all.widen(&page.bounds)
		default:
			all, some = page.bounds, true
		}
	}
	if p.bounded && some {
		s.MinValue, s.MaxValue = p.encodeBounds(&all)
		if all.lowCut || all.highCut {
			s.IsMinValueExact, s.IsMaxValueExact = thrift.New(!all.lowCut), thrift.New(!all.highCut)
		}
	}
	return s
}

// widen widens the bounds by those of another page. Of equal ones, one that is not cut is exact for
// both pages.
func (b *bounds) widen(page *bounds) {
	low, high := compareBounds(page, b)
	if low < 0 || low == 0 && !page.lowCut {
		b.low, b.lowText, b.lowCut = page.low, page.lowText, page.lowCut
	}
	if high > 0 || high == 0 && !page.highCut {
		b.high, b.highText, b.highCut = page.high, page.highText, page.highCut
	}
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
