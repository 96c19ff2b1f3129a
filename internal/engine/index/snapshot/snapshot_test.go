package snapshot

import (
	"encoding/binary"
	"math"
	"runtime"
	"testing"

	"github.com/google/go-cmp/cmp"
)

type inner struct {
	a    int8
	B    *uint16
	Text string
	left map[int]int `snapshot:"-"`
}

type outer struct {
	Flag  bool
	Big   uint64
	Small int64
	GUID  [4]byte
	Raw   []byte
	List  []inner
	Deep  [][]*inner
	inner
}

func sample() *outer {
	n := uint16(7)
	return &outer{
		Flag: true, Big: math.MaxUint64, Small: math.MinInt64, GUID: [4]byte{1, 2, 3, 255}, Raw: []byte{},
		List: []inner{{a: -128, B: &n, Text: "one"}, {Text: "two"}, {Text: "one"}, {}},
		Deep: [][]*inner{nil, {}, {nil, {a: 1, Text: "three"}}}, inner: inner{Text: "two"},
	}
}

func appended[T any](v *T) []byte {
	b, _ := AppendMost(nil, v, math.MaxInt)
	return b
}

// TestSnapshot checks that a value is read as it was written, and that nil and empty stay distinct.
func TestSnapshot(t *testing.T) {
	for name, v := range map[string]*outer{"zero": {}, "sample": sample()} {
		t.Run(name, func(t *testing.T) {
			b := appended(v)
			got, err := Read[outer](b)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(v, got, cmp.AllowUnexported(outer{}, inner{})); diff != "" {
				t.Error(diff)
			}
			for i := range b {
				if v, err := Read[outer](b[:i]); err == nil {
					t.Errorf("the first %d bytes are read: %+v", i, v)
				}
			}
			if _, err := Read[outer](append(b, 0)); err == nil {
				t.Error("bytes at the end are ignored")
			}
		})
	}
}

// TestLeftOut checks that a field with the tag is not written.
func TestLeftOut(t *testing.T) {
	v := sample()
	want := string(appended(v))
	v.left = map[int]int{1: 2}
	if string(appended(v)) != want {
		t.Error("the field is written")
	}
}

// TestFingerprint checks that types with other fields have other fingerprints.
func TestFingerprint(t *testing.T) {
	seen := make(map[uint64]string)
	for name, f := range map[string]uint64{
		"outer": Fingerprint[outer](), "inner": Fingerprint[inner](), "renamed": Fingerprint[struct{ A int8 }](), "named": Fingerprint[struct{ B int8 }](),
		"wider": Fingerprint[struct{ B int16 }](), "list": Fingerprint[struct{ B []int8 }](), "array": Fingerprint[struct{ B [2]int8 }](),
	} {
		if seen[f] != "" {
			t.Errorf("%s and %s have the same fingerprint", name, seen[f])
		}
		seen[f] = name
	}
}

// TestHostile checks that false lengths are rejected, and numbers that overflow.
func TestHostile(t *testing.T) {
	huge := []byte{0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x7f}
	if v, err := Read[[]inner](huge); err == nil {
		t.Errorf("a long list: %v", v)
	}
	if v, err := Read[string](append([]byte{newText}, huge...)); err == nil {
		t.Errorf("a long text: %v", v)
	}
	if v, err := Read[string]([]byte{firstText}); err == nil {
		t.Errorf("a text that is not there: %v", v)
	}
	if v, err := Read[uint8]([]byte{0x80, 2}); err == nil {
		t.Errorf("a large number: %v", *v)
	}
	if v, err := Read[bool]([]byte{2}); err == nil {
		t.Errorf("neither true nor false: %v", *v)
	}
}

// maxMemory returns the number of bytes that reading b as an outer may allocate: those of the
// type's codec, and a multiple of the length of b. The largest multiple is for a list of empty
// values.
func maxMemory(b []byte) uint64 { return 1<<17 + 40*uint64(len(b)) }

// readMeasured reads a value, and checks that Read allocates in proportion to the bytes.
func readMeasured(t *testing.T, b []byte) (*outer, error) {
	t.Helper()
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	v, err := Read[outer](b)
	runtime.ReadMemStats(&after)
	if n := after.TotalAlloc - before.TotalAlloc; n > maxMemory(b) {
		t.Errorf("%d bytes take %d bytes of memory, more than %d", len(b), n, maxMemory(b))
	}
	return v, err
}

// claims returns the beginning of an outer in which List, or else Deep and the first list in it,
// claims a length less 1. rest zeros follow.
func claims(list, deep, inner uint64, rest int) []byte {
	b := []byte{1, 1, 1, 1, 2, 3, 4, 0} // the fields before List
	b = binary.AppendUvarint(b, list)
	if list > 0 {
		return append(b, make([]byte, rest)...)
	}
	b = binary.AppendUvarint(b, deep)
	b = binary.AppendUvarint(b, inner)
	return append(b, make([]byte, rest)...)
}

// TestClaimedMemory checks that lists are allocated by the bytes that follow, not by their claimed
// number of elements.
func TestClaimedMemory(t *testing.T) {
	const rest = 1 << 16
	for name, b := range map[string][]byte{
		"far beyond":    claims(1<<40, 0, 0, rest),
		"beyond":        claims(1<<20, 0, 0, rest),
		"by one byte":   claims(rest/3, 0, 0, rest-1),
		"lists":         claims(0, rest, 0, rest),
		"list in lists": claims(0, rest, rest-1, rest),
		"list of 2^20":  claims(0, 2, 1<<20, rest),
	} {
		t.Run(name, func(t *testing.T) {
			if v, err := readMeasured(t, b); err == nil {
				t.Errorf("it is read, with lists of %d and %d", len(v.List), len(v.Deep))
			}
		})
	}
}

// FuzzRead checks that arbitrary bytes are read without a panic, and with memory in proportion to
// them, and that the result is equal after writing and reading it again.
func FuzzRead(f *testing.F) {
	f.Add(appended(sample()))
	f.Add(appended(new(outer)))
	f.Add(claims(1<<20, 0, 0, 100))
	f.Add(claims(30, 0, 0, 100))
	f.Add(claims(0, 90, 80, 100))
	f.Fuzz(func(t *testing.T, b []byte) {
		v, err := readMeasured(t, b)
		if err != nil {
			return
		}
		again, err := Read[outer](appended(v))
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(v, again, cmp.AllowUnexported(outer{}, inner{})); diff != "" {
			t.Error(diff)
		}
	})
}
