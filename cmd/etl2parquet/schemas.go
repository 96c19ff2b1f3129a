package main

import (
	"github.com/spf13/pflag"

	"github.com/etl2parquet/etl2parquet/convert"
)

// schemaFlags name files that describe events.
type schemaFlags struct{ manifests, tmf []string }

func (f *schemaFlags) add(flags *pflag.FlagSet) {
	flags.StringArrayVar(&f.manifests, "manifest", nil, "describe events by this instrumentation manifest or MOF file, or those in this `folder`; may be repeated")
	flags.StringArrayVar(&f.tmf, "tmf", nil, "describe WPP messages by this TMF file, or those in this `folder`; may be repeated")
}

// open looks at the files; without any it returns nil.
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

// mostSchemaErrors bounds how many errors of files are printed.
const mostSchemaErrors = 20

// complain prints what is wrong with the files, as far as they were needed.
func (f *schemaFlags) complain(a *app, files *convert.SchemaFiles) {
	if files == nil {
		return
	}
	errs := files.Errors()
	for _, err := range errs[:min(len(errs), mostSchemaErrors)] {
		a.complain("warning: %s", printable(err.Error()))
	}
	if n := len(errs) - mostSchemaErrors; n > 0 {
		a.complain("warning: %d more of the manifests' and TMF files' errors are not listed", n)
	}
}
