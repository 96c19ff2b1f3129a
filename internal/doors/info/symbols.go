package info

import (
	"cmp"
	"io"
	"slices"
	"strconv"

	"github.com/etl2parquet/etl2parquet/internal/base/text/grid"
	"github.com/etl2parquet/etl2parquet/internal/engine/symbols"
)

// SymbolEntry is an image in the output of symbols list --json.
type SymbolEntry struct {
	symbols.Image
	InStore   string `json:"store_path,omitempty"`
	Addresses int    `json:"addresses"`
	Kind      string `json:"kind,omitempty"`
	Found     string `json:"found,omitempty"`
	Error     string `json:"error,omitempty"`

	from string
}

func symbolEntryOf(u *symbols.Use) SymbolEntry {
	e := SymbolEntry{Image: u.Image, InStore: u.StorePath(), Addresses: u.Addresses, Kind: string(u.Kind), Found: u.Path, from: u.From}
	if u.Err != nil {
		e.Error = u.Err.Error()
	}
	return e
}

// state says whether the symbols of an image were found.
func (e *SymbolEntry) state() string {
	switch {
	case e.Found == "" && e.InStore == "":
		return "unknown: the trace does not identify its symbols"
	case e.Found == "":
		return "missing"
	case e.Error != "":
		return "damaged: " + e.Error
	case e.Kind == string(symbols.FromExports):
		return "exports only, in " + e.from
	}
	return "in " + e.from
}

// SymbolsOf returns the images, sorted by the number of addresses, the largest first.
func SymbolsOf(needed map[symbols.Image]symbols.Use) []SymbolEntry {
	list := []SymbolEntry{}
	for _, use := range needed {
		list = append(list, symbolEntryOf(&use))
	}
	slices.SortFunc(list, func(a, b SymbolEntry) int {
		return cmp.Or(cmp.Compare(b.Addresses, a.Addresses), cmp.Compare(a.Name, b.Name), cmp.Compare(a.InStore, b.InStore),
			cmp.Compare(a.TimeStamp, b.TimeStamp), cmp.Compare(a.Size, b.Size))
	})
	return list
}

// WriteSymbols lists images, wrapped to a width.
func WriteSymbols(w io.Writer, width int, list []SymbolEntry) {
	g := grid.Grid{Right: []bool{true}}
	g.Add("addresses", "image", "in a symbol store", "symbols")
	for i := range list {
		e := &list[i]
		g.Add(strconv.Itoa(e.Addresses), grid.Printable(e.Name), grid.Printable(cmp.Or(e.InStore, "-")), grid.Printable(e.state()))
	}
	g.Print(w, width)
}
