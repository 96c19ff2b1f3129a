package etl2parquet

import "github.com/etl2parquet/etl2parquet/internal/engine/catalog"

// DescriptionFiles are files that describe events. They are needed for events that neither the
// trace nor the library's catalogue describes.
type DescriptionFiles struct {
	// Manifests are instrumentation manifests and MOF files, or folders with files *.man, *.xml
	// and *.mof at any depth. A file whose name does not end with .mof is a manifest, or a trace
	// with manifests, or with records of a merge tool, that describe events.
	Manifests []string
	// TMF are TMF files or PDBs with the formats of WPP messages, or folders with such files.
	TMF []string
	// Beside also reads files beside each trace on this machine: NAME.man, NAME.mof and NAME.tmf in
	// the folder of NAME.etl. They describe only that trace, after the other files.
	Beside bool
	// Catalogs are files that "etl2parquet catalog build" has written. NoCatalog, alone or with
	// others, leaves out the built-in catalogue of Windows' own providers.
	Catalogs []string
}

// NoCatalog, among DescriptionFiles.Catalogs, leaves out the built-in catalogue.
const NoCatalog = catalog.NoCatalog

// Descriptions describe events. They are safe for use from many goroutines, and for many traces.
// There is nothing to close.
type Descriptions catalog.Files

// OpenDescriptions reads which events the files describe. It returns an [OptionError] if a path
// does not exist, a named file describes nothing, or a folder has no such files. Errors of files
// found in folders are reported by [Descriptions.Errors].
func OpenDescriptions(of DescriptionFiles) (*Descriptions, error) {
	files, err := catalog.OpenFiles(of.Manifests)
	if err != nil {
		return nil, &OptionError{"manifest", err}
	}
	if err := files.AddTMF(of.TMF); err != nil {
		return nil, &OptionError{"tmf", err}
	}
	if err := files.AddCatalogs(of.Catalogs); err != nil {
		return nil, &OptionError{"catalog", err}
	}
	if of.Beside {
		files.AddBeside()
	}
	return (*Descriptions)(files), nil
}

// Errors returns the errors of files found in folders, as far as the files were needed so far.
func (d *Descriptions) Errors() []error {
	if d == nil {
		return nil
	}
	return (*catalog.Files)(d).Errors()
}

// OptionError is the error of an option's value. Callers name the option in their own terms before
// the error: a command by its flag, a function by its parameter.
type OptionError struct {
	Option string // manifest, tmf, catalog, provider, event, process, table, columns, from or to
	Err    error
}

func (e *OptionError) Error() string { return e.Option + ": " + e.Err.Error() }

// Unwrap returns what is wrong with the value.
func (e *OptionError) Unwrap() error { return e.Err }
