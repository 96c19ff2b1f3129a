package catalog

import "fmt"

// ConflictError means that two files describe events differently: with other fields, or another text.
// The first file counts, in the order in which files are given and lie in their folders.
type ConflictError struct {
	Used, Unused string // paths
	Events       int    // that both describe
	First        string // the event whose name sorts first
}

func (e *ConflictError) Error() string {
	things, such := "an event", ", "
	if e.Events > 1 {
		things, such = fmt.Sprintf("%d events", e.Events), ", such as "
	}
	return fmt.Sprintf("%s and %s describe %s differently%s%s: the first file counts", e.Used, e.Unused, things, such, e.First)
}

// conflict records that an event, which used describes, has another description in unused. Files of
// one trace's messages have no path, and no conflicts.
func (s *Files) conflict(used, unused *schemaFile, event string) {
	files := [2]*schemaFile{used, unused}
	if c := s.conflicts[files]; c != nil {
		c.Events++
		c.First = min(c.First, event)
		return
	}
	if s.conflicts == nil {
		s.conflicts = make(map[[2]*schemaFile]*ConflictError)
	}
	s.conflicts[files] = &ConflictError{used.path, unused.path, 1, event}
	s.errs = append(s.errs, s.conflicts[files])
}
