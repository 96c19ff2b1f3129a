package etl2parquet

import (
	"github.com/etl2parquet/etl2parquet/internal/engine/access"
	"github.com/etl2parquet/etl2parquet/internal/engine/catalog"
	"github.com/etl2parquet/etl2parquet/internal/engine/index"
	"github.com/etl2parquet/etl2parquet/internal/engine/symbols"
)

func init() {
	access.Descriptions = func(of any) *catalog.Files { return of.(*Descriptions).catalogFiles() }
	access.Symbols = func(of any) *symbols.Set { return of.(*Symbols).symbolSet() }
	access.TimeBound = func(of any) index.TimeBound { return of.(*TimeBound).bound }
}

// DescriptionFiles are files that describe events. A trace needs them for events that neither it
// nor the catalogue in the library describes.
type DescriptionFiles struct {
	// Manifests are instrumentation manifests and MOF files, or folders with files *.man, *.xml
	// and *.mof in any depth. A file whose name does not end with .mof is a manifest.
	Manifests []string
	// TMF are formats of WPP messages, in TMF files or PDBs, or folders with such files.
	TMF []string
	// Catalogs are files of "etl2parquet catalog build". NoCatalog, as the only one or beside
	// others, leaves out the catalogue of Windows' own providers that is in the library.
	Catalogs []string
}

// NoCatalog, among DescriptionFiles.Catalogs, leaves out the catalogue that is in the library.
const NoCatalog = catalog.NoCatalog

// Descriptions describe events. They are safe for use from many goroutines, and for many traces.
// There is nothing to close.
type Descriptions struct{ files *catalog.Files }

// OpenDescriptions finds out which events the files describe. A path that does not exist, a file
// that is named and describes nothing, and a folder without such files are errors. A file in a
// folder that cannot be used is not: see [Descriptions.Errors]. The error is an [OptionError].
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
	return &Descriptions{files}, nil
}

// Errors returns what is wrong with files that were needed so far, of those in folders.
func (d *Descriptions) Errors() []error {
	if d == nil {
		return nil
	}
	return d.files.Errors()
}

func (d *Descriptions) catalogFiles() *catalog.Files {
	if d == nil {
		return nil
	}
	return d.files
}
