package columns

// Validity says which rows of a nullable column have a value. It ends with the last row that has
// one, so that a column without values costs nothing. While no row before that is null, as in most
// columns, it is only a number.
type Validity struct {
	all  int    // rows at the start that all have a value, while list is empty
	list []bool // of all rows
}

// Len returns the number of rows up to the last that has a value.
func (v *Validity) Len() int { return v.all + len(v.list) }

// Has reports whether a row has a value.
func (v *Validity) Has(row int) bool {
	return row < v.all || row < len(v.list) && v.list[row]
}

// HaveAll reports whether n rows from row on have a value, without looking at each of them.
func (v *Validity) HaveAll(row, n int) bool { return row+n <= v.all }

// Rows returns the number of rows if each has a value, else a list that says which have one. The
// slice is valid until the next change.
func (v *Validity) Rows() (all int, list []bool) { return v.all, v.list }

// Count returns the number of rows that have a value.
func (v *Validity) Count() int { return v.all + countTrue(v.list) }

// add marks n rows from row on as having a value. Rows before them that were not given are null.
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

// addOne is add for one row.
func (v *Validity) addOne(row int) {
	if row == v.all && len(v.list) == 0 {
		v.all++
		return
	}
	v.pad(row)
	v.list = append(v.list, true)
}

// more returns the entries of n rows from row on. The caller fills them in, and then calls trim.
func (v *Validity) more(row, n int) []bool {
	v.pad(row)
	return More(&v.list, n)
}

// trim removes rows without a value from the end.
func (v *Validity) trim() {
	for end := len(v.list); end > 0 && !v.list[end-1]; end-- {
		v.list = v.list[:end-1]
	}
}

// pad turns v into a list, in which rows before row that were not given are null.
func (v *Validity) pad(row int) {
	all := v.all
	v.all = 0
	Repeat(&v.list, true, all)
	if missing := row - len(v.list); missing > 0 {
		clear(More(&v.list, missing))
	}
}

// Append appends the validity of other rows, from row on.
func (v *Validity) Append(row int, other *Validity) {
	v.add(row, other.all)
	if len(other.list) > 0 {
		copy(v.more(row, len(other.list)), other.list)
	}
}

// keep removes the rows for which keep is false. values says, for each value, whether it is kept.
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

// countTrue counts without branches, which the processor could mispredict.
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
