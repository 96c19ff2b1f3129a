package main

import (
	"fmt"
	"math/bits"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/etl2parquet/etl2parquet/decode/definition"
	"github.com/etl2parquet/etl2parquet/decode/tdh"
	"github.com/etl2parquet/etl2parquet/internal/catalog/packed"
	"github.com/etl2parquet/etl2parquet/schema"
)

// madeUp matches the names that the source made up for tasks and opcodes without one.
var madeUp = regexp.MustCompile(`^(task|opcode)_\d+$`)

// convert turns a provider of the source into one of the catalogue.
func convert(from *sourceProvider) (packed.Provider, error) {
	id, err := schema.ParseGUID(from.GUID)
	if err != nil {
		return packed.Provider{}, err
	}
	p := packed.Provider{GUID: id, Name: from.Name, OtherNames: from.OtherNames}
	numbers := newNumbers(from)
	for i := range from.Events {
		for j := range from.Events[i].Forms {
			form := &from.Events[i].Forms[j]
			s := &schema.Schema{
				Event:   schema.Event{Class: p.Name, GUID: id, Certainty: schema.Documented},
				Source:  schema.FromCatalog,
				ID:      from.Events[i].ID,
				Version: from.Events[i].Version,
			}
			if s.Fields, err = fieldsOf(form); err != nil {
				return p, fmt.Errorf("event %d of %s: %w", s.ID, p.Name, err)
			}
			numbers.set(s, form)
			p.Events = append(p.Events, packed.Event{Schema: s, Builds: form.Builds})
		}
	}
	return p, nil
}

// numbers finds the numbers of a provider's tasks, opcodes and keywords by name.
type numbers struct {
	tasks    map[string]uint16
	opcodes  map[string]string
	keywords map[string]uint64
}

func newNumbers(p *sourceProvider) *numbers {
	n := &numbers{tasks: make(map[string]uint16), opcodes: p.Opcodes, keywords: make(map[string]uint64)}
	for value, name := range p.Tasks {
		if v, err := strconv.ParseUint(value, 0, 16); err == nil {
			n.tasks[name] = uint16(v)
		}
	}
	for mask, name := range p.Keywords {
		if v, err := strconv.ParseUint(mask, 0, 64); err == nil {
			n.keywords[name] = v
		}
	}
	return n
}

// set sets the level, opcode, task and keywords of an event.
func (n *numbers) set(s *schema.Schema, form *sourceForm) {
	level := form.Level
	if level == "Always" {
		level = "LogAlways"
	}
	for l := range uint8(6) {
		if schema.LevelName(l) == level {
			s.Level, s.LevelName = l, level
		}
	}
	s.Task = n.tasks[form.Task]
	if !madeUp.MatchString(form.Task) {
		s.TaskName = form.Task
	}
	s.Opcode, s.OpcodeName = n.opcode(form)
	type keyword struct {
		mask uint64
		name string
	}
	var list []keyword
	for _, name := range form.Keywords {
		list = append(list, keyword{n.keywords[name], name})
		s.Keyword |= n.keywords[name]
	}
	slices.SortStableFunc(list, func(a, b keyword) int { return bits.TrailingZeros64(a.mask) - bits.TrailingZeros64(b.mask) })
	for _, k := range list {
		s.Keywords = append(s.Keywords, k.name)
	}
}

// opcode returns the opcode of a form: one that all providers share, of the task or of the provider.
func (n *numbers) opcode(form *sourceForm) (uint8, string) {
	name := form.Opcode
	if shared, ok := strings.CutPrefix(name, "win:"); ok {
		for o := range 256 {
			if known := schema.OpcodeName(uint8(o)); strings.EqualFold(strings.ReplaceAll(known, "_", ""), strings.ReplaceAll(shared, "_", "")) {
				return uint8(o), known
			}
		}
		return 0, shared
	}
	value, ok := n.opcodes[form.Task+"/"+name]
	if !ok {
		value = n.opcodes["/"+name]
	}
	if madeUp.MatchString(name) {
		name = ""
	}
	v, _ := strconv.ParseUint(value, 0, 8) // "" has none
	return uint8(v), name
}

// inTypes are the source's names of types that manifests call otherwise.
var inTypes = map[string]string{"CountedUtf16String": "CountedUnicodeString", "CountedMbcsString": "CountedAnsiString"}

// fieldsOf returns the fields of a form, up to a structure whose members the source does
// not list, or a count or length that no earlier number gives.
func fieldsOf(form *sourceForm) ([]schema.Field, error) {
	var names []string
	for i := range form.Fields {
		names = append(names, form.Fields[i].Name)
	}
	columns := schema.ColumnNames(names)
	var list []schema.Field
	for i := range form.Fields {
		from := &form.Fields[i]
		name := from.Type
		if other, ok := inTypes[name]; ok {
			name = other
		}
		if _, err := strconv.Atoi(name); err == nil || name == "Struct" {
			return list, nil
		}
		in, ok := tdh.ParseInType(name)
		if !ok {
			return nil, fmt.Errorf("field %s has the unknown type %s", from.Name, from.Type)
		}
		f := schema.Field{Name: columns[i], Count: from.Count.number, Length: from.Length.number}
		if f.Count == 1 {
			f.Count = 0
		}
		var known [2]bool
		f.CountField, known[0] = refer(list, from.Count.field)
		f.LengthField, known[1] = refer(list, from.Length.field)
		if !known[0] || !known[1] {
			return list, nil
		}
		// The source has no out-types. Only an IPv6 address is of the type Binary and needs no
		// length.
		out := tdh.Default
		if in == tdh.Binary && from.Length == (amount{}) {
			out = tdh.IPv6
		}
		if err := tdh.Apply(&f, in, out); err != nil {
			return nil, fmt.Errorf("field %s: %w", from.Name, err)
		}
		more, err := setMap(&f, from, form)
		if err != nil {
			return nil, err
		}
		tdh.Declare(&f, from.Name, in, out, more...)
		list = append(list, f)
	}
	return list, nil
}

// setMap sets the names of a field's numbers, and returns what its documentation says of them.
func setMap(f *schema.Field, from *sourceField, form *sourceForm) (doc []string, err error) {
	m, ok := form.Maps[from.Map]
	if !ok || !f.Kind.IsInteger() {
		return nil, nil
	}
	v, err := m.values(from.Map)
	if err != nil || len(v.Names) == 0 {
		return nil, err
	}
	f.Map = v
	return []string{"map " + from.Map}, nil
}

// refer returns the column of the nearest earlier field with a name, which must be a number.
func refer(list []schema.Field, name string) (column string, ok bool) {
	if name == "" {
		return "", true
	}
	for i := range slices.Backward(list) {
		if list[i].Original == name {
			return list[i].Name, definition.IsNumber(&list[i])
		}
	}
	return "", false
}
