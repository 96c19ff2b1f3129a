package decode_test

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"runtime"
	"slices"
	"testing"
	"time"

	"github.com/etl2parquet/etl2parquet/decode"
	"github.com/etl2parquet/etl2parquet/decode/decodetest"
	"github.com/etl2parquet/etl2parquet/decode/etltest"
	"github.com/etl2parquet/etl2parquet/tools/testenv"
)

var le = binary.LittleEndian

// allocated returns the number of bytes that a function allocates.
func allocated(f func()) uint64 {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	f()
	runtime.ReadMemStats(&after)
	return after.TotalAlloc - before.TotalAlloc
}

// TestClaimedSize reads a compressed buffer of 100 bytes that claims 16 MiB of
// data, and a plain one that claims 16 MiB beyond the end of the file.
func TestClaimedSize(t *testing.T) {
	const most = 512 << 10
	for name, settings := range map[string]string{
		"zeros xpress":  "compressed=xpress\nbuffer stream=$zeros savedoffset=0x1000000 offset=0x1000000",
		"zeros huffman": "compressed=huffman\nbuffer stream=$zeros savedoffset=0x1000000 offset=0x1000000",
		"zeros lznt1":   "compressed=lznt1\nbuffer stream=$zeros savedoffset=0x1000000 offset=0x1000000",
		"empty":         "compressed=xpress\nbuffer stream= savedoffset=0x1000000 offset=0x1000000",
		"real":          "compressed=xpress\nbuffer savedoffset=0x1000000 offset=0x1000000\nperfinfo64 hook=1",
		"plain":         "truncate=0xf00\nbuffer buffersize=0x1000000\nperfinfo64 hook=1",
	} {
		t.Run(name, func(t *testing.T) {
			zeros := fmt.Sprintf("%0200d", 0)
			file := etltest.MustParse(t, "trace buffersize=0x1000 "+string(bytes.ReplaceAll([]byte(settings), []byte("$zeros"), []byte(zeros))))
			n := allocated(func() {
				f := decodetest.Open(t, file)
				var b decode.Buffer
				for i := range f.Buffers() {
					if err := f.ReadBuffer(i, &b); err != nil {
						checkError(t, f, i, err)
					}
				}
			})
			if n > most {
				t.Errorf("%d bytes allocated for a file of %d", n, len(file))
			}
		})
	}
}

// TestBomb checks that a stream may expand as far as ETW allows, and no further.
func TestBomb(t *testing.T) {
	trace := etltest.Trace{BufferSize: 16 << 20, Compression: etltest.Xpress}
	stream := trace.Stream()
	for i := range 200 {
		if err := stream.Add(0, &etltest.Event{Kind: etltest.PerfInfo64, Time: int64(i), Payload: make([]byte, 60000)}); err != nil {
			t.Fatal(err)
		}
	}
	stream.Flush()
	file := trace.MustBytes(t)
	f := decodetest.Open(t, file)
	var b decode.Buffer
	if err := f.ReadBuffer(1, &b); err != nil {
		t.Fatal(err)
	}
	if n := len(b.Data); n < 200*60000 || int64(n) != f.BufferInfo(1).UncompressedSize() {
		t.Errorf("%d bytes, the header says %d", n, f.BufferInfo(1).UncompressedSize())
	}
	t.Logf("%d bytes became %d", f.BufferInfo(1).Size, len(b.Data))
}

// countingReader counts reads of a file, and their bytes.
type countingReader struct {
	file        []byte
	calls, read int64
}

func (r *countingReader) ReadAt(p []byte, at int64) (int, error) {
	r.calls++
	n, err := bytes.NewReader(r.file).ReadAt(p, at)
	r.read += int64(n)
	return n, err
}

// bufferHeader returns the header of a plain buffer.
func bufferHeader(size, offset uint32) []byte {
	h := make([]byte, decode.BufferHeaderSize)
	le.PutUint32(h[0x00:], size)
	le.PutUint32(h[0x04:], offset)
	le.PutUint32(h[0x30:], offset)
	return h
}

// event returns a PERFINFO64 event.
func event(size uint16) []byte {
	e := make([]byte, 16)
	le.PutUint32(e, 0xc0110002)
	le.PutUint16(e[4:], size)
	return e
}

// hostileFiles returns files of some MB that try to make a scanner read far more.
func hostileFiles(t testing.TB) map[string][]byte {
	const size = 4 << 20
	header := etltest.MustParse(t, "trace buffersize=0x1000")
	packed := etltest.MustParse(t, "trace buffersize=0x1000 compressed=xpress\nlogfile bufferswritten=0xffffffff")
	fill := func(unit ...[]byte) []byte {
		all := slices.Concat(unit...)
		return append(slices.Clone(header), bytes.Repeat(all, size/len(all))...)
	}
	compressed := bufferHeader(0x100, 0x1000)
	compressed[0x34] = 0x40
	shifted := func(size, offset uint32) []byte { // each 8th byte begins a header
		return bytes.Repeat(le.AppendUint32(le.AppendUint32(nil, size), offset), 9)
	}
	zeros := func(n int) []byte { return make([]byte, n) }
	ones := func(n int) []byte { return bytes.Repeat([]byte{0xff}, n) }
	return map[string][]byte{
		"empty buffers":                 fill(bufferHeader(0x48, 0x48)),
		"one event buffers":             fill(bufferHeader(0x58, 0x58), event(16)),
		"sizes too small":               fill(bufferHeader(0x47, 0x48), event(16)),
		"sizes of 1 MiB, wrong":         fill(bufferHeader(1<<20, 0x58), event(16)),
		"sizes of 16 MiB, wrong":        fill(bufferHeader(16<<20, 0x58), event(16)),
		"usual sizes, wrong":            fill(bufferHeader(0x1000, 0x58), event(16)),
		"odd sizes, wrong":              fill(bufferHeader(0x777, 0x58), event(16)),
		"sizes far beyond the file":     fill(bufferHeader(2<<20, 1<<20), event(16)),
		"wrong sizes, no events":        fill(bufferHeader(2<<20, 0x48)),
		"wrong event sizes":             fill(bufferHeader(0x1000, 0x1000), event(0xfff8)),
		"wrong event sizes, short":      fill(bufferHeader(0x58, 0x58), event(0xfff8)),
		"wrong offsets":                 fill(bufferHeader(0x58, 0x2000), event(16)),
		"events only":                   fill(event(16)),
		"events and zeros":              fill(bufferHeader(0x1000, 0x58), event(16), zeros(0x50)),
		"zero headers":                  fill(zeros(0x48), event(16)),
		"ones headers":                  fill(ones(0x48), event(16)),
		"ones and one byte":             fill(ones(0x48), []byte{1}),
		"zeros and one byte":            fill(zeros(0x80), []byte{1}),
		"zeros":                         fill(zeros(1)),
		"ones":                          fill(ones(1)),
		"plain everywhere":              fill(shifted(0x00010008, 0x00010008)),
		"compressed everywhere":         fill(shifted(0x00010048, 0x00010048)),
		"wrong compressed sizes":        append(packed, bytes.Repeat(slices.Concat(compressed, zeros(8)), size/0x50)...),
		"wrong compressed sizes, plain": fill(compressed, zeros(8)),
		"compressed, many":              append(packed, bytes.Repeat(slices.Concat(compressed, zeros(0x100-0x48)), size/0x100)...),
		"header types":                  fill(append(bufferHeader(0x2000, 0x58)[:0x36], append([]byte{4, 0}, make([]byte, 16)...)...), event(16)),
		"random markers":                fill([]byte{0x10, 0, 0x11, 0xc0, 0x10, 0, 0, 0}),
		"context switches":              fill(append(bufferHeader(0x2000, 0x1000)[:0x36], append([]byte{2, 0}, make([]byte, 16)...)...)),
		"almost the trace header":       bytes.Repeat(header[:0x200], size/0x200),
	}
}

// TestHostileCost opens files made to be expensive: bytes read and bytes kept
// must stay within a small multiple of the file's size.
func TestHostileCost(t *testing.T) {
	testenv.Sequential(t)
	const mostRead, mostKept = 4, 16 // of 88 bytes in the file, 72 are kept; the list grows by doubling
	for name, file := range hostileFiles(t) {
		t.Run(name, func(t *testing.T) {
			r := &countingReader{file: file}
			var f *decode.File
			var err error
			began := time.Now()
			kept := allocated(func() { f, err = decode.NewFile(r, int64(len(file))) })
			took := time.Since(began)
			if err != nil {
				t.Fatal(err)
			}
			read := float64(r.read) / float64(len(file))
			t.Logf("%.2f times read in %d calls, %.2f times allocated, %v, %d buffers", read, r.calls, float64(kept)/float64(len(file)), took, f.Buffers())
			if read > mostRead {
				t.Errorf("%.1f times the file was read", read)
			}
			if float64(kept) > mostKept*float64(len(file)) {
				t.Errorf("%d bytes allocated for a file of %d", kept, len(file))
			}
			fingerprints(t, file, f)
		})
	}
}

// TestEmbeddedBuffers puts complete buffers into the payloads of events: they are not buffers of
// the file, even if the file around them is damaged.
func TestEmbeddedBuffers(t *testing.T) {
	const size = 0x2000
	inner := etltest.MustParse(t, "trace buffersize=0x400\nbuffer\nperfinfo64 hook=0xbad\nbuffer\nperfinfo64 hook=0xbad")
	outer := etltest.MustParse(t, fmt.Sprintf(`trace buffersize=%d
		repeat 5 {
			buffer seq=$i+1
			perfinfo64 hook=$i t=+$i*1ms
			repeat 2 as=j { event64 id=$j payload=u32:$j,hex:%x }
			perfinfo64 hook=$i+100
		}`, size, inner))
	whole := newSubject(t, outer)
	if len(whole.starts) != 6 {
		t.Fatalf("%d buffers", len(whole.starts))
	}
	count := func(t *testing.T, file []byte, most int) {
		t.Helper()
		f := decodetest.Open(t, file)
		if f.Buffers() > most {
			t.Fatalf("%d buffers found of %d", f.Buffers(), most)
		}
	}
	t.Run("cut", func(t *testing.T) {
		for at := int64(size); at < int64(len(outer)); at += 8 {
			whole.cut(t, at)
			count(t, outer[:at], 6)
		}
	})
	t.Run("size", func(t *testing.T) {
		for k := 1; k < 6; k++ {
			for _, claim := range []uint32{0, 0x47, 0x48, 0x400, 0x1000, 0x1fff, 0x2001, 2 * size, 1 << 24, 1 << 31} {
				damaged := slices.Clone(outer)
				at := int64(k * size)
				le.PutUint32(damaged[at:], claim)
				whole.check(t, damaged, at, at+4)
				count(t, damaged, 6)
			}
		}
	})
	t.Run("next header", func(t *testing.T) {
		for k := 1; k < 6; k++ {
			damaged := slices.Clone(outer)
			at := int64(k * size)
			for i := range damaged[at : at+decode.BufferHeaderSize] {
				damaged[at+int64(i)] = byte(i*7 + 3)
			}
			whole.check(t, damaged, at, at+decode.BufferHeaderSize)
			count(t, damaged, 6)
		}
	})
}

// TestBigOffsets reads a trace whose buffers lie beyond 4 GiB.
func TestBigOffsets(t *testing.T) {
	file := etltest.MustParse(t, "trace buffersize=0x1000000\nrepeat 2 {\nbuffer\nperfinfo64 hook=$i\n}")
	header, data := file[:16<<20], file[16<<20:32<<20]
	r := bigFile{header, data, 300}
	f, err := decode.NewFile(r, r.size())
	if err != nil {
		t.Fatal(err)
	}
	if f.Buffers() != 301 {
		t.Fatalf("%d buffers, want 301", f.Buffers())
	}
	var b decode.Buffer
	if err := f.ReadBuffer(300, &b); err != nil {
		t.Fatal(err)
	}
	var ev decode.Event
	if err := b.Next(&ev); err != nil || ev.Type != decode.TypePerfInfo64 || f.BufferInfo(300).Offset != 300*16<<20 {
		t.Errorf("%v: %+v at %#x", err, ev, f.BufferInfo(300).Offset)
	}
}

// bigFile is a header followed by n copies of the same data.
type bigFile struct {
	header, data []byte
	n            int64
}

func (f bigFile) size() int64 { return (f.n + 1) * int64(len(f.header)) }

func (f bigFile) ReadAt(p []byte, at int64) (n int, err error) {
	for n < len(p) && at < f.size() {
		part := f.data
		if at < int64(len(f.header)) {
			part = f.header
		}
		k := copy(p[n:], part[at%int64(len(part)):])
		n, at = n+k, at+int64(k)
	}
	if n < len(p) {
		return n, io.EOF
	}
	return n, nil
}

// brokenReader fails from an offset on.
type brokenReader struct {
	file []byte
	from int64
}

var errBroken = errors.New("the disk is on fire")

func (r brokenReader) ReadAt(p []byte, at int64) (int, error) {
	if at+int64(len(p)) > r.from {
		return 0, errBroken
	}
	return bytes.NewReader(r.file).ReadAt(p, at)
}

// TestReaderErrors checks that an error of the reader is not reported as damage.
func TestReaderErrors(t *testing.T) {
	file := etltest.MustParse(t, "trace buffersize=512\nrepeat 4 {\nbuffer\nperfinfo64 hook=1\n}")
	for from := range int64(len(file)) {
		f, err := decode.NewFile(brokenReader{file, from}, int64(len(file)))
		var b decode.Buffer
		for i := 0; err == nil && i < f.Buffers(); i++ {
			err = f.ReadBuffer(i, &b)
		}
		var damage *decode.Error
		if !errors.Is(err, errBroken) || errors.As(err, &damage) {
			t.Fatalf("from %#x on: %v", from, err)
		}
	}
	// A size larger than the file is the caller's error, not damage.
	if _, err := decode.NewFile(bytes.NewReader(file), int64(len(file))+512); !errors.Is(err, io.ErrUnexpectedEOF) {
		t.Errorf("size too large: %v", err)
	}
}
