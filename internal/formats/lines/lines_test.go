package lines

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"strings"
	"testing"

	"github.com/etl2parquet/etl2parquet/internal/engine/columns"
	"github.com/etl2parquet/etl2parquet/internal/engine/columns/columnstest"
	"github.com/etl2parquet/etl2parquet/schema"
	"github.com/etl2parquet/etl2parquet/tools/testenv"
)

func names(t *schema.Table) []string {
	var list []string
	for i := range t.Columns {
		list = append(list, t.Columns[i].Name)
	}
	return list
}

// linesOf returns the lines of rows.
func linesOf(t testing.TB, data *columnstest.Data, f Format, shown []string) []string {
	t.Helper()
	b := columns.NewBatch(data.Table)
	for _, row := range data.Rows {
		columnstest.Append(b, row)
	}
	m := NewMaker(data.Table, f, shown)
	text := append(m.Header(), m.Append(nil, b)[m.Separator():]...)
	text = append(text, m.Footer(b.Rows > 0)...)
	for i, line := range bytes.SplitAfter(text, []byte{'\n'}) {
		if f != CSV && bytes.ContainsFunc(bytes.TrimSuffix(line, []byte{'\n'}), func(r rune) bool { return r < ' ' || r >= 0x7f && r < 0xa0 }) {
			t.Errorf("line %d has control characters: %q", i, line)
		}
	}
	return strings.SplitAfter(string(text), "\n")
}

var shapes = map[string]func(string) *columnstest.Data{
	"every type": func(string) *columnstest.Data { return columnstest.EveryType() },
	"documents":  func(string) *columnstest.Data { return columnstest.Documents() },
	"nestings": func(name string) *columnstest.Data {
		return columnstest.Nestings().Fill(testenv.Seeded(name), 300, 0.4, 3, 100)
	},
	"deep": func(string) *columnstest.Data { return columnstest.Deep(schema.MaxDepth, true) },
}

// TestNDJSON checks that package json reads the values of the rows from the lines.
func TestNDJSON(t *testing.T) {
	for name, make := range shapes {
		t.Run(name, func(t *testing.T) {
			data := make(name)
			for i, line := range linesOf(t, data, NDJSON, names(data.Table)) {
				if i == len(data.Rows) {
					if line != "" {
						t.Errorf("after the rows there is %q", line)
					}
					break
				}
				checkObject(t, line, data, i)
			}
		})
	}
}

// TestJSON checks that the rows are an array of the objects of NDJSON.
func TestJSON(t *testing.T) {
	for name, make := range shapes {
		t.Run(name, func(t *testing.T) {
			data := make(name)
			var got []json.RawMessage
			if err := json.Unmarshal([]byte(strings.Join(linesOf(t, data, JSON, names(data.Table)), "")), &got); err != nil {
				t.Fatal(err)
			}
			if len(got) != len(data.Rows) {
				t.Fatalf("%d objects of %d rows", len(got), len(data.Rows))
			}
			for i, line := range got {
				checkObject(t, string(line), data, i)
			}
		})
	}
}

// checkObject compares a line with a row, using the values that package json reads.
func checkObject(t *testing.T, line string, data *columnstest.Data, row int) {
	t.Helper()
	decoder := json.NewDecoder(strings.NewReader(line))
	decoder.UseNumber()
	var got map[string]any
	if err := decoder.Decode(&got); err != nil {
		t.Fatalf("row %d: %v: %s", row, err, line)
	}
	want := make(map[string]any)
	for i, v := range data.Rows[row] {
		if v != nil {
			c := &data.Table.Columns[i]
			want[c.Name] = plainJSON(t, c, v)
		}
	}
	if diff := different(got, want); diff != "" {
		t.Errorf("row %d: %s: %s", row, diff, line)
	}
}

// TestCSV checks that a CSV reader finds the texts of the rows.
func TestCSV(t *testing.T) {
	for name, make := range shapes {
		t.Run(name, func(t *testing.T) {
			data := make(name)
			all := names(data.Table)
			records, err := csv.NewReader(strings.NewReader(strings.Join(linesOf(t, data, CSV, all), ""))).ReadAll()
			if err != nil {
				t.Fatal(err)
			}
			if len(records) != len(data.Rows)+1 {
				t.Fatalf("%d records of %d rows and a header", len(records), len(data.Rows))
			}
			for i, name := range records[0] {
				if name != all[i] {
					t.Errorf("column %d has the name %q, want %q", i, name, all[i])
				}
			}
			for i, row := range data.Rows {
				for k, v := range row {
					checkCell(t, &data.Table.Columns[k], records[i+1][k], v)
				}
			}
		})
	}
}

// TestCSVTexts checks that texts are as they are, in quotes where a reader needs them.
func TestCSVTexts(t *testing.T) {
	table := &schema.Table{Name: "t", Columns: []schema.Column{{Name: "a,b", Type: schema.String, Nullable: true}, {Name: "n", Type: schema.Int32}}}
	texts := []string{"plain", "", "a,b", `a"b`, `C:\new\u0041`, "a\nb", "a\r\nb", "\r", " a", "a ", "a b", "\ta", "a\tb", "a\x00b", "a\x00", "\u2028", "\u202eabc", "\ufffd", "NULL", `"`}
	b := columns.NewBatch(table)
	for i, text := range texts {
		columns.Repeat(&b.Columns[0].At(i).Codes, b.Texts.Text(text), 1)
		b.Columns[1].Int32(int32(i))
		b.Rows++
	}
	b.Columns[1].Int32(-1) // with a null
	b.Rows++
	m := NewMaker(table, CSV, []string{"a,b", "n"})
	want := strings.Join([]string{`"a,b",n`, "plain,0", `"",1`, `"a,b",2`, `"a""b",3`, `C:\new\u0041,4`, "\"a\nb\",5", "\"a\r\nb\",6", "\"\r\",7", `" a",8`, `"a ",9`, "a b,10",
		"\"\ta\",11", "a\tb,12", "a\x00b,13", "\"a\x00\",14", "\u2028,15", "\u202eabc,16", "\ufffd,17", "NULL,18", `"""",19`, ",-1", ""}, "\n")
	if got := string(m.Append(m.Header(), b)); got != want {
		t.Errorf("got\n%q\nwant\n%q", got, want)
	}
}

// TestTimes checks that the time of an event has all its digits, even if the column
// with the last digits is not shown.
func TestTimes(t *testing.T) {
	table := &schema.Table{Name: "t", Columns: []schema.Column{
		{Name: "timestamp", Type: schema.Timestamp}, {Name: "time_ns", Type: schema.Int64}, {Name: "end", Type: schema.Timestamp, Nullable: true},
	}}
	b := columns.NewBatch(table)
	for i, ns := range []int64{1717156800123456789, 1717156800999999999, -1} {
		b.Columns[0].Int64(columns.Micros(ns))
		b.Columns[1].Int64(ns)
		b.Rows++
		if i == 1 {
			b.Columns[2].At(i).Int64(253402300800_000001) // the year 10000
		}
	}
	for _, test := range []struct {
		format Format
		shown  []string
		want   string
	}{
		{NDJSON, []string{"timestamp", "end"}, `{"timestamp":"2024-05-31T12:00:00.123456789Z"}
{"timestamp":"2024-05-31T12:00:00.999999999Z","end":"10000-01-01T00:00:00.000001Z"}
{"timestamp":"1969-12-31T23:59:59.999999999Z"}
`},
		{CSV, []string{"time_ns", "timestamp"}, `time_ns,timestamp
1717156800123456789,2024-05-31T12:00:00.123456789Z
1717156800999999999,2024-05-31T12:00:00.999999999Z
-1,1969-12-31T23:59:59.999999999Z
`},
	} {
		m := NewMaker(table, test.format, test.shown)
		if got := m.Append(m.Header(), b); string(got) != test.want {
			t.Errorf("got\n%swant\n%s", got, test.want)
		}
	}
	if got := strings.Join(Columns(table, []string{"end", "timestamp"}), " "); got != "end timestamp time_ns" {
		t.Errorf("showing end and timestamp needs %s", got)
	}
}
