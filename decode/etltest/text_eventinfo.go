package etltest

import (
	"errors"
	"fmt"
	"strings"
)

// inside returns the name:value pairs of (name:value,name:value).
func inside(v string) ([][2]string, error) {
	v, opened := strings.CutPrefix(v, "(")
	v, closed := strings.CutSuffix(v, ")")
	if !opened || !closed {
		return nil, errors.New("not in brackets")
	}
	if v == "" {
		return nil, nil
	}
	parts, err := split(v, ',')
	if err != nil {
		return nil, err
	}
	var pairs [][2]string
	for _, part := range parts {
		words, err := split(part, ':')
		if err != nil {
			return nil, err
		}
		if len(words) != 2 {
			return nil, fmt.Errorf("%q is not name:value", part)
		}
		pairs = append(pairs, [2]string{words[0], words[1]})
	}
	return pairs, nil
}

// eventInfoPayload writes an EventInfo.
func eventInfoPayload(_ *parser, dst []byte, v string, _ int) ([]byte, error) {
	pairs, err := inside(v)
	if err != nil {
		return dst, err
	}
	var e EventInfo
	for _, pair := range pairs {
		if err := e.set(pair[0], pair[1]); err != nil {
			return dst, fmt.Errorf("%s: %w", pair[0], err)
		}
	}
	b, err := e.Bytes()
	return append(dst, b...), err
}

func (e *EventInfo) set(key, v string) (err error) {
	texts := map[string]*string{"pname": &e.ProviderName, "lname": &e.LevelName, "cname": &e.ChannelName, "tname": &e.TaskName,
		"oname": &e.OpcodeName, "name": &e.Name, "msg": &e.Message}
	if text := texts[key]; text != nil {
		return setText(text, v)
	}
	bytes := map[string]*uint8{"ver": &e.Version, "chan": &e.Channel, "level": &e.Level, "op": &e.Opcode}
	if n := bytes[key]; n != nil {
		return setUint(n, v, 8)
	}
	switch key {
	case "provider":
		return setGUID(&e.Provider, v)
	case "class":
		e.Source = 1
		return setGUID(&e.Class, v)
	case "id":
		return setUint(&e.ID, v, 16)
	case "task":
		return setUint(&e.Task, v, 16)
	case "kw":
		return setUint(&e.Keyword, v, 64)
	case "kname":
		var name string
		err = setText(&name, v)
		e.Keywords = append(e.Keywords, name)
		return err
	case "fields":
		e.Fields, err = parseInfoFields(v, 0)
		return err
	case "count":
		e.CountOfFields = new(uint32)
		return setUint(e.CountOfFields, v, 32)
	case "top":
		e.FieldsAtTheTop = new(uint32)
		return setUint(e.FieldsAtTheTop, v, 32)
	}
	return errors.New("unknown key")
}

// parseInfoFields reads (name:type,name:type); see the package documentation.
func parseInfoFields(v string, depth int) ([]InfoField, error) {
	if depth > 200 {
		return nil, errNested
	}
	pairs, err := inside(v)
	if err != nil {
		return nil, err
	}
	fields := []InfoField{}
	for _, pair := range pairs {
		var f InfoField
		if err := setText(&f.Name, pair[0]); err != nil {
			return nil, err
		}
		if err := f.parseType(pair[1], depth); err != nil {
			return nil, fmt.Errorf("field %s: %w", f.Name, err)
		}
		fields = append(fields, f)
	}
	return fields, nil
}

// parseType reads type[count]{length}/out=map, or struct(fields)@first+members[count].
func (f *InfoField) parseType(v string, depth int) (err error) {
	rest := v
	if strings.HasPrefix(v, "struct(") {
		end := strings.LastIndexByte(v, ')')
		if end < 0 {
			return fmt.Errorf("bad type %q", v)
		}
		if f.Fields, err = parseInfoFields(v[len("struct"):end+1], depth+1); err != nil {
			return err
		}
		rest = "struct" + v[end+1:]
	}
	rest, names, _ := strings.Cut(rest, "=")
	if err := setText(&f.Map, names); err != nil {
		return err
	}
	rest, out, hasOut := strings.Cut(rest, "/")
	if hasOut {
		if err := setUint(&f.Out, out, 16); err != nil {
			return err
		}
	}
	rest = cutNumber(rest, "{", "}", &f.Length, &f.LengthOf)
	rest = cutNumber(rest, "[", "]", &f.Count, &f.CountOf)
	rest, place, hasPlace := strings.Cut(rest, "@")
	if hasPlace {
		first, members, _ := strings.Cut(place, "+")
		f.First, f.Members = new(uint16), new(uint16)
		if err := errors.Join(setUint(f.First, first, 16), setUint(f.Members, members, 16)); err != nil {
			return err
		}
	}
	in, known := inTypes[rest]
	f.In = uint16(in)
	if !known {
		err = setUint(&f.In, rest, 16)
	}
	return err
}

// cutNumber cuts the brackets at the end off: they hold a number, or the name
// of the field that holds it.
func cutNumber(v, open, end string, n *uint16, of *string) string {
	head, tail, found := strings.Cut(v, open)
	if !found {
		return v
	}
	tail, _, _ = strings.Cut(tail, end)
	if setUint(n, tail, 16) != nil {
		*of = tail
	}
	return head
}

// mapInfoPayload writes a MapInfo.
func mapInfoPayload(_ *parser, dst []byte, v string, _ int) ([]byte, error) {
	pairs, err := inside(v)
	if err != nil {
		return dst, err
	}
	m := MapInfo{Flags: 1}
	for _, pair := range pairs {
		switch key, v := pair[0], pair[1]; key {
		case "provider":
			err = setGUID(&m.Provider, v)
		case "name":
			err = setText(&m.Name, v)
		case "flags":
			err = setUint(&m.Flags, v, 32)
		default:
			var number uint32
			var name string
			err = errors.Join(setUint(&number, key, 32), setText(&name, v))
			m.Numbers, m.Names = append(m.Numbers, number), append(m.Names, name)
		}
		if err != nil {
			return dst, fmt.Errorf("%s: %w", pair[0], err)
		}
	}
	return append(dst, m.Bytes()...), nil
}
