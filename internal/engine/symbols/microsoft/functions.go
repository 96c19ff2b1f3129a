package microsoft

import (
	"strconv"
	"strings"
)

// symbol is a decorated name that was read.
type symbol struct {
	name, declaration string
}

// text returns the form of a symbol as part of another name.
func (s symbol) text(brief bool) string {
	if brief {
		return s.name
	}
	return s.declaration
}

// symbol reads a symbol from its beginning.
func (r *reader) symbol() symbol {
	r.enter()
	defer r.leave()
	r.want("?")
	if s, ok := r.special(); ok {
		return s
	}
	return r.encoding(r.symbolName())
}

// encoding reads what kind of symbol it is, after its name.
func (r *reader) encoding(name qualified) symbol {
	if c := r.peek(); '0' <= c && c <= '4' {
		return r.variable(name)
	}
	return r.functionSymbol(name)
}

// storage is written before static members and other variables, by their digit.
var storage = [5]string{"private: static ", "protected: static ", "public: static ", "", ""}

func (r *reader) variable(name qualified) symbol {
	before := storage[r.next()-'0']
	t := r.typ()
	if t.kind == pointer {
		t.quals |= r.attributes()
		q, _ := r.qualifiers() // of the pointee, again
		if t.class != "" {
			r.typeNameText() // again
		}
		if !r.failed {
			t.to.quals |= q
		}
	} else {
		q, _ := r.qualifiers()
		t.quals |= q
	}
	return r.declared(before, t, r.text(name, ""))
}

// declared returns a symbol with a type.
func (r *reader) declared(before string, t *typ, name string) symbol {
	if r.failed {
		return symbol{}
	}
	b := space(t.appendLeft([]byte(before)))
	b = append(b, name...)
	return symbol{name: name, declaration: r.made(string(t.appendRight(b)))}
}

// class is the class of a function, given by one character.
type class struct {
	before     string // in a declaration
	hasThis    bool
	adjusts    bool // a thunk that adds a constant to this
	vtordisp   bool // a thunk that adds to this a value from the object
	vtordispex bool
	noType     bool // a C name
}

var access = [3]string{"private: ", "protected: ", "public: "}

// functionClass reads the class of a function. Each class has a second character, for the far
// functions of 16-bit Windows.
func (r *reader) functionClass() class {
	c := r.next()
	switch {
	case c == '9':
		return class{before: `extern "C" `, noType: true}
	case c == 'Y' || c == 'Z':
		return class{}
	case 'A' <= c && c <= 'X':
		f := class{before: access[(c-'A')/8], hasThis: true}
		switch (c - 'A') / 2 % 4 {
		case 1:
			f.before += "static "
			f.hasThis = false
		case 2:
			f.before += "virtual "
		case 3:
			f.before = "[thunk]: " + f.before + "virtual "
			f.adjusts = true
		}
		return f
	case c == '$':
		f := class{hasThis: true, vtordisp: true, vtordispex: r.accept("R")}
		d := r.oneOf("012345")
		if d == 0 {
			r.fail()
			return class{}
		}
		f.before = "[thunk]: " + access[(d-'0')/2] + "virtual "
		return f
	}
	r.fail()
	return class{}
}

func (r *reader) functionSymbol(name qualified) symbol {
	_ = r.accept("$$h") || r.accept("$$F") || r.accept("$$H") // for ARM64EC, and of C++/CLI
	external := r.accept("$$J0")
	f := r.functionClass()
	if external {
		f.before += `extern "C" `
	}
	thunk := r.adjustment(f)
	if f.noType {
		text := r.text(name, "")
		return symbol{name: text, declaration: r.made(f.before + text)}
	}
	t := r.function(f.hasThis)
	result := ""
	if name.kind == conversion {
		if t.to == nil {
			r.fail()
			return symbol{}
		}
		result = r.typeText(t.to)
	}
	return r.declared(f.before, t, r.text(name, result)+thunk)
}

// adjustment reads how a thunk adjusts this.
func (r *reader) adjustment(f class) string {
	switch {
	case f.adjusts:
		return "`adjustor{" + r.adjustments(1) + "}'"
	case f.vtordispex:
		return "`vtordispex{" + r.adjustments(4) + "}'"
	case f.vtordisp:
		return "`vtordisp{" + r.adjustments(2) + "}'"
	}
	return ""
}

// adjustments reads 32-bit numbers. Negative numbers are written as if they were unsigned.
func (r *reader) adjustments(count int) string {
	texts := make([]string, count)
	for i := range texts {
		texts[i] = strconv.Itoa(int(int32(r.signed())))
	}
	return strings.Join(texts, ", ")
}

// function reads the type of a function.
func (r *reader) function(hasThis bool) *typ {
	r.enter()
	defer r.leave()
	t := &typ{kind: function}
	var this qualifiers
	reference := ""
	if hasThis {
		this = r.attributes()
		switch {
		case r.accept("G"):
			reference = " &"
		case r.accept("H"):
			reference = " &&"
		}
		q, _ := r.qualifiers()
		this |= q
	}
	t.convention = r.convention()
	if !r.accept("@") { // constructors and destructors
		t.to = r.resultType()
	}
	b := r.parameters()
	b = this.appendWords(b)
	if this&isUnaligned != 0 {
		b = append(b, " __unaligned"...)
	}
	switch {
	case r.accept("_E"):
		b = append(b, " noexcept"...)
	default:
		r.want("Z")
	}
	t.after = r.made(string(append(b, reference...)))
	return t
}

// conventions are pairs of characters; the second is for exported functions.
var conventions = map[byte]string{
	'A': "__cdecl", 'C': "__pascal", 'E': "__thiscall", 'G': "__stdcall", 'I': "__fastcall",
	'M': "__clrcall", 'O': "__eabi", 'Q': "__vectorcall", 'S': "__attribute__((__swiftcall__)) ",
	'W': "__attribute__((__swiftasynccall__)) ", 'w': "__regcall",
}

func (r *reader) convention() string {
	c := r.next()
	if 'A' <= c && c <= 'P' {
		c = 'A' + (c-'A')&^1
	}
	text := conventions[c]
	if text == "" {
		r.fail()
	}
	if r.brief {
		return ""
	}
	return text
}

// parameters reads the parameters of a function, and returns them in parentheses.
func (r *reader) parameters() []byte {
	if r.accept("X") {
		return []byte("(void)")
	}
	var texts []string
	for !r.failed && !r.accept("@") {
		if r.accept("Z") {
			texts = append(texts, "...")
			break
		}
		texts = append(texts, r.typeText(r.parameter()))
	}
	return []byte("(" + r.made(strings.Join(texts, ", ")) + ")")
}

func (r *reader) parameter() *typ {
	if isDigit(r.peek()) {
		i := int(r.next() - '0')
		if i >= len(r.types) {
			r.fail()
			return &typ{}
		}
		return r.types[i]
	}
	before := len(r.left)
	t := r.typ()
	if before-len(r.left) > 1 && len(r.types) < maxBack {
		r.types = append(r.types, t)
	}
	return t
}
