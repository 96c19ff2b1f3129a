package decode_test

import (
	"bytes"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/etl2parquet/etl2parquet/decode"
	"github.com/etl2parquet/etl2parquet/decode/decodetest"
	"github.com/etl2parquet/etl2parquet/decode/etltest"
)

// startPatterns say which buffers of a file of n are overwritten.
var startPatterns = []struct {
	name    string
	damaged func(i, n int) bool
}{
	{"the first", func(i, _ int) bool { return i == 0 }},
	{"the first two", func(i, _ int) bool { return i < 2 }},
	{"every second from the first", func(i, _ int) bool { return i%2 == 0 }},
	{"all but the second", func(i, _ int) bool { return i != 1 }},
	{"all but one in the middle", func(i, n int) bool { return i != n/2 }},
	{"all but the last", func(i, n int) bool { return i != n-1 }},
	{"two of three", func(i, _ int) bool { return i%3 != 2 }},
}

// TestDamagedStart overwrites buffers from the first on. One intact buffer is enough to read a
// file: all intact buffers must be read.
func TestDamagedStart(t *testing.T) {
	garbage := map[string]func(r *rand.ChaCha8, b []byte){
		"random bytes": func(r *rand.ChaCha8, b []byte) { r.Read(b) },
		"zeros":        func(_ *rand.ChaCha8, b []byte) { clear(b) },
		"text": func(_ *rand.ChaCha8, b []byte) {
			copy(b, strings.Repeat("Es war einmal ein Puffer. ", len(b)/26+1))
		},
	}
	for form, settings := range map[string]string{
		"plain":   "",
		"lznt1":   "compressed=lznt1",
		"xpress":  "compressed=xpress",
		"huffman": "compressed=huffman",
	} {
		file := etltest.MustParse(t, "trace buffersize=4096 "+settings+`
repeat 18 as=b dt=+1s {
	buffer cpu=($b%2)
	repeat 30 dt=+1ms { event64 provider=11111111-2222-3333-4444-555555555555 id=7 t=+1ms payload=u32:$i,str16:"text $b $i" }
}
`)
		s := newSubject(t, file)
		if len(s.starts) != 19 {
			t.Fatalf("%s: %d buffers", form, len(s.starts))
		}
		for _, pattern := range startPatterns {
			for with, overwrite := range garbage {
				t.Run(fmt.Sprintf("%s/%s/%s", form, pattern.name, with), func(t *testing.T) {
					damaged := slices.Clone(file)
					r := rand.NewChaCha8([32]byte{1})
					for i, at := range s.starts {
						if pattern.damaged(i, len(s.starts)) {
							overwrite(r, damaged[at:][:s.prints[at].size])
						}
					}
					f := decodetest.Open(t, damaged)
					got := fingerprints(t, damaged, f)
					for i, at := range s.starts {
						if !pattern.damaged(i, len(s.starts)) && got[at] != s.prints[at] {
							t.Errorf("buffer %d at %#x: %+v, want %+v", i, at, got[at], s.prints[at])
						}
					}
					if faults, _ := f.Faults(); len(faults) == 0 {
						t.Error("the damage is not reported")
					}
				})
			}
		}
	}
}

// TestNotTraces checks that files without a trace buffer are rejected.
func TestNotTraces(t *testing.T) {
	random := make([]byte, 1<<20)
	rand.NewChaCha8([32]byte{2}).Read(random)
	for name, file := range map[string][]byte{
		"random bytes": random,
		"zeros":        make([]byte, 1<<20),
		"ones":         bytes.Repeat([]byte{0xff}, 1<<20),
		"text":         []byte(strings.Repeat("2024-05-01 12:00:00 a line of a log\r\n", 1<<14)),
		"one byte":     {'x'},
		"empty":        {},
	} {
		t.Run(name, func(t *testing.T) {
			if _, err := decode.NewFile(bytes.NewReader(file), int64(len(file))); !errors.Is(err, decode.ErrNotETL) {
				t.Errorf("got %v", err)
			}
		})
	}
}

// TestDamagedOld changes bytes of files of Windows 2000 to 2003. The first buffer gives the size of
// the others. After it, a change loses only the buffer that contains it.
func TestDamagedOld(t *testing.T) {
	for _, os := range []string{"5.0", "5.1", "5.2"} {
		t.Run(os, func(t *testing.T) {
			file := smallFile(t, "old ptr=32 os="+os)
			s := newSubject(t, file)
			if len(s.starts) != 7 {
				t.Fatalf("%d buffers", len(s.starts))
			}
			random := rand.New(rand.NewPCG(3, 3))
			for at := range int64(len(file)) {
				for _, v := range []byte{0, 0xff, file[at] ^ byte(1+random.IntN(255))} {
					if v == file[at] {
						continue
					}
					if at >= s.starts[1] {
						s.change(t, at, v)
						continue
					}
					changed := slices.Clone(file)
					changed[at] = v
					if f, err := decode.NewFile(bytes.NewReader(changed), int64(len(changed))); err == nil {
						fingerprints(t, changed, f)
					}
				}
			}
			for at := range int64(len(file)) {
				if f, err := decode.NewFile(bytes.NewReader(file[:at]), at); err == nil {
					fingerprints(t, file[:at], f)
				}
			}
		})
	}
}

// TestTicksWithoutHeader overwrites the first buffer, which states the clock. The times of the other
// events keep their order and distances: ticks count from 1970, a FILETIME stays what it is.
func TestTicksWithoutHeader(t *testing.T) {
	for settings, want := range map[string]string{
		"clock=qpc freq=10000000": "1970",
		"clock=system":            "2024",
	} {
		file := etltest.MustParse(t, "trace buffersize=4096 "+settings+`
buffer cpu=0
repeat 3 dt=+1ms { event64 provider=11111111-2222-3333-4444-555555555555 id=7 t=+1ms payload=u32:$i }
`)
		clear(file[:512])
		f := decodetest.Open(t, file)
		clock := f.Header().Clock()
		var times []int64
		for i := range f.Buffers() {
			var b decode.Buffer
			if f.ReadBuffer(i, &b) != nil {
				continue
			}
			var ev decode.Event
			for b.Next(&ev) == nil {
				times = append(times, clock.UnixNano(ev.Time))
			}
		}
		if len(times) != 3 {
			t.Fatalf("%s: %d events", settings, len(times))
		}
		if year := time.Unix(0, times[0]).UTC().Format("2006"); year != want {
			t.Errorf("%s: the year %s, want %s", settings, year, want)
		}
		if a, b := times[1]-times[0], times[2]-times[1]; a <= 0 || a != b {
			t.Errorf("%s: times %d", settings, times)
		}
	}
}
