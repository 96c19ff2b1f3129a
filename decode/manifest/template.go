package manifest

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/etl2parquet/etl2parquet/decode/tdh"
	"github.com/etl2parquet/etl2parquet/schema"
)

// maxItems bounds the items of a template, those of structures among them. A
// real one has up to a hundred.
const maxItems = 1024

// template is what the events that use it have in common.
type template struct {
	fields  []schema.Field
	inserts []int // per item that is no structure, its index in fields; -1 is none
}

// template compiles the items of a template. Where the place of one cannot be
// known, it and those behind it are left out: their bytes are the rest of the
// payload.
func (p *provider) template(e *element) template {
	c := compiler{provider: p, where: fmt.Sprintf("template %s of %s", quote(e.get("tid")), quote(p.Name))}
	s := newScope(e, nil)
	c.compile(s)
	return template{s.fields, c.inserts}
}

// compiler makes fields of the items of one template.
type compiler struct {
	*provider
	where   string // the template, for errors
	items   int    // so far
	inserts []int
}

// scope is the items of a template or a structure.
type scope struct {
	outer   *scope
	items   []*element
	columns []string       // per item
	fields  []schema.Field // of the items that are done and take bytes
	names   []string       // of the fields, as the manifest has them
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

// compile makes fields of the items up to the first that is wrong, if one is.
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
			return false // the fault was inside, and is known
		}
		if !none {
			s.fields = append(s.fields, f)
			s.names = append(s.names, strings.TrimSpace(e.get("name")))
		}
	}
	return true
}

// insert returns the index of the field that comes next.
func (c *compiler) insert(s *scope, none bool) int {
	if none || s.outer != nil {
		return -1
	}
	return len(s.fields)
}

// field makes the field of an item; none means that it takes no bytes.
func (c *compiler) field(e *element, s *scope, f *schema.Field) (none bool, err error) {
	if c.items++; c.items > maxItems {
		return false, fmt.Errorf("more than %d items", maxItems)
	}
	if f.Count, f.CountField, err = s.amount(e, "count"); err != nil {
		return false, err
	}
	if f.Count == 1 {
		f.Count = 0 // a single value, as without it
	}
	if e.name == "struct" {
		tdh.DeclareStruct(f, e.get("name"))
		inner := newScope(e, s)
		if !c.compile(inner) {
			return false, nil
		}
		f.Struct = inner.fields
		if least, empty := size(inner.fields); f.IsArray() && empty > least+maxEmpty {
			return false, fmt.Errorf("an array of structures with %d members of no bytes and as few as %d bytes", empty, least)
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
		return false, fmt.Errorf("unknown inType %s", quote(e.get("inType")))
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

// applyMap names the numbers of a field.
func (c *compiler) applyMap(e *element, f *schema.Field, name string) {
	m := c.maps[name]
	if m == nil {
		c.fail(e.pos, "%s: item %s: map %s is not defined", c.where, quote(e.get("name")), quote(name))
		return
	}
	if f.Kind >= schema.U8 && f.Kind <= schema.I64 && len(m.values.Names) > 0 {
		width, _ := f.Kind.Width(8)
		f.Map = m.of(8 * width)
	}
}

// maxEmpty bounds what may take no bytes in each of many structures, beyond the
// bytes that they do take: a payload must not have many times more values than
// bytes.
const maxEmpty = 16

// size returns the bytes that fields take at least, and how many of them may
// take none.
func size(fields []schema.Field) (least, empty int) {
	const pointerSize, enough = 4, 1 << 15 // no product overflows
	for i := range fields {
		f := &fields[i]
		n := min(max(f.Count, 1), enough)
		bytes, none := 1, 0 // of a text at least the NUL, until the payload ends
		width, fixed := f.Kind.Width(pointerSize)
		switch {
		case f.CountField != "":
			bytes, none = 0, 1
		case f.Struct != nil:
			bytes, none = size(f.Struct)
		case f.LengthPrefix != schema.NoPrefix:
			bytes = f.LengthPrefix.Size()
		case f.Kind.HasLength():
			if bytes = min(max(f.Length, 0), enough/2) * width; bytes == 0 { // Rest is -1
				none = 1
			}
		case fixed:
			bytes = width
		}
		least, empty = min(least+n*bytes, enough), min(empty+n*none, enough)
	}
	return least, empty
}

// amount reads a count or length: a number, or the name of an earlier item.
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

// refer returns the column of the item that a count or length names: the last
// before, of the same structure or else of those around it.
func (s *scope) refer(name string) (string, error) {
	for at := s; at != nil; at = at.outer {
		for i := range slices.Backward(at.fields) {
			if at.names[i] != name {
				continue
			}
			f := &at.fields[i]
			if !isNumber(f) {
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

func isNumber(f *schema.Field) bool {
	return !f.IsArray() && f.Struct == nil && (f.Kind >= schema.U8 && f.Kind <= schema.I64 || f.Kind == schema.Pointer || f.Kind == schema.Size)
}
