package decode_test

import (
	"bytes"
	"errors"
	"fmt"
	"hash/maphash"
	"io"
	"maps"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/etl2parquet/etl2parquet/decode"
	"github.com/etl2parquet/etl2parquet/decode/decodetest"
	"github.com/etl2parquet/etl2parquet/decode/etltest"
	"github.com/etl2parquet/etl2parquet/tools/testenv"
)

// isWhole reports whether the tests of damage make all cuts at buffer edges and 500 changes of every real
// trace: in the tier all.
func isWhole(t testing.TB) bool { return testenv.Running(t) >= testenv.TierAll }

var printSeed = maphash.MakeSeed()

// fingerprint identifies the content of a buffer.
type fingerprint struct {
	size   uint32
	events int
	sum    uint64 // of the offset and the bytes of each event
	err    string // the error that ended the walk
}

// fingerprints walks a file and returns the fingerprints of its buffers by file
// offset. It fails the test if an event or an error is implausible.
func fingerprints(t testing.TB, file []byte, f *decode.File) map[int64]fingerprint {
	t.Helper()
	prints := make(map[int64]fingerprint, f.Buffers())
	var b decode.Buffer
	var h maphash.Hash
	h.SetSeed(printSeed)
	var end int64
	for i := range f.Buffers() {
		info := f.BufferInfo(i)
		if info.Offset < end || info.Offset+int64(info.Size) > int64(len(file)) || info.Size < decode.BufferHeaderSize {
			t.Fatalf("buffer %d: %#x bytes at %#x; the previous one ends at %#x, the file at %#x", i, info.Size, info.Offset, end, len(file))
		}
		end = info.Offset + int64(info.Size)
		h.Reset()
		p := fingerprint{size: info.Size}
		err := f.ReadBuffer(i, &b)
		if err == nil {
			for err == nil {
				var ev decode.Event
				if err = b.Next(&ev); err == nil {
					maphash.WriteComparable(&h, ev.Offset)
					h.Write(ev.Raw)
					p.events++
				}
			}
		}
		if !errors.Is(err, io.EOF) {
			e := checkError(t, f, i, err)
			p.err = fmt.Sprintf("position %#x: %v", e.Pos, e.Err)
		}
		p.sum = h.Sum64()
		prints[info.Offset] = p
	}
	faults, _ := f.Faults()
	for _, fault := range faults {
		if fault.Err == nil || fault.Err.Err == nil || fault.Err.Offset >= int64(len(file)) {
			t.Fatalf("fault outside the file of %#x bytes: %+v", len(file), fault.Err)
		}
	}
	return prints
}

// checkError fails the test if an error of buffer i has no plausible position.
func checkError(t testing.TB, f *decode.File, i int, err error) *decode.Error {
	t.Helper()
	var e *decode.Error
	if !errors.As(err, &e) {
		t.Fatalf("buffer %d: %T is not a *decode.Error: %v", i, err, err)
	}
	if e.Buffer != i || e.Offset != f.BufferInfo(i).Offset || e.Pos < -1 || e.Pos > decode.MaxBufferSize || e.Where == "" || e.Err == nil {
		t.Fatalf("buffer %d: implausible position in %+v", i, e)
	}
	return e
}

// subject is an intact file to damage.
type subject struct {
	file   []byte
	prints map[int64]fingerprint
	starts []int64 // of the buffers
}

func newSubject(t testing.TB, file []byte) *subject {
	t.Helper()
	f := decodetest.Open(t, file)
	s := &subject{file: file, prints: fingerprints(t, file, f)}
	s.starts = slices.Sorted(maps.Keys(s.prints))
	return s
}

// check opens a damaged version of the file and fails the test unless it
// reads all buffers that do not overlap [from, to) unchanged.
func (s *subject) check(t testing.TB, damaged []byte, from, to int64) {
	t.Helper()
	untouched := make([]int64, 0, len(s.starts))
	for _, at := range s.starts {
		if end := at + int64(s.prints[at].size); end <= from || at >= to {
			untouched = append(untouched, at)
		}
	}
	f, err := decode.NewFile(bytes.NewReader(damaged), int64(len(damaged)))
	if err != nil {
		var e *decode.Error
		if !errors.As(err, &e) {
			t.Fatalf("%T is not a *decode.Error: %v", err, err)
		}
		if len(untouched) != 0 {
			t.Fatalf("not opened, though %d buffers are intact: %v", len(untouched), err)
		}
		return
	}
	got := fingerprints(t, damaged, f)
	for _, at := range untouched {
		g, ok := got[at]
		if !ok {
			t.Fatalf("the intact buffer at %#x was not found", at)
		}
		if want := s.prints[at]; g != want {
			t.Fatalf("the intact buffer at %#x: %+v, want %+v", at, g, want)
		}
	}
}

// change checks the file with one byte changed.
func (s *subject) change(t testing.TB, at int64, to byte) {
	t.Helper()
	old := s.file[at]
	s.file[at] = to
	defer func() {
		if t.Failed() {
			t.Logf("byte %#x changed from %#02x to %#02x", at, old, to)
		}
		s.file[at] = old
	}()
	s.check(t, s.file, at, at+1)
}

func (s *subject) cut(t testing.TB, at int64) {
	t.Helper()
	defer func() {
		if t.Failed() {
			t.Logf("cut at %#x of %#x", at, len(s.file))
		}
	}()
	s.check(t, s.file[:at], at, int64(len(s.file)))
}

// edges returns the places at and next to the edges of the buffers.
func (s *subject) edges() []int64 {
	var edges []int64
	for _, at := range append(slices.Clone(s.starts), int64(len(s.file))) {
		for _, edge := range []int64{at - 1, at, at + 1} {
			if edge >= 0 && edge <= int64(len(s.file)) {
				edges = append(edges, edge)
			}
		}
	}
	return edges
}

// TestDamagedTraces cuts real traces and changes bytes in them. Below the tier all, large traces get
// fewer rounds: enough to walk some GB, at least 60, and in short mode an eighth of that.
func TestDamagedTraces(t *testing.T) {
	testenv.Sequential(t)
	const budget, least, most = 1 << 30, 60, 500
	for name, counts := range realTraces(t) {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			file := testenv.ReadFile(t, testenv.Shared(t, "traces/"+name))
			budget, least := budget, least
			if testing.Short() {
				budget, least = budget/8, least/8
			}
			rounds := most
			if cost := int(counts.UncompressedBytes*4 + int64(len(file))); !isWhole(t) {
				rounds = min(most, max(least, budget/cost))
			}
			random := rand.New(rand.NewPCG(1, uint64(len(file))))
			s := newSubject(t, file)
			edges := s.edges()
			if !isWhole(t) && len(edges) > rounds {
				random.Shuffle(len(edges), func(i, j int) { edges[i], edges[j] = edges[j], edges[i] })
				edges = edges[:rounds]
			}
			cuts := min(200, rounds)
			for _, at := range edges {
				s.cut(t, at)
			}
			for range cuts {
				s.cut(t, random.Int64N(int64(len(file))))
			}
			for range rounds {
				at := random.IntN(len(file))
				s.change(t, int64(at), file[at]^byte(1+random.IntN(255)))
			}
			// Random places rarely hit a buffer's header.
			for range rounds / 2 {
				at := s.starts[random.IntN(len(s.starts))] + random.Int64N(decode.BufferHeaderSize+0x18)
				s.change(t, at, file[at]^byte(1+random.IntN(255)))
			}
			t.Logf("%d edges, %d cuts, %d changes anywhere, %d in headers", len(edges), cuts, rounds, rounds/2)
		})
	}
}

// smallTrace is a trace of a few small buffers, full and nearly empty ones, so
// that a test can damage each byte.
const smallTrace = `
trace buffersize=0x400 mode=sequential name=small file=small.etl %s
header
system64 hook=0x0050 payload=zero:48
repeat 6 {
  buffer cpu=$i%%2
  repeat (1+$i%%3*3) as=j { event64 provider=00112233-4455-6677-8899-aabbccddeeff id=$j dt=1us payload=u32:$i|$j,str8:text,zero:$j,zero:14 }
}`

func smallFile(t testing.TB, settings string) []byte {
	t.Helper()
	return etltest.MustParse(t, fmt.Sprintf(smallTrace, settings))
}

var smallTraces = map[string]string{
	"plain":          "",
	"32 bit":         "ptr=32",
	"Windows 7":      "os=6.1 build=7601",
	"small header":   "headersize=0x280",
	"large header":   "headersize=0x800",
	"relogged":       "mode=relog headersize=0x400",
	"compressed 2":   "compressed=lznt1",
	"compressed 3":   "compressed=xpress",
	"compressed 4":   "compressed=huffman",
	"slack of 0x00":  "slack=0x234:0",
	"slack of 0xff":  "slack=0x800:0xff",
	"no header":      "noheader",
	"cut at the end": "truncate=0x3a0",
	"real-time":      "rtbackup",
	"real-time, UTC": "rtbackup clock=system",
}

// TestDamagedByte changes each byte of small traces. In headers it flips every
// bit and sets other values; in the tier all it sets every value.
func TestDamagedByte(t *testing.T) {
	testenv.Sequential(t)
	for name, settings := range smallTraces {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := newSubject(t, smallFile(t, settings))
			if len(s.starts) < 6 {
				t.Fatalf("only %d buffers", len(s.starts))
			}
			random := rand.New(rand.NewPCG(1, 1))
			step := int64(testenv.Times(t, 7, 3, 1, 1)) // outside of headers; coprime to the alignment of events
			for at := range int64(len(s.file)) {
				if at%step > 0 && !s.inHeader(at) {
					continue
				}
				old := s.file[at]
				values := []byte{old ^ 0xff, old ^ byte(1+random.IntN(255))}
				switch header := s.inHeader(at); {
				case header && isWhole(t):
					values = allBytes
				case header:
					values = []byte{0, 1, 2, 3, 4, 8, 0x10, 0x20, 0x40, 0x7f, 0x80, 0xff, old + 1, old - 1, byte(random.Uint32()), byte(random.Uint32())}
				}
				for _, v := range values {
					if v != old {
						s.change(t, at, v)
					}
				}
			}
			for at := int64(0); at < int64(len(s.file)); at += step {
				s.cut(t, at)
			}
		})
	}
}

var allBytes = func() (all []byte) {
	for v := range 256 {
		all = append(all, byte(v))
	}
	return all
}()

// inHeader reports whether a byte is in a buffer's header or in the header of
// its first event.
func (s *subject) inHeader(at int64) bool {
	for _, start := range s.starts {
		if at >= start && at < start+decode.BufferHeaderSize+0x30 {
			return true
		}
	}
	return false
}

// TestDamagedStretch overwrites stretches of small traces, which may hide
// several buffers, with each of a few fills.
func TestDamagedStretch(t *testing.T) {
	testenv.Sequential(t)
	for name, settings := range smallTraces {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := newSubject(t, smallFile(t, settings))
			random := rand.New(rand.NewPCG(2, 2))
			for range testenv.Times(t, 200, 600, 2000, 10_000) {
				from := random.IntN(len(s.file))
				n := min(1+random.IntN(0x600), len(s.file)-from)
				damaged := slices.Clone(s.file)
				kind := random.IntN(3)
				for i := range n {
					damaged[from+i] = [3]byte{0, 0xff, byte(random.Uint32())}[kind]
				}
				s.check(t, damaged, int64(from), int64(from+n))
				if t.Failed() {
					t.Fatalf("[%#x, %#x) overwritten, fill %d", from, from+n, kind)
				}
			}
		})
	}
}

// TestDamagedTwice changes two bytes, in the headers of two buffers.
func TestDamagedTwice(t *testing.T) {
	testenv.Sequential(t)
	for name, settings := range smallTraces {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := newSubject(t, smallFile(t, settings))
			random := rand.New(rand.NewPCG(3, 3))
			for range testenv.Times(t, 300, 900, 3000, 10_000) {
				i := random.IntN(len(s.starts))
				j := random.IntN(len(s.starts))
				damaged := slices.Clone(s.file)
				a := s.starts[i] + random.Int64N(decode.BufferHeaderSize)
				b := s.starts[j] + random.Int64N(decode.BufferHeaderSize)
				damaged[a] ^= byte(1 + random.IntN(255))
				damaged[b] ^= byte(1 + random.IntN(255))
				if a > b {
					a, b = b, a
				}
				// Buffers between the two bytes are intact too, so check does not fit.
				f, err := decode.NewFile(bytes.NewReader(damaged), int64(len(damaged)))
				if err != nil {
					t.Fatalf("bytes %#x and %#x changed: %v", a, b, err)
				}
				got := fingerprints(t, damaged, f)
				for k, at := range s.starts {
					if g, ok := got[at]; k != i && k != j && (!ok || g != s.prints[at]) {
						t.Fatalf("bytes %#x (to %#02x) and %#x (to %#02x) changed: the intact buffer at %#x: %+v, want %+v", a, damaged[a], b, damaged[b], at, g, s.prints[at])
					}
				}
			}
		})
	}
}
