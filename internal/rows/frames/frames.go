// Package frames finds the code at an address: the module and the function, and where they
// begin.
package frames

import (
	"github.com/etl2parquet/etl2parquet/decode"
	"github.com/etl2parquet/etl2parquet/internal/attribution"
)

// Resolver finds the code at addresses, for one goroutine. It remembers the names of images
// and methods, which do not change with time.
type Resolver struct {
	tables  *attribution.Tables
	owners  *attribution.Resolver
	images  [imageSlots]names
	methods [methodSlots]names
}

const (
	imageSlots  = 1 << 9
	methodSlots = 1 << 12
)

// names are what a debugger calls the code of an image or a method.
type names struct {
	index            int32 // greater than that of the method or image, so that 0 is a free slot
	module, function string
	hash             uint64
}

// New returns a resolver over the tables of a trace.
func New(t *attribution.Tables, owners *attribution.Resolver) *Resolver {
	return &Resolver{tables: t, owners: owners}
}

// Frame is the code at an address.
type Frame struct {
	Image, Method int32  // indexes in Tables.Images and Tables.Methods, or -1
	Start         uint64 // address of the first byte of the function, else of the module, else 0
}

// At returns the code at an address of a process at a time.
func (r *Resolver) At(process uint32, address uint64, at decode.Ticks, pointerSize int) Frame {
	f := Frame{Image: -1, Method: -1}
	if len(r.tables.Methods) > 0 && !attribution.IsKernelAddress(address, pointerSize) {
		if f.Method = int32(r.owners.Method(process, address, at)); f.Method >= 0 {
			f.Start = r.tables.Methods[f.Method].Address
		}
	}
	if f.Method < 0 || r.tables.Methods[f.Method].Module == "" {
		f.Image = int32(r.owners.Image(process, address, at, pointerSize))
	}
	if f.Method < 0 && f.Image >= 0 {
		f.Start = r.tables.Images[f.Image].Base
	}
	return f
}

// Module returns the name of the module, or "".
func (r *Resolver) Module(f Frame) string { return r.names(f).module }

// Function returns the name of the function, or "".
func (r *Resolver) Function(f Frame) string { return r.names(f).function }

// Hash returns a hash of both names.
func (r *Resolver) Hash(f Frame) uint64 { return r.names(f).hash }

func (r *Resolver) names(f Frame) *names {
	if f.Method >= 0 {
		n := &r.methods[f.Method%methodSlots]
		if n.index != f.Method+1 {
			m := &r.tables.Methods[f.Method]
			*n = names{index: f.Method + 1, module: m.Module, function: methodName(m)}
			if m.Module == "" {
				n.module = r.moduleOf(f.Image)
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

func (n *names) complete() { n.hash = Hash(0).Text(n.module).Text(n.function).Sum() }

// moduleOf returns the name of an image's module; no image, -1, has none.
func (r *Resolver) moduleOf(image int32) string {
	if image < 0 {
		return ""
	}
	return attribution.BaseName(r.tables.Images[image].Path)
}

// methodName returns the name of a method, with that of its type.
func methodName(m *attribution.Method) string {
	if m.Namespace == "" {
		return m.Name
	}
	return m.Namespace + "." + m.Name
}
