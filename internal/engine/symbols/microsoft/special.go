package microsoft

import (
	"fmt"
	"strings"
)

// special reads a symbol of a special form.
func (r *reader) special() (symbol, bool) {
	switch {
	case r.accept("?_7"):
		return r.table("`vftable'"), true
	case r.accept("?_8"):
		return r.table("`vbtable'"), true
	case r.accept("?_S"):
		return r.table("`local vftable'"), true
	case r.accept("?_R4"):
		return r.table("`RTTI Complete Object Locator'"), true
	case r.accept("?_R0"):
		return r.typeDescriptor(), true
	case r.accept("?_R1"):
		return r.baseClass(), true
	case r.accept("?_R2"):
		return r.untyped("`RTTI Base Class Array'"), true
	case r.accept("?_R3"):
		return r.untyped("`RTTI Class Hierarchy Descriptor'"), true
	case r.accept("?_9"):
		return r.vcall(), true
	case r.accept("?_B"):
		return r.guard("`local static guard'"), true
	case r.accept("?__J"):
		return r.guard("`local static thread guard'"), true
	case r.accept("?_C"):
		return r.literal(), true
	case r.accept("?__E"):
		return r.dynamic("`dynamic initializer for "), true
	case r.accept("?__F"):
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

// table reads a table of a class, in the form for one of its bases.
func (r *reader) table(name string) symbol {
	text := r.member(name)
	if r.oneOf("67") == 0 {
		r.fail()
	}
	q, _ := r.qualifiers()
	var bases []string
	for !r.failed && !r.accept("@") {
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

// typeName reads the name in a type descriptor, after its dot.
func (r *reader) typeName() symbol {
	text := r.described("`RTTI Type Descriptor Name'")
	if r.left != "" {
		r.fail()
	}
	return symbol{text, text}
}

// described reads a type, and names something of that type.
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

// vcall reads a function that calls a virtual function by its index in the table.
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
	if !r.accept("4IA") {
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
	isMember := r.accept("?")
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

// hash reads the hash that replaces a name that was too long.
func (r *reader) hash() symbol {
	before := r.left
	r.want("??@")
	if len(r.until()) != 32 {
		r.fail()
	}
	r.accept("??_R4@") // of a type
	return symbol{before, before}
}
