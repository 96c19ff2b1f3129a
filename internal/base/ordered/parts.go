package ordered

import "slices"

// leastPart is the number of records that justifies another worker.
const leastPart = 16 << 10

// Parts divides n records into parts of about the same length: one per worker, or fewer if there
// are few records. It returns the ends of the parts.
func Parts(n, workers int) []int {
	ends := make([]int, max(1, min(workers, n/leastPart)))
	for i := range ends {
		ends[i] = (i + 1) * n / len(ends)
	}
	return ends
}

// InParts calls do for each part of n records, concurrently.
func InParts(n, workers int, do func(part, from, to int)) {
	var work []func()
	ends := Parts(n, workers)
	for part, end := range ends {
		from := 0
		if part > 0 {
			from = ends[part-1]
		}
		work = append(work, func() { do(part, from, end) })
	}
	Together(workers, work...)
}

// Sort sorts a list with some workers, and returns it, possibly in other memory. The order of equal
// elements is undefined.
func Sort[T any](workers int, list []T, compare func(a, b T) int) []T {
	ends := Parts(len(list), workers)
	InParts(len(list), workers, func(_, from, to int) { slices.SortFunc(list[from:to], compare) })
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
		Together(workers, merges...)
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
