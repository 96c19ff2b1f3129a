package main

import (
	"github.com/spf13/pflag"

	"github.com/etl2parquet/etl2parquet/convert"
)

// schemaFlags are the flags that name files describing events.
type schemaFlags struct{ manifests, tmf []string }

func (f *schemaFlags) add(flags *pflag.FlagSet) {
	flags.StringArrayVar(&f.manifests, "manifest", nil, "decode events with this instrumentation manifest or MOF file, or all in this `folder`; may be repeated")
	flags.StringArrayVar(&f.tmf, "tmf", nil, "decode WPP messages with this TMF file, or all in this `folder`; may be repeated")
}

// open opens the files, or returns nil if there are none.
func (f *schemaFlags) open() (*convert.SchemaFiles, error) {
	if len(f.manifests)+len(f.tmf) == 0 {
		return nil, nil
	}
	files, err := convert.OpenSchemaFiles(f.manifests)
	if err != nil {
		return nil, usagef("--manifest: %w", err)
	}
	if err := files.AddTMF(f.tmf); err != nil {
		return nil, usagef("--tmf: %w", err)
	}
	return files, nil
}

// mostSchemaErrors bounds the errors that are printed.
const mostSchemaErrors = 20

// complain prints the errors of the files that were needed.
func (f *schemaFlags) complain(a *app, files *convert.SchemaFiles) {
	if files == nil {
		return
	}
	errs := files.Errors()
	for _, err := range errs[:min(len(errs), mostSchemaErrors)] {
		a.complain("warning: %s", printable(err.Error()))
	}
	if n := len(errs) - mostSchemaErrors; n > 0 {
		a.complain("warning: %d more errors in manifests and TMF files are not listed", n)
	}
}
