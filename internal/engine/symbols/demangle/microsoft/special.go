package microsoft

import (
	"fmt"
	"strings"
)

// special reads a symbol that has a form of its own.
func (r *reader) special() (symbol, bool) {
	switch {
	case r.take("?_7"):
		return r.table("`vftable'"), true
	case r.take("?_8"):
		return r.table("`vbtable'"), true
	case r.take("?_S"):
		return r.table("`local vftable'"), true
	case r.take("?_R4"):
		return r.table("`RTTI Complete Object Locator'"), true
	case r.take("?_R0"):
		return r.typeDescriptor(), true
	case r.take("?_R1"):
		return r.baseClass(), true
	case r.take("?_R2"):
		return r.untyped("`RTTI Base Class Array'"), true
	case r.take("?_R3"):
		return r.untyped("`RTTI Class Hierarchy Descriptor'"), true
	case r.take("?_9"):
		return r.vcall(), true
	case r.take("?_B"):
		return r.guard("`local static guard'"), true
	case r.take("?__J"):
		return r.guard("`local static thread guard'"), true
	case r.take("?_C"):
		return r.literal(), true
	case r.take("?__E"):
		return r.dynamic("`dynamic initializer for "), true
	case r.take("?__F"):
		return r.dynamic("`dynamic atexit destructor for "), true
	case strings.HasPrefix(r.left, "fin$"), strings.HasPrefix(r.left, "filt$"):
		return r.handler()
	}
	return symbol{}, false
}

// member reads the scopes of a name, and returns both.
func (r *reader) member(name string) string {
	return r.text(qualified{identifier{text: name}, r.scopes()}, "")
}

// table reads a table of a class, as it is in a base of it.
func (r *reader) table(name string) symbol {
	text := r.member(name)
	if r.oneOf("67") == 0 {
		r.fail()
	}
	q, _ := r.qualifiers()
	var bases []string
	for !r.failed && !r.take("@") {
		bases = append(bases, "`"+r.typeNameText()+"'")
	}
	if len(bases) > 0 {
		text += "{for " + strings.Join(bases, "s ") + "}"
	}
	before := strings.TrimPrefix(string(q.appendWords(nil))+" ", " ")
	return symbol{name: r.made(text), declaration: r.made(before + text)}
}

// untyped reads a table that has no type.
func (r *reader) untyped(name string) symbol {
	text := r.member(name)
	r.want("8")
	return symbol{text, text}
}

func (r *reader) typeDescriptor() symbol {
	text := r.described("`RTTI Type Descriptor'")
	r.want("@8")
	return symbol{text, text}
}

// typeName reads the name in a type descriptor, behind its dot.
func (r *reader) typeName() symbol {
	text := r.described("`RTTI Type Descriptor Name'")
	if r.left != "" {
		r.fail()
	}
	return symbol{text, text}
}

// described reads a type, of which something has a name.
func (r *reader) described(name string) string {
	t := r.resultType()
	if r.failed {
		return ""
	}
	return r.made(string(append(t.appendRight(space(t.appendLeft(nil))), name...)))
}

func (r *reader) baseClass() symbol {
	offset, pointer := r.unsigned(), r.signed()
	table, flags := r.unsigned(), r.unsigned()
	text := r.member(fmt.Sprintf("`RTTI Base Class Descriptor at (%d, %d, %d, %d)'", offset, pointer, table, flags))
	r.want("8")
	return symbol{text, text}
}

// vcall reads a function that calls a virtual function by its place in the table.
func (r *reader) vcall() symbol {
	scopes := r.scopes()
	r.want("$B")
	name := fmt.Sprintf("`vcall'{%d, {flat}}", r.unsigned())
	r.want("A")
	convention := r.convention()
	text := r.text(qualified{identifier{text: name}, scopes}, "")
	return symbol{name: text, declaration: r.made("[thunk]: " + strings.TrimLeft(convention+" "+text, " "))}
}

// guard reads a variable that says whether static variables of a function have been initialized.
func (r *reader) guard(name string) symbol {
	scopes := r.scopes()
	if !r.take("4IA") {
		r.want("5")
	}
	if r.left != "" {
		if n := r.unsigned(); n > 0 {
			name += fmt.Sprintf("{%d}", n)
		}
	}
	text := r.text(qualified{identifier{text: name}, scopes}, "")
	return symbol{text, text}
}

// dynamic reads a function that initializes or destroys a variable.
func (r *reader) dynamic(name string) symbol {
	isMember := r.take("?")
	inner := r.symbolName()
	if c := r.peek(); '0' <= c && c <= '4' {
		variable := r.variable(inner)
		r.want("@")
		if isMember {
			r.want("@")
		}
		name += "`" + variable.text(r.brief) + "''"
	} else {
		if isMember {
			r.fail()
		}
		name += "'" + r.text(inner, "") + "''"
	}
	return r.functionSymbol(qualified{identifier: identifier{text: r.made(name)}})
}

// handler reads a __finally block or the filter of an __except block, as Clang names them:
// ?fin$0@0@f@@ is in f. It reports false for the names that Microsoft's compilers give them,
// ?fin$0@?0??f@@YAXXZ@4HA, which have the usual form.
func (r *reader) handler() (symbol, bool) {
	name, rest, found := strings.Cut(r.left, "@0@")
	if !found || strings.Contains(name, "@") {
		return symbol{}, false
	}
	r.left = rest
	text := r.made(r.text(r.symbolName(), "") + "::" + name)
	return symbol{text, text}, true
}

// hash reads a name that was too long, of which only the hash is left.
func (r *reader) hash() symbol {
	before := r.left
	r.want("??@")
	if len(r.until()) != 32 {
		r.fail()
	}
	r.take("??_R4@") // of a type
	return symbol{before, before}
}
