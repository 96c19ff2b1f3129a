package symbols

import (
	"cmp"
	"math"
	"slices"
	"sync/atomic"

	"github.com/etl2parquet/etl2parquet/internal/engine/attribution"
	"github.com/etl2parquet/etl2parquet/internal/engine/symbols/find"
)

// Trace is the symbols of the images of a trace. It is safe for use from many goroutines.
type Trace struct {
	set    *Set
	tables *attribution.Tables
	images []imageUse // by index in Tables.Images
}

type imageUse struct{ module atomic.Pointer[module] } // nil until an address of it is looked up

// Trace returns the symbols of a trace. A nil set has none.
func (s *Set) Trace(t *attribution.Tables) *Trace {
	if s == nil {
		return nil
	}
	return &Trace{s, t, make([]imageUse, len(t.Images))}
}

// Function returns the function that contains an address, given by the index of its image and its
// distance from the image's first byte. It returns nil if the function is unknown, or if the Trace
// is nil.
func (t *Trace) Function(image int, rva uint64) *Function {
	if t == nil || rva > math.MaxUint32 {
		return nil
	}
	m := t.images[image].module.Load()
	if m == nil {
		m = t.set.module(imageOf(t.tables, image))
		t.images[image].module.Store(m)
	}
	return m.function(uint32(rva))
}

// imageOf returns what identifies an image of a trace.
func imageOf(t *attribution.Tables, i int) Image {
	m := &t.Images[i]
	image := Image{Name: attribution.BaseName(m.Path), TimeStamp: m.TimeStamp}
	if m.Size <= math.MaxUint32 {
		image.Size = uint32(m.Size)
	}
	if m.Debug >= 0 {
		d := &t.Debug[m.Debug]
		image.PDB, image.GUID, image.Age = attribution.BaseName(d.PDB), d.GUID, d.Age
	}
	return image
}

// Use is an image that contains an address of a trace, and its symbols.
type Use struct {
	Image
	Addresses int    // in it that were looked up, by any trace; each once
	Kind      Kind   // "" if there are none
	Path      string // of the file that has them
	From      string // the place where the file was found: a folder, a file, or the address of a server
	Err       error  // why there are none, or what is wrong with them
}

// Uses returns the images in which addresses were looked up, each once, in order.
func (t *Trace) Uses() []Use {
	if t == nil {
		return nil
	}
	modules := make(map[*module]bool)
	var uses []Use
	for i := range t.images {
		m := t.images[i].module.Load()
		if m == nil || modules[m] {
			continue
		}
		modules[m] = true
		uses = append(uses, m.use())
	}
	slices.SortFunc(uses, func(a, b Use) int { return a.compare(&b.Image) })
	return uses
}

func (m *module) use() Use {
	m.mu.Lock()
	defer m.mu.Unlock()
	u := Use{Image: m.image, Addresses: m.addresses, Kind: m.at.kind, Err: m.err}
	if m.at.File != nil {
		u.Path, u.From = m.at.Path, m.at.From
	}
	return u
}

// StorePath returns where a symbol store has the PDB of the image, as name/GUID and age/name, or ""
// if the PDB is unknown.
func (m *Image) StorePath() string {
	if m.PDB == "" {
		return ""
	}
	return find.PDB{Name: m.PDB, GUID: m.GUID, Age: m.Age}.StorePath()
}

func (m *Image) compare(o *Image) int {
	return cmp.Or(cmp.Compare(m.Name, o.Name), cmp.Compare(m.PDB, o.PDB), cmp.Compare(m.GUID.String(), o.GUID.String()),
		cmp.Compare(m.Age, o.Age), cmp.Compare(m.TimeStamp, o.TimeStamp), cmp.Compare(m.Size, o.Size))
}
