package main

import (
	"github.com/spf13/cobra"

	"github.com/etl2parquet/etl2parquet/internal/engine/splits"
)

// flagsOfSplits are the flags whose values are part of a split.
var flagsOfSplits = []string{"table", "from", "to", "event", "provider", "process", "level", "keyword", "payload", "messages"}

func (f *catFlags) checkArgs(cmd *cobra.Command, args []string) error {
	if err := f.checkState(); err != nil {
		return err
	}
	if f.split != "" && len(args) == 0 {
		return nil // the split names it
	}
	return f.source.checkArgs(cmd, args)
}

// checkSplit parses --split, if it is given, and returns the inputs: by default the one that the split
// names.
func (f *catFlags) checkSplit(cmd *cobra.Command, args []string) ([]string, error) {
	if f.split == "" {
		return args, nil
	}
	for _, name := range flagsOfSplits {
		if cmd.Flags().Changed(name) {
			return nil, usagef("--split cannot be combined with --%s: a split has the table and the selection that it was made with", name)
		}
	}
	var err error
	if f.part, err = splits.Parse(f.split); err != nil {
		return nil, usagef("--split: %w", err)
	}
	if len(args) == 0 {
		args = []string{f.part.Path}
	}
	return args, nil
}
