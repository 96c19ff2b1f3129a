package main

import (
	"errors"
	"fmt"
	"maps"
	"math/bits"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/etl2parquet/etl2parquet/decode/definition"
	"github.com/etl2parquet/etl2parquet/decode/tdh"
	"github.com/etl2parquet/etl2parquet/internal/engine/catalog/packed"
	"github.com/etl2parquet/etl2parquet/schema"
)

// madeUp matches the names that the source invented for tasks and opcodes without a name.
var madeUp = regexp.MustCompile(`^(task|opcode)_\d+$`)

// convert turns a provider of the source into one of the catalogue.
func convert(from *sourceProvider) (packed.Provider, error) {
	id, err := schema.ParseGUID(from.GUID)
	if err != nil {
		return packed.Provider{}, err
	}
	p := packed.Provider{GUID: id, Name: from.Name, OtherNames: from.OtherNames}
	numbers := newNumbers(from)
	stateMaps(from)
	for i := range from.Events {
		for j := range from.Events[i].Forms {
			form := &from.Events[i].Forms[j]
			stateSeen(p.Name, from.Events[i].ID, form.Fields)
			s := &schema.Schema{
				Event:   schema.Event{Class: p.Name, GUID: id, Certainty: schema.Documented},
				Source:  schema.FromCatalog,
				ID:      from.Events[i].ID,
				Version: from.Events[i].Version,
			}
			if s.Fields, err = fieldsOf(form, form.Fields, nil); err != nil {
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
	// A name may have several numbers. The lowest text counts, so that the same facts give the same
	// catalogue.
	for _, value := range slices.Backward(slices.Sorted(maps.Keys(p.Tasks))) {
		if v, err := strconv.ParseUint(value, 0, 16); err == nil {
			n.tasks[p.Tasks[value]] = uint16(v)
		}
	}
	for _, mask := range slices.Backward(slices.Sorted(maps.Keys(p.Keywords))) {
		if v, err := strconv.ParseUint(mask, 0, 64); err == nil {
			n.keywords[p.Keywords[mask]] = v
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
	v, _ := strconv.ParseUint(value, 0, 8) // 0 for ""
	return uint8(v), name
}

// inTypes are the names of types in the source that differ from those in manifests.
var inTypes = map[string]string{"CountedUtf16String": "CountedUnicodeString", "CountedMbcsString": "CountedAnsiString"}

// fieldsOf returns fields of a form. around has the fields before the structure that holds
// them, in the lists around it, innermost last.
func fieldsOf(form *sourceForm, source []sourceField, around [][]schema.Field) ([]schema.Field, error) {
	var names []string
	for i := range source {
		names = append(names, source[i].Name)
	}
	columns := schema.ColumnNames(names)
	var list []schema.Field
	for i := range source {
		f, err := fieldOf(form, &source[i], columns[i], append(around[:len(around):len(around)], list))
		if err != nil {
			return nil, fmt.Errorf("field %s: %w", source[i].Name, err)
		}
		list = append(list, f)
	}
	return list, nil
}

// fieldOf returns a field. before has the fields before it, in its list last.
func fieldOf(form *sourceForm, from *sourceField, column string, before [][]schema.Field) (f schema.Field, err error) {
	f = schema.Field{Name: column, Count: from.Count.number}
	if f.Count == 1 {
		f.Count = 0
	}
	switch f.CountField, err = refer(before, from.Count.field); {
	case errors.Is(err, errNoField): // so there may be any number of values, or structures
		f.Unstated |= schema.MembersUnstated
		return structure(f, form, from.Name, nil, before)
	case err != nil:
		return f, err
	}
	if from.IsBare == 1 {
		f.Unstated |= schema.CountUnstated
	}
	if members := from.Members; members != nil || from.IsStructure == 1 {
		if from.IsStructure == 1 {
			f.Unstated |= schema.MembersUnstated
			members = likelyMembers(from)
		}
		return structure(f, form, from.Name, members, before)
	}
	f.Length = from.Length.number
	isUnstated := from.Length.field == unstatedLength
	if !isUnstated {
		if f.LengthField, err = refer(before, from.Length.field); err != nil {
			return f, err
		}
	}
	return f, setTypes(&f, form, from, isUnstated)
}

// setTypes sets the kind of a field that is no structure.
func setTypes(f *schema.Field, form *sourceForm, from *sourceField, isUnstated bool) error {
	name := from.Type
	if other, ok := inTypes[name]; ok {
		name = other
	}
	in, ok := tdh.ParseInType(name)
	if !ok {
		return fmt.Errorf("the unknown type %s", from.Type)
	}
	out, err := outType(from, isUnstated)
	if err != nil {
		return err
	}
	if err := tdh.Apply(f, in, out); err != nil {
		return err
	}
	if isUnstated != (f.Unstated&schema.LengthUnstated != 0) {
		return fmt.Errorf("a %s with the length %v", from.Type, from.Length)
	}
	if isUnstated {
		f.Sizes = sizesOf(from)
	}
	more, err := setMap(f, from, form)
	if err != nil {
		return err
	}
	if f.Unstated != 0 {
		more = append(more, f.Unstated.String())
	}
	tdh.Declare(f, from.Name, in, out, more...)
	return nil
}

const ipv6Size = 16

// outType returns the stated out-type, or else the one that all fields of this name have, unless
// that changes the order or the number of bytes.
func outType(from *sourceField, isUnstated bool) (tdh.OutType, error) {
	name := from.Out
	if name == "" && !isUnstated {
		name = from.LikelyOut
	}
	if name == "" {
		return tdh.Default, nil
	}
	out, ok := tdh.ParseOutType(name)
	if !ok {
		return 0, fmt.Errorf("the unknown out-type %s", name)
	}
	if from.Out == "" && (out == tdh.Port || out == tdh.IPv6 && from.Length.number != ipv6Size) {
		out = tdh.Default // AFD's addresses of a length in another field are SOCKADDRs
	}
	return out, nil
}

// structure turns a field into a structure. A structure without members is read as bytes.
func structure(f schema.Field, form *sourceForm, name string, members []sourceField, before [][]schema.Field) (schema.Field, error) {
	var more []string
	if f.Unstated != 0 {
		more = []string{f.Unstated.String()}
	}
	tdh.DeclareStruct(&f, name, more...)
	if members == nil {
		f.Kind, f.Count = schema.Bytes, 0
		return f, nil
	}
	var err error
	f.Struct, err = fieldsOf(form, members, before)
	return f, err
}

// setMap sets the names of a field's numbers, and returns documentation of them.
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

// refer returns the column of the nearest earlier field with a name, which must be a number;
// "" for no name.
func refer(before [][]schema.Field, name string) (column string, err error) {
	if name == "" {
		return "", nil
	}
	for _, list := range slices.Backward(before) {
		for i := range slices.Backward(list) {
			if list[i].Original != strings.ReplaceAll(name, " ", "") { // names of fields have no blanks
				continue
			}
			if !definition.IsNumber(&list[i]) {
				return "", fmt.Errorf("the count or length %s is no number", name)
			}
			return list[i].Name, nil
		}
	}
	return "", errNoField
}

// errNoField means that no field has the name of a count or length.
var errNoField = errors.New("its count or length is no field before it")
