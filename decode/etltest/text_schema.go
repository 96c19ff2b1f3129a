package etltest

import (
	"fmt"
	"strconv"
	"strings"
)

// inTypes names the base types of TraceLogging fields.
var inTypes = map[string]uint8{
	"null": 0, "str16": 1, "str8": 2, "i8": 3, "u8": 4, "i16": 5, "u16": 6, "i32": 7, "u32": 8, "i64": 9, "u64": 10,
	"f32": 11, "f64": 12, "bool32": 13, "bin": 14, "guid": 15, "ptr": 16, "filetime": 17, "systemtime": 18,
	"sid": 19, "hex32": 20, "hex64": 21, "cstr16": 22, "cstr8": 23, "struct": inStruct, "cbin": 25,
}

// outTypes names the out-types of TraceLogging fields.
var outTypes = map[string]uint8{
	"noprint": 1, "string": 2, "boolean": 3, "hex": 4, "pid": 5, "tid": 6, "port": 7, "ipv4": 8, "ipv6": 9,
	"socketaddress": 10, "xml": 11, "json": 12, "win32error": 13, "ntstatus": 14, "hresult": 15, "filetime": 16,
	"signed": 17, "unsigned": 18, "datetime": 33, "utf8": 35, "pkcs7": 36, "codepointer": 37, "datetimeutc": 38,
}

// parseSchema reads name#tag(field:type,field:type).
func parseSchema(v string) (*Schema, error) {
	head, inside, err := brackets(v)
	if err != nil {
		return nil, err
	}
	s := &Schema{}
	if s.Name, s.Tag, err = tagged(head); err != nil {
		return nil, err
	}
	s.Fields, err = parseSchemaFields(inside, 0)
	return s, err
}

// parseSchemaFields reads name:type[array]/out#tag, separated by commas,
// where a structure's type is struct(fields).
func parseSchemaFields(v string, depth int) ([]SchemaField, error) {
	fields := []SchemaField{}
	if v == "" {
		return fields, nil
	}
	if depth > 200 {
		return nil, errNested
	}
	parts, err := split(v, ',')
	if err != nil {
		return nil, err
	}
	for _, part := range parts {
		names, err := split(part, ':')
		if err != nil {
			return nil, err
		}
		if len(names) != 2 {
			return nil, fmt.Errorf("%q is not name:type", part)
		}
		f := SchemaField{}
		if f.Name, err = unquote(names[0]); err != nil {
			return nil, err
		}
		if err := f.parseType(names[1], depth); err != nil {
			return nil, fmt.Errorf("field %s: %w", f.Name, err)
		}
		fields = append(fields, f)
	}
	return fields, nil
}

// parseType reads type[array]/out#tag.
func (f *SchemaField) parseType(v string, depth int) (err error) {
	rest := v
	if strings.HasPrefix(v, "struct(") {
		end := strings.LastIndexByte(v, ')')
		if end < 0 {
			return fmt.Errorf("bad type %q", v)
		}
		if f.Fields, err = parseSchemaFields(v[len("struct("):end], depth+1); err != nil {
			return err
		}
		rest = "struct" + v[end+1:]
	}
	if rest, f.Tag, err = tagged(rest); err != nil {
		return err
	}
	rest, out, hasOut := strings.Cut(rest, "/")
	if hasOut {
		known := false
		if f.Out, known = outTypes[out]; !known {
			if err := setUint(&f.Out, out, 7); err != nil {
				return err
			}
		}
	}
	if name, count, found := strings.Cut(rest, "["); found {
		rest = name
		count, closed := strings.CutSuffix(count, "]")
		switch {
		case !closed:
			return fmt.Errorf("bad type %q", v)
		case count == "":
			f.Array = VariableArray
		default:
			f.Array = ConstantArray
			if err := setUint(&f.Count, count, 16); err != nil {
				return err
			}
		}
	} else if name, info, found := strings.Cut(rest, "{"); found {
		rest, f.Array = name, CustomArray
		if f.Custom, err = hexBytes(strings.TrimSuffix(info, "}")); err != nil {
			return err
		}
	}
	known := false
	if f.In, known = inTypes[rest]; !known {
		err = setUint(&f.In, rest, 5)
	}
	return err
}

// parseTraits reads name(group:guid,decode:guid).
func parseTraits(v string) (*Traits, error) {
	head, inside, err := brackets(v)
	if err != nil {
		return nil, err
	}
	t := &Traits{}
	if t.Name, err = unquote(head); err != nil || inside == "" {
		return t, err
	}
	for part := range strings.SplitSeq(inside, ",") {
		name, value, _ := strings.Cut(part, ":")
		g, err := ParseGUID(value)
		if err != nil {
			return nil, err
		}
		switch name {
		case "group":
			t.Group = &g
		case "decode":
			t.Decode = &g
		default:
			return nil, fmt.Errorf("unknown trait %q", name)
		}
	}
	return t, nil
}

// brackets cuts name(inside); the brackets may be missing.
func brackets(v string) (name, inside string, err error) {
	rest := v
	if q, err := strconv.QuotedPrefix(v); err == nil {
		name, rest = q, v[len(q):]
	}
	head, tail, found := strings.Cut(rest, "(")
	if !found {
		return name + rest, "", nil
	}
	inside, closed := strings.CutSuffix(tail, ")")
	if !closed {
		return "", "", fmt.Errorf("%q does not end in )", v)
	}
	return name + head, inside, nil
}

// tagged cuts name#tag; the tag may be missing. The name may be quoted.
func tagged(v string) (name string, tag uint32, err error) {
	at := strings.LastIndexByte(v, '#')
	if quote := strings.LastIndexByte(v, '"'); at < 0 || at < quote {
		name, err = unquote(v)
		return name, 0, err
	}
	if name, err = unquote(v[:at]); err != nil {
		return "", 0, err
	}
	err = setUint(&tag, v[at+1:], 28)
	return name, tag, err
}
