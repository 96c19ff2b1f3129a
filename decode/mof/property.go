package mof

import (
	"errors"
	"fmt"
	"strings"

	"github.com/etl2parquet/etl2parquet/decode/tdh"
	"github.com/etl2parquet/etl2parquet/schema"
)

// basic is a type of MOF.
type basic struct {
	in  tdh.InType
	hex tdh.OutType // with Format("x")
}

var basics = map[string]basic{
	"boolean":  {tdh.Boolean, tdh.Default}, // 4 bytes in events, but 1 in WMI
	"sint8":    {tdh.Int8, tdh.OutHexInt8},
	"uint8":    {tdh.UInt8, tdh.OutHexInt8},
	"sint16":   {tdh.Int16, tdh.OutHexInt16},
	"uint16":   {tdh.UInt16, tdh.OutHexInt16},
	"sint32":   {tdh.Int32, tdh.OutHexInt32},
	"uint32":   {tdh.UInt32, tdh.OutHexInt32},
	"sint64":   {tdh.Int64, tdh.OutHexInt64},
	"uint64":   {tdh.UInt64, tdh.OutHexInt64},
	"real32":   {tdh.Float, tdh.Default},
	"real64":   {tdh.Double, tdh.Default},
	"char16":   {tdh.UnicodeChar, tdh.Default},
	"string":   {tdh.AnsiString, tdh.Default},
	"datetime": {tdh.UnicodeString, tdh.Default},
}

// dateTimeLength is the length of a datetime in characters, yyyymmddhhmmss.mmmmmmsutc.
const dateTimeLength = 25

// extension is a type that MOF expresses by an Extension qualifier.
type extension struct {
	in     tdh.InType
	out    tdh.OutType
	length int // in bytes
}

var extensions = map[string]extension{
	"guid":     {tdh.GUID, tdh.Default, 0},
	"ipaddr":   {tdh.UInt32, tdh.IPv4, 0},
	"ipaddrv4": {tdh.UInt32, tdh.IPv4, 0},
	"ipaddrv6": {tdh.Binary, tdh.IPv6, 16},
	"port":     {tdh.UInt16, tdh.Port, 0},
	"sid":      {tdh.WBEMSID, tdh.Default, 0},
	"sizet":    {tdh.SizeT, tdh.Default, 0},
	"variant":  {tdh.HexDump, tdh.Default, 0},
	"wmitime":  {tdh.UInt64, tdh.ETWTime, 0},
	"rstring":  {tdh.AnsiString, tdh.ReducedString, 0},
	"rwstring": {tdh.UnicodeString, tdh.ReducedString, 0},
}

// terminations are the types of strings with 8-bit and with 16-bit units.
var terminations = map[string][2]tdh.InType{
	"":               {tdh.AnsiString, tdh.UnicodeString},
	"nullterminated": {tdh.AnsiString, tdh.UnicodeString},
	"counted":        {tdh.WBEMCountedAnsiString, tdh.WBEMCountedString},
	"reversecounted": {tdh.ReversedCountedAnsi, tdh.ReversedCountedString},
	"notcounted":     {tdh.NonNullTerminatedAnsi, tdh.NonNullTerminatedString},
}

// scope holds the properties and fields of a class while they are compiled.
type scope struct {
	properties []ordered
	columns    []string // per property
	fields     []schema.Field
}

// fieldsOf makes fields of the properties of a class. If the position of a property
// cannot be known, it and all later properties are omitted: their bytes become the
// rest of the payload.
func (r *reader) fieldsOf(c *class, list []ordered) []schema.Field {
	names := make([]string, len(list))
	for i := range list {
		names[i] = list[i].name
	}
	s := scope{properties: list, columns: schema.ColumnNames(names)}
	for i := range list {
		p := list[i].property
		if i > 0 && s.fields[i-1].Length == schema.Rest {
			r.failf(p.pos, "class %s: property %s follows one that takes the rest of the payload: it is ignored, with all after it", quote(c.name), quote(p.name))
			break
		}
		f := schema.Field{Name: s.columns[i]}
		if err := s.field(p, &f); err != nil {
			r.failf(p.pos, "class %s: the fields end before property %s: %w", quote(c.name), quote(p.name), err)
			break
		}
		if err := nameValues(p, &f); err != nil {
			r.failf(p.pos, "class %s: property %s: %w", quote(c.name), quote(p.name), err)
		}
		s.fields = append(s.fields, f)
	}
	return s.fields
}

// field makes the field of a property.
func (s *scope) field(p *property, f *schema.Field) error {
	in, out, err := s.types(p, f)
	if err != nil {
		return err
	}
	if err := tdh.Apply(f, in, out); err != nil {
		return err
	}
	if out == tdh.ETWTime {
		f.Kind = schema.Ticks
	}
	var more []string
	if text := sentence(valueOf(p.qualifiers, "description")); text != "" && !strings.EqualFold(text, p.name) {
		more = []string{text}
	}
	tdh.Declare(f, p.name, in, out, more...)
	return nil
}

// types returns the types of a property, and sets the number and the length of its values.
func (s *scope) types(p *property, f *schema.Field) (in tdh.InType, out tdh.OutType, err error) {
	array, err := s.array(p, f)
	if err != nil {
		return 0, 0, err
	}
	extensionName := strings.ToLower(valueOf(p.qualifiers, "extension"))
	e, extended := extensions[extensionName]
	known, ok := basics[p.kind]
	switch {
	case find(p.qualifiers, "pointer") != nil, find(p.qualifiers, "pointertype") != nil: // whatever the type
		in = tdh.Pointer
	case extended && p.kind != "string":
		in, out, f.Length = e.in, e.out, e.length
		if isUnit(p.kind) { // in old classes the array is the value
			array, f.Count, f.CountField = false, 0, ""
		}
	case p.kind == "object" && extensionName == "":
		err = errors.New("an object without an Extension")
	case p.kind == "object":
		err = fmt.Errorf("an object with the unknown Extension %s", quote(extensionName))
	case !ok:
		err = fmt.Errorf("unknown type %s", quote(p.kind))
	case p.kind == "string":
		in, out, err = stringTypes(p, extensionName)
	case p.kind == "datetime":
		in, out, f.Length = known.in, tdh.CIMDateTime, dateTimeLength
	default:
		if extensionName == "noprint" {
			out = tdh.NoPrint
		}
		in, out, array = known.types(p, f, out, array)
	}
	if err == nil && array && !isSized(f) {
		err = errors.New("an array of unknown size")
	}
	if f.Count == 1 {
		f.Count = 0 // a count of 1 means a single value
	}
	return in, out, err
}

// isSized reports whether the number of values of an array is known.
func isSized(f *schema.Field) bool { return f.Count != 0 || f.CountField != "" }

// isUnit reports whether an array of this type may be one value of several bytes.
func isUnit(kind string) bool { return kind == "uint8" || kind == "sint8" || kind == "char16" }

// types returns the types of a number or character, and whether there can be several
// values: false if an array is one text or one binary value.
func (known basic) types(p *property, f *schema.Field, out tdh.OutType, array bool) (tdh.InType, tdh.OutType, bool) {
	format := strings.ToLower(valueOf(p.qualifiers, "format"))
	if in, ok := characters(p.kind, format, array); ok {
		upToNUL := array && !isSized(f) && format == "s"
		switch {
		case upToNUL && in == tdh.UnicodeChar:
			return tdh.UnicodeString, out, false
		case upToNUL:
			return tdh.AnsiString, out, false
		}
		return in, out, array
	}
	if p.kind == "uint8" && isSized(f) && find(p.qualifiers, "values") == nil {
		f.Length, f.LengthField, f.Count, f.CountField = f.Count, f.CountField, 0, ""
		return tdh.Binary, out, false
	}
	if format == "x" && out == tdh.Default {
		out = known.hex
	}
	return known.in, out, array
}

// characters reports whether a property is text made of single characters, and
// returns the type of the characters.
func characters(kind, format string, array bool) (tdh.InType, bool) {
	switch {
	case kind == "char16":
		return tdh.UnicodeChar, true
	case (kind == "uint8" || kind == "sint8") && (format == "c" || format == "s" && array):
		return tdh.AnsiChar, true
	}
	return 0, false
}

// stringTypes returns the types of a string.
func stringTypes(p *property, extensionName string) (tdh.InType, tdh.OutType, error) {
	end := valueOf(p.qualifiers, "stringtermination")
	types, ok := terminations[strings.ToLower(end)]
	if !ok {
		return 0, 0, fmt.Errorf("unknown StringTermination %s", quote(end))
	}
	out := tdh.Default
	switch extensionName {
	case "rstring", "rwstring":
		out = tdh.ReducedString
	case "noprint":
		out = tdh.NoPrint
	}
	if strings.EqualFold(valueOf(p.qualifiers, "format"), "w") || extensionName == "rwstring" {
		return types[1], out, nil
	}
	return types[0], out, nil
}

// array sets the number of values of a property: the value of another property, the
// number in its brackets, or the qualifier Max.
func (s *scope) array(p *property, f *schema.Field) (array bool, err error) {
	if name := valueOf(p.qualifiers, "wmisizeis"); name != "" {
		if f.CountField, err = s.refer(name); err != nil {
			return true, fmt.Errorf("WmiSizeIs %s: %w", quote(name), err)
		}
		return true, nil
	}
	if !p.array {
		return false, nil
	}
	size := p.size
	if size == "" {
		size = valueOf(p.qualifiers, "max")
	}
	if size == "" {
		return true, nil
	}
	const bits = 31
	n, err := number(size, bits)
	if err != nil || n == 0 {
		return true, fmt.Errorf("invalid array size %s", quote(size))
	}
	f.Count = int(n)
	return true, nil
}

// refer returns the column of the earlier property with this name.
func (s *scope) refer(name string) (string, error) {
	for i := len(s.fields) - 1; i >= 0; i-- {
		if !strings.EqualFold(s.properties[i].name, name) {
			continue
		}
		if f := &s.fields[i]; f.IsArray() || !f.Kind.IsNumber() {
			return "", errors.New("it is not a number")
		}
		return s.columns[i], nil
	}
	return "", errors.New("no property before it has this name")
}
