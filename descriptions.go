package etl2parquet

import (
	"context"

	"github.com/etl2parquet/etl2parquet/internal/engine/access"
	"github.com/etl2parquet/etl2parquet/internal/engine/catalog"
	"github.com/etl2parquet/etl2parquet/internal/engine/pipeline"
	"github.com/etl2parquet/etl2parquet/internal/engine/symbols"
	"github.com/etl2parquet/etl2parquet/internal/inputs"
)

func init() {
	access.Descriptions = func(of any) *catalog.Files { return of.(*Descriptions).catalogFiles() }
	access.Symbols = func(of any) *symbols.Set { return of.(*Symbols).symbolSet() }
	access.OpenTraces = func(ctx context.Context, found, reader, options any) (any, error) {
		return openFound(ctx, found.(*inputs.List), reader.(*inputs.Reader), options.(Options))
	}
	access.ShareDescriptions = func(options any, of *catalog.InputDescriptions) { options.(*Options).inputs = of }
	access.KeepIndexes = func(options, store any) { options.(*Options).indexes = store.(pipeline.IndexStore) }
}

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
type Descriptions struct{ files *catalog.Files }

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
	return &Descriptions{files}, nil
}

// Errors returns the errors of files found in folders, as far as the files were needed so far.
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
