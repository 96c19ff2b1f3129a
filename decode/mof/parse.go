package mof

import (
	"errors"
	"fmt"
	"strings"
	"sync"

	"github.com/etl2parquet/etl2parquet/decode"
	"github.com/etl2parquet/etl2parquet/decode/definition"
)

// class is a class declaration.
type class struct {
	name, super string
	pos         int
	qualifiers  []qualifier
	properties  []property
	faulty      bool // its declaration has an error

	parent *class // nil if it is not in the same file
	own    []ordered
	err    error // of own
}

// property is a property of a class.
type property struct {
	name, kind string // kind in lower case
	pos        int
	qualifiers []qualifier
	array      bool
	size       string // the text between the brackets of an array
}

// qualifier is a known qualifier; see knownQualifiers.
type qualifier struct {
	name   string // in lower case
	pos    int
	values []string
}

const guidQualifier = "guid"

// knownQualifiers are the qualifiers that are kept.
var knownQualifiers = sync.OnceValue(func() map[string]bool {
	known := make(map[string]bool)
	for _, name := range []string{guidQualifier, "eventversion", "eventtype", "eventtypename", "eventname", "description", "displayname",
		"wmidataid", "extension", "format", "pointer", "pointertype", "stringtermination", "wmisizeis", "max",
		"values", "valuemap", "valuetype", "definevalues", "bitmap", "bitvalues"} {
		known[name] = true
	}
	return known
})

// find returns the first qualifier with this name, or nil.
func find(list []qualifier, name string) *qualifier {
	for i := range list {
		if list[i].name == name {
			return &list[i]
		}
	}
	return nil
}

// valueOf returns the first value of a qualifier, or "".
func valueOf(list []qualifier, name string) string {
	if q := find(list, name); q != nil && len(q.values) > 0 {
		return strings.TrimSpace(q.values[0])
	}
	return ""
}

// parser reads declarations.
type parser struct {
	*reader
	scanner
	token  token // the current token
	values int   // of qualifiers so far
	cutOff bool  // the qualifiers of the next class have an error
}

// errLimit ends the parsing of a file beyond the limits.
var errLimit = errors.New("the rest of the file is ignored")

func (p *parser) step() { p.token = p.next() }

func (p *parser) isWord(word string) bool {
	return p.token.kind == wordToken && strings.EqualFold(p.token.text, word)
}

// unexpected returns the error for an unexpected current token.
func (p *parser) unexpected(wanted string) error {
	switch {
	case p.token.kind == endToken:
		return fmt.Errorf("%w: the text ends where %s is expected", decode.ErrTruncated, wanted)
	case p.token.open:
		return fmt.Errorf("%w: a string that does not end", decode.ErrTruncated)
	}
	return fmt.Errorf("found %s where %s is expected", quote(p.token.text), wanted)
}

// expect steps over a sign.
func (p *parser) expect(sign string) error {
	if !p.token.is(sign) {
		return p.unexpected(sign)
	}
	p.step()
	return nil
}

// word steps over a name.
func (p *parser) word(what string) (string, error) {
	if p.token.kind != wordToken {
		return "", p.unexpected(what)
	}
	name := definition.Cut(p.token.text, maxName)
	p.step()
	return name, nil
}

// parse reads all declarations.
func (p *parser) parse() {
	p.step()
	for p.token.kind != endToken {
		err := p.declaration()
		if err == nil {
			continue
		}
		p.fail(p.token.pos, err)
		if errors.Is(err, errLimit) {
			return
		}
		p.resume()
	}
}

// resume moves to the next class and its qualifiers. No name in a class is "class",
// so a class without an end does not lose the next one.
func (p *parser) resume() {
	list := -1 // position of qualifiers that may belong to the next class
	ended := false
	for ; p.token.kind != endToken; p.step() {
		switch {
		case p.token.is("["):
			list, ended = p.token.pos, false
		case p.token.is("]"):
			ended = true
		case !p.isWord("class"):
			ended = false
		case ended && list >= 0:
			p.back(list)
			p.cutOff = false
			return
		default:
			return
		}
	}
}

// back moves back to the token at a position.
func (p *parser) back(pos int) {
	p.pos = pos
	p.step()
}

// declaration reads a class, or skips another declaration.
func (p *parser) declaration() error {
	if p.token.is(";") {
		p.step()
		return nil
	}
	pos := p.token.pos
	list, err := p.list()
	if err != nil {
		p.cutOff = true
		return err
	}
	switch {
	case p.isWord("class"):
		return p.class(list, pos)
	case p.isWord("instance"), p.isWord("qualifier"):
		return p.statement()
	}
	return p.unexpected("a class")
}

// statement skips tokens up to and including the next semicolon.
func (p *parser) statement() error {
	for depth := 0; p.token.kind != endToken; p.step() {
		switch {
		case p.token.is("{"), p.token.is("("):
			depth++
		case p.token.is("}"), p.token.is(")"):
			if depth--; depth < 0 {
				return p.unexpected(";")
			}
		case p.token.is(";") && depth == 0:
			p.step()
			return nil
		}
	}
	return p.unexpected(";")
}

// list reads a list of qualifiers in brackets, if there is one.
func (p *parser) list() ([]qualifier, error) {
	if !p.token.is("[") {
		return nil, nil
	}
	p.step()
	var list []qualifier
	for !p.token.is("]") {
		q, err := p.qualifier()
		if err != nil {
			return nil, err
		}
		if knownQualifiers()[q.name] && find(list, q.name) == nil {
			list = append(list, q)
		}
		if p.token.is(",") {
			p.step()
		} else if !p.token.is("]") {
			return nil, p.unexpected("]")
		}
	}
	p.step()
	return list, nil
}

// qualifier reads a qualifier: a name, a value or a list of values, and after a colon its flavors.
func (p *parser) qualifier() (qualifier, error) {
	q := qualifier{pos: p.token.pos}
	name, err := p.word("a qualifier")
	if err != nil {
		return q, err
	}
	q.name = strings.ToLower(name)
	for _, brackets := range []string{"()", "{}"} {
		if !p.token.is(brackets[:1]) {
			continue
		}
		p.step()
		if err = p.valuesOf(&q, brackets[1:]); err != nil {
			return q, err
		}
		break
	}
	if p.token.is(":") {
		p.step()
		for p.token.kind == wordToken {
			p.step()
		}
	}
	return q, nil
}

// valuesOf reads the values of a qualifier up to the bracket after them. It keeps
// only those of known qualifiers.
func (p *parser) valuesOf(q *qualifier, end string) error {
	keep := knownQualifiers()[q.name]
	for !p.token.is(end) {
		switch {
		case p.token.kind == endToken, p.token.kind == signToken, p.token.open:
			return p.unexpected("a value of " + q.name)
		case keep:
			if p.values++; p.values > maxValues {
				return fmt.Errorf("more than %d qualifier values: %w", maxValues, errLimit)
			}
			var value string
			value, p.token = p.literal(p.token)
			q.values = append(q.values, value)
		default:
			_, p.token = p.literal(p.token)
		}
		if p.token.is(",") {
			p.step()
		} else if !p.token.is(end) {
			return p.unexpected(end)
		}
	}
	p.step()
	return nil
}

// class reads a class after its qualifiers.
func (p *parser) class(list []qualifier, pos int) error {
	cutOff := p.cutOff
	p.cutOff = false
	p.step()
	c := &class{pos: pos, qualifiers: list, faulty: true}
	var err error
	if c.name, err = p.word("the name of a class"); err != nil {
		return err
	}
	if len(p.order) == maxClasses {
		return fmt.Errorf("more than %d classes: %w", maxClasses, errLimit)
	}
	if key := strings.ToLower(c.name); p.classes[key] == nil {
		p.order = append(p.order, c)
		p.classes[key] = c
	} else {
		p.failf(pos, "class %s is defined twice", quote(c.name))
	}
	if err = p.body(c); err != nil {
		return fmt.Errorf("class %s: %w", quote(c.name), err)
	}
	c.faulty = cutOff
	return nil
}

// body reads the part of a class after its name.
func (p *parser) body(c *class) (err error) {
	if p.isWord("as") { // an alias
		p.step()
		p.step()
	}
	if p.token.is(":") {
		p.step()
		if c.super, err = p.word("the name of a class"); err != nil {
			return err
		}
	}
	if p.token.is(";") {
		return nil
	}
	if err = p.expect("{"); err != nil {
		return err
	}
	for !p.token.is("}") {
		if err = p.feature(c); err != nil {
			return err
		}
	}
	p.step()
	return nil
}

// feature reads a property, or skips a method.
func (p *parser) feature(c *class) error {
	q := property{pos: p.token.pos}
	var err error
	if q.qualifiers, err = p.list(); err != nil {
		return err
	}
	if p.isWord("class") { // the qualifiers belong to this next class
		err := p.unexpected("}")
		p.back(q.pos)
		return err
	}
	if q.kind, err = p.word("the type of a property"); err != nil {
		return err
	}
	q.kind = strings.ToLower(q.kind)
	if p.token.is(":") { // the class of an object
		p.step()
		p.step()
	}
	if q.name, err = p.word("the name of a property"); err != nil {
		return err
	}
	if p.token.kind == wordToken && strings.EqualFold(q.name, "ref") { // a reference to an object of a class
		q.name = definition.Cut(p.token.text, maxName)
		p.step()
	}
	if p.token.is("(") {
		return p.statement()
	}
	if err = p.brackets(&q); err != nil {
		return err
	}
	if len(c.properties) == maxProperties {
		return fmt.Errorf("more than %d properties", maxProperties)
	}
	c.properties = append(c.properties, q)
	return p.statement() // with a default, if there is one
}

// brackets reads the brackets of an array, if the property is one.
func (p *parser) brackets(q *property) error {
	if !p.token.is("[") {
		return nil
	}
	q.array = true
	p.step()
	if p.token.kind == numberToken {
		q.size = definition.Cut(p.token.text, maxName)
		p.step()
	}
	return p.expect("]")
}
