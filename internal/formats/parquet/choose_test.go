package parquet

import (
	"bytes"
	"errors"
	"slices"
	"testing"

	"github.com/parquet-go/parquet-go/format"

	"github.com/etl2parquet/etl2parquet/schema"
)

const (
	coded   = format.RLEDictionary
	differ  = format.DeltaBinaryPacked
	plain   = format.Plain
	lengths = format.DeltaLengthByteArray
)

// TestPlans checks which encodings are compared for the values of a page.
func TestPlans(t *testing.T) {
	for _, test := range []struct {
		name   string
		values chunkEncoder
		want   []format.Encoding
	}{
		{"few integers without a dictionary", integers(schema.Varied, 16), []format.Encoding{plain}},
		{"integers without a dictionary", integers(schema.Varied, 17), []format.Encoding{differ, plain}},
		{"few rising integers", integers(schema.Rising, 16), []format.Encoding{plain}},
		{"rising integers", integers(schema.Rising, 17), []format.Encoding{differ}},
		{"direct floats", chunkEncoder{direct: true, how: plain, spec: &schema.Column{Type: schema.Double}}, nil},
		{"direct narrow numbers", chunkEncoder{direct: true, how: differ, spec: &schema.Column{Type: schema.Int32}}, nil},

		{"few distinct numbers", numbers(32, 32), []format.Encoding{plain}},
		{"distinct numbers", numbers(33, 33), []format.Encoding{differ, plain}},
		{"nearly distinct numbers", numbers(100, 95), []format.Encoding{differ, plain}},
		{"numbers that repeat a little", numbers(1000, 126), []format.Encoding{coded, differ, plain}},
		{"numbers that repeat", numbers(1000, 125), []format.Encoding{coded}},

		{"few distinct texts", texts(5, 5, 20), []format.Encoding{plain}},
		{"distinct texts", texts(100, 100, 20), []format.Encoding{lengths}},
		{"texts that repeat a little", texts(1000, 501, 20), []format.Encoding{coded, lengths}},
		{"texts that repeat", texts(1000, 500, 20), []format.Encoding{coded}},
		{"very few texts that repeat", texts(4, 2, 1), []format.Encoding{plain}},
		{"few long texts that repeat", texts(20, 10, 100), []format.Encoding{coded}},
		{"texts as large as a page may be", texts(64, 64, maxDirect/64-4), []format.Encoding{lengths}},
		{"larger texts", texts(64, 64, maxDirect/64-3), []format.Encoding{coded}},
	} {
		var got []format.Encoding
		for _, p := range test.values.plans() {
			got = append(got, p.how)
		}
		if !slices.Equal(got, test.want) {
			t.Errorf("%s: %v, want %v", test.name, got, test.want)
		}
	}
}

func integers(encoding schema.Encoding, n int) chunkEncoder {
	return chunkEncoder{direct: true, how: differ, spec: &schema.Column{Type: schema.Int64, Encoding: encoding}, ints: make([]int64, n)}
}

// numbers returns n numbers of 4 bytes, distinct of them different.
func numbers(n, distinct int) chunkEncoder {
	return chunkEncoder{spec: &schema.Column{Type: schema.Int32}, small: make([]int32, n), dictionary: dictionary{numbers: make([]int64, distinct)}}
}

// texts returns n texts of some bytes, distinct of them different.
func texts(n, distinct, size int) chunkEncoder {
	e := chunkEncoder{spec: &schema.Column{Type: schema.String}, dictionary: dictionary{texts: make([][]byte, distinct)}}
	for i := range e.dictionary.texts {
		e.dictionary.texts[i] = bytes.Repeat([]byte("x"), size)
	}
	for i := range n {
		e.small = append(e.small, int32(i%distinct))
	}
	return e
}

// TestLeast checks that the smallest sample wins, of equals the first, and that a single plan needs
// no sample.
func TestLeast(t *testing.T) {
	fault := errors.New("it cannot be compressed")
	of := func(how format.Encoding, size int, err error) plan {
		return plan{how, func(*chunkEncoder, []int32) (int, error) { return size, err }}
	}
	for _, test := range []struct {
		name  string
		plans []plan
		want  format.Encoding
		err   error
	}{
		{"one", []plan{of(differ, 0, fault)}, differ, nil},
		{"the last is smallest", []plan{of(coded, 9, nil), of(differ, 8, nil), of(plain, 7, nil)}, plain, nil},
		{"the first is smallest", []plan{of(coded, 7, nil), of(differ, 8, nil)}, coded, nil},
		{"equal", []plan{of(coded, 9, nil), of(differ, 7, nil), of(plain, 7, nil)}, differ, nil},
		{"an error", []plan{of(coded, 9, nil), of(differ, 0, fault)}, 0, fault},
	} {
		e := numbers(100, 50)
		if best, err := e.least(test.plans); !errors.Is(err, test.err) || test.err == nil && best.how != test.want {
			t.Errorf("%s: %v, %v", test.name, best.how, err)
		}
	}
}
