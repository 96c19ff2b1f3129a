package main

import (
	"os"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/etl2parquet/etl2parquet/internal/doors/describe"
	"github.com/etl2parquet/etl2parquet/internal/inputs"
	"github.com/etl2parquet/etl2parquet/internal/inputs/archive"
	"github.com/etl2parquet/etl2parquet/internal/lake/dataset"
	"github.com/etl2parquet/etl2parquet/internal/lake/views"
	"github.com/etl2parquet/etl2parquet/schema"
)

// tableCompletions returns completions for begun: for each table its first name
// with that prefix, and its description for shells that show one.
func tableCompletions(begun string) []string {
	return completions(schema.Tables(), begun)
}

func completions(tables []*schema.Table, begun string) []string {
	var list []string
	for _, t := range tables {
		names := schema.TableNames(t.Name)
		if i := slices.IndexFunc(names, func(name string) bool { return hasPrefixFold(name, begun) }); i >= 0 {
			doc, _, _ := strings.Cut(t.Doc, ":")
			list = append(list, cobra.CompletionWithDesc(names[i], strings.TrimSuffix(doc, ".")))
		}
	}
	return list
}

func hasPrefixFold(text, prefix string) bool {
	return len(text) >= len(prefix) && strings.EqualFold(text[:len(prefix)], prefix)
}

// completeTablesOrDataset completes the arguments of describe.
func completeTablesOrDataset(_ *cobra.Command, args []string, begun string) ([]string, cobra.ShellCompDirective) {
	if len(args) > 0 {
		return nil, cobra.ShellCompDirectiveNoFileComp
	}
	if list := append(tableCompletions(begun), completions(slices.Concat(views.BuiltIn().Tables(), views.BuiltIn().MacroTables()), begun)...); len(list) > 0 {
		return list, cobra.ShellCompDirectiveNoFileComp
	}
	return completeFolders(nil, nil, begun)
}

// described is what an argument of describe names.
type described int

const (
	ofTable described = iota
	ofDataset
	ofTrace
)

// kindOf returns what the first argument of describe names; isOf says that a table of it follows. The
// name of a table means the table, even if a folder has that name. A folder without traces is taken
// for a dataset, as a new one may be empty.
func kindOf(o *describe.Options, name string, isOf bool) described {
	info, err := os.Stat(name)
	isFolder := err == nil && info.IsDir()
	switch {
	case !isOf && o.IsTable(name):
		return ofTable
	case dataset.IsFolder(name):
		return ofDataset
	case err == nil && !isFolder, archive.TraceName(name), inputs.IsArchiveName(name), name == inputs.Stdin:
		return ofTrace
	case isFolder && len(inputs.Find([]string{name}, nil, nil, func(string, error) {}).Files) > 0:
		return ofTrace
	case isOf || isFolder || inputs.IsURL(name):
		return ofDataset
	}
	return ofTable
}

// describeArgs checks the number of arguments of describe.
func describeArgs(_ *cobra.Command, args []string) error {
	if len(args) > 2 {
		return usagef("describe takes a table, or a dataset or trace and a table, not %d arguments", len(args))
	}
	return nil
}
