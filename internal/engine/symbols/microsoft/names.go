package microsoft

import (
	"fmt"
	"strconv"
	"strings"
)

// identifier is the innermost part of a name.
type identifier struct {
	kind      identifierKind
	text      string
	arguments string // of a template, with their brackets
}

type identifierKind uint8

const (
	plain identifierKind = iota
	constructor
	destructor
	conversion // its name is its result type
)

// qualified is a name and the scopes around it.
type qualified struct {
	identifier
	scopes []string // from the innermost to the outermost
}

// text returns the name. The result of a conversion operator is part of its name.
func (r *reader) text(q qualified, result string) string {
	var b strings.Builder
	for i := len(q.scopes) - 1; i >= 0; i-- {
		b.WriteString(q.scopes[i])
		b.WriteString("::")
	}
	switch q.kind {
	case destructor:
		b.WriteByte('~')
		fallthrough
	case constructor:
		if len(q.scopes) == 0 {
			r.fail()
			return ""
		}
		b.WriteString(q.scopes[0])
	default:
		b.WriteString(q.identifier.text)
	}
	b.WriteString(q.arguments)
	if q.kind == conversion {
		b.WriteByte(' ')
		b.WriteString(result)
	}
	return r.made(b.String())
}

// symbolName reads the name of a symbol.
func (r *reader) symbolName() qualified {
	id := r.symbolIdentifier()
	return qualified{id, r.scopes()}
}

// typeNameText reads the name of a class or another type.
func (r *reader) typeNameText() string {
	var q qualified
	switch {
	case isDigit(r.peek()):
		q.identifier.text = r.backName()
	case strings.HasPrefix(r.left, "?$"):
		q.identifier.text = r.templateScope()
	default:
		q.identifier.text = r.simpleName()
	}
	q.scopes = r.scopes()
	return r.text(q, "")
}

func (r *reader) symbolIdentifier() identifier {
	switch {
	case isDigit(r.peek()):
		return identifier{text: r.backName()}
	case strings.HasPrefix(r.left, "?$"):
		return r.template()
	case r.accept("?"):
		return r.operator()
	}
	return identifier{text: r.simpleName()}
}

// backName reads a reference to a name that was mentioned before.
func (r *reader) backName() string {
	i := int(r.next() - '0')
	if i >= r.names.count {
		r.fail()
		return ""
	}
	return r.names.texts[i]
}

// simpleName reads a name in its source form.
func (r *reader) simpleName() string {
	name := r.until()
	if !r.failed {
		r.names.add(name, name)
	}
	return r.made(name)
}

// template reads an instance of a template. Back references in it are its own.
func (r *reader) template() identifier {
	r.enter()
	defer r.leave()
	r.want("?$")
	names, types := r.names, r.types
	r.names, r.types = new(backNames), nil
	id := r.symbolIdentifier()
	id.arguments = r.templateArguments()
	r.names, r.types = names, types
	return id
}

// templateScope reads an instance of a template that is a type or a scope.
func (r *reader) templateScope() string {
	before := r.left
	id := r.template()
	if id.kind != plain {
		r.fail()
	}
	text := r.made(id.text + id.arguments)
	if !r.failed {
		r.names.add(before[:len(before)-len(r.left)], text)
	}
	return text
}

// scopes reads the scopes of a name.
func (r *reader) scopes() []string {
	var scopes []string
	for !r.failed && !r.accept("@") {
		scopes = append(scopes, r.scope())
	}
	return scopes
}

func (r *reader) scope() string {
	switch {
	case isDigit(r.peek()):
		return r.backName()
	case strings.HasPrefix(r.left, "?$"):
		return r.templateScope()
	case r.accept("?A"):
		return r.anonymous()
	case r.accept("?"):
		return r.localScope()
	}
	return r.simpleName()
}

// anonymous reads the key of an anonymous namespace, which may be empty.
func (r *reader) anonymous() string {
	const text = "`anonymous namespace'"
	key, rest, found := strings.Cut(r.left, "@")
	if !found {
		r.fail()
		return ""
	}
	r.left = rest
	r.names.add("?A"+key, text)
	return text
}

// localScope reads a scope in a function: its number, and the function.
func (r *reader) localScope() string {
	r.enter()
	defer r.leave()
	n := r.unsigned()
	r.want("?")
	var function string
	if r.peek() == '?' {
		function = r.symbol().text(r.brief)
	} else {
		function, _, _ = strings.Cut(r.left, "@") // of C, such as main
		r.left = r.left[len(function):]
	}
	return r.made("`" + function + "'::`" + strconv.FormatUint(n, 10) + "'")
}

// templateArguments reads the arguments of a template.
func (r *reader) templateArguments() string {
	var arguments []string
	for !r.failed && !r.accept("@") {
		if r.accept("$S") || r.accept("$$V") || r.accept("$$$V") || r.accept("$$Z") {
			continue // an empty pack, or the end of one
		}
		arguments = append(arguments, r.templateArgument())
	}
	return r.made("<" + strings.Join(arguments, ", ") + ">")
}

func (r *reader) templateArgument() string {
	r.enter()
	defer r.leave()
	switch {
	case r.accept("$$Y"): // an alias or a template
		return r.typeNameText()
	case r.accept("$$B"): // an array
		return r.typeText(r.typ())
	case r.accept("$$C"): // a type with qualifiers
		return r.typeText(r.qualifiedType())
	case r.accept("$M"): // a value of a deduced type
		r.typ()
		return r.value()
	case !strings.HasPrefix(r.left, "$$") && r.accept("$"):
		return r.value()
	}
	return r.typeText(r.typ())
}

// value reads a template argument that is a value, after "$" or its type.
func (r *reader) value() string {
	switch c := r.next(); c {
	case '0':
		n, negative := r.number()
		if negative {
			return "-" + strconv.FormatUint(n, 10)
		}
		return strconv.FormatUint(n, 10)
	case '1':
		return r.pointer(0)
	case 'H', 'I', 'J': // a pointer to a member function, and adjustments for its class
		return r.pointer(1 + int(c-'H'))
	case 'E':
		return r.symbol().text(r.brief)
	case 'F', 'G': // a pointer to a data member
		return r.made("{" + strings.Join(r.offsets(2+int(c-'F')), ", ") + "}")
	}
	r.fail()
	return ""
}

// pointer reads the address of a symbol, followed by some offsets. Null has only offsets.
func (r *reader) pointer(offsets int) string {
	if offsets > 0 && r.peek() != '?' {
		return r.made("{" + strings.Join(r.offsets(offsets), ", ") + "}")
	}
	text := r.symbol().text(r.brief)
	if offsets == 0 {
		return "&" + text
	}
	return r.made(fmt.Sprintf("{%s, %s}", text, strings.Join(r.offsets(offsets), ", ")))
}

func (r *reader) offsets(count int) []string {
	texts := make([]string, count)
	for i := range texts {
		texts[i] = strconv.FormatInt(r.signed(), 10)
	}
	return texts
}
