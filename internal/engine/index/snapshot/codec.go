package snapshot

import (
	"encoding/binary"
	"fmt"
	"reflect"
	"strings"
	"unsafe"
)

// codec writes and reads the values of a type. It is compiled once, so that no reflection over the
// type is needed per value.
type codec struct {
	write func(w *writer, p unsafe.Pointer)
	read  func(r *reader, p unsafe.Pointer)
	least int    // the least number of bytes that a value takes
	form  string // for the fingerprint
}

// codecOf compiles the codec of a type. It panics for a type without a form, which is a bug.
func codecOf(t reflect.Type) codec {
	switch t.Kind() {
	case reflect.Bool:
		return codec{writeBool, readBool, 1, "bool"}
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		return intCodec(t)
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		return uintCodec(t)
	case reflect.String:
		return codec{writeText, readText, 1, "string"}
	case reflect.Slice:
		return sliceCodec(t)
	case reflect.Array:
		return arrayCodec(t)
	case reflect.Pointer:
		return pointerCodec(t)
	case reflect.Struct:
		return structCodec(t)
	}
	panic(fmt.Sprintf("a snapshot of %v", t))
}

func writeBool(w *writer, p unsafe.Pointer) {
	b := byte(0)
	if *(*bool)(p) {
		b = 1
	}
	w.b = append(w.b, b)
}

func readBool(r *reader, p unsafe.Pointer) { *(*bool)(p) = r.upTo(1) == 1 }

func intCodec(t reflect.Type) codec {
	return codec{
		func(w *writer, p unsafe.Pointer) { w.b = binary.AppendVarint(w.b, reflect.NewAt(t, p).Elem().Int()) },
		func(r *reader, p unsafe.Pointer) {
			v, n := reflect.NewAt(t, p).Elem(), r.varint()
			if v.OverflowInt(n) {
				r.fail()
				return
			}
			v.SetInt(n)
		}, 1, t.Kind().String(),
	}
}

func uintCodec(t reflect.Type) codec {
	return codec{
		func(w *writer, p unsafe.Pointer) { w.b = binary.AppendUvarint(w.b, reflect.NewAt(t, p).Elem().Uint()) },
		func(r *reader, p unsafe.Pointer) {
			v, n := reflect.NewAt(t, p).Elem(), r.upTo(1<<64-1)
			if v.OverflowUint(n) {
				r.fail()
				return
			}
			v.SetUint(n)
		}, 1, t.Kind().String(),
	}
}

func writeText(w *writer, p unsafe.Pointer) { w.text(*(*string)(p)) }

func readText(r *reader, p unsafe.Pointer) { *(*string)(p) = r.text() }

// sliceCodec writes the length plus 1, or 0 for nil, and the elements.
func sliceCodec(t reflect.Type) codec {
	elem := codecOf(t.Elem())
	size := t.Elem().Size()
	return codec{
		func(w *writer, p unsafe.Pointer) {
			v := reflect.NewAt(t, p).Elem()
			if v.IsNil() {
				w.b = append(w.b, 0)
				return
			}
			w.b = binary.AppendUvarint(w.b, uint64(v.Len())+1)
			for i := 0; i < v.Len() && len(w.b) <= w.most; i++ {
				elem.write(w, unsafe.Add(v.UnsafePointer(), uintptr(i)*size))
			}
		},
		func(r *reader, p unsafe.Pointer) {
			n := int(r.upTo(uint64(len(r.rest)/elem.least) + 1)) // never more than the bytes allow
			if n == 0 || r.failed {
				return
			}
			v := reflect.MakeSlice(t, n-1, n-1)
			reflect.NewAt(t, p).Elem().Set(v)
			for i := 0; i < n-1 && !r.failed; i++ {
				elem.read(r, unsafe.Add(v.UnsafePointer(), uintptr(i)*size))
			}
		}, 1, "[]" + elem.form,
	}
}

func arrayCodec(t reflect.Type) codec {
	elem := codecOf(t.Elem())
	size := t.Elem().Size()
	each := func(p unsafe.Pointer, do func(unsafe.Pointer)) {
		for i := range t.Len() {
			do(unsafe.Add(p, uintptr(i)*size))
		}
	}
	return codec{
		func(w *writer, p unsafe.Pointer) { each(p, func(p unsafe.Pointer) { elem.write(w, p) }) },
		func(r *reader, p unsafe.Pointer) { each(p, func(p unsafe.Pointer) { elem.read(r, p) }) },
		t.Len() * elem.least, fmt.Sprintf("[%d]%s", t.Len(), elem.form),
	}
}

// pointerCodec writes whether the pointer is nil, and the value.
func pointerCodec(t reflect.Type) codec {
	elem := codecOf(t.Elem())
	return codec{
		func(w *writer, p unsafe.Pointer) {
			v := reflect.NewAt(t, p).Elem()
			if v.IsNil() {
				w.b = append(w.b, 0)
				return
			}
			w.b = append(w.b, 1)
			elem.write(w, v.UnsafePointer())
		},
		func(r *reader, p unsafe.Pointer) {
			if r.upTo(1) == 0 {
				return
			}
			v := reflect.New(t.Elem())
			elem.read(r, v.UnsafePointer())
			reflect.NewAt(t, p).Elem().Set(v)
		}, 1, "*" + elem.form,
	}
}

// structCodec writes the fields one after another.
func structCodec(t reflect.Type) codec {
	type field struct {
		codec
		offset uintptr
	}
	var fields []field
	least := 0
	var form strings.Builder
	form.WriteString("{")
	for i := range t.NumField() {
		f := t.Field(i)
		if f.Tag.Get("snapshot") == "-" {
			continue
		}
		c := codecOf(f.Type)
		fields = append(fields, field{c, f.Offset})
		least += c.least
		fmt.Fprintf(&form, "%s %s;", f.Name, c.form)
	}
	form.WriteString("}")
	return codec{
		func(w *writer, p unsafe.Pointer) {
			for i := range fields {
				fields[i].write(w, unsafe.Add(p, fields[i].offset))
			}
		},
		func(r *reader, p unsafe.Pointer) {
			for i := range fields {
				fields[i].read(r, unsafe.Add(p, fields[i].offset))
			}
		}, max(least, 1), form.String(),
	}
}
