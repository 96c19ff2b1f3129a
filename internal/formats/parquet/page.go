package parquet

import (
	"encoding/binary"
	"hash/crc32"
	"math"
	"slices"

	"github.com/parquet-go/parquet-go/encoding/delta"
	"github.com/parquet-go/parquet-go/encoding/rle"
	"github.com/parquet-go/parquet-go/encoding/thrift"
	"github.com/parquet-go/parquet-go/format"

	"github.com/etl2parquet/etl2parquet/schema"
)

// flush ends the current page.
func (e *chunkEncoder) flush() error {
	if e.rows == 0 {
		return nil
	}
	values := e.rows
	if e.max > 0 {
		values = e.definitions.len()
	}
	e.page = e.page[:0]
	if e.leaf.repetition > 0 {
		e.page = e.repetitions.append(e.page, e.leaf.repetition)
	}
	if e.max > 0 {
		e.page = e.definitions.append(e.page, e.max)
	}
	if e.rowsDone == 0 {
		if err := e.choose(); err != nil {
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
	if e.ending && e.rowsDone == 0 && e.g.Only {
		if err := e.chooseCodec(how); err != nil {
			return err
		}
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
	e.direct = e.direct || len(e.dictionary.numbers) > e.limits.dictionary
	e.beginPage()
	return nil
}

// appendValues appends the values to the page, and returns their encoding.
func (e *chunkEncoder) appendValues() (how format.Encoding, err error) {
	if how = e.how; !e.direct {
		how = format.RLEDictionary
	}
	switch {
	case how == format.Plain:
		e.page = e.plain(e.page)
	case e.g.File.options.Codec.CompressionCodec() == format.Uncompressed:
		e.encoded, err = e.narrowest(e.encoded, how)
		e.page = append(e.page, e.encoded...)
	case how == format.RLEDictionary:
		e.page = appendIndices(e.page, e.small, e.dictionary.len())
	case how == format.DeltaLengthByteArray:
		e.page = appendDelta(e.page, e.lengths, &e.room)
	case e.spec.Type == schema.Int32:
		e.page = appendDelta(e.page, e.small, &e.room)
	default:
		e.page = appendDelta(e.page, e.ints, &e.room)
	}
	if how == format.DeltaLengthByteArray {
		e.page = append(e.page, e.bytes...)
	}
	return how, err
}

// narrowest encodes the values in the fewest bits, for a file that is not compressed. It overwrites
// dst.
func (e *chunkEncoder) narrowest(dst []byte, how format.Encoding) ([]byte, error) {
	switch {
	case how == format.RLEDictionary:
		return new(rle.DictionaryEncoding).EncodeInt32(dst, e.small)
	case how == format.DeltaLengthByteArray:
		return new(delta.BinaryPackedEncoding).EncodeInt32(dst, e.lengths)
	case e.spec.Type == schema.Int32:
		return new(delta.BinaryPackedEncoding).EncodeInt32(dst, e.small)
	}
	return new(delta.BinaryPackedEncoding).EncodeInt64(dst, e.ints)
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
	if e.isBytes() {
		texts := e.bytes
		for _, n := range e.lengths {
			dst = append(binary.LittleEndian.AppendUint32(dst, uint32(n)), texts[:n]...)
			texts = texts[n:]
		}
		return dst
	}
	return appendLow(appendLow(dst, e.small, 4), e.ints, 8)
}

// writePage compresses the page, and appends its header and the page to the row group. Pages that
// do not become smaller are compressed, too, unless chooseCodec has decided otherwise.
func (e *chunkEncoder) writePage(header *format.PageHeader) error {
	body, meta := e.page, &e.chunk.meta
	if meta.Codec != format.Uncompressed {
		var err error
		if body, err = e.compress(e.page); err != nil {
			return err
		}
	}
	header.UncompressedPageSize = int32(len(e.page))
	header.CompressedPageSize = int32(len(body))
	header.CRC = int32(crc32.ChecksumIEEE(body))
	t := thriftWriter{out: e.g.out}
	t.pageHeader(header)
	size := len(t.out) - len(e.g.out)
	e.g.out = append(t.out, body...)
	meta.TotalUncompressedSize += int64(size + len(e.page))
	meta.TotalCompressedSize += int64(size + len(body))
	return nil
}

// finishChunk writes the dictionary before the pages that use it, and completes the description of
// the chunk, which begins at start.
func (e *chunkEncoder) finishChunk(start int) error {
	c := e.chunk
	meta := &c.meta
	dataPages := int32(len(c.pages.list))
	meta.DataPageOffset = int64(start)
	if e.dictPages > 0 {
		meta.Encoding = append(meta.Encoding, format.Plain)
		at := len(e.g.out)
		e.page = e.dictionary.appendPlain(e.page[:0], e.dictionary.len())
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
		if e.hasStats() {
			meta.EncodingStats = append(meta.EncodingStats, format.PageEncodingStats{PageType: format.DictionaryPage, Encoding: format.Plain, Count: 1})
		}
		e.countPages(format.RLEDictionary, e.dictPages)
	}
	if dataPages > e.dictPages {
		e.countPages(e.how, dataPages-e.dictPages)
	}
	meta.Statistics = c.pages.statistics()
	return nil
}

// countPages adds the number of data pages with an encoding to the description of the chunk.
func (e *chunkEncoder) countPages(how format.Encoding, n int32) {
	meta := &e.chunk.meta
	if !slices.Contains(meta.Encoding, how) {
		meta.Encoding = append(meta.Encoding, how)
	}
	if e.hasStats() {
		meta.EncodingStats = append(meta.EncodingStats, format.PageEncodingStats{PageType: format.DataPage, Encoding: how, Count: n})
	}
}

// hasStats reports whether the description of the chunk says how many pages have each encoding.
// Readers learn by it that all pages use the dictionary: they then skip the pages if a value is not in
// it. A small chunk with one page of data is read in one piece, and has nothing to skip.
func (e *chunkEncoder) hasStats() bool {
	return e.dictPages > 0 && (len(e.chunk.pages.list) > 1 || e.chunk.meta.TotalCompressedSize > smallChunk)
}

// rotate moves the last n bytes of b to its front.
func rotate(b []byte, n int) {
	tail := slices.Clone(b[len(b)-n:])
	copy(b[n:], b[:len(b)-n])
	copy(b, tail)
}
