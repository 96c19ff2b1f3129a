package texts

import (
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestBeyondSample checks that rows after those that determine the widths are written, also wider ones.
func TestBeyondSample(t *testing.T) {
	for _, rows := range []int{0, 1, SampledRows - 1, SampledRows, SampledRows + 2} {
		var out strings.Builder
		w := NewTable(&out, []TableColumn{{"n", NumberColumn}, {"text", TextColumn}}, TableOptions{Width: 20})
		for i := range rows {
			if err := w.Add([]TableCell{{Text: strconv.Itoa(i % 10)}, {Text: strings.Repeat("a\n", min(i, 30))}}); err != nil {
				t.Fatal(err)
			}
		}
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
		lines := strings.Split(strings.TrimSuffix(out.String(), "\n"), "\n")
		if len(lines) != rows+2 {
			t.Errorf("%d lines of %d rows", len(lines), rows)
		}
		for _, line := range lines {
			if n := Width(line); n > 20 {
				t.Errorf("a line of %d characters: %s", n, line)
			}
		}
	}
}

// TestForms checks how rows are printed at several widths.
func TestForms(t *testing.T) {
	null := TableCell{"NULL", true}
	texts := func(texts ...string) (row []TableCell) {
		for _, text := range texts {
			row = append(row, TableCell{Text: text})
		}
		return row
	}
	columns := []TableColumn{{"timestamp", TimeColumn}, {"process_name", TextColumn}, {"n", NumberColumn}}
	for _, test := range []struct {
		name    string
		width   int
		columns []TableColumn
		rows    [][]TableCell
		want    string
	}{
		{"no terminal", 0, columns, [][]TableCell{texts("2024-05-01 12:00:00.25+00", "explorer.exe", "7"), {null, null, {Text: "12345"}}}, `
timestamp                  process_name      n
─────────────────────────  ────────────  ─────
2024-05-01 12:00:00.25+00  explorer.exe      7
NULL                       NULL          12345
`},
		{"times of one date", 80, columns, [][]TableCell{texts("2024-05-01 12:00:00.25+00", "a", "7"), texts("2024-05-01 12:00:00.2502+00", "b", "8"), {null, null, null}}, `
times of 2024-05-01 UTC
timestamp        process_name     n
───────────────  ────────────  ────
12:00:00.250000  a                7
12:00:00.250200  b                8
NULL             NULL          NULL
`},
		{"times of two dates", 80, columns, [][]TableCell{texts("2024-05-01T12:00:00.000000000Z", "a", "7"), texts("2024-05-02T12:00:00.000000001Z", "b", "8")}, `
timestamp                      process_name  n
─────────────────────────────  ────────────  ─
2024-05-01 12:00:00.000000000  a             7
2024-05-02 12:00:00.000000001  b             8
`},
		{"one time", 80, columns, [][]TableCell{texts("2024-05-01 12:00:00+00", "a", "7")}, `
timestamp            process_name  n
───────────────────  ────────────  ─
2024-05-01 12:00:00  a             7
`},
		{"times of another zone, and no times", 80, columns, [][]TableCell{texts("2024-05-01 12:00:00+02", "a", "7"), texts("infinity", "b", "8")}, `
timestamp               process_name  n
──────────────────────  ────────────  ─
2024-05-01 12:00:00+02  a             7
infinity                b             8
`},
		{"texts are cut first", 36, columns, [][]TableCell{texts("2024-05-01 12:00:00.25+00", "a long name of a process", "7"), texts("2024-05-01 12:00:00.2502+00", `C:\Windows\System32\ntdll.dll`, "12345")}, `
times of 2024-05-01 UTC
timestamp        process_name      n
───────────────  ────────────  ─────
12:00:00.250000  a long name…      7
12:00:00.250200  C:\Win…l.dll  12345
`},
		{"names of columns are cut last", 32, columns, [][]TableCell{texts("2024-05-01 12:00:00.25+00", "a", "7"), texts("2024-05-01 12:00:00.2502+00", "explorer.exe", "12345")}, `
times of 2024-05-01 UTC
timestamp        process…      n
───────────────  ────────  ─────
12:00:00.250000  a             7
12:00:00.250200  explore…  12345
`},
		{"blocks", 30, columns, [][]TableCell{texts("2024-05-01 12:00:00.25+00", "a long name of a process", "7"), {null, null, {Text: "12345678"}}, texts("2024-05-01 12:00:00+00", strings.Repeat("abcdefg ", 20), "8")}, `
times of 2024-05-01 UTC
── row 1
timestamp     12:00:00.250
process_name  a long name of a
              process
n             7
── row 2
timestamp     NULL
process_name  NULL
n             12345678
── row 3
timestamp     12:00:00.000
process_name  abcdefg abcdefg
              abcdefg abcdefg
              abcdefg abcdefg
              abcdefg abcdefg…
n             8
`},
		{"wide characters", 20, []TableColumn{{"名前", TextColumn}, {"n", NumberColumn}}, [][]TableCell{texts("日本語", "7"), texts("a\u0301bc", "8"), texts("日本語日本語日本語", "9")}, `
名前               n
─────────────────  ─
日本語             7
a` + "\u0301" + `bc                8
日本語日本語日本…  9
`},
		{"control characters", 20, []TableColumn{{"s", TextColumn}}, [][]TableCell{texts("\x1b[2J\na\u202eb")}, `
s
───────────────────
\u001b[2J\na\u202eb
`},
		{"no rows", 80, columns, nil, `
timestamp  process_name  n
─────────  ────────────  ─
`},
		{"no rows, in a narrow terminal", 20, columns, nil, `
timestamp
process_name  n
`},
	} {
		t.Run(test.name, func(t *testing.T) {
			var out strings.Builder
			w := NewTable(&out, test.columns, TableOptions{Width: test.width})
			for _, row := range test.rows {
				if err := w.Add(row); err != nil {
					t.Fatal(err)
				}
			}
			if err := w.Close(); err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(strings.TrimPrefix(test.want, "\n"), out.String()); diff != "" {
				t.Errorf("-want +got:\n%s", diff)
			}
		})
	}
}

// TestNamesWithoutRows checks that the names of a wide table without rows fit a usual page if the
// output is not a terminal.
func TestNamesWithoutRows(t *testing.T) {
	var columns []TableColumn
	for i := range 40 {
		columns = append(columns, TableColumn{"column_" + strconv.Itoa(i), TextColumn})
	}
	var out strings.Builder
	if err := NewTable(&out, columns, TableOptions{}).Close(); err != nil {
		t.Fatal(err)
	}
	for _, line := range strings.Split(out.String(), "\n") {
		if Width(line) > usualWidth {
			t.Errorf("a line of %d: %s", Width(line), line)
		}
	}
	if n := len(strings.Fields(out.String())); n != len(columns) {
		t.Errorf("%d names", n)
	}
}
