package index

// ForRows returns the index for a pass that makes rows. It shares everything with the index except
// the list of problems, to which the pass adds. So several passes can run over one trace, even
// concurrently.
func (x *Index) ForRows() *Index {
	own := *x
	own.Problems = x.Problems.Clone()
	return &own
}
