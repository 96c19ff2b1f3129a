package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/etl2parquet/etl2parquet/convert"
	"github.com/etl2parquet/etl2parquet/internal/dataset"
	"github.com/etl2parquet/etl2parquet/internal/remote"
)

// errNotWhole is the result of a check that has said what is wrong.
var errNotWhole = errors.New("the dataset is not whole")

func (a *app) checkCommand() *cobra.Command {
	var fast, asJSON bool
	var f datasetFlags
	cmd := &cobra.Command{
		Use:   "check DATASET",
		Short: "Tell whether a dataset is whole",
		Long: `Reads the commit records of a dataset, and the files back, and tells whether
it is whole: every file of a record is there, with its size, its rows and its
contents, by their checksum; the tables of a trace have as many rows as it has
events; and there is no other file that readers take for part of it.

There is a line for each finding, and one that sums up. A note is of what does
no harm, such as temporary files that an interrupted run has left: clean
removes them. With --fast the contents are not read, only what the files say of
themselves at their ends. Exit status: 0 whole, 1 not, 2 usage.`,
		Example: `  etl2parquet check dataset
  etl2parquet check dataset --fast --json`,
		Args:              oneDataset,
		ValidArgsFunction: completeFolders,
		RunE: func(cmd *cobra.Command, args []string) error {
			return a.check(cmd.Context(), args[0], &f, dataset.CheckOptions{Fast: fast}, asJSON)
		},
	}
	cmd.Flags().BoolVar(&fast, "fast", false, "do not read the contents of files")
	cmd.Flags().BoolVar(&asJSON, "json", false, "print the result as JSON")
	f.add(cmd)
	return cmd
}

// oneDataset checks the arguments of a command over a dataset.
func oneDataset(cmd *cobra.Command, args []string) error {
	if len(args) != 1 || args[0] == "" {
		return usagef("name one dataset; see %s --help", cmd.CommandPath())
	}
	return nil
}

func completeFolders(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
	return nil, cobra.ShellCompDirectiveFilterDirs
}

// datasetFlags say how a dataset is reached.
type datasetFlags struct {
	servers serverFlags
	tempDir string
}

func (f *datasetFlags) add(cmd *cobra.Command) {
	f.servers.add(cmd.Flags())
	cmd.Flags().StringVar(&f.tempDir, "temp-dir", "", "`folder` for temporary files, which what comes from s3:// needs")
}

// fetchedBytes bounds the temporary files for what comes from a bucket, of
// which nothing is read twice.
const fetchedBytes = 256 << 20

// open opens a dataset that is there.
func (f *datasetFlags) open(ctx context.Context, p remote.Patience, name string) (*convert.Dataset, error) {
	if text := obstacle(name); text != "" {
		return nil, fmt.Errorf("%s: %s; a dataset is a folder", name, text)
	}
	servers, err := newServers(&f.servers, f.tempDir, fetchedBytes, p)
	if err != nil {
		return nil, err
	}
	s, err := servers.store(name)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	d := convert.NewDataset(s)
	if err := d.Exists(ctx); err != nil {
		return nil, fmt.Errorf("%s: %w", name, pathless(name, err))
	}
	return d, nil
}

// checked is what check prints as JSON. Its form is stable: fields may be
// added, none is renamed or changes its meaning.
type checked struct {
	Dataset string `json:"dataset"`
	Whole   bool   `json:"whole"`
	*dataset.CheckResult
	Findings []*dataset.Finding `json:"findings"` // the first 10,000
}

// maxFindings bounds what is kept to be printed as JSON.
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
			return nil // the status still tells
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
	if f.Severity == convert.Info {
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
		verdict = "whole, as far as can be told without reading the contents"
	}
	if r.Notes > 0 {
		verdict += ", " + counted(r.Notes, "note")
	}
	return fmt.Sprintf("%s, %s, %s, %s: %s", counted(r.Traces, "trace"), counted(r.Files, "file"), counted(r.Rows, "row"), roundSize(r.Bytes), verdict)
}
