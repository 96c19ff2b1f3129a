package jsontext

import (
	"bytes"
	"encoding"
	"encoding/json"
	"maps"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"sync"
)

// Indented returns a value as [json.MarshalIndent] does, with two spaces for each level. It looks only at
// what the value has. Package json first prepares for every type that the value could have below it, which
// took a fiftieth of the smallest conversion for its commit record. It leaves to package json what it does
// not write itself: types with methods of their own, interfaces, floating-point numbers, arrays.
func Indented(v any) ([]byte, error) {
	w := &indented{out: make([]byte, 0, usualText)}
	err := w.value(reflect.ValueOf(v))
	return w.out, err
}

// usualText is the size of most texts, such as the record of a small trace.
const usualText = 4 << 10

// indented is a text being written.
type indented struct {
	out   []byte
	depth int
}

// field is a field of a structure, or of one that is embedded in it.
type field struct {
	index       []int
	name        string
	empty, zero bool // the options omitempty and omitzero
	own         bool // its type has its own form
}

// structType is what values of a type of structures are written by.
type structType struct {
	fields   []field
	isQuoted bool // a field has the option string
}

// structs has the types that were written before: a run writes thousands of records.
var structs sync.Map // of *structType, by [reflect.Type]

func structOf(t reflect.Type) *structType {
	if s, found := structs.Load(t); found {
		return s.(*structType)
	}
	s := new(structType)
	s.add(t, nil)
	structs.Store(t, s)
	return s
}

var marshalers = []reflect.Type{reflect.TypeFor[json.Marshaler](), reflect.TypeFor[encoding.TextMarshaler]()}

// hasOwnForm reports whether a type, or a pointer to it, has a method that writes it.
func hasOwnForm(t reflect.Type) bool {
	if t.Name() == "" && t.Kind() != reflect.Pointer && t.Kind() != reflect.Struct || t.PkgPath() == "" && t.Name() != "" {
		return false // without methods
	}
	return slices.ContainsFunc(marshalers, func(m reflect.Type) bool {
		return t.Implements(m) || t.Name() != "" && reflect.PointerTo(t).Implements(m)
	})
}

func (w *indented) value(v reflect.Value) error {
	if !v.IsValid() || hasOwnForm(v.Type()) {
		return w.leave(v)
	}
	return w.plain(v)
}

// plain writes a value whose type has no form of its own.
func (w *indented) plain(v reflect.Value) error {
	switch v.Kind() {
	case reflect.Bool:
		w.out = strconv.AppendBool(w.out, v.Bool())
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		w.out = strconv.AppendInt(w.out, v.Int(), 10)
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64, reflect.Uintptr:
		w.out = strconv.AppendUint(w.out, v.Uint(), 10)
	case reflect.String:
		return w.text(v.String())
	case reflect.Struct:
		return w.structure(v)
	case reflect.Pointer:
		if v.IsNil() {
			return w.leave(v)
		}
		return w.value(v.Elem())
	case reflect.Slice:
		if v.IsNil() || v.Type().Elem().Kind() == reflect.Uint8 {
			return w.leave(v)
		}
		return w.list(v)
	case reflect.Map:
		if v.IsNil() || v.Type().Key() != reflect.TypeFor[string]() {
			return w.leave(v)
		}
		return w.members(v)
	default:
		return w.leave(v)
	}
	return nil
}

// leave leaves a value to package json.
func (w *indented) leave(v reflect.Value) error {
	var of any
	switch {
	case v.IsValid() && v.CanAddr():
		of = v.Addr().Interface() // for methods of the pointer
	case v.IsValid():
		of = v.Interface()
	}
	text, err := json.Marshal(of)
	if err != nil {
		return err
	}
	out := bytes.NewBuffer(w.out)
	err = json.Indent(out, text, strings.Repeat(indent, w.depth), indent)
	w.out = out.Bytes()
	return err
}

// text writes a text. Most need no escapes.
func (w *indented) text(s string) error {
	for i := range len(s) {
		if c := s[i]; c < ' ' || c > '~' || strings.IndexByte(`"\<>&`, c) >= 0 {
			return w.leave(reflect.ValueOf(s))
		}
	}
	w.out = append(append(append(w.out, '"'), s...), '"')
	return nil
}

func (w *indented) list(v reflect.Value) error {
	w.open('[')
	for i := range v.Len() {
		w.next(i > 0)
		if err := w.value(v.Index(i)); err != nil {
			return err
		}
	}
	w.close(']', v.Len() > 0)
	return nil
}

func (w *indented) members(v reflect.Value) error {
	values := make(map[string]reflect.Value, v.Len())
	for i := v.MapRange(); i.Next(); {
		values[i.Key().String()] = i.Value()
	}
	w.open('{')
	for i, name := range slices.Sorted(maps.Keys(values)) {
		w.next(i > 0)
		if err := w.text(name); err != nil {
			return err
		}
		w.out = append(w.out, ": "...)
		if err := w.value(values[name]); err != nil {
			return err
		}
	}
	w.close('}', len(values) > 0)
	return nil
}

func (w *indented) structure(v reflect.Value) error {
	s := structOf(v.Type())
	if s.isQuoted {
		return w.leave(v)
	}
	w.open('{')
	some := false
	for i := range s.fields {
		f := &s.fields[i]
		value := v.Field(f.index[0])
		if len(f.index) > 1 {
			value = v.FieldByIndex(f.index)
		}
		if f.empty && isEmpty(value) || f.zero && isZero(value) {
			continue
		}
		w.next(some)
		some = true
		w.out = append(append(append(w.out, '"'), f.name...), `": `...)
		write := w.plain
		if f.own {
			write = w.leave
		}
		if err := write(value); err != nil {
			return err
		}
	}
	w.close('}', some)
	return nil
}

// add adds the fields of a structure that JSON has, in their order. Fields of an embedded structure are as its
// own; two of one name would both be written.
func (s *structType) add(t reflect.Type, within []int) {
	for i := range t.NumField() {
		of := t.Field(i)
		name, options, _ := strings.Cut(of.Tag.Get("json"), ",")
		index := append(slices.Clip(within), i)
		switch {
		case of.Anonymous && name == "" && of.Type.Kind() == reflect.Struct:
			s.add(of.Type, index)
			continue
		case !of.IsExported() || name == "-" && options == "":
			continue
		case name == "":
			name = of.Name
		}
		f := field{index: index, name: name, own: hasOwnForm(of.Type)}
		for option := range strings.SplitSeq(options, ",") {
			f.empty, f.zero, s.isQuoted = f.empty || option == "omitempty", f.zero || option == "omitzero", s.isQuoted || option == "string"
		}
		s.fields = append(s.fields, f)
	}
}

// isEmpty is the condition of omitempty.
func isEmpty(v reflect.Value) bool {
	switch v.Kind() {
	case reflect.Array, reflect.Map, reflect.Slice, reflect.String:
		return v.Len() == 0
	case reflect.Struct:
		return false
	}
	return v.IsZero()
}

// isZero is the condition of omitzero.
func isZero(v reflect.Value) bool {
	if z, has := v.Interface().(interface{ IsZero() bool }); has && (v.Kind() != reflect.Pointer || !v.IsNil()) {
		return z.IsZero()
	}
	return v.IsZero()
}

const indent = "  "

func (w *indented) open(bracket byte) {
	w.out = append(w.out, bracket)
	w.depth++
}

// next begins a line for the next value.
func (w *indented) next(comma bool) {
	if comma {
		w.out = append(w.out, ',')
	}
	w.line()
}

func (w *indented) close(bracket byte, some bool) {
	w.depth--
	if some {
		w.line()
	}
	w.out = append(w.out, bracket)
}

func (w *indented) line() {
	w.out = append(w.out, '\n')
	for range w.depth {
		w.out = append(w.out, indent...)
	}
}
