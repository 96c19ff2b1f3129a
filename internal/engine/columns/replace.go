package columns

// NewTexts returns no texts.
func NewTexts() *Texts {
	t := new(Texts)
	t.reset()
	return t
}

// Take replaces the texts by others, which must not be used afterwards. The codes in columns must be
// those of the others.
func (t *Texts) Take(other *Texts) { *t = *other }

// Erase removes the values of a Binary column: they become NULL or, where the column has none, empty.
// to has the texts of the batch.
func (c *Column) Erase(to *Texts) {
	switch values := c.Values(); {
	case c.Spec.Nullable:
		c.Reset()
	case c.Spec.List:
		c.Codes, c.Ends, c.Bytes = c.Codes[:0], c.Ends[:0], c.Bytes[:0]
		clear(c.Lists)
	case len(c.Ends) > 0:
		c.Bytes = c.Bytes[:0]
		clear(c.Ends)
	default:
		c.Codes = c.Codes[:0]
		Repeat(&c.Codes, to.Text(""), values)
	}
}
