package parquet

import (
	"runtime"

	"github.com/klauspost/compress/zstd"
	"github.com/parquet-go/parquet-go/compress"
	"github.com/parquet-go/parquet-go/format"

	"github.com/etl2parquet/etl2parquet/schema"
)

// codecOf returns the codec for a column. Similar lists take a third less space at the third level
// of zstd, which takes 2 % of the time of a trace's conversion.
func codecOf(c *schema.Column, codec compress.Codec) compress.Codec {
	if _, ok := codec.(zstdCodec); ok && c.Encoding == schema.Alike {
		return zstdCodec{&third}
	}
	return codec
}

// zstdCodec writes zstd, large pages at a level. The encoders of the library's own codec keep 8 MiB
// of history each, more than any page.
type zstdCodec struct{ large *zstdLevel }

func (zstdCodec) String() string { return "ZSTD" }

func (zstdCodec) CompressionCodec() format.CompressionCodec { return format.Zstd }

// zstdLevel is a level of zstd with idle encoders, for reuse: each new one clears a megabyte,
// which is more than many traces have. Small pages alone touch 64 pages of the system's memory, each
// of them twice: first reading, then writing.
type zstdLevel struct {
	level zstd.EncoderLevel
	idle  chan *zstd.Encoder
}

var (
	fastest = zstdLevel{zstd.SpeedFastest, make(chan *zstd.Encoder, runtime.GOMAXPROCS(0))}
	third   = zstdLevel{zstd.SpeedBetterCompression, make(chan *zstd.Encoder, runtime.GOMAXPROCS(0))}
)

// windowSize is how far back zstd looks for repeats: a power of two. Encoder and readers hold it.
const windowSize = 1 << 20

func (l *zstdLevel) acquire() (*zstd.Encoder, error) {
	select {
	case e := <-l.idle:
		return e, nil
	default:
		return zstd.NewWriter(nil, zstd.WithEncoderConcurrency(1), zstd.WithEncoderLevel(l.level),
			zstd.WithWindowSize(windowSize), zstd.WithAllLitEntropyCompression(true),
			zstd.WithZeroFrames(true), zstd.WithEncoderCRC(false))
	}
}

func (l *zstdLevel) give(e *zstd.Encoder) {
	select {
	case l.idle <- e:
	default: // enough idle encoders
	}
}

// The sizes of pages that get less, or more, than the fastest level of zstd.
const (
	tinyPage  = 32       // compression does not make them smaller
	largePage = 64 << 10 // from here on a higher level saves bytes, for tables of 4 MiB
)

// level returns the level for a page of a size.
func (c zstdCodec) level(size int) *zstdLevel {
	if size < largePage {
		return &fastest
	}
	return c.large
}

// rawFrame begins a frame of zstd with a one-byte content size, and neither a checksum nor a
// dictionary.
var rawFrame = []byte{0x28, 0xb5, 0x2f, 0xfd, 0x20}

// appendRaw appends a frame of one uncompressed block (RFC 8878, sections 3.1.1 and 3.1.1.2).
// Tables with few rows have many tiny pages.
func appendRaw(dst, src []byte) []byte {
	dst = append(append(dst, rawFrame...), byte(len(src)))
	block := len(src)<<3 | 1 // the last one
	return append(append(dst, byte(block), byte(block>>8), 0), src...)
}

func (c zstdCodec) Encode(dst, src []byte) ([]byte, error) {
	if len(src) <= tinyPage {
		return appendRaw(dst[:0], src), nil
	}
	level := c.level(len(src))
	e, err := level.acquire()
	if err != nil {
		return nil, err
	}
	defer level.give(e)
	return e.EncodeAll(src, dst[:0]), nil
}

// Decode implements the interface of codecs; this package never calls it.
func (zstdCodec) Decode(dst, src []byte) ([]byte, error) {
	d, err := zstd.NewReader(nil, zstd.WithDecoderConcurrency(1))
	if err != nil {
		return nil, err
	}
	defer d.Close()
	return d.DecodeAll(src, dst[:0])
}
