package parquet

import (
	"bytes"
	"encoding/binary"
	"hash/crc32"
	"math"
	"math/bits"
	"slices"

	"github.com/parquet-go/parquet-go/encoding/delta"
	"github.com/parquet-go/parquet-go/encoding/rle"
	"github.com/parquet-go/parquet-go/encoding/thrift"
	"github.com/parquet-go/parquet-go/format"

	"github.com/etl2parquet/etl2parquet/internal/columns"
	"github.com/etl2parquet/etl2parquet/schema"
)

// When a page is full.
const (
	pageRows  = 32 << 10 // fewer than in a row group, for readers that skip pages
	pageBytes = 1 << 20
	pageStep  = 256 // rows of variable size added between two checks of the size
)

// chunkEncoder encodes one column after another. It holds the current page and reused memory.
type chunkEncoder struct {
	g     *RowGroup
	leaf  *leaf
	spec  *schema.Column // of the leaf
	chunk *columnChunk
	max   byte // the definition level of a value

	// The page: its levels, and values of the column's type.
	rows        int
	repetitions []byte
	definitions []byte
	nulls       int // null lists and lists without elements included
	ints        []int64
	small       []int32
	bools       []bool
	floats      []float32
	reals       []float64
	lengths     []int32 // of texts and binaries, whose bytes are in bytes
	bytes       []byte
	bounds      bounds

	dictionary dictionary
	dictPages  int32 // number of data pages that use the dictionary
	rowsDone   int64

	walk levelWalk // for a leaf in structs

	encoded, page, compressed []byte
}

// encode encodes a leaf of the batches of a row group, and appends it to the group's out.
func (e *chunkEncoder) encode(g *RowGroup, l *leaf) (columnChunk, error) {
	c := g.newChunk(l)
	e.g, e.leaf, e.spec, e.chunk, e.max, e.rowsDone, e.dictPages = g, l, l.spec, &c, l.definition, 0, 0
	e.dictionary.begin(l.spec)
	c.pages.begin(l.spec)
	start := len(g.out)
	e.beginPage()
	for _, b := range g.batches {
		e.dictionary.beginBatch(b)
		add := e.batch
		if l.inStruct() {
			add = e.structBatch
		}
		if err := add(b, &b.Columns[l.column]); err != nil {
			return c, err
		}
	}
	if err := e.flush(); err != nil {
		return c, err
	}
	if err := e.finishChunk(start); err != nil {
		return c, err
	}
	return c, nil
}

// batch adds the values of one batch, page by page.
func (e *chunkEncoder) batch(b *columns.Batch, c *columns.Column) error {
	value := 0 // the next value or, in a LIST, the next list
	for row := 0; row < b.Rows; {
		n := min(pageRows-e.rows, b.Rows-row)
		if e.spec.List || e.isBytes() && e.spec.Encoding == schema.Varied {
			n = min(n, pageStep)
		}
		value += e.add(c, row, n, value)
		row += n
		e.rows += n
		if e.rows >= pageRows || len(e.bytes)+8*len(e.ints) >= pageBytes {
			if err := e.flush(); err != nil {
				return err
			}
		}
	}
	return nil
}

func (e *chunkEncoder) isBytes() bool {
	return e.spec.Type == schema.String || e.spec.Type == schema.Binary
}

// add adds n rows, and returns their number of values.
func (e *chunkEncoder) add(c *columns.Column, row, n, value int) (taken int) {
	if e.spec.List {
		return e.addLists(c, row, n, value)
	}
	taken = n
	if e.spec.Nullable {
		from := len(e.definitions)
		taken = e.addLevels(c, row, n)
		e.nulls += len(e.definitions) - from - taken
	}
	e.addValues(c, value, taken)
	return taken
}

// addLevels adds the definition levels of rows of a nullable column, and returns the number of rows
// with a value.
func (e *chunkEncoder) addLevels(c *columns.Column, row, n int) (present int) {
	valid := c.Valid[min(row, len(c.Valid)):min(row+n, len(c.Valid))]
	at := len(e.definitions)
	e.definitions = append(e.definitions, make([]byte, n)...)
	levels := e.definitions[at:]
	for i, v := range valid {
		if v {
			levels[i] = 1
			present++
		}
	}
	return present
}

// addLists adds rows of a LIST column.
func (e *chunkEncoder) addLists(c *columns.Column, row, n, list int) (taken int) {
	element := 0
	if list > 0 {
		element = int(c.Lists[list-1])
	}
	first := element
	for i := row; i < row+n; i++ {
		if e.spec.Nullable && (i >= len(c.Valid) || !c.Valid[i]) {
			e.level(0, 0)
			continue
		}
		end := int(c.Lists[list+taken])
		taken++
		if end == element {
			e.level(0, e.max-1)
			continue
		}
		e.level(0, e.max)
		for element++; element < end; element++ {
			e.level(1, e.max)
		}
	}
	e.addValues(c, first, element-first)
	return taken
}

func (e *chunkEncoder) level(repetition, definition byte) {
	e.repetitions = append(e.repetitions, repetition)
	e.definitions = append(e.definitions, definition)
	if definition < e.max {
		e.nulls++
	}
}

// addValues adds n values from the index from.
func (e *chunkEncoder) addValues(c *columns.Column, from, n int) {
	if n == 0 {
		return
	}
	switch e.spec.Type {
	case schema.Boolean:
		e.bools = append(e.bools, c.Bools[from:from+n]...)
	case schema.Float:
		e.floats = append(e.floats, c.Floats[from:from+n]...)
	case schema.Double:
		e.reals = append(e.reals, c.Reals[from:from+n]...)
	case schema.Int32:
		e.small = e.dictionary.small(e.small, c.Small[from:from+n], &e.bounds)
	case schema.String, schema.Binary:
		if e.spec.Encoding == schema.Repeating {
			e.small = e.dictionary.codes(e.small, c.Codes[from:from+n])
			return
		}
		start := uint32(0)
		if from > 0 {
			start = c.Ends[from-1]
		}
		e.bytes = append(e.bytes, c.Bytes[start:c.Ends[from+n-1]]...)
		for _, end := range c.Ends[from : from+n] {
			e.lengths = append(e.lengths, int32(end-start))
			start = end
		}
	case schema.Uint64:
		e.addInts(c.Ints[from:from+n], math.MinInt64) // inverting the top bit turns unsigned order into signed order
	default:
		e.addInts(c.Ints[from:from+n], 0)
	}
}

func (e *chunkEncoder) addInts(values []int64, flip int64) {
	e.bounds.ints(values, flip)
	if e.spec.Encoding == schema.Repeating {
		e.small = e.dictionary.ints(e.small, values)
		return
	}
	e.ints = append(e.ints, values...)
}

func (e *chunkEncoder) beginPage() {
	e.rows, e.nulls = 0, 0
	e.repetitions, e.definitions = e.repetitions[:0], e.definitions[:0]
	e.ints, e.small, e.bools, e.reals, e.bytes = e.ints[:0], e.small[:0], e.bools[:0], e.reals[:0], e.bytes[:0]
	e.lengths, e.floats = e.lengths[:0], e.floats[:0]
	e.bounds = newBounds()
	e.dictionary.beginPage()
}

// flush ends the current page.
func (e *chunkEncoder) flush() error {
	if e.rows == 0 {
		return nil
	}
	values := e.rows
	if e.max > 0 {
		values = len(e.definitions)
	}
	e.page = e.page[:0]
	var err error
	if e.leaf.repetition > 0 {
		if err = e.appendLevels(e.repetitions, e.leaf.repetition); err != nil {
			return err
		}
	}
	if e.max > 0 {
		if err = e.appendLevels(e.definitions, e.max); err != nil {
			return err
		}
	}
	how, err := e.appendValues()
	if err != nil {
		return err
	}
	header := format.PageHeader{
		Type: format.DataPage,
		DataPageHeader: thrift.New(format.DataPageHeader{
			NumValues: int32(values), Encoding: how, DefinitionLevelEncoding: format.RLE, RepetitionLevelEncoding: format.RLE,
		}),
	}
	at := len(e.g.out)
	if err := e.writePage(&header); err != nil {
		return err
	}
	page := pageInfo{
		location: format.PageLocation{Offset: int64(at), CompressedPageSize: int32(len(e.g.out) - at), FirstRowIndex: e.rowsDone},
		nulls:    int64(e.nulls), empty: e.nulls == values, bounds: e.pageBounds(),
	}
	e.chunk.pages.list = append(e.chunk.pages.list, page)
	e.chunk.meta.NumValues += int64(values)
	e.rowsDone += int64(e.rows)
	if how == format.RLEDictionary {
		e.dictPages++
	}
	e.dictionary.limit()
	e.beginPage()
	return nil
}

// appendLevels appends levels to the page, preceded by their size. Many columns are entirely null
// or never null, which gives a single run.
func (e *chunkEncoder) appendLevels(levels []byte, largest byte) error {
	at := len(e.page)
	e.page = append(e.page, 0, 0, 0, 0)
	if allEqual(levels) {
		e.page = binary.AppendUvarint(e.page, uint64(len(levels))<<1)
		e.page = append(e.page, levels[0])
	} else {
		var err error
		if e.encoded, err = (&rle.Encoding{BitWidth: bits.Len8(largest)}).EncodeLevels(e.encoded, levels); err != nil {
			return err
		}
		e.page = append(e.page, e.encoded...)
	}
	binary.LittleEndian.PutUint32(e.page[at:], uint32(len(e.page)-at-4))
	return nil
}

func allEqual(levels []byte) bool {
	return len(levels) > 0 && bytes.Equal(levels[1:], levels[:len(levels)-1])
}

// appendValues appends the values to the page, and returns their encoding.
func (e *chunkEncoder) appendValues() (format.Encoding, error) {
	how := valueEncoding(e.spec)
	if how == format.RLEDictionary && e.dictionary.full {
		how = format.Plain
	}
	var err error
	switch {
	case how == format.RLEDictionary:
		e.encoded, err = appendIndices(e.encoded[:0], e.small)
	case how == format.DeltaBinaryPacked && e.spec.Type == schema.Int32:
		e.encoded, err = new(delta.BinaryPackedEncoding).EncodeInt32(e.encoded, e.small)
	case how == format.DeltaBinaryPacked:
		e.encoded, err = new(delta.BinaryPackedEncoding).EncodeInt64(e.encoded, e.ints)
	case how == format.DeltaLengthByteArray:
		e.encoded, err = new(delta.BinaryPackedEncoding).EncodeInt32(e.encoded, e.lengths)
		e.page = append(append(e.page, e.encoded...), e.bytes...)
		return how, err
	default:
		e.encoded = e.plain(e.encoded[:0])
	}
	e.page = append(e.page, e.encoded...)
	return how, err
}

// appendIndices appends indices of a dictionary, preceded by their width. Many columns have the
// same value in the whole page, which gives a single run.
func appendIndices(dst []byte, indices []int32) ([]byte, error) {
	if len(indices) == 0 || !slices.Equal(indices[1:], indices[:len(indices)-1]) {
		return new(rle.DictionaryEncoding).EncodeInt32(dst, indices)
	}
	index := uint32(indices[0])
	width := bits.Len32(index)
	dst = append(dst, byte(width))
	dst = binary.AppendUvarint(dst, uint64(len(indices))<<1)
	for ; width > 0; width -= 8 {
		dst = append(dst, byte(index))
		index >>= 8
	}
	return dst, nil
}

// plain appends the values in the encoding PLAIN.
func (e *chunkEncoder) plain(dst []byte) []byte {
	for i, v := range e.bools {
		if i%8 == 0 {
			dst = append(dst, 0)
		}
		if v {
			dst[len(dst)-1] |= 1 << (i % 8)
		}
	}
	for _, v := range e.floats {
		dst = binary.LittleEndian.AppendUint32(dst, math.Float32bits(v))
	}
	for _, v := range e.reals {
		dst = binary.LittleEndian.AppendUint64(dst, math.Float64bits(v))
	}
	for _, v := range e.small {
		dst = binary.LittleEndian.AppendUint32(dst, uint32(v))
	}
	for _, v := range e.ints {
		dst = binary.LittleEndian.AppendUint64(dst, uint64(v))
	}
	return dst
}

// writePage compresses the page, and appends its header and the page to the row group.
func (e *chunkEncoder) writePage(header *format.PageHeader) error {
	body := e.page
	if codec := codecOf(e.spec, e.g.File.codec); codec.CompressionCodec() != format.Uncompressed {
		var err error
		if e.compressed, err = codec.Encode(e.compressed, e.page); err != nil {
			return err
		}
		body = e.compressed
	}
	header.UncompressedPageSize = int32(len(e.page))
	header.CompressedPageSize = int32(len(body))
	header.CRC = int32(crc32.ChecksumIEEE(body))
	text, err := thrift.Marshal(new(thrift.CompactProtocol), header)
	if err != nil {
		return err
	}
	e.g.out = append(append(e.g.out, text...), body...)
	e.chunk.meta.TotalUncompressedSize += int64(len(text) + len(e.page))
	e.chunk.meta.TotalCompressedSize += int64(len(text) + len(body))
	return nil
}

// finishChunk writes the dictionary before the pages that use it, and completes the description of
// the chunk, which begins at start.
func (e *chunkEncoder) finishChunk(start int) error {
	c := e.chunk
	meta := &c.meta
	dataPages := int32(len(c.pages.list))
	how := valueEncoding(e.spec)
	meta.DataPageOffset = int64(start)
	if how == format.RLEDictionary {
		meta.Encoding = append(meta.Encoding, format.Plain)
		at := len(e.g.out)
		e.page = e.dictionary.appendPlain(e.page[:0])
		err := e.writePage(&format.PageHeader{
			Type:                 format.DictionaryPage,
			DictionaryPageHeader: thrift.New(format.DictionaryPageHeader{NumValues: int32(e.dictionary.len()), Encoding: format.Plain}),
		})
		if err != nil {
			return err
		}
		size := len(e.g.out) - at
		rotate(e.g.out[start:], size)
		for i := range c.pages.list {
			c.pages.list[i].location.Offset += int64(size)
		}
		c.hasDictionary = true
		meta.DictionaryPageOffset = int64(start)
		meta.DataPageOffset += int64(size)
		meta.EncodingStats = append(meta.EncodingStats, format.PageEncodingStats{PageType: format.DictionaryPage, Encoding: format.Plain, Count: 1})
		if e.dictPages < dataPages {
			meta.EncodingStats = append(meta.EncodingStats, format.PageEncodingStats{PageType: format.DataPage, Encoding: format.Plain, Count: dataPages - e.dictPages})
		}
		dataPages = e.dictPages
	}
	meta.Encoding = append(meta.Encoding, how)
	meta.EncodingStats = append(meta.EncodingStats, format.PageEncodingStats{PageType: format.DataPage, Encoding: how, Count: dataPages})
	meta.Statistics = c.pages.statistics()
	return nil
}

// rotate moves the last n bytes of b to its front.
func rotate(b []byte, n int) {
	tail := slices.Clone(b[len(b)-n:])
	copy(b[n:], b[:len(b)-n])
	copy(b, tail)
}
