package dataset

import (
	"bytes"
	"encoding/json"
	"math/rand/v2"
	"reflect"
	"testing"
	"time"

	"github.com/etl2parquet/etl2parquet/internal/base/text/jsontext"
)

// fill sets about two thirds of all fields at and below a value.
func fill(v reflect.Value, r *rand.Rand) {
	if !v.CanSet() || r.IntN(3) == 0 {
		return
	}
	if t, is := v.Addr().Interface().(*time.Time); is {
		*t = time.Unix(r.Int64N(1<<32), r.Int64N(1e9)).UTC()
		return
	}
	switch v.Kind() {
	case reflect.Bool:
		v.SetBool(r.IntN(2) == 0)
	case reflect.Int, reflect.Int64, reflect.Int32:
		v.SetInt(r.Int64() >> r.IntN(64))
	case reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		v.SetUint(r.Uint64())
	case reflect.String:
		v.SetString([]string{"", "plain", `a\"b"`, "<&>", "Größe\n", "\u2028 \xff", "/dev/shm/x y"}[r.IntN(7)])
	case reflect.Pointer:
		v.Set(reflect.New(v.Type().Elem()))
		fill(v.Elem(), r)
	case reflect.Slice:
		v.Set(reflect.MakeSlice(v.Type(), r.IntN(3), 3))
		for i := range v.Len() {
			fill(v.Index(i), r)
		}
	case reflect.Array:
		for i := range v.Len() {
			fill(v.Index(i), r)
		}
	case reflect.Struct:
		for i := range v.NumField() {
			fill(v.Field(i), r)
		}
	case reflect.Map:
		v.Set(reflect.MakeMap(v.Type()))
		for _, name := range []string{"b", "a<", "c"}[:r.IntN(4)] {
			v.SetMapIndex(reflect.ValueOf(name), reflect.ValueOf("of "+name))
		}
	default:
		panic("a record has a field of another kind: " + v.Type().String())
	}
}

// TestRecordText checks that records are written as package json would write them.
func TestRecordText(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for range 2000 {
		record := new(Record)
		fill(reflect.ValueOf(record).Elem(), r)
		want, wantErr := json.MarshalIndent(record, "", "  ")
		got, err := jsontext.Indented(record)
		if (err != nil) != (wantErr != nil) {
			t.Fatalf("error %v, of package json %v", err, wantErr)
		}
		if err == nil && !bytes.Equal(got, want) {
			t.Fatalf("got %s\nwant %s", got, want)
		}
	}
}
