package recordbatch

import (
	"fmt"
	"strings"
	"testing"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"
	"github.com/apache/arrow-go/v18/arrow/memory"
	"github.com/google/go-cmp/cmp"
)

// TestRows reads rows of several batches, one of them empty, with NULLs and with columns of other types
// than are asked for.
func TestRows(t *testing.T) {
	s := arrow.NewSchema([]arrow.Field{
		{Name: "i", Type: arrow.PrimitiveTypes.Int32, Nullable: true},
		{Name: "u", Type: arrow.PrimitiveTypes.Uint64, Nullable: true},
		{Name: "t", Type: arrow.FixedWidthTypes.Timestamp_us, Nullable: true},
		{Name: "s", Type: arrow.BinaryTypes.String, Nullable: true},
		{Name: "b", Type: arrow.BinaryTypes.Binary, Nullable: true},
		{Name: "l", Type: arrow.ListOf(arrow.BinaryTypes.String), Nullable: true},
	}, nil)
	var batches []arrow.RecordBatch
	for _, text := range []string{
		`[{"i":-1,"u":18446744073709551615,"t":5,"s":"a","b":"AQI=","l":["x",null]}]`,
		`[]`,
		`[{"i":null,"u":null,"t":null,"s":null,"b":null,"l":null},{"i":2,"u":3,"t":0,"s":"","b":"","l":[]}]`,
	} {
		batch, _, err := array.RecordFromJSON(memory.DefaultAllocator, s, strings.NewReader(text))
		if err != nil {
			t.Fatal(err)
		}
		batches = append(batches, batch)
	}
	reader, err := array.NewRecordReader(s, batches)
	if err != nil {
		t.Fatal(err)
	}
	rows := NewRows(reader)
	defer rows.Release()
	// Each value as all types.
	var got [][]string
	for rows.Next() {
		var values []string
		for column := range rows.Columns() {
			n, isInt := rows.Int(column)
			b, isBytes := rows.Bytes(column)
			list, from, to := rows.List(column)
			values = append(values, fmt.Sprintf("%v %v,%v %q %v,%v %v,%d", rows.Has(column), n, isInt, rows.Text(column), b, isBytes, list != nil, to-from))
		}
		got = append(got, values)
	}
	const null = `false 0,false "" [],false false,0`
	want := [][]string{
		{`true -1,true "" [],false false,0`, `true -1,true "" [],false false,0`, `true 5,true "" [],false false,0`, `true 0,false "a" [],false false,0`, `true 0,false "" [1 2],true false,0`, `true 0,false "" [],false true,2`},
		{null, null, null, null, null, null},
		{`true 2,true "" [],false false,0`, `true 3,true "" [],false false,0`, `true 0,true "" [],false false,0`, `true 0,false "" [],false false,0`, `true 0,false "" [],true false,0`, `true 0,false "" [],false true,0`},
	}
	if diff := cmp.Diff(want, got); diff != "" || rows.Err() != nil {
		t.Errorf("%v, -want +got:\n%s", rows.Err(), diff)
	}
}
