package microsoft

import (
	"strconv"
	"strings"
)

// typ is a type. C++ writes most types around the declared name: int (*x)[3].
type typ struct {
	kind       typeKind
	text       string // of a named type; *, & or && of a pointer
	quals      qualifiers
	class      string // of a pointer to a member
	to         *typ   // pointee, element, or result; nil for a function without a result
	after      string // dimensions, or parameters and what follows them
	convention string // of a function
}

type typeKind uint8

const (
	named typeKind = iota
	pointer
	array
	function
)

// qualifiers is a set of qualifiers.
type qualifiers uint8

const (
	isConst qualifiers = 1 << iota
	isVolatile
	isRestrict
	isUnaligned
)

// cv are the qualifiers for characters A to D and Q to T.
var cv = [4]qualifiers{0, isConst, isVolatile, isConst | isVolatile}

// appendWords appends each qualifier with a space before it, in the order of a declaration.
func (q qualifiers) appendWords(b []byte) []byte {
	for i, word := range []string{" const", " volatile", " __restrict"} {
		if q&(1<<i) != 0 {
			b = append(b, word...)
		}
	}
	return b
}

// space appends a space if a word would join another.
func space(b []byte) []byte {
	if len(b) == 0 {
		return b
	}
	if c := b[len(b)-1]; c == '>' || isDigit(c) || 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' {
		return append(b, ' ')
	}
	return b
}

// appendLeft appends the part of a type to the left of a name.
func (t *typ) appendLeft(b []byte) []byte {
	switch t.kind {
	case array:
		return t.quals.appendWords(t.to.appendLeft(b))
	case function:
		if t.to != nil {
			b = append(t.to.appendLeft(b), ' ')
		}
		return append(b, t.convention...)
	case pointer:
		return t.appendPointer(b)
	}
	b = append(b, t.text...)
	return t.quals.appendWords(b)
}

func (t *typ) appendPointer(b []byte) []byte {
	if t.to.kind == function {
		if t.to.to != nil {
			b = append(t.to.to.appendLeft(b), ' ')
		}
	} else {
		b = t.to.appendLeft(b)
	}
	b = space(b)
	if t.quals&isUnaligned != 0 {
		b = append(b, "__unaligned "...)
	}
	switch t.to.kind {
	case array:
		b = append(b, '(')
	case function:
		b = append(b, '(')
		b = space(append(b, t.to.convention...))
	}
	if t.class != "" {
		b = append(b, t.class...)
		b = append(b, "::"...)
	}
	b = append(b, t.text...)
	for i, word := range []string{"const", "volatile", "__restrict"} {
		if t.quals&(1<<i) != 0 {
			b = append(space(b), word...)
		}
	}
	return b
}

// appendRight appends the part of a type to the right of a name.
func (t *typ) appendRight(b []byte) []byte {
	switch t.kind {
	case named:
		return b
	case pointer:
		if t.to.kind == array || t.to.kind == function {
			b = append(b, ')')
		}
	}
	b = append(b, t.after...)
	if t.to == nil {
		return b
	}
	return t.to.appendRight(b)
}

// typeText returns a type that declares nothing.
func (r *reader) typeText(t *typ) string {
	if r.failed {
		return ""
	}
	return r.made(string(t.appendRight(t.appendLeft(nil))))
}

// typ reads a type without qualifiers before it.
func (r *reader) typ() *typ {
	r.enter()
	defer r.leave()
	switch c := r.peek(); {
	case r.accept("$$T"):
		return &typ{text: "std::nullptr_t"}
	case r.accept("$$A8@@"):
		return r.function(true)
	case r.accept("$$A6"):
		return r.function(false)
	case c == 'Y':
		return r.array()
	case strings.IndexByte("TUVW", c) >= 0 && c != 0:
		return r.tagged()
	case isPointer(r.left):
		return r.pointerType()
	case r.accept("?"):
		return r.custom()
	}
	return r.primitive()
}

// qualifiedType reads a type after its qualifiers.
func (r *reader) qualifiedType() *typ {
	q, _ := r.qualifiers()
	t := r.typ()
	t.quals |= q
	return t
}

// resultType reads a type that has qualifiers if ? comes before it.
func (r *reader) resultType() *typ {
	if r.accept("?") {
		return r.qualifiedType()
	}
	return r.typ()
}

// qualifiers reads qualifiers, and whether they belong to a member.
func (r *reader) qualifiers() (q qualifiers, member bool) {
	switch c := r.next(); {
	case 'A' <= c && c <= 'D':
		return cv[c-'A'], false
	case 'Q' <= c && c <= 'T':
		return cv[c-'Q'], true
	}
	r.fail()
	return 0, false
}

// attributes reads what may follow a pointer: __ptr64, which is not shown, __restrict and __unaligned.
func (r *reader) attributes() (q qualifiers) {
	r.accept("E")
	if r.accept("I") {
		q |= isRestrict
	}
	if r.accept("F") {
		q |= isUnaligned
	}
	return q
}

// custom reads a type that only has a name, such as auto.
func (r *reader) custom() *typ {
	id := r.symbolIdentifier()
	r.want("@")
	return &typ{text: id.text + id.arguments}
}

func (r *reader) tagged() *typ {
	word := ""
	switch r.next() {
	case 'T':
		word = "union "
	case 'U':
		word = "struct "
	case 'V':
		word = "class "
	case 'W':
		r.want("4") // the type of its values, always given as int
		word = "enum "
	}
	if r.brief {
		word = ""
	}
	return &typ{text: r.made(word + r.typeNameText())}
}

func (r *reader) array() *typ {
	r.want("Y")
	rank := r.unsigned()
	if rank == 0 || rank > uint64(len(r.left)) {
		r.fail()
	}
	var dimensions []byte
	for range rank {
		if r.failed {
			return &typ{}
		}
		dimensions = append(dimensions, '[')
		if n := r.unsigned(); n != 0 {
			dimensions = strconv.AppendUint(dimensions, n, 10)
		}
		dimensions = append(dimensions, ']')
	}
	t := &typ{kind: array, after: r.made(string(dimensions))}
	if r.accept("$$C") {
		t.quals, _ = r.qualifiers()
	}
	t.to = r.typ()
	return t
}

var primitives = map[byte]string{
	'X': "void", 'D': "char", 'C': "signed char", 'E': "unsigned char", 'F': "short",
	'G': "unsigned short", 'H': "int", 'I': "unsigned int", 'J': "long", 'K': "unsigned long",
	'M': "float", 'N': "double", 'O': "long double",
}

// longPrimitives are the types after "_".
var longPrimitives = map[byte]string{
	'N': "bool", 'J': "__int64", 'K': "unsigned __int64", 'L': "__int128",
	'M': "unsigned __int128", 'W': "wchar_t", 'S': "char16_t", 'U': "char32_t",
	'Q': "char8_t", 'P': "auto", 'T': "decltype(auto)",
}

func (r *reader) primitive() *typ {
	from := primitives
	if r.accept("_") {
		from = longPrimitives
	}
	text := from[r.next()]
	if text == "" {
		r.fail()
	}
	return &typ{text: text}
}

// pointers are the beginnings of pointers and references.
var pointers = []struct {
	code, symbol string
	quals        qualifiers
}{
	{"$$Q", "&&", 0}, {"$$R", "&&", isVolatile}, {"A", "&", 0}, {"B", "&", isVolatile},
	{"P", "*", 0}, {"Q", "*", isConst}, {"R", "*", isVolatile}, {"S", "*", isConst | isVolatile},
}

func isPointer(left string) bool {
	for _, p := range pointers {
		if strings.HasPrefix(left, p.code) {
			return true
		}
	}
	return false
}

func (r *reader) pointerType() *typ {
	t := &typ{kind: pointer}
	for _, p := range pointers {
		if r.accept(p.code) {
			t.text, t.quals = p.symbol, p.quals
			break
		}
	}
	if r.accept("6") {
		t.to = r.function(false)
		return t
	}
	t.quals |= r.attributes()
	if r.accept("8") {
		t.class = r.typeNameText()
		t.to = r.function(true)
		return t
	}
	q, member := r.qualifiers()
	if member {
		t.class = r.typeNameText()
	}
	t.to = r.typ()
	t.to.quals |= q
	return t
}
