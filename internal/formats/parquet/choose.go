package parquet

import (
	"math"
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

// plan is a way to write the values of a chunk.
type plan struct {
	how  format.Encoding                           // RLEDictionary keeps the dictionary
	size func(*chunkEncoder, []int32) (int, error) // of a sample of the dictionary's indices, or of ints if there is no dictionary, when compressed
}

// The plans that need a sample. Readers are fastest with dictionaries, so any other encoding must
// be clearly smaller.
var (
	inDictionary = plan{format.RLEDictionary, (*chunkEncoder).handicappedSize}
	differences  = plan{format.DeltaBinaryPacked, (*chunkEncoder).deltaSize}
	plainNumbers = plan{format.Plain, (*chunkEncoder).plainSize}
)

// choose decides how the chunk is written, from the values of its first page:
//
//  1. The type and the repeats of the values give a list of plans.
//  2. If the list has more than one plan, a sample is written by each. The plan whose sample is
//     smallest is taken, of equals the first.
//  3. Values that are written directly are taken out of the dictionary.
func (e *chunkEncoder) choose() error {
	plans := e.plans()
	if len(plans) == 0 {
		return nil
	}
	best, err := e.least(plans)
	switch {
	case err != nil || best.how == format.RLEDictionary:
		return err
	case e.direct:
		e.how = best.how
	case e.isBytes():
		e.direct, e.how = true, best.how
		e.gatherTexts(e.small)
	default:
		e.leaveDictionary(best.how)
	}
	return nil
}

const (
	smallPage  = 128     // if all pages are so small, compression saves a tenth at most, and takes 4 us a page
	smallChunk = 4 << 10 // bytes of a chunk for which each byte of its description counts
)

// chooseCodec decides whether a chunk with one page of data is compressed.
func (e *chunkEncoder) chooseCodec(how format.Encoding) error {
	if e.chunk.meta.Codec == format.Uncompressed {
		return nil
	}
	pages := [][]byte{e.page}
	size, largest := len(e.page), len(e.page)
	if how == format.RLEDictionary {
		e.encoded = e.dictionary.appendPlain(e.encoded[:0], e.dictionary.len())
		pages = append(pages, e.encoded)
		size, largest = size+len(e.encoded), max(largest, len(e.encoded))
	}
	if size > smallChunk {
		return nil
	}
	compressed := size
	if largest > smallPage {
		compressed = 0
		for _, page := range pages {
			n, err := e.tryPage(page)
			if err != nil {
				return err
			}
			compressed += n
		}
	}
	if compressed >= size {
		e.chunk.meta.Codec = format.Uncompressed
	}
	return nil
}

// plans lists the plans that may be smallest. It is empty if the type decides.
func (e *chunkEncoder) plans() []plan {
	switch {
	case e.direct && e.how == format.DeltaBinaryPacked && e.spec.Type != schema.Int32:
		return e.integerPlans()
	case e.direct:
		return nil
	case e.isBytes():
		return e.textPlans()
	}
	return e.numberPlans()
}

// integerPlans lists the plans of a column without a dictionary.
func (e *chunkEncoder) integerPlans() []plan {
	switch {
	case 8*len(e.ints) <= fewBytes:
		return []plan{plainNumbers}
	case e.spec.Encoding == schema.Rising:
		return []plan{differences}
	}
	return []plan{differences, plainNumbers}
}

// numberPlans lists the plans of numbers that are in a dictionary.
func (e *chunkEncoder) numberPlans() []plan {
	n, distinct, width := len(e.small), len(e.dictionary.numbers), numberWidth(e.spec)
	isUnique := n*width <= emptyPage+distinct*width+indexBytes(n, distinct)
	switch {
	case isUnique && n*width <= fewBytes:
		return []plan{plainNumbers}
	case isUnique:
		return []plan{differences, plainNumbers}
	case distinct*fewRepeats <= n:
		return []plan{inDictionary}
	}
	return []plan{inDictionary, differences, plainNumbers}
}

// textPlans lists the plans of texts that are in a dictionary.
func (e *chunkEncoder) textPlans() []plan {
	d := &e.dictionary
	n, distinct, entries, bytes := len(e.small), len(d.texts), 0, 0
	repeats := distinct*fewTexts <= n
	if repeats && n > fewBytes {
		return []plan{inDictionary}
	}
	for _, text := range d.texts {
		entries += 4 + len(text)
	}
	for _, index := range e.small {
		bytes += 4 + len(d.texts[index])
	}
	direct := plan{format.DeltaLengthByteArray, (*chunkEncoder).directTextSize}
	if bytes <= fewBytes {
		direct.how = format.Plain
	}
	switch {
	case bytes > maxDirect:
		return []plan{inDictionary}
	case bytes <= emptyPage+entries+indexBytes(n, distinct):
		return []plan{direct}
	case repeats:
		return []plan{inDictionary}
	}
	return []plan{inDictionary, direct}
}

// least returns the plan whose sample is smallest.
func (e *chunkEncoder) least(plans []plan) (best plan, err error) {
	if len(plans) == 1 {
		return plans[0], nil
	}
	sample := e.sample()
	e.whole = len(sample) == len(e.small) && len(e.ints) <= sampleValues
	smallest := math.MaxInt
	for _, p := range plans {
		size, err := p.size(e, sample)
		if err != nil {
			return best, err
		}
		if size < smallest {
			best, smallest = p, size
		}
	}
	return best, nil
}

// sample returns the first indices of the page: all of them, or enough to compare encodings.
func (e *chunkEncoder) sample() []int32 {
	sample := e.small[:min(len(e.small), sampleValues)]
	if !e.isBytes() {
		return sample
	}
	size := 0
	for n, index := range sample {
		if size > sampleBytes {
			return sample[:n]
		}
		size += len(e.dictionary.texts[index])
	}
	return sample
}

// handicappedSize returns the size with a dictionary, less what another encoding must save to be
// worth slower readers.
func (e *chunkEncoder) handicappedSize(sample []int32) (int, error) {
	size, err := e.codedSize(sample)
	return size - size/8, err
}

// codedSize estimates the compressed size of a sample of the page's values with a dictionary: the
// size of their indices, and their share of the entries. Values of a sample repeat less than those
// of a page.
func (e *chunkEncoder) codedSize(sample []int32) (int, error) {
	d, used := &e.dictionary, int(slices.Max(sample))+1
	e.encoded = d.appendPlain(e.encoded[:0], used)
	entries, err := e.trySample()
	if err != nil {
		return 0, err
	}
	e.beginSample()
	e.encoded = appendIndices(e.encoded, sample, d.len())
	indices, err := e.trySample()
	return indices + int(int64(entries)*int64(d.len())*int64(len(sample))/(int64(len(e.small))*int64(used))), err
}

// indexBytes estimates the bytes of n indices.
func indexBytes(n, entries int) int { return (n*bits.Len(uint(entries)) + 7) / 8 }

// deltaSize returns the size of a sample of numbers as differences.
func (e *chunkEncoder) deltaSize(sample []int32) (int, error) {
	e.beginSample()
	e.encoded = appendDelta(e.encoded, e.numbers(sample), &e.room)
	return e.trySample()
}

// plainSize returns the size of a sample of numbers as plain values.
func (e *chunkEncoder) plainSize(sample []int32) (int, error) {
	e.beginSample()
	e.encoded = appendLow(e.encoded, e.numbers(sample), numberWidth(e.spec))
	return e.trySample()
}

// numbers returns the numbers of a sample.
func (e *chunkEncoder) numbers(sample []int32) []int64 {
	if e.direct {
		return e.ints[:min(len(e.ints), sampleValues)]
	}
	e.sampled = e.sampled[:0]
	for _, index := range sample {
		e.sampled = append(e.sampled, e.dictionary.numbers[index])
	}
	return e.sampled
}

// directTextSize returns the size of a sample of texts without a dictionary.
func (e *chunkEncoder) directTextSize(sample []int32) (int, error) {
	e.gatherTexts(sample)
	e.beginSample()
	e.encoded = append(appendDelta(e.encoded, e.lengths, &e.room), e.bytes...)
	e.bytes, e.lengths = e.bytes[:0], e.lengths[:0]
	return e.trySample()
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

// gatherTexts appends texts by their indices.
func (e *chunkEncoder) gatherTexts(indices []int32) {
	for _, index := range indices {
		text := e.dictionary.texts[index]
		e.bytes = append(e.bytes, text...)
		e.lengths = append(e.lengths, int32(len(text)))
	}
}
