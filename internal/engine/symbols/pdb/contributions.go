package pdb

import (
	"cmp"
	"slices"
	"sort"
)

// The section contributions: a version, then entries of one size.
const (
	contributionsV1 = 0xeffe0000 + 19970605
	contributionsV2 = 0xeffe0000 + 20140516

	contributionSizeV1   = 28
	contributionSizeV2   = 32
	contributionOffsetAt = 4
	contributionBytesAt  = 8
	contributionModuleAt = 16
)

// contribution is a half-open range [start, end) of addresses that a module fills.
type contribution struct {
	start, end uint32
	module     uint16
}

// maxPadding is the distance at which two contributions of a module count as one: the linker aligns
// functions by up to 16 bytes, sometimes by a cache line.
const maxPadding = 64

// readContributions reads the contributions, sorted by address. If two overlap, the one that begins
// later is dropped.
func readContributions(s stream, from, to int64, in sections) ([]contribution, error) {
	const where = "section contributions"
	if to-from < 4 {
		return nil, nil
	}
	version, err := s.read(from, 4, where)
	if err != nil {
		return nil, err
	}
	size := 0
	switch u32(version, 0) {
	case contributionsV1:
		size = contributionSizeV1
	case contributionsV2:
		size = contributionSizeV2
	default:
		return nil, s.wrong(from, where, ErrUnsupported)
	}
	var all []contribution
	err = s.table(from+4, to, size, where, func(e []byte) {
		start, ok := in.rva(u16(e, 0), u32(e, contributionOffsetAt))
		c := contribution{start, addSize(start, u32(e, contributionBytesAt)), u16(e, contributionModuleAt)}
		if !ok || c.end <= c.start {
			return
		}
		if last := len(all) - 1; last >= 0 && all[last].joins(c) {
			all[last].end = c.end
			return
		}
		all = append(all, c)
	})
	slices.SortStableFunc(all, func(a, b contribution) int { return cmp.Compare(a.start, b.start) })
	end := uint32(0)
	all = slices.DeleteFunc(all, func(c contribution) bool {
		overlaps := c.start < end
		if !overlaps {
			end = c.end
		}
		return overlaps
	})
	return slices.Clip(all), err
}

// joins reports whether d continues c.
func (c contribution) joins(d contribution) bool {
	return c.module == d.module && d.start >= c.end && d.start-c.end < maxPadding
}

// moduleAt returns the number of the module that fills an address.
func (f *File) moduleAt(rva uint32) (int, bool) {
	i := sort.Search(len(f.contributions), func(i int) bool { return f.contributions[i].start > rva }) - 1
	if i < 0 || rva >= f.contributions[i].end || int(f.contributions[i].module) >= len(f.dbi.modules) {
		return 0, false
	}
	return int(f.contributions[i].module), true
}
