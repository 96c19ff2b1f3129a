package schema

import (
	_ "embed"
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// kernelText has the events. Its first lines describe its form.
//
//go:embed kernel.txt
var kernelText string

// kernelParser reads events in the form of kernel.txt.
type kernelParser struct {
	classes []*eventClass
	refs    map[string]string
	lists   map[string]*[]Field
	rest    string // the text from this line on
	// What the indented lines are of: the values of a class, an event with its fields, or the fields
	// of a list.
	event  *Event
	fields *[]Field
	// The field before the line, if it is a structure.
	structure *Field
}

// parseKernel reads classes in the form of kernel.txt.
func parseKernel(text string) ([]*eventClass, error) {
	p := kernelParser{refs: make(map[string]string), lists: make(map[string]*[]Field)}
	number := 0
	for line := range strings.Lines(text) {
		number++
		p.rest = text
		text = text[len(line):]
		line = strings.TrimRight(line, " \r\n")
		indented := strings.TrimLeft(line, " ")
		if indented == "" || indented[0] == '#' {
			continue
		}
		var err error
		switch len(line) - len(indented) {
		case 0:
			err = p.begin(line)
		case 2:
			err = p.part(indented)
		case 4:
			err = p.member(indented)
		default:
			err = fmt.Errorf("%q has no indentation of 0, 2 or 4", line)
		}
		if err != nil {
			return nil, fmt.Errorf("kernel.txt:%d: %w", number, err)
		}
	}
	return p.classes, nil
}

// begin reads a line that is not indented.
func (p *kernelParser) begin(line string) error {
	p.event, p.fields, p.structure = nil, nil, nil
	word, rest, _ := strings.Cut(line, " ")
	switch word {
	case "ref":
		name, text, ok := strings.Cut(rest, ": ")
		if p.refs[name] != "" || !ok {
			return fmt.Errorf("%q, want a new name and a text", line)
		}
		p.refs[name] = text
		return nil
	case "list":
		if p.lists[rest] != nil || rest == "" {
			return fmt.Errorf("%q, want a new name", line)
		}
		p.fields = new([]Field)
		p.lists[rest] = p.fields
		return nil
	case "class":
		name, attributes, _ := strings.Cut(rest, " ")
		class, ofKernel, ok := findClass(name)
		if !ok {
			return fmt.Errorf("no class %q", name)
		}
		c := &eventClass{class: class, ofKernel: ofKernel}
		p.classes = append(p.classes, c)
		p.event = &c.all
		return setAttributes(p, p.event, classAttributes, attributes)
	case "event":
		name, _, ok := strings.Cut(rest, " type=")
		if !ok || len(p.classes) == 0 {
			return fmt.Errorf("%q, want a name and a type in a class", line)
		}
		c := p.classes[len(p.classes)-1]
		c.events = append(c.events, Event{Name: name})
		p.event = &c.events[len(c.events)-1]
		p.fields = &p.event.Fields
		attributes := rest[len(name):]
		return setAttributes(p, p.event, eventAttributes, attributes)
	}
	return fmt.Errorf("%q, want class, event, list or ref", word)
}

// part reads an indented line.
func (p *kernelParser) part(line string) error {
	p.structure = nil
	ref, isRef := strings.CutPrefix(line, "ref: ")
	doc, isDoc := strings.CutPrefix(line, "doc: ")
	name, isList := strings.CutPrefix(line, "+")
	switch {
	case isRef && p.event != nil:
		p.event.addRef(ref)
		return nil
	case p.fields == nil:
		return fmt.Errorf("%q is of no event or list", line)
	case isDoc && p.event != nil && p.event.Doc == "":
		p.event.Doc = doc
		return nil
	case isList:
		list := p.lists[name]
		if list == nil || len(*list) == 0 {
			return fmt.Errorf("no list %q before this line", name)
		}
		if len(*p.fields) == 0 {
			*p.fields = slices.Clip(*list) // which an event of this list alone shares
			return nil
		}
		*p.fields = append(*p.fields, *list...)
		return nil
	}
	f, err := p.addField(p.fields, line)
	if f.Kind == 0 {
		p.structure = f
	}
	return err
}

// member reads a line of a structure's member.
func (p *kernelParser) member(line string) error {
	if p.structure == nil {
		return fmt.Errorf("%q is of no structure", line)
	}
	f, err := p.addField(&p.structure.Struct, line)
	if err == nil && f.Kind == 0 {
		err = fmt.Errorf("%s is a structure in a structure", f.Name)
	}
	return err
}

// addField reads the line of a field and appends it to a list.
func (p *kernelParser) addField(to *[]Field, line string) (*Field, error) {
	head, doc, _ := strings.Cut(line, ": ")
	name, rest, _ := strings.Cut(head, " ")
	kindName, attributes, _ := strings.Cut(rest, " ")
	kind, ok := ParseKind(kindName)
	if len(*to) == cap(*to) {
		paragraph, _, _ := strings.Cut(p.rest, "\n\n")
		*to = slices.Grow(*to, 1+strings.Count(paragraph, "\n"))
	}
	*to = append(*to, Field{Name: name, Kind: kind, Doc: doc})
	f := &(*to)[len(*to)-1]
	if doc == "" || !ok && kindName != StructType {
		return f, fmt.Errorf("%q, want a name, a kind, attributes, a colon and a text", line)
	}
	return f, setAttributes(p, f, fieldAttributes, attributes)
}

// addRef adds a source of the layout.
func (e *Event) addRef(text string) {
	if e.Ref != "" {
		text = e.Ref + "; " + text
	}
	e.Ref = text
}

// attribute is a word of a line: NAME=VALUE, or NAME alone for a flag. To add one, add a row to
// classAttributes, eventAttributes or fieldAttributes.
type attribute[T any] struct {
	name string
	set  func(p *kernelParser, of *T, value string) (ok bool)
}

func setAttributes[T any](p *kernelParser, of *T, known []attribute[T], words string) error {
	seen := 0
	for words != "" {
		var word string
		word, words, _ = strings.Cut(strings.TrimPrefix(words, " "), " ")
		name, value, _ := strings.Cut(word, "=")
		i := slices.IndexFunc(known, func(a attribute[T]) bool { return a.name == name })
		if i < 0 || seen>>i&1 != 0 {
			return fmt.Errorf("attribute %q is unknown here, or there twice", name)
		}
		seen |= 1 << i
		if !known[i].set(p, of, value) {
			return fmt.Errorf("attribute %q has no such value", word)
		}
	}
	return nil
}

var classAttributes = []attribute[Event]{
	{"certainty", func(_ *kernelParser, e *Event, value string) bool {
		e.Certainty = Certainty(value)
		return e.Certainty == Verified || e.Certainty == Documented || e.Certainty == Uncertain
	}},
	{"natural", func(_ *kernelParser, e *Event, value string) bool { return setFlag(&e.Natural, value) }},
	{"enabled", func(_ *kernelParser, e *Event, value string) bool { return setText(&e.EnabledBy, value) }},
	{"struct", func(p *kernelParser, e *Event, value string) bool {
		e.addRef(p.refs["struct"] + " " + value)
		return p.refs["struct"] != ""
	}},
	{"ref", func(p *kernelParser, e *Event, value string) bool {
		e.addRef(p.refs[value])
		return p.refs[value] != ""
	}},
}

var eventAttributes = slices.Concat([]attribute[Event]{
	{"type", func(_ *kernelParser, e *Event, value string) bool { return setNumber(&e.Type, value) }},
	{"hook", func(_ *kernelParser, e *Event, value string) bool { return setNumber(&e.Hook, value) }},
	{"table", func(_ *kernelParser, e *Event, value string) bool { return setText(&e.Table, value) }},
	{"since", func(_ *kernelParser, e *Event, value string) bool { return setNumber(&e.Since, value) }},
	{"before", func(_ *kernelParser, e *Event, value string) bool { return setNumber(&e.Before, value) }},
	{"process", func(_ *kernelParser, e *Event, value string) bool { return setText(&e.Owner.Process, value) }},
	{"thread", func(_ *kernelParser, e *Event, value string) bool { return setText(&e.Owner.Thread, value) }},
	{"keep_thread", func(_ *kernelParser, e *Event, value string) bool { return setFlag(&e.Owner.KeepThread, value) }},
	{"files", func(_ *kernelParser, e *Event, value string) bool {
		e.Files = strings.Split(value, ",")
		return value != ""
	}},
}, classAttributes)

// unitsOfText are the units of numbers, which kernel.txt has with _ for a space.
var unitsOfText = []Unit{InBytes, InPages, InTicks, InNanos, In100Ns, InMicros, InMillis, InHertz, InMHz, InPercent,
	InCycles, InMegabytes, InClusters, InCharacters, InPixels, InDotsPerInch}

var fieldAttributes = []attribute[Field]{
	{"original", func(_ *kernelParser, f *Field, value string) bool { return setText(&f.Original, value) }},
	{"since", func(_ *kernelParser, f *Field, value string) bool { return setNumber(&f.Since, value) }},
	{"before", func(_ *kernelParser, f *Field, value string) bool { return setNumber(&f.Before, value) }},
	{"optional", func(_ *kernelParser, f *Field, value string) bool { return setFlag(&f.Optional, value) }},
	{"length", func(_ *kernelParser, f *Field, value string) bool { return setExtent(&f.Length, &f.LengthField, value) }},
	{"count", func(_ *kernelParser, f *Field, value string) bool { return setExtent(&f.Count, &f.CountField, value) }},
	{"unit", func(_ *kernelParser, f *Field, value string) bool {
		f.Unit = Unit(strings.ReplaceAll(value, "_", " "))
		return slices.Contains(unitsOfText, f.Unit)
	}},
	{"values", func(_ *kernelParser, f *Field, value string) bool { return setText(&f.Values, value) }},
	{"parts", func(_ *kernelParser, f *Field, value string) bool {
		for part := range strings.SplitSeq(value, ",") {
			bits, mask, _ := strings.Cut(part, "&")
			name, shift, isShifted := strings.Cut(bits, ">>")
			p := Part{Values: name}
			var err error
			p.Mask, err = strconv.ParseUint(mask, 0, 64)
			if name == "" || err != nil || isShifted && !setNumber(&p.Shift, shift) {
				return false
			}
			f.Parts = append(f.Parts, p)
		}
		return true
	}},
	{"code", func(_ *kernelParser, f *Field, value string) bool { return setFlag(&f.Code, value) }},
}

func setFlag(to *bool, value string) (ok bool) {
	*to = true
	return value == ""
}

func setText(to *string, value string) (ok bool) {
	*to = value
	return value != ""
}

func setNumber[T uint8 | uint16](to *T, value string) (ok bool) {
	n, err := strconv.ParseUint(value, 0, 16)
	*to = T(n)
	return err == nil && uint64(*to) == n
}

// setExtent sets a number, or Rest, or the name of the field with the number.
func setExtent(to *int, field *string, value string) (ok bool) {
	if value == "rest" {
		*to = Rest
		return true
	}
	if value == "" || value[0] < '0' || value[0] > '9' {
		return setText(field, value)
	}
	n, err := strconv.ParseUint(value, 10, 16)
	*to = int(n)
	return err == nil && n > 0
}
