// Package upkeep checks datasets, and removes what interrupted runs have left in them.
package upkeep

import (
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/etl2parquet/etl2parquet/facts"
	"github.com/etl2parquet/etl2parquet/internal/base/texts"
	"github.com/etl2parquet/etl2parquet/internal/lake/dataset"
)

// ErrNotWhole is the result of a check that found errors, after they have been printed.
var ErrNotWhole = errors.New("the dataset is not whole")

// CheckOptions are the options of [Check].
type CheckOptions struct {
	Fast bool // check sizes and footers only
	JSON bool // print an object instead of lines
}

// checked is the JSON form of a check. It is stable: fields may be added, but none is renamed or
// changes its meaning.
type checked struct {
	Dataset string `json:"dataset"`
	Whole   bool   `json:"whole"`
	*dataset.CheckResult
	Findings []*dataset.Finding `json:"findings"` // the first 10,000
}

// maxFindings bounds the findings kept for the JSON form.
const maxFindings = 10_000

// Check checks a dataset, and prints a line for each finding and a summary. It returns
// [ErrNotWhole] if there are errors among the findings.
func Check(ctx context.Context, w io.Writer, name string, d *dataset.Dataset, o CheckOptions) error {
	all := checked{Dataset: name, Findings: []*dataset.Finding{}}
	result, err := d.Check(ctx, dataset.CheckOptions{Fast: o.Fast}, func(f *dataset.Finding) error {
		if !o.JSON {
			_, err := fmt.Fprintln(w, texts.Printable(findingLine(f)))
			return err
		}
		if len(all.Findings) < maxFindings {
			all.Findings = append(all.Findings, f)
		}
		return nil
	})
	if err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	if o.JSON {
		all.Whole, all.CheckResult = result.Whole(), result
		err = texts.WriteJSONLine(w, all)
	} else {
		_, err = fmt.Fprintln(w, summary(result, o.Fast))
	}
	if err == nil && !result.Whole() {
		return ErrNotWhole
	}
	return err
}

func findingLine(f *dataset.Finding) string {
	kind := "error"
	if f.Severity == facts.SeverityInfo {
		kind = "note"
	}
	return fmt.Sprintf("%s: %s: %s", kind, f.File, f.Message)
}

func summary(r *dataset.CheckResult, fast bool) string {
	verdict := "whole"
	switch {
	case !r.Whole():
		verdict = "not whole, " + texts.Counted(r.Errors, "error")
	case fast:
		verdict = "whole by sizes and footers; contents not read"
	}
	if r.Notes > 0 {
		verdict += ", " + texts.Counted(r.Notes, "note")
	}
	return fmt.Sprintf("%s, %s, %s, %s: %s", texts.Counted(r.Traces, "trace"), texts.Counted(r.Files, "file"), texts.Counted(r.Rows, "row"), texts.RoundSize(r.Bytes), verdict)
}
