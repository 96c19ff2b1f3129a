package rows

import (
	"github.com/etl2parquet/etl2parquet/decode"
	"github.com/etl2parquet/etl2parquet/internal/engine/attribution"
	"github.com/etl2parquet/etl2parquet/internal/engine/symbols"
)

// frameResolver finds the code at addresses, for one goroutine: the module and the function, and
// where they begin. It caches the names of images, methods and functions, which do not change over
// time.
type frameResolver struct {
	tables    *attribution.Tables
	owners    *attribution.Resolver
	symbols   *symbols.Trace // nil if there are none
	images    [imageNameSlots]frameNames
	methods   [methodNameSlots]frameNames
	functions [functionNameSlots]frameNames
	found     *[foundFunctionSlots]foundFunction // if there are symbols
}

// The numbers of slots of the resolver's caches.
const (
	imageNameSlots     = 1 << 9
	methodNameSlots    = 1 << 12
	functionNameSlots  = 1 << 10
	foundFunctionSlots = 1 << 12
)

// foundFunction is the function at an address of an image, or the fact that there is none.
type foundFunction struct {
	image    int32 // the image plus 1, so that 0 is a free slot
	rva      uint64
	function *symbols.Function
}

// frameNames are a debugger's names for the code of an image or a method.
type frameNames struct {
	index            int32 // of the method or image, offset so that 0 is a free slot
	native           *symbols.Function
	module, function string
	symbol           string // where it differs from the function
	hash             uint64
}

// newFrameResolver returns a resolver over the tables of a trace. s has the names of native
// functions; it may be nil.
func newFrameResolver(t *attribution.Tables, owners *attribution.Resolver, s *symbols.Trace) *frameResolver {
	r := &frameResolver{tables: t, owners: owners, symbols: s}
	if s != nil {
		r.found = new([foundFunctionSlots]foundFunction)
	}
	return r
}

// resolvedFrame is the code at an address.
type resolvedFrame struct {
	image, method int32             // indexes in Tables.Images and Tables.Methods, or -1
	start         uint64            // address of the first byte of the function, else of the module, else 0
	native        *symbols.Function // of the image, or nil
}

// at returns the code at an address of a process at a time.
func (r *frameResolver) at(process uint32, address uint64, at decode.Ticks, pointerSize int) resolvedFrame {
	f := resolvedFrame{image: -1, method: -1}
	if len(r.tables.Methods) > 0 && !attribution.IsKernelAddress(address, pointerSize) {
		if f.method = int32(r.owners.Method(process, address, at)); f.method >= 0 {
			f.start = r.tables.Methods[f.method].Address
		}
	}
	if f.method < 0 || r.tables.ModuleFile(&r.tables.Methods[f.method]) == "" {
		f.image = int32(r.owners.Image(process, address, at, pointerSize))
	}
	if f.method < 0 && f.image >= 0 {
		f.start = r.tables.Images[f.image].Base
		if f.native = r.native(f.image, address-f.start); f.native != nil {
			f.start += uint64(f.native.RVA)
		}
	}
	return f
}

// native returns the function at an address of an image, relative to its first byte, or nil.
func (r *frameResolver) native(image int32, rva uint64) *symbols.Function {
	if r.symbols == nil {
		return nil
	}
	f := &r.found[(rva^rva>>12^uint64(image)*61)%foundFunctionSlots]
	if f.image != image+1 || f.rva != rva {
		*f = foundFunction{image + 1, rva, r.symbols.Function(int(image), rva)}
	}
	return f.function
}

// module returns the name of the module, or "".
func (r *frameResolver) module(f *resolvedFrame) string { return r.names(f).module }

// function returns the name of the function, or "".
func (r *frameResolver) function(f *resolvedFrame) string { return r.names(f).function }

// symbol returns the name of the function in the symbols, or "" if it equals the function's name.
func (r *frameResolver) symbol(f *resolvedFrame) string { return r.names(f).symbol }

// hash returns a hash of the names.
func (r *frameResolver) hash(f *resolvedFrame) uint64 { return r.names(f).hash }

// names returns the names of a frame, which stay valid until the next call.
func (r *frameResolver) names(f *resolvedFrame) *frameNames {
	if f.method >= 0 {
		n := &r.methods[f.method%methodNameSlots]
		if n.index != f.method+1 {
			m := &r.tables.Methods[f.method]
			*n = frameNames{index: f.method + 1, module: r.tables.ModuleFile(m), function: r.tables.FullName(m)}
			if n.module == "" {
				n.module = r.moduleOf(f.image)
			}
			n.complete()
		}
		return n
	}
	if f.native != nil {
		n := &r.functions[(f.native.RVA>>4^uint32(f.image)*61)%functionNameSlots]
		if n.native != f.native || n.index != f.image+1 {
			*n = frameNames{index: f.image + 1, native: f.native, module: r.moduleOf(f.image), function: f.native.Name}
			if f.native.Symbol != f.native.Name {
				n.symbol = f.native.Symbol
			}
			n.complete()
		}
		return n
	}
	n := &r.images[uint32(f.image+1)%imageNameSlots]
	if n.index != f.image+2 {
		*n = frameNames{index: f.image + 2, module: r.moduleOf(f.image)}
		n.complete()
	}
	return n
}

// complete sets the hash of the names.
func (n *frameNames) complete() {
	n.hash = stableHash(0).text(n.module).text(n.function).text(n.symbol).sum()
}

// moduleOf returns the name of an image's module, or "" for no image, -1.
func (r *frameResolver) moduleOf(image int32) string {
	if image < 0 {
		return ""
	}
	return attribution.BaseName(r.tables.Images[image].Path)
}
