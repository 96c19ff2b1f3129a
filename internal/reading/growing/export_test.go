package growing

// Span is the bytes of a buffer.
type Span struct{ From, To int64 }

// Found returns the buffers that were found and not taken.
func (f *File) Found() (list []Span) {
	for _, b := range f.found {
		list = append(list, Span{b.Offset, b.Offset + int64(b.Size)})
	}
	return list
}

// Take takes the buffers that were found.
func (f *File) Take() { f.number, f.found = f.number+len(f.found), nil }
