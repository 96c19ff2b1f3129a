package recordbatch

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/apache/arrow-go/v18/arrow"

	"github.com/etl2parquet/etl2parquet/internal/engine/columns"
	"github.com/etl2parquet/etl2parquet/internal/engine/columns/columnstest"
	"github.com/etl2parquet/etl2parquet/schema"
	"github.com/etl2parquet/etl2parquet/tools/testenv"
)

// checkData makes record batches from rows, in batches of random sizes, some empty,
// and compares them with the rows. As in a stream, one batch is filled again after
// each release.
func checkData(t testing.TB, data *columnstest.Data, random *rand.Rand) {
	t.Helper()
	m := NewMaker(data.Table, newAllocator(t))
	b := columns.NewBatch(data.Table)
	given := 0
	for rows, batches := data.Rows, 0; batches == 0 || len(rows) > 0; batches++ {
		n := random.IntN(len(rows) + 1)
		fill(b, rows[:n])
		record := makeRecord(t, m, b, func() { given++; b.Reset() })
		checkRecord(t, record, rows[:n])
		record.Release()
		if given != batches+1 {
			t.Fatalf("batch %d was given back %d times", batches, given-batches)
		}
		rows = rows[n:]
	}
}

// TestRecordBatch checks that record batches have the values of their batches.
func TestRecordBatch(t *testing.T) {
	for _, test := range []struct {
		name string
		data *columnstest.Data
	}{
		{"every type", columnstest.EveryType()},
		{"documents", columnstest.Documents()},
		{"deep structs", columnstest.Deep(schema.MaxDepth, false)},
		{"deep lists", columnstest.Deep(schema.MaxDepth, true)},
		{"no rows", columnstest.Nestings()},
		{"no nulls", columnstest.Nestings().Fill(testenv.Seeded("no nulls"), 200, 0, 3, 100)},
		{"some nulls", columnstest.Nestings().Fill(testenv.Seeded("some nulls"), 200, 0.3, 3, 100)},
		{"many nulls", columnstest.Nestings().Fill(testenv.Seeded("many nulls"), 200, 0.8, 3, 100)},
		{"all null", columnstest.Nestings().Fill(testenv.Seeded("all null"), 50, 1, 3, 100)},
		{"empty lists", columnstest.Nestings().Fill(testenv.Seeded("empty lists"), 50, 0.3, 0, 100)},
	} {
		t.Run(test.name, func(t *testing.T) {
			random := testenv.Seeded(test.name)
			for range 5 {
				checkData(t, test.data, random)
			}
		})
	}
}

// TestRandomTables checks tables of random trees, with every type.
func TestRandomTables(t *testing.T) {
	for seed := range uint64(300) {
		random := rand.New(rand.NewPCG(seed, 3))
		data := &columnstest.Data{Table: columnstest.RandomTable(random)}
		checkData(t, data.Fill(random, random.IntN(100), random.Float64(), random.IntN(5), []int64{1, 3, 1000}[random.IntN(3)]), random)
	}
}

// TestOwnTables checks every table of the program, with nulls and without.
func TestOwnTables(t *testing.T) {
	for _, table := range schema.Tables() {
		random := testenv.Seeded(table.Name)
		data := (&columnstest.Data{Table: table}).Fill(random, 1, 1, 3, 5).Fill(random, 2, 0, 3, 5).Fill(random, 3, 0.5, 3, 5)
		checkData(t, data, random)
	}
}

// TestNullsAtTheEnd checks that rows beyond the length of Valid are null, in members
// too.
func TestNullsAtTheEnd(t *testing.T) {
	number := schema.Column{Name: "n", Type: schema.Int32, Nullable: true}
	table := &schema.Table{Name: "t", Columns: []schema.Column{number, columnstest.Struct("s", false, true, number), columnstest.Struct("l", true, true, number)}}
	b := columns.NewBatch(table)
	b.Rows = 20
	b.Columns[0].At(1).Int32(7)
	s := b.Columns[1].At(0)
	s.Members[0].At(s.BeginStruct()).Int32(8)
	b.Columns[1].At(3).BeginStruct() // its member is null
	l := b.Columns[2].At(2)
	l.Members[0].At(l.BeginStruct()).Int32(9)
	l.BeginStruct()
	l.EndList()
	want := make([][]any, b.Rows)
	for i := range want {
		want[i] = []any{nil, nil, nil}
	}
	want[1][0], want[0][1], want[3][1] = int32(7), columnstest.Members{int32(8)}, columnstest.Members{nil}
	want[2][2] = []any{columnstest.Members{int32(9)}, columnstest.Members{nil}}
	record := makeRecord(t, NewMaker(table, newAllocator(t)), b, nil)
	defer record.Release()
	checkRecord(t, record, want)
}

// TestTrace checks batches with a trace, whose column precedes those of the table.
func TestTrace(t *testing.T) {
	data := columnstest.EveryType()
	m := NewMaker(data.Table.WithTrace(), newAllocator(t))
	b := columns.NewBatch(data.Table)
	for _, trace := range []string{"boot", "", "Zürich"} {
		b.Reset()
		fill(b, data.Rows)
		b.SetTrace(trace)
		rows := slices.Clone(data.Rows)
		for i := range rows {
			rows[i] = slices.Insert(slices.Clone(rows[i]), 0, any(trace))
		}
		record := makeRecord(t, m, b, nil)
		checkRecord(t, record, rows)
		record.Release()
	}
	if first := m.Schema().Field(0); !first.Equal(arrow.Field{Name: "trace", Type: arrow.BinaryTypes.String, Metadata: arrow.NewMetadata([]string{docKey}, []string{schema.TraceColumn.Doc})}) {
		t.Errorf("the first field is %v", first)
	}
	if _, err := NewMaker(data.Table, newAllocator(t)).RecordBatch(b, nil); err == nil {
		t.Error("a batch with a trace matches the schema without one")
	}
	if _, err := m.RecordBatch(columns.NewBatch(data.Table), nil); err == nil {
		t.Error("a batch without a trace matches the schema with one")
	}
}

// TestRefused checks batches that cannot become record batches: the caller keeps them.
func TestRefused(t *testing.T) {
	text := schema.Column{Name: "text", Type: schema.String}
	blob := schema.Column{Name: "blob", Type: schema.Binary, Encoding: schema.Varied, Nullable: true}
	list := schema.Column{Name: "list", Type: schema.Int32, List: true}
	table := func(c schema.Column) *schema.Table { return &schema.Table{Name: "t", Columns: []schema.Column{c}} }
	const most = 10
	for _, test := range []struct {
		name  string
		table *schema.Table
		rows  [][]any
		is    *schema.Table // of the batch, if it differs
		want  string        // "" if it can be made
	}{
		{"texts", table(text), [][]any{{"12345"}, {"12345"}}, nil, ""},
		{"texts of other lengths", table(text), [][]any{{"12345678"}, {"1"}, {""}, {"1"}}, nil, ""},
		{"too long texts", table(text), [][]any{{"123456"}, {"12345"}}, nil, "table t: column text has 11 bytes in a batch, more than 10"},
		{"binaries", table(blob), [][]any{{[]byte("12345")}, {nil}, {[]byte("12345")}}, nil, ""},
		{"too long binaries", table(blob), [][]any{{"12345678901"}}, nil, "table t: column blob has 11 bytes in a batch, more than 10"},
		{"list", table(list), [][]any{{slices.Repeat([]any{int32(1)}, most)}}, nil, ""},
		{"too long lists", table(list), [][]any{{[]any{}}, {slices.Repeat([]any{int32(1)}, most)}, {[]any{int32(1)}}}, nil,
			"table t: column list has 11 elements in the lists of a batch, more than 10"},
		{"too long members", table(columnstest.Struct("s", true, true, list)), [][]any{{slices.Repeat([]any{columnstest.Members{[]any{int32(1)}}}, most)},
			{[]any{columnstest.Members{[]any{int32(1)}}}}}, nil, "table t: column s has 11 elements in the lists of a batch, more than 10"},
		{"too long texts in members", table(columnstest.Struct("s", false, false, text)), [][]any{{columnstest.Members{"12345678901"}}}, nil,
			"table t: s: column text has 11 bytes in a batch, more than 10"},
		{"other column", table(text), nil, table(blob), "table t: a batch of table t has a column blob BINARY or null, want text STRING"},
		{"other table", table(text), nil, table(text).WithTrace(), "table t: a batch of table t has 2 columns, want 1"},
		{"a row without value", table(text), [][]any{{nil}}, nil, "table t: column text has 0 values in 1 rows, want 1"},
	} {
		t.Run(test.name, func(t *testing.T) {
			m := NewMaker(test.table, newAllocator(t))
			m.most = most
			if test.is == nil {
				test.is = test.table
			}
			b := columns.NewBatch(test.is)
			fill(b, test.rows)
			done := 0
			record, err := m.RecordBatch(b, func() { done++ })
			if test.want == "" {
				if err != nil {
					t.Fatal(err)
				}
				checkRecord(t, record, test.rows)
				record.Release()
				return
			}
			if err == nil || record != nil || err.Error() != test.want {
				t.Errorf("error %v, want %s", err, test.want)
			}
			if done > 0 {
				t.Error("done was called")
			}
		})
	}
}

// TestSchema checks the Arrow type of each type of column.
func TestSchema(t *testing.T) {
	table := &schema.Table{Name: "t"}
	for kind := schema.Boolean; kind < schema.Struct; kind++ {
		table.Columns = append(table.Columns, schema.Column{Name: strings.ToLower(kind.String()), Type: kind, Nullable: kind%2 == 0})
	}
	table.Columns = append(table.Columns, schema.Column{Name: "list", Type: schema.Uint64, List: true, Nullable: true},
		columnstest.Struct("structs", true, false, columnstest.Struct("inner", false, true, schema.Column{Name: "n", Type: schema.Int32})))
	want := `schema:
  fields: 11
    - boolean: type=bool
    - int32: type=int32, nullable
    - int64: type=int64
    - uint64: type=uint64, nullable
    - float: type=float32
    - double: type=float64, nullable
    - string: type=utf8
    - binary: type=binary, nullable
    - timestamp: type=timestamp[us, tz=UTC]
    - list: type=list<element: uint64>, nullable
    - structs: type=list<element: struct<inner: struct<n: int32> nullable>>`
	if got := Schema(table).String(); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

// FuzzRecordBatch checks that the record batches of any table have the values of
// its batches.
func FuzzRecordBatch(f *testing.F) {
	for seed := range uint64(40) {
		f.Add(seed, uint16(seed*13), byte(seed*31), byte(seed%5))
	}
	f.Fuzz(func(t *testing.T, seed uint64, rows uint16, nulls, longest byte) {
		random := rand.New(rand.NewPCG(seed, 4))
		data := &columnstest.Data{Table: columnstest.RandomTable(random)}
		data.Fill(random, int(rows%600), float64(nulls)/255, int(longest%6), []int64{1, 3, 1000, 1 << 40}[random.IntN(4)])
		checkData(t, data, random)
	})
}
