package decode_test

import (
	"math/rand/v2"
	"path/filepath"
	"slices"
	"testing"

	"github.com/etl2parquet/etl2parquet/decode"
	"github.com/etl2parquet/etl2parquet/tools/testenv"
)

// Offsets in the first event, whose place is fixed: its header, and the fields
// of TRACE_LOGFILE_HEADER that decide how the rest is read.
const (
	firstEvent        = decode.BufferHeaderSize
	firstEventHeader  = 0x20
	firstEventVersion = firstEvent + firstEventHeader + 0x04 // MajorVersion
	firstEventBuild   = firstEvent + firstEventHeader + 0x08 // ProviderVersion
	firstEventFields  = firstEventHeader + 0x38
)

// TestDamagedTraceHeader damages each byte of the first event's header, and of
// its fields before the names, in real traces. All other buffers must read as
// before, although this event describes the file.
func TestDamagedTraceHeader(t *testing.T) {
	paths := []string{"../testdata/sample.etl", "../testdata/sample-compressed.etl"}
	if !testing.Short() {
		paths = append(paths, testenv.SharedOr(t, "traces/*.etl")...)
	}
	for _, path := range paths {
		t.Run(filepath.Base(path), func(t *testing.T) {
			t.Parallel()
			file := testenv.ReadFile(t, path)
			s := newSubject(t, file)
			random := rand.New(rand.NewPCG(4, uint64(len(file))))
			values := []func(old byte) byte{
				func(old byte) byte { return ^old },
				func(byte) byte { return 0 },
				func(old byte) byte { return old + 1 },
				func(old byte) byte { return old ^ 0x80 },
				func(byte) byte { return byte(random.Uint32()) },
			}
			if most := max(1, 4<<20/len(file)); most < len(values) && !isWhole(t) {
				values = values[:most]
			}
			for at := int64(firstEvent); at < firstEvent+firstEventFields; at++ {
				for _, value := range values {
					s.change(t, at, value(file[at]))
				}
			}
			s.stretches(t, random)
		})
	}
}

// stretches overwrites parts of the first event.
func (s *subject) stretches(t *testing.T, random *rand.Rand) {
	t.Helper()
	for _, stretch := range []struct {
		what     string
		from, to int
		fill     []byte
	}{
		{"marker of an unknown type", firstEvent, firstEvent + 4, []byte{0x10, 0, 0x7f, 0xc0}},
		{"marker without a type", firstEvent, firstEvent + 4, []byte{0x10, 0, 0, 0xa0}},
		{"another event", firstEvent, firstEvent + 4, []byte{0x02, 0, 0x11, 0xc0}},
		{"no event", firstEvent, firstEvent + 4, []byte{0, 0, 0, 0}},
		{"version of Windows XP", firstEventVersion, firstEventBuild + 4, []byte{5, 1, 5, 1, 0x28, 0x0a, 0, 0}},
		{"version of Windows 2000", firstEventVersion, firstEventBuild + 4, []byte{5, 0, 0, 0, 0x93, 0x08, 0, 0}},
		{"version of an unknown Windows", firstEventVersion, firstEventBuild + 4, []byte{1, 0, 0, 0, 1, 0, 0, 0}},
		{"zeros", firstEvent, firstEvent + firstEventFields, []byte{0}},
		{"ones", firstEvent, firstEvent + firstEventFields, []byte{0xff}},
		{"fives", firstEvent + firstEventHeader, firstEvent + firstEventFields, []byte{5, 0}},
		{"noise", firstEvent, firstEvent + firstEventFields, []byte{byte(random.Uint32()), byte(random.Uint32()), byte(random.Uint32())}},
	} {
		damaged := slices.Clone(s.file)
		for i := range damaged[stretch.from:stretch.to] {
			damaged[stretch.from+i] = stretch.fill[i%len(stretch.fill)]
		}
		t.Logf("the first event: %s", stretch.what)
		s.check(t, damaged, int64(stretch.from), int64(stretch.to))
	}
}
