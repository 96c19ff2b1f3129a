// Package windows has the catalogue of Windows' own providers: their names, and the layouts
// and names of their events in builds of Windows 7 to 11.
//
// tools/catalog makes the file from the text in the folder knowledge of the repository, which says where
// each fact comes from. It has names, GUIDs, ids and layouts, and no message texts.
package windows

import (
	_ "embed" // of the file
	"sync"

	"github.com/etl2parquet/etl2parquet/internal/engine/catalog/packed"
)

//go:generate go run ../../../../tools/catalog ../../../../knowledge windows.catalog
//go:generate go test -run TestWindowsIndex .. -update

//go:embed windows.catalog
var file []byte

// index is the unpacked index of the file: unpacking it took 3 % of the time of converting a small trace. A
// test writes it with -update.
//
//go:embed windows.index
var index []byte

// Catalog returns the catalogue. The events of a provider are read on demand.
var Catalog = sync.OnceValue(func() *packed.Catalog {
	c, err := packed.OpenReady(file, index)
	if err != nil { // a test opens it
		panic(err)
	}
	return c
})
