package main

import (
	"errors"
	"fmt"
	"os"

	"github.com/spf13/cobra"

	"github.com/etl2parquet/etl2parquet/internal/doors/listing"
	"github.com/etl2parquet/etl2parquet/internal/engine/catalog"
)

func (a *app) catalogBuildCommand() *cobra.Command {
	var path string
	var force, details bool
	return newCommand("catalog_build", &cobra.Command{
		RunE: func(_ *cobra.Command, args []string) error {
			if len(args) == 0 || path == "" && !details {
				return usagef("name files that describe events, and the catalogue with -o; see etl2parquet catalog build --help")
			}
			files, err := catalog.OpenSources(args)
			if err != nil {
				return usageError{err}
			}
			built, err := listing.Build(files, details, a.note)
			if err != nil {
				return err
			}
			if err := writeCatalog(path, built.File, force); err != nil {
				return fileError("output", path, err)
			}
			fmt.Fprintln(a.out, built)
			return nil
		},
	}, []option{
		{flag: "output,o", value: pathValue{&path}, complete: completeFiles, usage: "write the catalogue to this `file`"},
		{flag: "force", value: &force, usage: "replace the file if it exists"},
		{flag: "details", value: &details, usage: "print each error in the files, not one line per file"},
	})
}

// writeCatalog writes a catalogue into a file, or nowhere if the path is "".
func writeCatalog(path string, data []byte, force bool) error {
	if path == "" {
		return nil
	}
	err := catalog.WriteCatalog(path, data, force)
	if errors.Is(err, os.ErrExist) {
		return fmt.Errorf("%w; --force replaces it", err)
	}
	return err
}
