package attribution

import (
	"sort"

	"github.com/etl2parquet/etl2parquet/decode"
)

// region is a range of addresses of a process.
type region struct {
	process    uint32
	from, size uint64
}

// end returns the first address after the region, or its start if the end would overflow.
func (r region) end() uint64 { return max(r.from+r.size, r.from) }

// overlap describes how a region lies among others, in the order of [arrange].
type overlap uint8

const (
	overlaps overlap = 1 << iota // another region of its process overlaps it at its time
	covered                      // a region before it in its process ends after it
)

func (o overlap) apart() bool { return o&overlaps == 0 }

// located is something with a life and a region.
type located[T any] interface {
	*T
	region() region
	lived() *Life
}

// arrange detects the regions of a process that overlap others. The list is sorted by
// process and address.
func arrange[T any, P located[T]](list []T) {
	highest, below := uint64(0), uint64(0) // highest end so far, of all and of those at lower addresses
	var before region
	for i := range list {
		r := P(&list[i]).region()
		switch {
		case i == 0 || before.process != r.process:
			highest, below = 0, 0
		case before.from != r.from:
			below = highest
		}
		o := overlap(0)
		if below > r.from {
			o |= overlaps
		}
		if highest > r.end() {
			o |= covered
		}
		highest = max(highest, r.end())
		P(&list[i]).lived().overlap = o
		before = r
	}
	above := ^uint64(0) // the next higher address
	var next region
	for i := len(list) - 1; i >= 0; i-- {
		r := P(&list[i]).region()
		switch {
		case i == len(list)-1 || next.process != r.process:
			above = ^uint64(0)
		case next.from != r.from:
			above = next.from
		}
		l := P(&list[i]).lived()
		if r.size > above-r.from {
			l.overlap |= overlaps
		}
		if i+1 < len(list) && next.process == r.process && next.from == r.from && P(&list[i+1]).lived().From <= l.To {
			l.overlap |= overlaps // they share a moment
			P(&list[i+1]).lived().overlap |= overlaps
		}
		next = r
	}
}

// placed returns the index of the region at an address of a process at a time, or -1. Of
// overlapping regions, the one that begins last wins.
func placed[T any, P located[T]](list []T, process uint32, address uint64, at decode.Ticks) int {
	i := after[T, P](list, process, address) - 1
	for steps := 0; i >= 0 && steps < maxOverlaps; steps++ {
		r, l := P(&list[i]).region(), P(&list[i]).lived()
		if r.process != process || l.overlap&covered == 0 && r.end() <= address {
			return -1
		}
		if address-r.from < r.size && at >= l.From && at <= l.To {
			return i
		}
		i--
	}
	return -1
}

// after returns the index of the first region after an address of a process.
func after[T any, P located[T]](list []T, process uint32, address uint64) int {
	return sort.Search(len(list), func(i int) bool {
		r := P(&list[i]).region()
		return r.process > process || r.process == process && r.from > address
	})
}

// gap returns the range of addresses around an address of a process in which nothing lies at any
// time. Its size is 0 if a region contains the address, or if too many regions overlap before it.
func gap[T any, P located[T]](list []T, process uint32, address uint64) (from, size uint64) {
	i := after[T, P](list, process, address)
	for n := i - 1; n >= 0 && P(&list[n]).region().process == process; n-- {
		if from = max(from, P(&list[n]).region().end()); from > address || i-n > maxOverlaps {
			return 0, 0
		}
		if P(&list[n]).lived().overlap&covered == 0 {
			break
		}
	}
	to := ^uint64(0)
	if i < len(list) {
		if r := P(&list[i]).region(); r.process == process {
			to = r.from
		}
	}
	return from, to - from
}

// maxOverlaps bounds the regions that are searched for an address.
const maxOverlaps = 1 << 12
