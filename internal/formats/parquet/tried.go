package parquet

import "bytes"

// maxTried is the number of samples that are kept: the entries of a dictionary, their indices, and
// two other encodings.
const maxTried = 4

// triedPage is a page, and what it becomes when compressed.
type triedPage struct{ page, compressed []byte }

// beginSample begins the sample of a page in encoded. If it has all values of the page, it becomes
// the page itself, and begins with its levels.
func (e *chunkEncoder) beginSample() {
	e.encoded = e.encoded[:0]
	if e.whole {
		e.encoded = append(e.encoded, e.page...)
	}
}

// trySample compresses the sample in encoded, and returns its size. A sample of all values is kept:
// most pages of small traces have few values, and would be compressed twice.
func (e *chunkEncoder) trySample() (int, error) {
	if e.whole {
		return e.tryPage(e.encoded)
	}
	body, err := e.compress(e.encoded)
	return len(body), err
}

// tryPage compresses a page, and returns its size. What the page becomes is kept until the end of the
// chunk.
func (e *chunkEncoder) tryPage(page []byte) (int, error) {
	body, err := e.compress(page)
	if err == nil && e.triedNow < maxTried && e.triedAs(page) == nil {
		tried := &e.tried[e.triedNow]
		tried.page = append(tried.page[:0], page...)
		tried.compressed, e.compressed = e.compressed, tried.compressed
		e.triedNow++
	}
	return len(body), err
}

// triedAs returns what a kept sample became when compressed, or nil.
func (e *chunkEncoder) triedAs(page []byte) []byte {
	for _, tried := range e.tried[:e.triedNow] {
		if bytes.Equal(tried.page, page) {
			return tried.compressed
		}
	}
	return nil
}

// compress returns a page when compressed. The result is valid until the next call.
func (e *chunkEncoder) compress(page []byte) (body []byte, err error) {
	if body = e.triedAs(page); body != nil {
		return body, nil
	}
	e.compressed, err = codecOf(e.spec, e.g.File.options.Codec).Encode(e.compressed, page)
	return e.compressed, err
}
