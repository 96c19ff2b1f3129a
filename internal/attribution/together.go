package attribution

import (
	"slices"

	"github.com/etl2parquet/etl2parquet/internal/ordered"
)

// leastPart is how many records are worth another worker.
const leastPart = 16 << 10

// partsOf divides n records into parts of about the same length, one for each worker, but
// fewer if the records are few. It returns where the parts end.
func partsOf(n, workers int) []int {
	ends := make([]int, max(1, min(workers, n/leastPart)))
	for i := range ends {
		ends[i] = (i + 1) * n / len(ends)
	}
	return ends
}

// inParts does work for each part of n records.
func inParts(n, workers int, do func(part, from, to int)) {
	var work []func()
	ends := partsOf(n, workers)
	for part, end := range ends {
		from := 0
		if part > 0 {
			from = ends[part-1]
		}
		work = append(work, func() { do(part, from, end) })
	}
	ordered.Together(workers, work...)
}

// sortTogether sorts a list by some workers, and returns it, perhaps in another place. The
// order of equal elements is undefined.
func sortTogether[T any](workers int, list []T, compare func(a, b T) int) []T {
	ends := partsOf(len(list), workers)
	inParts(len(list), workers, func(_, from, to int) { slices.SortFunc(list[from:to], compare) })
	var other []T
	for len(ends) > 1 {
		if other == nil {
			other = make([]T, len(list))
		}
		var merges []func()
		merged := make([]int, 0, len(ends)/2+1)
		start := 0
		for i := 0; i < len(ends); i += 2 {
			middle, end := ends[i], ends[min(i+1, len(ends)-1)]
			from := start
			merges = append(merges, func() { mergeSorted(other[from:end], list[from:middle], list[middle:end], compare) })
			merged = append(merged, end)
			start = end
		}
		ordered.Together(workers, merges...)
		ends, list, other = merged, other, list
	}
	return list
}

// mergeSorted merges two sorted lists into dst.
func mergeSorted[T any](dst, a, b []T, compare func(a, b T) int) {
	for len(a) > 0 && len(b) > 0 {
		if compare(b[0], a[0]) < 0 {
			dst[0], b = b[0], b[1:]
		} else {
			dst[0], a = a[0], a[1:]
		}
		dst = dst[1:]
	}
	copy(dst[copy(dst, a):], b)
}

// concat returns the piles as one list. They are large: copying them takes as long as much else.
func concat[T any](workers int, piles []pile[T]) []T {
	if len(piles) == 1 && len(piles[0].blocks) == 1 {
		return piles[0].blocks[0]
	}
	total := 0
	for i := range piles {
		total += piles[i].len()
	}
	all := make([]T, total)
	var work []func()
	at := 0
	for i := range piles {
		to := all[at : at+piles[i].len()]
		work = append(work, func() {
			for _, block := range piles[i].blocks {
				to = to[copy(to, block):]
			}
		})
		at += piles[i].len()
	}
	ordered.Together(workers, work...)
	return all
}
