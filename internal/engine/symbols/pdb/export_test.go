package pdb

// Reordered reports whether the image was reordered after it was linked.
func (f *File) Reordered() bool { return f.toSource != nil || f.fromSource != nil }
