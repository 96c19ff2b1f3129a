package main

import (
	"errors"
	"strings"
	"testing"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/etl2parquet/etl2parquet/cmd/etl2parquet/internal/usage"
	"github.com/etl2parquet/etl2parquet/internal/inputs/archive"
	"github.com/etl2parquet/etl2parquet/internal/lake/bundle"
)

// TestEmptyValues checks that no flag of any command takes an empty value.
func TestEmptyValues(t *testing.T) {
	flags := 0
	var check func(cmd *cobra.Command)
	check = func(cmd *cobra.Command) {
		cmd.LocalFlags().VisitAll(func(f *pflag.Flag) {
			if f.Value.Type() == "bool" {
				return
			}
			flags++
			if err := f.Value.Set(""); !errors.Is(err, usage.ErrEmptyValue) {
				t.Errorf("%s --%s: error %v", cmd.CommandPath(), f.Name, err)
			}
		})
		for _, sub := range cmd.Commands() {
			check(sub)
		}
	}
	check(new(app).rootCommand())
	if flags < 100 {
		t.Errorf("only %d flags", flags)
	}
}

// TestFlagsInMessages checks that convert has the flags that messages name for options of a record and
// for limits of archives.
func TestFlagsInMessages(t *testing.T) {
	cmd := new(app).convertCommand()
	check := func(message string) {
		_, rest, ok := strings.Cut(message, "--")
		flag, _, _ := strings.Cut(rest, " ")
		if flag = strings.TrimRight(flag, ";,"); !ok || cmd.Flags().Lookup(flag) == nil {
			t.Errorf("%q: convert has no flag --%s", message, flag)
		}
	}
	for _, o := range []bundle.Option{
		bundle.OptionPayload, bundle.OptionMessages, bundle.OptionFields, bundle.OptionMaxTables, bundle.OptionCompression, bundle.OptionUnsigned,
		bundle.OptionFrom, bundle.OptionTo, bundle.OptionProviders, bundle.OptionEvents, bundle.OptionProcesses, bundle.OptionTables, bundle.OptionColumns, bundle.OptionNeeds,
		bundle.OptionManifests, bundle.OptionTMF, bundle.OptionCatalogs, bundle.OptionSymbols,
	} {
		check(messageOfInput("", &bundle.DifferentError{Differences: []bundle.Difference{{Option: o, Had: []string{"x"}, Asked: []string{"y"}}}}))
	}
	for _, l := range []archive.Limit{archive.LimitBytes, archive.LimitRatio, archive.LimitEntries, archive.LimitDepth, archive.LimitWindow, archive.LimitSpool} {
		check(messageOfInput("", &archive.LimitError{Limit: l}))
	}
}
