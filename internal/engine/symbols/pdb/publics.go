package pdb

import (
	"cmp"
	"slices"
	"sort"
)

// S_PUB32: flags, offset, section, name.
const (
	publicKind      = 0x110e
	publicOffsetAt  = 4
	publicSectionAt = 8
	publicSize      = 10
	publicNameAt    = recordHeadSize + publicSize
)

// The start of the stream of publics: bytes of a hash table, bytes of the list by address.
const (
	publicsHashAt   = 0
	publicsListAt   = 4
	publicsHeadSize = 28
)

// public is a public symbol: its address, and the offset of its record. Names are read on demand.
type public uint64

func makePublic(rva, record uint32) public { return public(rva)<<32 | public(record) }
func (p public) rva() uint32               { return uint32(p >> 32) }
func (p public) record() uint32            { return uint32(p) }

// readPublics reads the public symbols, sorted by address. Symbols at the same address are in the
// order of the file's own list, which linkers sort by name. Symbols outside of the image's sections
// are dropped.
func (f *File) readPublics() ([]public, error) {
	records := f.file.stream(f.dbi.records)
	var all []public // by record
	err := records.records(0, records.size, "public symbols", func(r record) bool {
		if r.kind != publicKind || len(r.data) < publicSize {
			return true
		}
		if rva, ok := f.sections.rva(u16(r.data, publicSectionAt), u32(r.data, publicOffsetAt)); ok {
			all = append(all, makePublic(rva, uint32(r.at)))
		}
		return true
	})
	if listed := f.listedPublics(all); listed != nil {
		all = listed
	}
	slices.SortStableFunc(all, func(a, b public) int { return cmp.Compare(a.rva(), b.rva()) })
	return all, err
}

// listedPublics returns the symbols in the order in which the stream of publics lists
// them by address, or nil if it does not list each of them once.
func (f *File) listedPublics(byRecord []public) []public {
	s := f.file.stream(f.dbi.publics)
	head, err := s.read(0, min(s.size, publicsHeadSize), "publics")
	if err != nil || len(head) < publicsHeadSize {
		return nil
	}
	from := publicsHeadSize + int64(u32(head, publicsHashAt))
	to := from + int64(u32(head, publicsListAt))
	if to > s.size {
		return nil
	}
	listed := make([]public, 0, len(byRecord))
	seen := make([]bool, len(byRecord))
	err = s.table(from, to, 4, "publics", func(e []byte) {
		i, ok := slices.BinarySearchFunc(byRecord, u32(e, 0), func(p public, record uint32) int { return cmp.Compare(p.record(), record) })
		if ok && !seen[i] {
			seen[i] = true
			listed = append(listed, byRecord[i])
		}
	})
	if err != nil || len(listed) < len(byRecord) {
		return nil
	}
	return listed
}

// publicBefore returns the last public symbol at an address or before it.
func publicBefore(all []public, rva uint32) (public, bool) {
	i := sort.Search(len(all), func(i int) bool { return all[i].rva() > rva }) - 1
	if i < 0 {
		return 0, false
	}
	return all[i], true
}

// publicName reads the name of a public symbol.
func (f *File) publicName(p public) (string, error) {
	return f.file.stream(f.dbi.records).nameAt(int64(p.record()), publicNameAt, "public symbol")
}
