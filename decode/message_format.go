package decode

// Bounds of a format: a hostile one could claim any width.
const (
	maxFormat    = 32  // bytes
	maxPrecision = 512 // characters
)

// format is a printf format without the percent sign.
type format struct {
	left, plus, space, alternate, zeros bool

	width     int  // least number of characters
	precision int  // least number of digits of a number, most characters of a text; -1 if absent
	size      int  // bytes of the number; 0 for the size of the field
	verb      byte // 0 for the default form of the field
}

// formatSizes are the size modifiers of formats. A modifier whose size depends on
// the compiler or on pointers means the size of the field.
var formatSizes = []struct {
	text string
	size int
}{
	{"hh", 1}, {"h", 2}, {"I64", 8}, {"I32", 4}, {"I", 0}, {"ll", 8}, {"l", 0}, {"z", 0}, {"w", 0}, {"j", 8}, {"t", 0}, {"L", 0},
}

// parseFormat parses a format; ok is false if it is invalid.
func parseFormat(s string) (f format, ok bool) {
	f.precision = -1
	if s == "" {
		return f, true
	}
	i := 0
	for ; i < len(s) && f.flag(s[i]); i++ {
	}
	f.width, i = parseDigits(s, i)
	if i < len(s) && s[i] == '.' {
		f.precision, i = parseDigits(s, i+1)
	}
	for _, size := range formatSizes {
		if n := len(size.text); len(s)-i > n && s[i:i+n] == size.text {
			f.size = size.size
			i += n
			break
		}
	}
	if i+1 != len(s) {
		return f, false
	}
	f.verb = s[i]
	switch f.verb {
	case 'd', 'i', 'u', 'x', 'X', 'o', 'c', 'C', 's', 'S', 'p', 'P', 'e', 'E', 'f', 'F', 'g', 'G':
		return f, true
	}
	return f, false
}

// flag sets the flag c, and reports whether c is a flag.
func (f *format) flag(c byte) bool {
	switch c {
	case '-':
		f.left = true
	case '+':
		f.plus = true
	case ' ':
		f.space = true
	case '#':
		f.alternate = true
	case '0':
		f.zeros = true
	default:
		return false
	}
	return true
}

// parseDigits parses a number at the index i, and returns the index after it.
func parseDigits(s string, i int) (n, end int) {
	for ; i < len(s) && s[i] >= '0' && s[i] <= '9'; i++ {
		n = min(10*n+int(s[i]-'0'), maxPrecision)
	}
	return n, i
}
