package archive

import (
	"cmp"
	"fmt"
	"slices"
)

// span is the range of an entry's bytes in the file, or in a folder of it.
type span struct {
	entry      int
	folder     int
	start, end int64
}

// overlapping returns the entries that share bytes with others. No program makes such
// archives, but bombs use them to expand.
func overlapping(spans []span) map[int]bool {
	slices.SortFunc(spans, func(a, b span) int {
		return cmp.Or(cmp.Compare(a.folder, b.folder), cmp.Compare(a.start, b.start), cmp.Compare(a.entry, b.entry))
	})
	var longest *span // the span so far with the highest end
	bad := make(map[int]bool)
	for i := range spans {
		s := &spans[i]
		if s.start >= s.end {
			continue
		}
		if longest != nil && longest.folder == s.folder && s.start < longest.end {
			bad[s.entry], bad[longest.entry] = true, true
		}
		if longest == nil || longest.folder != s.folder || s.end > longest.end {
			longest = s
		}
	}
	return bad
}

func overlapError(entries int) error {
	return &LimitError{Limit: LimitOverlap, What: fmt.Sprintf("%d entries that share their bytes", entries)}
}
