package columns

// Validity says which rows of a nullable column have a value. Rows behind the last that has one are
// not in it, so that a column without values costs nothing. As long as no row before that one is
// null, as in most columns, it is a number, and takes no memory either.
type Validity struct {
	all  int    // rows, each with a value, while list is empty
	list []bool // of all rows
}

// Len returns the number of rows up to the last that has a value.
func (v *Validity) Len() int { return v.all + len(v.list) }

// Has reports whether a row has a value.
func (v *Validity) Has(row int) bool {
	return row < v.all || row < len(v.list) && v.list[row]
}

// HaveAll reports whether it is known without a look at each that n rows from one on have a value.
func (v *Validity) HaveAll(row, n int) bool { return row+n <= v.all }

// Rows returns either how many rows there are, if each has a value, or whether each has one. The
// slice is valid until the next change.
func (v *Validity) Rows() (all int, list []bool) { return v.all, v.list }

// Count returns how many rows have a value.
func (v *Validity) Count() int { return v.all + countTrue(v.list) }

// add says that n rows from one on have a value; those before it that have not been given are null.
func (v *Validity) add(row, n int) {
	switch {
	case n == 0:
	case row == v.all && len(v.list) == 0:
		v.all += n
	default:
		v.pad(row)
		Repeat(&v.list, true, n)
	}
}

// addOne does so for one row.
func (v *Validity) addOne(row int) {
	if row == v.all && len(v.list) == 0 {
		v.all++
		return
	}
	v.pad(row)
	v.list = append(v.list, true)
}

// more returns a place for n rows from one on. The caller fills it in, and calls trim.
func (v *Validity) more(row, n int) []bool {
	v.pad(row)
	return More(&v.list, n)
}

// trim removes rows without a value behind the last that has one.
func (v *Validity) trim() {
	for end := len(v.list); end > 0 && !v.list[end-1]; end-- {
		v.list = v.list[:end-1]
	}
}

// pad makes it a list, in which rows before one that have not been given are null.
func (v *Validity) pad(row int) {
	all := v.all
	v.all = 0
	Repeat(&v.list, true, all)
	if missing := row - len(v.list); missing > 0 {
		clear(More(&v.list, missing))
	}
}

// append appends that of other rows, as that of the rows from one on.
func (v *Validity) append(row int, other *Validity) {
	v.add(row, other.all)
	if len(other.list) > 0 {
		copy(v.more(row, len(other.list)), other.list)
	}
}

// keep removes the rows for which keep is false, and returns whether the values of the others are
// kept.
func (v *Validity) keep(keep []bool) (values []bool) {
	if len(v.list) == 0 {
		values = keep[:v.all]
		v.all = countTrue(values)
		return values
	}
	values = make([]bool, 0, len(v.list))
	for row, valid := range v.list {
		if valid {
			values = append(values, keep[row])
		}
	}
	v.list = kept(v.list, keep[:len(v.list)])
	v.trim()
	return values
}

func (v *Validity) reset() { v.all, v.list = 0, v.list[:0] }

// countTrue counts without jumps, which could be mispredicted.
func countTrue(list []bool) (n int) {
	for _, v := range list {
		one := 0
		if v {
			one = 1
		}
		n += one
	}
	return n
}
