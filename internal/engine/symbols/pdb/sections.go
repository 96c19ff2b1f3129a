package pdb

import (
	"cmp"
	"math"
	"slices"
	"sort"
)

// A section header, as in an image.
const (
	sectionHeaderSize = 40
	sectionSizeAt     = 8
	sectionRVAAt      = 12
	sectionRawSizeAt  = 16
)

// section is a half-open range [start, end) of addresses.
type section struct{ start, end uint32 }

// sections are the sections of the image for which the symbols were written.
type sections struct {
	numbered []section // section number 1 is first
	sorted   []section // by their starts
}

// readSections reads section headers.
func readSections(s stream) (sections, error) {
	var all sections
	err := s.table(0, s.size, sectionHeaderSize, "sections", func(h []byte) {
		start := u32(h, sectionRVAAt)
		size := max(u32(h, sectionSizeAt), u32(h, sectionRawSizeAt)) // some linkers leave the first one 0
		all.numbered = append(all.numbered, section{start, addSize(start, size)})
	})
	all.sorted = slices.Clone(all.numbered)
	slices.SortStableFunc(all.sorted, func(a, b section) int { return cmp.Compare(a.start, b.start) })
	return all, err
}

// rva returns the address of a position in a section. ok is false if the section does not exist or
// ends before it, as for removed or absolute symbols.
func (s sections) rva(number uint16, offset uint32) (rva uint32, ok bool) {
	if number == 0 || int(number) > len(s.numbered) {
		return 0, false
	}
	in := s.numbered[number-1]
	return in.start + offset, offset < in.end-in.start
}

// at returns the section that an address is in.
func (s sections) at(rva uint32) (section, bool) {
	i := sort.Search(len(s.sorted), func(i int) bool { return s.sorted[i].start > rva }) - 1
	if i < 0 || rva >= s.sorted[i].end {
		return section{}, false
	}
	return s.sorted[i], true
}

// addSize returns the end of a range, clamped to the end of all addresses.
func addSize(start, size uint32) uint32 {
	return uint32(min(uint64(start)+uint64(size), math.MaxUint32))
}

// omap maps addresses between two forms of an image, one of which was reordered after linking. It
// is sorted by the addresses from which it maps; an entry is valid up to the next one. A nil map
// maps each address to itself.
type omap []omapEntry

type omapEntry struct{ from, to uint32 } // to is 0 if the other form has no such address

const omapEntrySize = 8

// readOMAP reads a map.
func readOMAP(s stream) (omap, error) {
	var m omap
	err := s.table(0, s.size, omapEntrySize, "OMAP", func(e []byte) {
		m = append(m, omapEntry{u32(e, 0), u32(e, 4)})
	})
	slices.SortStableFunc(m, func(a, b omapEntry) int { return cmp.Compare(a.from, b.from) })
	return m, err
}

// lookup maps an address.
func (m omap) lookup(rva uint32) (uint32, bool) {
	if m == nil {
		return rva, true
	}
	i := sort.Search(len(m), func(i int) bool { return m[i].from > rva }) - 1
	if i < 0 || m[i].to == 0 {
		return 0, false
	}
	return m[i].to + (rva - m[i].from), true
}
