package convert

import (
	"github.com/etl2parquet/etl2parquet/internal/engine/catalog"
)

// SchemaFiles are the files of a user that describe events. They are safe for use
// from many goroutines.
type SchemaFiles = catalog.Files

// Descriptions are those of a user that a trace was converted with.
type Descriptions = catalog.Descriptions

// NoCatalog, in the place of the path of a catalogue, leaves out the catalogue of Windows'
// own providers that is built in.
const NoCatalog = catalog.NoCatalog

// DefaultMaxTables bounds how many tables there are for events that schemas
// describe, if nothing else is asked; what is beyond stays in the tables of
// headers.
const DefaultMaxTables = catalog.DefaultMaxTables

// OpenSchemaFiles finds out which providers the manifests at the paths are of.
// A path is a file, or a folder of files *.man, *.xml and *.mof in any depth. A
// file whose name does not end with .mof is a manifest. A path that does not
// exist, a file at a path that describes nothing, and a folder without such files
// are errors; a file in a folder that cannot be used is listed by Errors.
//
// Its methods AddTMF and AddCatalogs add TMF files, and catalogues of "etl2parquet catalog
// build". With OpenSchemaFiles(nil) these are all.
//
// Every file is read. For a folder with many files a catalogue made of them is faster to open.
func OpenSchemaFiles(paths []string) (*SchemaFiles, error) { return catalog.OpenFiles(paths) }
