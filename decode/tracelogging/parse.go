package tracelogging

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"strings"

	"github.com/etl2parquet/etl2parquet/decode"
	"github.com/etl2parquet/etl2parquet/decode/tdh"
	"github.com/etl2parquet/etl2parquet/schema"
)

// maxDepth bounds the nesting of structures.
const maxDepth = 32

// The parts of the in-type and out-type bytes.
const (
	typeMask  = 0x1f
	arrayMask = 0x60
	more      = 0x80 // the optional part after this byte is present

	arrayConstant = 0x20
	arrayVariable = 0x40
	arrayCustom   = 0x60
)

// Parse reads the metadata of an event. If the metadata are damaged, it returns an
// error together with a schema of the fields before the damage. It does not set the
// provider, nor anything that is in the event's header, such as id and version.
func Parse(metadata []byte) (*schema.Schema, error) {
	s := &schema.Schema{Source: schema.FromTraceLogging}
	p := parser{data: metadata}
	size, err := p.u16("its size")
	if err != nil {
		return s, err
	}
	if int(size) < len(metadata) {
		p.data = metadata[:max(int(size), 2)]
	}
	tag, err := p.tags()
	if err != nil {
		return s, err
	}
	if tag != 0 {
		s.Tags, s.Doc = tag, fmt.Sprintf("Tag %#x.", tag)
	}
	if s.Name, err = p.name(); err != nil {
		return s, err
	}
	s.Fields, err = p.fields(-1, 0)
	if err == nil && int(size) > len(metadata) {
		err = p.fault(decode.ErrTruncated, "only %d of %d bytes", len(metadata), size)
	}
	return s, err
}

// parser reads metadata. Each element takes at least a byte, so the size of the metadata bounds the
// result.
type parser struct {
	data []byte
	pos  int
}

func (p *parser) fault(cause error, format string, args ...any) error {
	return faultAt(p.pos, fmt.Errorf("%w: %s", cause, fmt.Sprintf(format, args...)))
}

func faultAt(pos int, cause error) error {
	return &decode.Error{Buffer: -1, Offset: -1, Pos: pos, Where: "TraceLogging metadata", Err: cause}
}

func (p *parser) u8(what string) (uint8, error) {
	if p.pos == len(p.data) {
		return 0, p.fault(decode.ErrTruncated, "no byte is left for %s", what)
	}
	p.pos++
	return p.data[p.pos-1], nil
}

func (p *parser) u16(what string) (uint16, error) {
	if left := len(p.data) - p.pos; left < 2 {
		return 0, p.fault(decode.ErrTruncated, "%d bytes are left for %s", left, what)
	}
	p.pos += 2
	return binary.LittleEndian.Uint16(p.data[p.pos-2:]), nil
}

// name reads a text and its NUL.
func (p *parser) name() (string, error) {
	end := bytes.IndexByte(p.data[p.pos:], 0)
	if end < 0 {
		return "", p.fault(decode.ErrTruncated, "a name without NUL in %d bytes", len(p.data)-p.pos)
	}
	name := string(p.data[p.pos : p.pos+end])
	p.pos += end + 1
	return strings.ToValidUTF8(name, "\uFFFD"), nil
}

// tags reads up to 28 bits. Trailing bytes may be omitted.
func (p *parser) tags() (uint32, error) {
	const bits = 28
	tags := uint32(0)
	for shift := bits - 7; ; shift -= 7 {
		b, err := p.u8("tags")
		if err != nil {
			return tags, err
		}
		if shift >= 0 {
			tags |= uint32(b&^more) << shift
		}
		if b&more == 0 {
			return tags, nil
		}
	}
}

// fields reads up to most fields, or all up to the end if most is negative, and names
// their columns. If there is an error, it also returns the fields before it.
func (p *parser) fields(most, depth int) ([]schema.Field, error) {
	var names []string
	var fields []schema.Field
	var err error
	for n := 0; err == nil && n != most && (most >= 0 || p.pos < len(p.data)); n++ {
		var d declaration
		if d, err = p.declaration(); err != nil {
			break
		}
		var f schema.Field
		var ok bool
		if f, ok, err = p.field(&d, depth); ok {
			names, fields = append(names, d.name), append(fields, f)
		}
	}
	for i, name := range schema.ColumnNames(names) {
		fields[i].Name = name
	}
	return fields, err
}

// declaration is the metadata of a field.
type declaration struct {
	at    int // position of its in-type
	name  string
	in    inType
	out   outType // for a structure, the number of its fields
	array uint8
	count uint16 // of a constant array
	tags  uint32
	notes []string
}

func (p *parser) declaration() (declaration, error) {
	var d declaration
	var err error
	if d.name, err = p.name(); err != nil {
		return d, err
	}
	d.at = p.pos
	in, err := p.u8("an in-type")
	if err != nil {
		return d, err
	}
	d.in, d.array = inType(in&typeMask), in&arrayMask
	if in&more != 0 {
		if err := p.outType(&d); err != nil {
			return d, err
		}
	}
	switch d.array {
	case arrayConstant:
		d.count, err = p.u16("the count of an array")
	case arrayCustom:
		err = p.skipTypeInfo()
	}
	return d, err
}

func (p *parser) outType(d *declaration) error {
	out, err := p.u8("an out-type")
	if err != nil {
		return err
	}
	d.out = outType(out &^ more)
	if out&more == 0 {
		return nil
	}
	tag, err := p.tags()
	if d.tags = tag; tag != 0 {
		d.notes = append(d.notes, fmt.Sprintf("tag %#x", tag))
	}
	return err
}

// skipTypeInfo skips the description of a custom type, which only its provider understands.
func (p *parser) skipTypeInfo() error {
	size, err := p.u16("the size of a custom type")
	if err != nil {
		return err
	}
	if left := len(p.data) - p.pos; int(size) > left {
		return p.fault(decode.ErrTruncated, "a custom type of %d bytes, but %d are left", size, left)
	}
	p.pos += int(size)
	return nil
}

// field makes a field from its declaration; ok is false if it takes no bytes, or an unknown number.
func (p *parser) field(d *declaration, depth int) (f schema.Field, ok bool, err error) {
	if d.in == inStruct && d.array != arrayCustom {
		f, ok, err = p.structure(d, depth)
	} else {
		f, ok, err = p.value(d)
	}
	switch {
	case err == nil && !ok && d.array == arrayVariable:
		count := schema.Field{Kind: schema.U16, Tags: d.tags}
		tdh.Declare(&count, d.name, tdh.UInt16, tdh.Default)
		count.Doc = strings.TrimSuffix(f.Doc, ".") + ", how many."
		return count, true, nil
	case d.array == arrayConstant && d.count == 0:
		return f, false, err
	}
	return f, ok, err
}

// value makes a field other than a structure.
func (p *parser) value(d *declaration) (f schema.Field, ok bool, err error) {
	f.Tags = d.tags
	in, out := d.in.tdh(), d.out.tdh(d.in)
	tdh.Declare(&f, d.name, in, out, d.notes...)
	if d.array == arrayCustom {
		f.Kind, f.LengthPrefix = schema.Bytes, schema.BytesIn16
		return f, true, nil
	}
	if in == tdh.Null {
		return f, false, nil
	}
	d.setCount(&f)
	if err := tdh.Apply(&f, d.in.stored(d.out), out); err != nil {
		return f, false, faultAt(d.at, err)
	}
	return f, true, nil
}

func (d *declaration) setCount(f *schema.Field) {
	f.Count, f.CountPrefix = int(d.count), d.array == arrayVariable
}

// structure reads the fields of a structure. If only the first fields are known,
// they can be read, but the structure cannot be skipped, as an array requires.
func (p *parser) structure(d *declaration, depth int) (f schema.Field, ok bool, err error) {
	if depth == maxDepth {
		return f, false, faultAt(d.at, fmt.Errorf("%w: structures are nested more than %d deep", decode.ErrUnsupported, maxDepth))
	}
	f.Tags = d.tags
	tdh.DeclareStruct(&f, d.name, d.notes...)
	f.Struct, err = p.fields(int(d.out), depth+1)
	d.setCount(&f)
	return f, len(f.Struct) > 0 && (err == nil || d.array == 0), err
}
