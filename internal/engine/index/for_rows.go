package index

// ForRows returns the index for a pass that makes rows: it shares everything with
// the index but the list of problems, to which the pass adds. So several passes can
// be made of one trace, at the same time too.
func (x *Index) ForRows() *Index {
	own := *x
	own.Problems = x.Problems.Clone()
	return &own
}
