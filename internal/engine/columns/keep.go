package columns

// Keep removes the rows for which keep is false, and the texts that no other row has. The result is
// the same as if the removed rows had never been appended.
func (b *Batch) Keep(keep []bool) {
	codes := textCodes{to: new(Texts), from: &b.Texts, codes: make([]uint32, b.Texts.Len())}
	codes.to.reset()
	b.Rows = countTrue(keep)
	for i := range b.Columns {
		b.Columns[i].keep(keep, &codes)
	}
	b.Texts = *codes.to
}

// Truncate removes the rows after the first n.
func (b *Batch) Truncate(n int) {
	keep := make([]bool, b.Rows)
	for i := range n {
		keep[i] = true
	}
	b.Keep(keep)
}

// keep removes the rows for which keep is false.
func (c *Column) keep(keep []bool, codes *textCodes) {
	if c.Spec.Nullable {
		keep = c.Valid.keep(keep)
	}
	if c.Spec.List {
		keep = c.keepLists(keep)
	}
	c.keepElements(keep, codes)
}

// keepLists removes lists, and returns for each element whether it is kept.
func (c *Column) keepLists(keep []bool) []bool {
	elements := make([]bool, c.Elements())
	start, end := uint32(0), uint32(0)
	lists := c.Lists[:0]
	for i, stop := range c.Lists {
		if keep[i] {
			for at := start; at < stop; at++ {
				elements[at] = true
			}
			end += stop - start
			lists = append(lists, end)
		}
		start = stop
	}
	c.Lists = lists
	return elements
}

func (c *Column) keepElements(keep []bool, codes *textCodes) {
	switch {
	case len(c.Ints) > 0:
		c.Ints = kept(c.Ints, keep)
	case len(c.Small) > 0:
		c.Small = kept(c.Small, keep)
	case len(c.Bools) > 0:
		c.Bools = kept(c.Bools, keep)
	case len(c.Floats) > 0:
		c.Floats = kept(c.Floats, keep)
	case len(c.Reals) > 0:
		c.Reals = kept(c.Reals, keep)
	case len(c.Codes) > 0:
		c.Codes = kept(c.Codes, keep)
		for i, code := range c.Codes {
			c.Codes[i] = codes.code(code)
		}
	case len(c.Ends) > 0:
		c.keepBytes(keep)
	case c.Structs > 0:
		c.Structs = countTrue(keep)
		for i := range c.Members {
			c.Members[i].keep(keep, codes)
		}
	}
}

// keepBytes removes values that have bytes of their own.
func (c *Column) keepBytes(keep []bool) {
	bytes, ends, start := c.Bytes[:0], c.Ends[:0], uint32(0)
	for i, end := range c.Ends {
		if keep[i] {
			bytes = append(bytes, c.Bytes[start:end]...)
			ends = append(ends, uint32(len(bytes)))
		}
		start = end
	}
	c.Bytes, c.Ends = bytes, ends
}

// kept removes the values for which keep is false.
func kept[T any](values []T, keep []bool) []T {
	left := values[:0]
	for i, v := range values {
		if keep[i] {
			left = append(left, v)
		}
	}
	return left
}
