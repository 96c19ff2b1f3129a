package dataset

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/etl2parquet/etl2parquet/facts"
	"github.com/etl2parquet/etl2parquet/schema"
)

// TestCheck checks the findings of checks, and the files that a new run removes.
func TestCheck(t *testing.T) {
	var b strings.Builder
	for _, damage := range damages {
		fmt.Fprintf(&b, "%s\n", damage.name)
		var lines [2][]string
		for i, fast := range []bool{true, false} {
			m := smallDataset(t)
			damage.do(m)
			result, err := loaded(t, m).Check(t.Context(), CheckOptions{Fast: fast}, func(f *Finding) error {
				lines[i] = append(lines[i], fmt.Sprintf("%s %s %s: %s", f.Severity, f.Code, f.File, f.Message))
				return nil
			})
			if err != nil {
				t.Errorf("%s: %v", damage.name, err)
				continue
			}
			if int64(len(lines[i])) != result.Errors+result.Notes || result.Whole() != (result.Errors == 0) {
				t.Errorf("%s: %d findings, %+v", damage.name, len(lines[i]), result)
			}
			lines[i] = append(lines[i], fmt.Sprintf("%+v", *result))
		}
		for _, line := range lines[1] {
			fmt.Fprintf(&b, "\t%s\n", shortNames.Replace(line))
		}
		if !slices.Equal(lines[0], lines[1]) {
			fmt.Fprintf(&b, "\tfast: %s\n", shortNames.Replace(strings.Join(lines[0], "\n\t\t")))
		}
	}
	golden(t, "check", b.String())
}

// TestCheckStops checks that a check ends with the error of its caller, or of the store.
func TestCheckStops(t *testing.T) {
	for _, damage := range damages {
		m := smallDataset(t)
		damage.do(m)
		calls := 0
		_, err := loaded(t, m).Check(t.Context(), CheckOptions{}, func(f *Finding) error { calls++; return errFull })
		if calls > 1 || calls == 1 && !errors.Is(err, errFull) || calls == 0 && err != nil {
			t.Errorf("%s: %d findings, error %v", damage.name, calls, err)
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	d := loaded(t, smallDataset(t))
	cancel()
	if _, err := d.Check(ctx, CheckOptions{}, func(*Finding) error { return nil }); !errors.Is(err, context.Canceled) {
		t.Errorf("error %v", err)
	}
}

// TestSummary checks the summary of a damaged dataset.
func TestSummary(t *testing.T) {
	var b strings.Builder
	for _, damage := range damages {
		m := smallDataset(t)
		damage.do(m)
		s, err := loaded(t, m).Summary(t.Context())
		if err != nil {
			t.Errorf("%s: %v", damage.name, err)
			continue
		}
		fmt.Fprintf(&b, "%s: %d traces, %d events, damaged %s\n", damage.name, s.Traces, s.Events, shortNames.Replace(fmt.Sprint(s.Damaged)))
		for _, table := range s.Tables {
			fmt.Fprintf(&b, "\t%s: %d parts, %d files, %d rows\n", table.Name, table.Parts, table.Files, table.Rows)
		}
	}
	golden(t, "summary", b.String())
}

// TestColumns checks the columns of a table whose files differ.
func TestColumns(t *testing.T) {
	m := smallDataset(t)
	d := loaded(t, m)
	s, err := d.Summary(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for _, table := range s.Tables {
		columns, err := d.Columns(t.Context(), table)
		if want := []schema.Column{{Name: "x", Type: schema.Int32}}; err != nil || !slices.EqualFunc(columns, want, func(a, b schema.Column) bool { return a.Name == b.Name && a.Type == b.Type && !a.Nullable }) {
			t.Errorf("%s: %+v, %v", table.Name, columns, err)
		}
	}
	m.Put("traces/a.parquet", "x", time.Now())
	if _, err := d.Columns(t.Context(), s.Tables[0]); err == nil || !strings.HasPrefix(err.Error(), "traces/a.parquet: ") {
		t.Errorf("error %v", err)
	}
}

// TestSelects checks that selects is true for each option that leaves out rows.
func TestSelects(t *testing.T) {
	some, second := []string{"x"}, facts.SinceStart(time.Second)
	for _, s := range []facts.Selection{{From: second}, {To: second}, {Providers: some}, {Events: some}, {Processes: some}, {Level: "3"}, {Keywords: some}} {
		if o := (RecordOptions{Selection: s}); !o.selects() {
			t.Errorf("%+v leaves out rows", o)
		}
	}
	for _, o := range []RecordOptions{{Tables: some}, {Columns: some}} {
		if !o.selects() {
			t.Errorf("%+v leaves out rows", o)
		}
	}
	if o := (RecordOptions{Payload: "all", Messages: "all", Compression: "zstd", Fields: true, MaxTables: 7}); o.selects() {
		t.Error("these options leave out no rows")
	}
}
