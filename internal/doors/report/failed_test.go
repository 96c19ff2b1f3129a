package report_test

import (
	"bytes"
	"context"
	"errors"
	"io"
	"strings"
	"testing"

	"github.com/etl2parquet/etl2parquet"
	"github.com/etl2parquet/etl2parquet/internal/doors/report"
)

// TestFailedStatement checks that a page has the rest, and says what it lacks, if DuckDB fails in one of its
// statements; and that an error that comes from none of them ends it.
func TestFailedStatement(t *testing.T) {
	traces, err := etl2parquet.OpenAll(t.Context(), []string{"../../../testdata/sample.etl"}, etl2parquet.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer traces.Close()
	for name, test := range map[string]struct {
		fails func(sql string) bool
		want  string // of the error
		page  bool
	}{
		"findings": {func(sql string) bool { return strings.Contains(sql, "what_stands_out") }, "the page lacks what stands out: no", true},
		"a table":  {func(sql string) bool { return strings.Contains(sql+"\n", "FROM process_tree\n") }, "the page lacks the table process_tree: no", true},
		"all":      {func(string) bool { return true }, "no", false},
		"none":     {func(string) bool { return false }, "", true},
	} {
		t.Run(name, func(t *testing.T) {
			asked, runs := 0, 0
			o := report.Options{SQL: func(_ context.Context, statements []string, do func(int, io.Reader) error) error {
				runs++
				for i, sql := range statements {
					if test.fails(sql) {
						return &report.StatementError{Statement: i, Err: errors.New("no")}
					}
					rows := `{"n":3,"finding":"found it","severity":"note","process_name":"a.exe"}`
					if err := do(i, strings.NewReader(rows)); err != nil {
						return err
					}
					asked++
				}
				return nil
			}}
			var b bytes.Buffer
			err := report.Write(t.Context(), traces, &b, o)
			switch {
			case test.want == "" && err != nil, test.want != "" && (err == nil || err.Error() != test.want):
				t.Errorf("the error is %v, want %q", err, test.want)
			case (b.Len() > 0) != test.page:
				t.Errorf("a page of %d bytes", b.Len())
			case test.page && !strings.Contains(data(t, b.Bytes()), test.want):
				t.Error("the page does not say what it lacks")
			}
			if test.page && asked < 2 || runs > 3 {
				t.Errorf("%d statements answered in %d runs", asked, runs)
			}
		})
	}
}
