package manifest

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/etl2parquet/etl2parquet/decode/definition"
	"github.com/etl2parquet/etl2parquet/decode/tdh"
	"github.com/etl2parquet/etl2parquet/schema"
)

// maxItems bounds the items of a template, including those in structures. A real
// template has up to a hundred.
const maxItems = 1024

// template is the part that is common to the events using it.
type template struct {
	fields  []schema.Field
	inserts []int // by item, without structures: its index in fields, or -1
}

// template compiles the items of a template. If the position of an item cannot be
// known, it and all later items are omitted: their bytes become the rest of the
// payload.
func (p *provider) template(e *element) template {
	c := compiler{provider: p, where: fmt.Sprintf("template %s of %s", quote(e.get("tid")), quote(p.Name))}
	s := newScope(e, nil)
	c.compile(s)
	return template{s.fields, c.inserts}
}

// compiler turns the items of one template into fields.
type compiler struct {
	*provider
	where   string // the template's name in errors
	items   int    // so far
	inserts []int
}

// scope is the items of a template or a structure.
type scope struct {
	outer   *scope
	items   []*element
	columns []string       // per item
	fields  []schema.Field // of the items compiled so far that take bytes
	names   []string       // of the fields, in the manifest
}

func newScope(e *element, outer *scope) *scope {
	s := &scope{outer: outer}
	var names []string
	for _, c := range e.children {
		if (c.name == "data" || c.name == "binary" || c.name == "struct") && len(s.items) <= maxItems {
			s.items = append(s.items, c)
			names = append(names, c.get("name"))
		}
	}
	s.columns = schema.ColumnNames(names)
	return s
}

// compile turns the items into fields, up to the first invalid item. It reports
// whether all are valid.
func (c *compiler) compile(s *scope) bool {
	for i, e := range s.items {
		f := schema.Field{Name: s.columns[i]}
		none, err := c.field(e, s, &f)
		if err != nil {
			c.fail(e.pos, "%s: the fields end before item %s: %w", c.where, quote(e.get("name")), err)
			return false
		}
		if e.name != "struct" {
			c.inserts = append(c.inserts, c.insert(s, none))
		} else if f.Struct == nil && !none {
			return false // the error is in a structure and has been recorded
		}
		if !none {
			s.fields = append(s.fields, f)
			s.names = append(s.names, strings.TrimSpace(e.get("name")))
		}
	}
	return true
}

// insert returns the index of the next field.
func (c *compiler) insert(s *scope, none bool) int {
	if none || s.outer != nil {
		return -1
	}
	return len(s.fields)
}

// field makes the field of an item; none is true if it takes no bytes.
func (c *compiler) field(e *element, s *scope, f *schema.Field) (none bool, err error) {
	if c.items++; c.items > maxItems {
		return false, fmt.Errorf("more than %d items", maxItems)
	}
	if f.Count, f.CountField, err = s.amount(e, "count"); err != nil {
		return false, err
	}
	if f.Count == 1 {
		f.Count = 0 // a count of 1 means a single value
	}
	if e.name == "struct" {
		tdh.DeclareStruct(f, e.get("name"))
		inner := newScope(e, s)
		if !c.compile(inner) {
			return false, nil
		}
		f.Struct = inner.fields
		if err := definition.CheckArray(f); err != nil {
			return false, err
		}
		return len(inner.fields) == 0, nil
	}
	if f.Length, f.LengthField, err = s.amount(e, "length"); err != nil {
		return false, err
	}
	return c.data(e, f)
}

// data sets the type of a field.
func (c *compiler) data(e *element, f *schema.Field) (none bool, err error) {
	in, ok := tdh.ParseInType(e.get("inType"))
	if e.name == "binary" {
		in, ok = tdh.Binary, true
	}
	if !ok {
		return false, unknownType(e.get("inType"))
	}
	if in == tdh.Null {
		return true, nil
	}
	out := tdh.Default
	if name := e.get("outType"); name != "" {
		if out, ok = tdh.ParseOutType(name); !ok {
			c.fail(e.pos, "%s: item %s: unknown outType %s", c.where, quote(e.get("name")), quote(name))
		}
	}
	if err := tdh.Apply(f, in, out); err != nil {
		return false, err
	}
	var more []string
	if name := e.get("map"); name != "" {
		more = []string{"map " + name}
		c.applyMap(e, f, name)
	}
	tdh.Declare(f, e.get("name"), in, out, more...)
	return false, nil
}

// unknownType returns the error for a type without a name. Tools that print the manifests of a
// system write a number for a structure, and omit its members.
func unknownType(name string) error {
	if _, err := strconv.Atoi(local(name)); err == nil {
		return fmt.Errorf("inType %s stands for a structure, whose members are not in the manifest", quote(name))
	}
	return fmt.Errorf("unknown inType %s", quote(name))
}

// applyMap names the numbers of a field.
func (c *compiler) applyMap(e *element, f *schema.Field, name string) {
	m := c.maps[name]
	if m == nil {
		c.fail(e.pos, "%s: item %s: map %s is not defined", c.where, quote(e.get("name")), quote(name))
		return
	}
	if f.Kind.IsInteger() && len(m.values.Names) > 0 {
		width, _ := f.Kind.Width(8)
		f.Map = m.of(8 * width)
	}
}

// amount parses a count or length: a number, or the name of an earlier item.
func (s *scope) amount(e *element, attribute string) (n int, field string, err error) {
	text := strings.TrimSpace(e.get(attribute))
	if text == "" {
		return 0, "", nil
	}
	const bits = 31
	if n, err := number(text, bits); err == nil {
		return int(n), "", nil
	}
	if field, err = s.refer(text); err != nil {
		err = fmt.Errorf("%s %s: %w", attribute, quote(text), err)
	}
	return 0, field, err
}

// refer returns the column of the item that a count or length names: the nearest
// earlier item of this name, in the same structure or else in those around it.
func (s *scope) refer(name string) (string, error) {
	for at := s; at != nil; at = at.outer {
		for i := range slices.Backward(at.fields) {
			if at.names[i] != name {
				continue
			}
			f := &at.fields[i]
			if !definition.IsNumber(f) {
				return "", errors.New("it is not a number")
			}
			for inner := s; inner != at; inner = inner.outer {
				if slices.Contains(inner.columns, f.Name) {
					return "", errors.New("an item of this name follows in the structure")
				}
			}
			return f.Name, nil
		}
	}
	return "", errors.New("no item before it has this name")
}
