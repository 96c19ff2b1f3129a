package bench

import (
	"bytes"
	"compress/gzip"
	"errors"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/pprof/profile"
)

// TestParseProfile parses what pprof's own library writes.
func TestParseProfile(t *testing.T) {
	own := &profile.Function{ID: 1, Name: "github.com/etl2parquet/etl2parquet/internal/formats/parquet.(*File).Close"}
	inlined := &profile.Function{ID: 2, Name: "slices.Index[...]"}
	leaf := &profile.Location{ID: 1, Line: []profile.Line{{Function: inlined, Line: 3}, {Function: own, Line: 900}}}
	root := &profile.Location{ID: 200, Line: []profile.Line{{Function: own, Line: 70}}}
	p := &profile.Profile{
		SampleType: []*profile.ValueType{{Type: "samples", Unit: "count"}, {Type: "cpu", Unit: "nanoseconds"}},
		Function:   []*profile.Function{own, inlined},
		Location:   []*profile.Location{leaf, root},
		Sample: []*profile.Sample{
			{Location: []*profile.Location{leaf, root}, Value: []int64{3, 30_000_000}, Label: map[string][]string{"a": {"b"}}},
			{Location: []*profile.Location{root}, Value: []int64{1, 1 << 40}},
			{Value: []int64{1, 10}},
		},
	}
	var written bytes.Buffer
	if err := p.Write(&written); err != nil {
		t.Fatal(err)
	}
	got, err := parseProfile(written.Bytes())
	if err != nil {
		t.Fatal(err)
	}
	const file = "internal/formats/parquet.(*File).Close"
	want := []sample{{[]string{"slices.Index[...]", file, file}, 30_000_000}, {[]string{file}, 1 << 40}, {nil, 10}}
	if diff := cmp.Diff(want, got, cmp.AllowUnexported(sample{})); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}

// TestParseProfileDamaged checks that bytes that are no profile are an error.
func TestParseProfileDamaged(t *testing.T) {
	for _, message := range []string{
		"\x12",                     // a field without its size
		"\x12\x05ab",               // a field beyond the end
		"\x09\x01",                 // a number of 8 bytes, which profiles have not
		"\x12\x02\x12\x00",         // a sample without values
		"\x12\x04\x12\x02\x01\x80", // a value that is cut off
		"\x80",
	} {
		var data bytes.Buffer
		z := gzip.NewWriter(&data)
		if _, err := z.Write([]byte(message)); err != nil {
			t.Fatal(err)
		}
		if err := z.Close(); err != nil {
			t.Fatal(err)
		}
		if samples, err := parseProfile(data.Bytes()); !errors.Is(err, errProfile) {
			t.Errorf("%q: %v, %v", message, samples, err)
		}
		if samples, err := parseProfile(data.Bytes()[:data.Len()-9]); !errors.Is(err, errProfile) {
			t.Errorf("%q, cut off: %v, %v", message, samples, err)
		}
	}
	if samples, err := parseProfile([]byte("text")); !errors.Is(err, errProfile) {
		t.Errorf("a text: %v, %v", samples, err)
	}
}
