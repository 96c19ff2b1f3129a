package parquet

import (
	"math/bits"
	"slices"

	"github.com/parquet-go/parquet-go/format"

	"github.com/etl2parquet/etl2parquet/schema"
)

const (
	fewRepeats   = 8        // values per distinct number: with more of them, a dictionary is smallest
	fewTexts     = 2        // the same for texts
	sampleValues = 4 << 10  // values that are encoded to compare encodings
	sampleBytes  = 64 << 10 // of texts
	emptyPage    = 32       // bytes of a page without values: its header, and the codec's frame
	fewBytes     = 128      // values that are written directly, without comparing encodings
	maxDirect    = 4 << 20  // bytes of texts that are written without a dictionary, in a page
)

// choose decides how the chunk is written, from the values of its first page. If the choice is not
// obvious, it encodes and compresses a sample. Readers are fastest with dictionaries, so any other
// encoding must be clearly smaller.
func (e *chunkEncoder) choose() error {
	switch {
	case e.direct && e.how == format.DeltaBinaryPacked && e.spec.Type != schema.Int32:
		return e.chooseIntegers()
	case e.direct:
		return nil
	case e.isBytes():
		return e.chooseTexts()
	}
	return e.chooseNumbers()
}

// chooseIntegers decides between differences and plain values, for a column without a dictionary.
func (e *chunkEncoder) chooseIntegers() (err error) {
	switch {
	case 8*len(e.ints) <= fewBytes:
		e.how = format.Plain
	case e.spec.Encoding != schema.Rising:
		e.how, _, err = e.smallest(e.ints[:min(len(e.ints), sampleValues)])
	}
	return err
}

// chooseNumbers decides between a dictionary, differences and plain values.
func (e *chunkEncoder) chooseNumbers() error {
	d := &e.dictionary
	n, distinct, width := len(e.small), len(d.numbers), numberWidth(e.spec)
	unique := n*width <= emptyPage+distinct*width+indexBytes(n, distinct)
	switch {
	case unique && n*width <= fewBytes:
		e.leaveDictionary(format.Plain)
		return nil
	case !unique && distinct*fewRepeats <= n:
		return nil
	}
	indices := e.small[:min(n, sampleValues)]
	sample := make([]int64, len(indices))
	for i, index := range indices {
		sample[i] = d.numbers[index]
	}
	how, direct, err := e.smallest(sample)
	if err != nil {
		return err
	}
	if !unique {
		if coded, err := e.codedSize(indices); err != nil || !clearlySmaller(direct, coded) {
			return err
		}
	}
	e.leaveDictionary(how)
	return nil
}

// codedSize estimates the compressed size of a sample of the page's values with a dictionary: the
// size of their indices, and their share of the entries. Values of a sample repeat less than those
// of a page.
func (e *chunkEncoder) codedSize(sample []int32) (int, error) {
	d, used := &e.dictionary, int(slices.Max(sample))+1
	e.encoded = d.appendPlain(e.encoded[:0], used)
	entries, err := e.compressedSize(e.encoded)
	if err != nil {
		return 0, err
	}
	e.encoded = appendIndices(e.encoded[:0], sample, d.len())
	indices, err := e.compressedSize(e.encoded)
	return indices + int(int64(entries)*int64(d.len())*int64(len(sample))/(int64(len(e.small))*int64(used))), err
}

func clearlySmaller(a, b int) bool { return a < b-b/8 }

// indexBytes estimates the bytes of n indices.
func indexBytes(n, entries int) int { return (n*bits.Len(uint(entries)) + 7) / 8 }

// smallest returns the smaller encoding of numbers, and its size when compressed.
func (e *chunkEncoder) smallest(values []int64) (how format.Encoding, size int, err error) {
	e.encoded = appendDelta(e.encoded[:0], values, &e.room)
	deltas, err := e.compressedSize(e.encoded)
	if err != nil {
		return how, 0, err
	}
	e.encoded = appendLow(e.encoded[:0], values, numberWidth(e.spec))
	plain, err := e.compressedSize(e.encoded)
	if plain < deltas {
		return format.Plain, plain, err
	}
	return format.DeltaBinaryPacked, deltas, err
}

// compressedSize returns the size of bytes when compressed.
func (e *chunkEncoder) compressedSize(p []byte) (size int, err error) {
	e.compressed, err = codecOf(e.spec, e.g.File.codec).Encode(e.compressed, p)
	return len(e.compressed), err
}

// leaveDictionary turns indices back into values.
func (e *chunkEncoder) leaveDictionary(how format.Encoding) {
	e.direct, e.how = true, how
	if e.spec.Type == schema.Int32 {
		for i, index := range e.small {
			e.small[i] = int32(e.dictionary.numbers[index])
		}
		return
	}
	for _, index := range e.small {
		e.ints = append(e.ints, e.dictionary.numbers[index])
	}
	e.small = e.small[:0]
}

// chooseTexts decides whether texts are in a dictionary.
func (e *chunkEncoder) chooseTexts() error {
	d := &e.dictionary
	n, distinct, entries, direct := len(e.small), len(d.texts), 0, 0
	if n > fewBytes && distinct*fewTexts <= n {
		return nil
	}
	for _, text := range d.texts {
		entries += 4 + len(text)
	}
	for _, index := range e.small {
		direct += 4 + len(d.texts[index])
	}
	if direct > maxDirect {
		return nil
	}
	if direct > emptyPage+entries+indexBytes(n, distinct) {
		if distinct*fewTexts <= n {
			return nil
		}
		if smaller, err := e.directTextsSmaller(); err != nil || !smaller {
			return err
		}
	}
	e.direct = true
	if direct <= fewBytes {
		e.how = format.Plain
	}
	e.gatherTexts(e.small)
	return nil
}

// gatherTexts appends texts by their indices.
func (e *chunkEncoder) gatherTexts(indices []int32) {
	for _, index := range indices {
		text := e.dictionary.texts[index]
		e.bytes = append(e.bytes, text...)
		e.lengths = append(e.lengths, int32(len(text)))
	}
}

// directTextsSmaller compares texts in a dictionary with direct texts, by a sample.
func (e *chunkEncoder) directTextsSmaller() (bool, error) {
	n, size := 0, 0
	for ; n < min(len(e.small), sampleValues) && size <= sampleBytes; n++ {
		size += len(e.dictionary.texts[e.small[n]])
	}
	sample := e.small[:n]
	e.gatherTexts(sample)
	e.encoded = append(appendDelta(e.encoded[:0], e.lengths, &e.room), e.bytes...)
	e.bytes, e.lengths = e.bytes[:0], e.lengths[:0]
	direct, err := e.compressedSize(e.encoded)
	if err != nil {
		return false, err
	}
	coded, err := e.codedSize(sample)
	return clearlySmaller(direct, coded), err
}
