package main

import (
	"errors"
	"testing"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/etl2parquet/etl2parquet/cmd/etl2parquet/internal/usage"
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
