// Package frames finds the code at an address: the module and the function, and where they
// begin.
package frames

import (
	"github.com/etl2parquet/etl2parquet/decode"
	"github.com/etl2parquet/etl2parquet/internal/engine/attribution"
	"github.com/etl2parquet/etl2parquet/internal/engine/symbols"
)

// Resolver finds the code at addresses, for one goroutine. It remembers the names of images,
// methods and functions, which do not change with time.
type Resolver struct {
	tables    *attribution.Tables
	owners    *attribution.Resolver
	symbols   *symbols.Trace // nil: there are none
	images    [imageSlots]names
	methods   [methodSlots]names
	functions [functionSlots]names
	found     *[foundSlots]found // if there are symbols
}

const (
	imageSlots    = 1 << 9
	methodSlots   = 1 << 12
	functionSlots = 1 << 10
	foundSlots    = 1 << 12
)

// found is the function at an address of an image, which may be none.
type found struct {
	image    int32 // greater than that of the image, so that 0 is a free slot
	rva      uint64
	function *symbols.Function
}

// names are what a debugger calls the code of an image or a method.
type names struct {
	index            int32 // greater than that of the method or image, so that 0 is a free slot
	native           *symbols.Function
	module, function string
	symbol           string // where it differs from the function
	hash             uint64
}

// New returns a resolver over the tables of a trace. s has the names of native functions; it
// may be nil.
func New(t *attribution.Tables, owners *attribution.Resolver, s *symbols.Trace) *Resolver {
	r := &Resolver{tables: t, owners: owners, symbols: s}
	if s != nil {
		r.found = new([foundSlots]found)
	}
	return r
}

// Frame is the code at an address.
type Frame struct {
	Image, Method int32             // indexes in Tables.Images and Tables.Methods, or -1
	Start         uint64            // address of the first byte of the function, else of the module, else 0
	Native        *symbols.Function // of the image, or nil
}

// At returns the code at an address of a process at a time.
func (r *Resolver) At(process uint32, address uint64, at decode.Ticks, pointerSize int) Frame {
	f := Frame{Image: -1, Method: -1}
	if len(r.tables.Methods) > 0 && !attribution.IsKernelAddress(address, pointerSize) {
		if f.Method = int32(r.owners.Method(process, address, at)); f.Method >= 0 {
			f.Start = r.tables.Methods[f.Method].Address
		}
	}
	if f.Method < 0 || r.tables.ModuleFile(&r.tables.Methods[f.Method]) == "" {
		f.Image = int32(r.owners.Image(process, address, at, pointerSize))
	}
	if f.Method < 0 && f.Image >= 0 {
		f.Start = r.tables.Images[f.Image].Base
		if f.Native = r.native(f.Image, address-f.Start); f.Native != nil {
			f.Start += uint64(f.Native.RVA)
		}
	}
	return f
}

// native returns the function at an address of an image, given from its first byte, or nil.
func (r *Resolver) native(image int32, rva uint64) *symbols.Function {
	if r.symbols == nil {
		return nil
	}
	f := &r.found[(rva^rva>>12^uint64(image)*61)%foundSlots]
	if f.image != image+1 || f.rva != rva {
		*f = found{image + 1, rva, r.symbols.Function(int(image), rva)}
	}
	return f.function
}

// Module returns the name of the module, or "".
func (r *Resolver) Module(f Frame) string { return r.names(f).module }

// Function returns the name of the function, or "".
func (r *Resolver) Function(f Frame) string { return r.names(f).function }

// Symbol returns the name of the function as the symbols have it, or "" if that is its name.
func (r *Resolver) Symbol(f Frame) string { return r.names(f).symbol }

// Hash returns a hash of the names.
func (r *Resolver) Hash(f Frame) uint64 { return r.names(f).hash }

func (r *Resolver) names(f Frame) *names {
	if f.Method >= 0 {
		n := &r.methods[f.Method%methodSlots]
		if n.index != f.Method+1 {
			m := &r.tables.Methods[f.Method]
			*n = names{index: f.Method + 1, module: r.tables.ModuleFile(m), function: r.tables.FullName(m)}
			if n.module == "" {
				n.module = r.moduleOf(f.Image)
			}
			n.complete()
		}
		return n
	}
	if f.Native != nil {
		n := &r.functions[(f.Native.RVA>>4^uint32(f.Image)*61)%functionSlots]
		if n.native != f.Native || n.index != f.Image+1 {
			*n = names{index: f.Image + 1, native: f.Native, module: r.moduleOf(f.Image), function: f.Native.Name}
			if f.Native.Symbol != f.Native.Name {
				n.symbol = f.Native.Symbol
			}
			n.complete()
		}
		return n
	}
	n := &r.images[uint32(f.Image+1)%imageSlots]
	if n.index != f.Image+2 {
		*n = names{index: f.Image + 2, module: r.moduleOf(f.Image)}
		n.complete()
	}
	return n
}

func (n *names) complete() { n.hash = Hash(0).Text(n.module).Text(n.function).Text(n.symbol).Sum() }

// moduleOf returns the name of an image's module; no image, -1, has none.
func (r *Resolver) moduleOf(image int32) string {
	if image < 0 {
		return ""
	}
	return attribution.BaseName(r.tables.Images[image].Path)
}
