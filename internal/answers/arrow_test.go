package answers

import (
	"bytes"
	"strings"
	"testing"

	"github.com/apache/arrow-go/v18/arrow/ipc"
	"github.com/google/go-cmp/cmp"

	"github.com/etl2parquet/etl2parquet/internal/base/texts"
)

func TestArrowType(t *testing.T) {
	for kind, want := range map[string]string{
		"BIGINT": "int64", "UBIGINT": "uint64", "HUGEINT": "decimal(38, 0)", "DECIMAL(10,2)": "decimal(10, 2)",
		"VARCHAR": "utf8", "BLOB": "binary", "DATE": "date32", "TIMESTAMP WITH TIME ZONE": "timestamp[us, tz=UTC]", "TIMESTAMP": "timestamp[us]",
		"INTEGER[]": "list<item: int32, nullable>", "INTEGER[2]": "utf8", "INTERVAL": "utf8", "ENUM('a, b', 'x)')": "utf8", "MAP(VARCHAR, INTEGER)": "utf8",
		`STRUCT(a INTEGER[], "b""c d" DECIMAL(18,3), e ENUM('a', 'x'')y'))`: `struct<a: list<item: int32, nullable> nullable, b"c d: decimal(18, 3) nullable, e: utf8 nullable>`,
		"STRUCT(a STRUCT(b DOUBLE, c BLOB)[])[]":                            "list<item: struct<a: list<item: struct<b: float64 nullable, c: binary nullable>, nullable> nullable>, nullable>",
		`STRUCT("open INTEGER)`:                                             "utf8", "STRUCT()": "utf8", "": "utf8",
	} {
		if got := arrowType(kind).String(); got != want {
			t.Errorf("%s is %s, want %s", kind, got, want)
		}
	}
}

func TestWriteArrow(t *testing.T) {
	columns := []column{{"u", "UBIGINT"}, {"h", "HUGEINT"}, {"d", "DOUBLE"}, {"f", "FLOAT"}, {"b", "BLOB"}, {"t", "TIMESTAMP WITH TIME ZONE"}, {"day", "DATE"},
		{"l", "STRUCT(a INTEGER, b VARCHAR)[]"}, {"m", "MAP(VARCHAR, INTEGER)"}, {"o", "BOOLEAN"}}
	rows := `{"u":18446744073709551615,"h":12345678901234567890123456789012345678,"d":NaN,"f":0.10000000149011612,"b":"a\\x5C\\x00","t":"2024-05-01 12:00:00.123456+00","day":"2020-01-02","l":[{"a":1,"b":"x"},null],"m":{"a":1},"o":true}
{"u":null,"h":null,"d":-Infinity,"f":null,"b":null,"t":"1969-12-31 23:59:59.5+00","day":null,"l":null,"m":null,"o":null}
`
	var out bytes.Buffer
	if err := writeArrow(&out, strings.NewReader(rows), columns); err != nil {
		t.Fatal(err)
	}
	r, err := ipc.NewReader(&out)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Release()
	if !r.Next() || r.RecordBatch().NumRows() != 2 {
		t.Fatalf("no batch of two rows: %v", r.Err())
	}
	var got []string
	for _, c := range r.RecordBatch().Columns() {
		got = append(got, c.ValueStr(0)+" "+c.ValueStr(1))
	}
	want := []string{"18446744073709551615 (null)", "12345678901234567890123456789012345678 (null)", "NaN -Inf", "0.1 (null)", "YVwA (null)",
		"2024-05-01T12:00:00.123456Z 1969-12-31T23:59:59.5Z", "2020-01-02 (null)", `[{"a":1,"b":"x"},null] (null)`, `{"a":1} (null)`, "true (null)"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
	for _, wrong := range []string{`{"b":"\\x0"}`, `{"b":"\\y00"}`} {
		if err := writeArrow(new(bytes.Buffer), strings.NewReader(wrong), []column{{"b", "BLOB"}}); err == nil {
			t.Errorf("%s is no error", wrong)
		}
	}
	if err := writeArrow(new(bytes.Buffer), strings.NewReader(`{"t":"infinity"}`), []column{{"t", "TIMESTAMP"}}); err == nil {
		t.Error("an infinite time is no error")
	}
}

func TestWriteTable(t *testing.T) {
	columns := []column{{"name", "VARCHAR"}, {"n", "BIGINT"}, {"text", "VARCHAR"}}
	rows := `{"name":"explorer.exe","n":12,"text":"a very long text\nin lines"}
{"name":null,"n":345678,"text":"\u001b[2J"}
`
	for _, test := range []struct {
		width int
		want  string
	}{
		{0, `
name               n  text
────────────  ──────  ──────────────────────────
explorer.exe      12  a very long text\nin lines
NULL          345678  \u001b[2J
`},
		{40, `
name               n  text
────────────  ──────  ──────────────────
explorer.exe      12  a very long text\…
NULL          345678  \u001b[2J
`},
		{20, `
── row 1
name  explorer.exe
n     12
text  a very long
      text\nin lines
── row 2
name  NULL
n     345678
text  \u001b[2J
`},
	} {
		var out bytes.Buffer
		if err := writeTable(&out, strings.NewReader(rows), append([]column{}, columns...), texts.TableOptions{Width: test.width}); err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(strings.TrimPrefix(test.want, "\n"), out.String()); diff != "" {
			t.Errorf("width %d: -want +got:\n%s", test.width, diff)
		}
	}
}

func TestWriteTableBeyondSample(t *testing.T) {
	var out bytes.Buffer
	rows := strings.Repeat(`{"n":1}`+"\n", texts.SampledRows) + `{"n":12345}` + "\n"
	if err := writeTable(&out, strings.NewReader(rows), []column{{"n", "BIGINT"}}, texts.TableOptions{Width: 80}); err != nil {
		t.Fatal(err)
	}
	if got := strings.Count(out.String(), "\n"); got != texts.SampledRows+3 || !strings.HasSuffix(out.String(), "\n1\n12345\n") {
		t.Errorf("%d lines, the last %q", got, out.String()[max(0, out.Len()-20):])
	}
}
