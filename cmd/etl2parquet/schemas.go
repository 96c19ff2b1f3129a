package main

import (
	"errors"

	"github.com/etl2parquet/etl2parquet"
	"github.com/etl2parquet/etl2parquet/internal/engine/catalog"
)

// schemaFlags are the flags that name files describing events.
type schemaFlags struct{ manifests, tmf, catalogs []string }

func (f *schemaFlags) flags() []option {
	return []option{
		{flag: "manifest", value: &f.manifests, complete: completeFiles, usage: "decode events with this instrumentation manifest or MOF file, those that this trace contains, or all manifests and MOF files in this `folder`; repeatable; for many files --catalog is faster"},
		{flag: "catalog", value: &f.catalogs, complete: completeFiles, usage: "decode events with this catalogue, a `file` of \"etl2parquet catalog build\", or none to leave out the built-in one; repeatable; default: $" + catalogsVariable},
		{flag: "tmf", value: &f.tmf, complete: completeFiles, usage: "decode WPP messages with this TMF file or PDB, or all in this `folder`; repeatable"},
	}
}

// descriptions opens the files, and those beside traces.
func (f *schemaFlags) descriptions() (*etl2parquet.Descriptions, error) {
	catalogs, whose := catalogPaths(f.catalogs)
	d, err := etl2parquet.OpenDescriptions(etl2parquet.DescriptionFiles{Manifests: f.manifests, TMF: f.tmf, Catalogs: catalogs, Beside: true})
	if wrong := new(etl2parquet.OptionError); errors.As(err, &wrong) {
		if wrong.Option != "catalog" {
			whose = "--" + wrong.Option
		}
		err = usagef("%s: %w", whose, wrong.Err)
	}
	return d, err
}

// tellBeside prints which files beside traces describe their events.
func (f *schemaFlags) tellBeside(a *app, files *catalog.Files) {
	if list := files.Beside(); len(list) > 0 {
		a.note(messageOfFilesBeside(list))
	}
}

// warn prints the errors of the files that were needed.
func (f *schemaFlags) warn(a *app, files *catalog.Files) {
	if files == nil {
		return
	}
	for _, line := range messagesOfDescriptions(files.Errors()) {
		a.note(line)
	}
}
