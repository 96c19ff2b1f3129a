package columns

import "github.com/etl2parquet/etl2parquet/schema"

// Cursor copies the rows of a batch, from the first to the last, into other batches: some rows into
// one, the next ones into the same or another. The batch must not change meanwhile.
type Cursor struct {
	from  *Batch
	row   int
	to    *Batch // of the last copy
	codes textCodes
	at    []place // by column
}

// place is how far a column has been copied.
type place struct {
	row     int     // of the next copy
	value   int     // values of the rows before it
	members []place // of a Struct
}

// NewCursor returns a cursor at the first row. It copies a number of columns, the first ones.
func NewCursor(from *Batch, columns int) *Cursor {
	return &Cursor{from: from, at: placesOf(from.Columns[:columns])}
}

func placesOf(columns []Column) []place {
	at := make([]place, len(columns))
	for i := range columns {
		if len(columns[i].Members) > 0 {
			at[i].members = placesOf(columns[i].Members)
		}
	}
	return at
}

// Row returns the number of rows that were copied: the index of the next one.
func (c *Cursor) Row() int { return c.row }

// Left returns the number of rows that were not copied yet.
func (c *Cursor) Left() int { return c.from.Rows - c.row }

// Copy appends the next n rows to a batch of a table that has the columns of the cursor, and trace
// before them.
func (c *Cursor) Copy(to *Batch, n int, trace string) {
	if to != c.to {
		c.to, c.codes = to, textCodes{to: &to.Texts, from: &c.from.Texts, codes: make([]uint32, c.from.Texts.Len())}
	}
	Repeat(&to.Columns[0].Codes, to.Texts.Text(trace), n)
	for i := range c.at {
		c.at[i].copy(&to.Columns[1+i], to.Rows, &c.from.Columns[i], n, &c.codes)
	}
	to.Rows += n
	c.row += n
}

// copy appends the next n rows of a column to another one, from its row on.
func (p *place) copy(to *Column, row int, from *Column, n int, codes *textCodes) {
	values := n
	if from.Spec.Nullable {
		values = to.Valid.appendRows(row, &from.Valid, p.row, n)
	} else if to.Spec.Nullable {
		to.Present(row, n)
	}
	begin, end := p.value, p.value+values
	p.row, p.value = p.row+n, end
	if from.Spec.List {
		begin, end = to.copyLists(from, begin, end)
	}
	if begin < end {
		p.copyElements(to, from, begin, end, codes)
	}
}

// copyLists appends the ends of some lists, and returns the range of their elements.
func (c *Column) copyLists(from *Column, begin, end int) (first, after int) {
	if begin == end {
		return 0, 0
	}
	start := uint32(0)
	if begin > 0 {
		start = from.Lists[begin-1]
	}
	base := uint32(c.Elements()) - start
	for i, room := 0, More(&c.Lists, end-begin); i < len(room); i++ {
		room[i] = base + from.Lists[begin+i]
	}
	return int(start), int(from.Lists[end-1])
}

// copyElements appends the elements of a range.
func (p *place) copyElements(to, from *Column, begin, end int, codes *textCodes) {
	switch from.Spec.Type {
	case schema.String, schema.Binary:
		copyTexts(to, from, begin, end, codes)
	case schema.Int32:
		to.Small = append(to.Small, from.Small[begin:end]...)
	case schema.Boolean:
		to.Bools = append(to.Bools, from.Bools[begin:end]...)
	case schema.Float:
		to.Floats = append(to.Floats, from.Floats[begin:end]...)
	case schema.Double:
		to.Reals = append(to.Reals, from.Reals[begin:end]...)
	case schema.Struct:
		row := to.Structs
		to.Structs += end - begin
		for i := range from.Members {
			p.members[i].copy(&to.Members[i], row, &from.Members[i], end-begin, codes)
		}
	default:
		to.Ints = append(to.Ints, from.Ints[begin:end]...)
	}
}

// copyTexts appends texts, which either column may have as codes or as bytes of its own.
func copyTexts(to, from *Column, begin, end int, codes *textCodes) {
	isVaried := to.Spec.Encoding == schema.Varied
	if from.Spec.Encoding != schema.Varied {
		for _, code := range from.Codes[begin:end] {
			if isVaried {
				to.Blob(codes.from.At(code))
			} else {
				to.Code(codes.code(code))
			}
		}
		return
	}
	start := uint32(0)
	if begin > 0 {
		start = from.Ends[begin-1]
	}
	for _, stop := range from.Ends[begin:end] {
		if isVaried {
			to.Blob(from.Bytes[start:stop])
		} else {
			to.Code(codes.to.Blob(from.Bytes[start:stop]))
		}
		start = stop
	}
}

// appendRows appends the validity of n rows of another column from its row first on, as rows from row
// on. It returns how many of them have a value.
func (v *Validity) appendRows(row int, other *Validity, first, n int) int {
	if other.HaveAll(first, n) {
		v.add(row, n)
		return n
	}
	if n = min(n, other.Len()-first); n <= 0 {
		return 0
	}
	to, values := v.more(row, n), 0
	for i := range to {
		to[i] = other.Has(first + i)
		if to[i] {
			values++
		}
	}
	v.trim()
	return values
}
