package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/etl2parquet/etl2parquet/internal/base/remote"
	"github.com/etl2parquet/etl2parquet/internal/base/text/bytesize"
	"github.com/etl2parquet/etl2parquet/internal/engine/problems"
	"github.com/etl2parquet/etl2parquet/internal/inputs"
	"github.com/etl2parquet/etl2parquet/internal/lake/bundle"
	"github.com/etl2parquet/etl2parquet/internal/lake/dataset"
)

// errNotWhole is the result of a check whose findings have been printed.
var errNotWhole = errors.New("the dataset is not whole")

func (a *app) checkCommand() *cobra.Command {
	var fast, asJSON bool
	var f datasetFlags
	return newCommand("check", &cobra.Command{
		Args:              oneDataset,
		ValidArgsFunction: completeFolders,
		RunE: func(cmd *cobra.Command, args []string) error {
			return a.check(cmd.Context(), args[0], &f, dataset.CheckOptions{Fast: fast}, asJSON)
		},
	}, []option{
		{flag: "fast", value: &fast, usage: "check sizes and Parquet footers only, not contents"},
	}, jsonOption(&asJSON, "print the result as JSON"), f.flags())
}

// oneDataset checks the arguments of a command over a dataset.
func oneDataset(cmd *cobra.Command, args []string) error {
	if len(args) != 1 || args[0] == "" {
		return usagef("name one dataset; see %s --help", cmd.CommandPath())
	}
	return nil
}

// datasetFlags are the flags of the commands that read an existing dataset.
type datasetFlags struct {
	servers serverFlags
	tempDir string
}

func (f *datasetFlags) flags() []option {
	return append(f.servers.flags(), option{flag: "temp-dir", value: &f.tempDir, complete: completeFolders, usage: "`folder` for temporary files, which are needed to read from s3://"})
}

// fetchedBytes bounds the temporary files for data from a bucket. It can be
// small because nothing is read twice.
const fetchedBytes = 256 << 20

// open opens an existing dataset.
func (f *datasetFlags) open(ctx context.Context, p remote.Patience, name string) (*bundle.Dataset, error) {
	if text := obstacle(name); text != "" {
		return nil, fmt.Errorf("%s: %s; a dataset is a folder", name, text)
	}
	servers, err := newServers(&f.servers, f.tempDir, fetchedBytes, p)
	if err != nil {
		return nil, err
	}
	s, err := servers.Store(name)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	d := bundle.NewDataset(s)
	if err := d.Exists(ctx); err != nil {
		return nil, fmt.Errorf("%s: %w", name, inputs.WithoutPath(name, err))
	}
	return d, nil
}

// checked is the JSON output of check. Its form is stable: fields may be added,
// but none is renamed or changes its meaning.
type checked struct {
	Dataset string `json:"dataset"`
	Whole   bool   `json:"whole"`
	*dataset.CheckResult
	Findings []*dataset.Finding `json:"findings"` // the first 10,000
}

// maxFindings bounds the findings kept for the JSON output.
const maxFindings = 10_000

func (a *app) check(ctx context.Context, name string, f *datasetFlags, o dataset.CheckOptions, asJSON bool) error {
	d, err := f.open(ctx, a.patience, name)
	if err != nil {
		return err
	}
	all := checked{Dataset: name, Findings: []*dataset.Finding{}}
	result, err := d.Check(ctx, o, func(f *dataset.Finding) error {
		switch {
		case asJSON && len(all.Findings) < maxFindings:
			all.Findings = append(all.Findings, f)
		case !asJSON:
			fmt.Fprintln(a.out, printable(findingLine(f)))
		}
		if isClosedPipe(a.out.err) {
			return nil // the exit status still reports the result
		}
		return a.out.err
	})
	if err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	if asJSON {
		all.Whole, all.CheckResult = result.Whole(), result
		text, err := json.MarshalIndent(all, "", "  ")
		if err != nil {
			return err
		}
		fmt.Fprintf(a.out, "%s\n", text)
	} else {
		fmt.Fprintln(a.out, checkSummary(result, o.Fast))
	}
	if !result.Whole() {
		return errNotWhole
	}
	return nil
}

func findingLine(f *dataset.Finding) string {
	kind := "error"
	if f.Severity == problems.Info {
		kind = "note"
	}
	return fmt.Sprintf("%s: %s: %s", kind, f.File, f.Message)
}

func checkSummary(r *dataset.CheckResult, fast bool) string {
	verdict := "whole"
	switch {
	case !r.Whole():
		verdict = "not whole, " + counted(r.Errors, "error")
	case fast:
		verdict = "whole by sizes and footers; contents not read"
	}
	if r.Notes > 0 {
		verdict += ", " + counted(r.Notes, "note")
	}
	return fmt.Sprintf("%s, %s, %s, %s: %s", counted(r.Traces, "trace"), counted(r.Files, "file"), counted(r.Rows, "row"), bytesize.Round(r.Bytes), verdict)
}
