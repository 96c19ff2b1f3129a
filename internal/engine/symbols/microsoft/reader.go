package microsoft

import "strings"

// Bounds on hostile names. Compilers replace names of more than 4096 bytes by their hash.
const (
	maxDecorated = 1 << 15 // bytes of a decorated name
	maxText      = 1 << 16 // bytes of a text, which back references can make longer
	maxWork      = 1 << 22 // bytes of all texts of a name
	maxDepth     = 1000    // types and names inside one another
	maxBack      = 10      // back references are digits
)

// Name returns the qualified name of a symbol with its template arguments, as profilers show it:
// without result, parameters, calling conventions and the words class, struct, union and enum.
// It reports false if the symbol is not a decorated name.
func Name(decorated string) (string, bool) {
	s, ok := read(decorated, true)
	return s.name, ok
}

// Declaration returns the full declaration of a symbol as llvm-undname prints it. It reports
// false if the symbol is not a decorated name.
func Declaration(decorated string) (string, bool) {
	s, ok := read(decorated, false)
	return s.declaration, ok
}

func read(decorated string, brief bool) (symbol, bool) {
	if len(decorated) > maxDecorated {
		return symbol{}, false
	}
	r := &reader{left: decorated, brief: brief, names: new(backNames), work: maxWork}
	var s symbol
	switch {
	case strings.HasPrefix(decorated, "??@"):
		s = r.hash()
	case r.accept("."):
		s = r.typeName()
	default:
		s = r.symbol()
	}
	if r.left != "" && r.left[0] != '.' { // .cold, .llvm.1: clones, which are not shown
		r.fail()
	}
	return s, !r.failed
}

// reader reads a decorated name. After a failure nothing is left to read, so that all loops end.
type reader struct {
	left   string // what has not been read
	brief  bool   // texts are for Name, not for Declaration
	names  *backNames
	types  []*typ // parameter types that back references refer to
	depth  int
	work   int // bytes of texts that may still be made
	failed bool
}

// backNames are the names that back references refer to. Equal names are listed once. They are
// compared in their decorated form, because distinct names can have the same text.
type backNames struct {
	decorated, texts [maxBack]string
	count            int
}

func (n *backNames) add(decorated, text string) {
	if n.count == maxBack {
		return
	}
	for _, known := range n.decorated[:n.count] {
		if known == decorated {
			return
		}
	}
	n.decorated[n.count], n.texts[n.count] = decorated, text
	n.count++
}

func (r *reader) fail() {
	r.failed = true
	r.left = ""
}

// made counts a text against the bounds and returns it.
func (r *reader) made(text string) string {
	r.work -= len(text)
	if len(text) > maxText || r.work < 0 {
		r.fail()
		return ""
	}
	return text
}

// enter counts a level of nesting, until leave.
func (r *reader) enter() {
	r.depth++
	if r.depth > maxDepth {
		r.fail()
	}
}

func (r *reader) leave() { r.depth-- }

// accept consumes a text if it is next.
func (r *reader) accept(text string) bool {
	rest, ok := strings.CutPrefix(r.left, text)
	if ok {
		r.left = rest
	}
	return ok
}

// want consumes a text that must be next.
func (r *reader) want(text string) {
	if !r.accept(text) {
		r.fail()
	}
}

// peek returns the next character, or 0 at the end.
func (r *reader) peek() byte {
	if r.left == "" {
		return 0
	}
	return r.left[0]
}

// next consumes a character, and fails at the end.
func (r *reader) next() byte {
	if r.left == "" {
		r.fail()
		return 0
	}
	c := r.left[0]
	r.left = r.left[1:]
	return c
}

// oneOf consumes a character if it is one of some, and returns it, or 0.
func (r *reader) oneOf(some string) byte {
	if c := r.peek(); c != 0 && strings.IndexByte(some, c) >= 0 {
		return r.next()
	}
	return 0
}

// until consumes a non-empty text, and the character @ after it.
func (r *reader) until() string {
	text, rest, found := strings.Cut(r.left, "@")
	if !found || text == "" {
		r.fail()
		return ""
	}
	r.left = rest
	return text
}

func isDigit(c byte) bool { return '0' <= c && c <= '9' }

// number reads a number and its sign.
func (r *reader) number() (magnitude uint64, negative bool) {
	negative = r.accept("?")
	if isDigit(r.peek()) {
		return uint64(r.next()-'0') + 1, negative
	}
	for !r.accept("@") {
		c := r.next()
		if c < 'A' || c > 'P' || magnitude>>60 != 0 {
			r.fail()
			return 0, false
		}
		magnitude = magnitude<<4 | uint64(c-'A')
	}
	return magnitude, negative
}

// unsigned reads a number without a sign.
func (r *reader) unsigned() uint64 {
	n, negative := r.number()
	if negative {
		r.fail()
	}
	return n
}

// signed reads a number that fits into an int64.
func (r *reader) signed() int64 {
	n, negative := r.number()
	if n > 1<<63-1 {
		r.fail()
		return 0
	}
	if negative {
		return -int64(n)
	}
	return int64(n)
}
