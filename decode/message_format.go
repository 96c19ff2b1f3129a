package decode

// Bounds of a format: what it claims is what a value takes at least.
const (
	maxFormat    = 32  // bytes
	maxPrecision = 512 // characters
)

// format is one of printf's, without the percent sign.
type format struct {
	left, plus, space, alternate, zeros bool

	width     int  // at least so many characters
	precision int  // of a number so many digits at least, of a text so many at most; -1 is none
	size      int  // bytes of the number; 0 is its own
	verb      byte // 0 is the field's own form
}

// formatSizes are the sizes of numbers as formats have them. Those that differ
// by compiler or pointer are the number's own.
var formatSizes = []struct {
	text string
	size int
}{
	{"hh", 1}, {"h", 2}, {"I64", 8}, {"I32", 4}, {"I", 0}, {"ll", 8}, {"l", 0}, {"z", 0}, {"w", 0}, {"j", 8}, {"t", 0}, {"L", 0},
}

// parseFormat reads a format; ok is false if it is none.
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

// flag sets what a flag says, and reports whether it is one.
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

// parseDigits reads a number, and returns where it ends.
func parseDigits(s string, i int) (n, end int) {
	for ; i < len(s) && s[i] >= '0' && s[i] <= '9'; i++ {
		n = min(10*n+int(s[i]-'0'), maxPrecision)
	}
	return n, i
}
