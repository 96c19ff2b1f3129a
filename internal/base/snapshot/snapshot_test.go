package snapshot

import (
	"math"
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
	inner
}

func sample() *outer {
	n := uint16(7)
	return &outer{
		Flag: true, Big: math.MaxUint64, Small: math.MinInt64, GUID: [4]byte{1, 2, 3, 255}, Raw: []byte{},
		List: []inner{{a: -128, B: &n, Text: "one"}, {Text: "two"}, {Text: "one"}, {}}, inner: inner{Text: "two"},
	}
}

// TestSnapshot checks that a value is read as it was written: also what is nil, and what is
// empty and not nil.
func TestSnapshot(t *testing.T) {
	for name, v := range map[string]*outer{"zero": {}, "sample": sample()} {
		t.Run(name, func(t *testing.T) {
			b := Append(nil, v)
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
	want := string(Append(nil, v))
	v.left = map[int]int{1: 2}
	if string(Append(nil, v)) != want {
		t.Error("the field is written")
	}
}

// TestFingerprint checks that types of other fields have other fingerprints.
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

// TestHostile checks that lengths are not believed, and that numbers fit.
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

// FuzzRead checks that any bytes are read without a panic, and that what is read is written
// again as a value that is equal.
func FuzzRead(f *testing.F) {
	f.Add(Append(nil, sample()))
	f.Add(Append(nil, new(outer)))
	f.Fuzz(func(t *testing.T, b []byte) {
		v, err := Read[outer](b)
		if err != nil {
			return
		}
		again, err := Read[outer](Append(nil, v))
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(v, again, cmp.AllowUnexported(outer{}, inner{})); diff != "" {
			t.Error(diff)
		}
	})
}
