package mof

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/etl2parquet/etl2parquet/decode/definition"
	"github.com/etl2parquet/etl2parquet/schema"
)

// eventKey is the key by which events refer to their class.
type eventKey struct {
	guid       schema.GUID
	id         uint16
	version    uint8
	anyVersion bool
}

// family holds what a class inherits from its ancestors.
type family struct {
	guid       schema.GUID
	name       string   // of the event class, as tools show it
	prefixes   []string // with which the names of classes with its types begin
	version    uint8
	anyVersion bool
}

// class makes the events of a class, if it describes any.
func (r *reader) class(c *class) {
	types := find(c.qualifiers, "eventtype")
	if types == nil {
		return
	}
	f, fields, err := r.meaning(c)
	if err == nil && len(types.values) == 0 {
		err = errors.New("EventType has no value")
	}
	if err != nil {
		r.failf(c.pos, "class %s: %w", quote(c.name), err)
		return
	}
	for i, value := range types.values {
		if err := r.event(c, f, i, value, fields); err != nil {
			r.failf(types.pos, "class %s: %w", quote(c.name), err)
		}
	}
}

// meaning returns the parts that all events of a class share.
func (r *reader) meaning(c *class) (family, []schema.Field, error) {
	line, err := ancestors(c)
	if err != nil {
		return family{}, nil, err
	}
	f, err := familyOf(line)
	if err != nil {
		return family{}, nil, err
	}
	var list []ordered
	if r.fields <= maxFields {
		if list, err = propertiesOf(line); err != nil {
			return family{}, nil, err
		}
		r.fields += len(list)
	}
	if r.fields > maxFields {
		return family{}, nil, fmt.Errorf("the classes of the file have more than %d properties", maxFields)
	}
	return f, r.fieldsOf(c, list), nil
}

// event makes the event of one of a class's types.
func (r *reader) event(c *class, f family, i int, value string, fields []schema.Field) error {
	id, err := number(value, 8)
	if err != nil {
		return fmt.Errorf("EventType %s: %w", quote(value), err)
	}
	key := eventKey{f.guid, uint16(id), f.version, f.anyVersion}
	if r.seen[key] {
		return fmt.Errorf("type %d of %v is defined twice for one version", id, f.guid)
	}
	if len(r.file.Events) == maxEvents {
		return fmt.Errorf("more than %d events: this one is ignored", maxEvents)
	}
	r.seen[key] = true
	r.file.Events = append(r.file.Events, Event{AnyVersion: f.anyVersion, Schema: &schema.Schema{
		Event: schema.Event{Class: f.name, Name: eventName(c, f, i, value), Doc: doc(c),
			GUID: f.guid, Certainty: schema.Documented, Fields: fields},
		Source:  schema.FromManifest,
		ID:      uint16(id),
		Version: f.version,
		Opcode:  uint8(id),
		Classic: true,
	}})
	return nil
}

// eventName returns the name of the i-th type of a class. If it has none, it is the
// name of the class without the name of the event class, with which it begins by
// convention.
func eventName(c *class, f family, i int, value string) string {
	if names := find(c.qualifiers, "eventtypename"); names != nil && i < len(names.values) {
		if name := strings.TrimSpace(names.values[i]); name != "" {
			return definition.Cut(name, maxName)
		}
	}
	several := len(find(c.qualifiers, "eventtype").values) > 1
	if name := valueOf(c.qualifiers, "eventname"); name != "" && !several {
		return definition.Cut(name, maxName)
	}
	name := c.name
	for _, prefix := range f.prefixes {
		if n := len(prefix); len(name) > n+1 && strings.EqualFold(name[:n], prefix) && name[n] == '_' {
			name = name[n+1:]
			break
		}
	}
	if several {
		name += "_" + strings.TrimSpace(value)
	}
	return name
}

func doc(c *class) string {
	if text := sentence(valueOf(c.qualifiers, "description")); text != "" {
		return text + "."
	}
	return ""
}

// ancestors returns a class and the classes that it is derived from, up to one that
// is not in the file.
func ancestors(c *class) ([]*class, error) {
	line := []*class{c}
	for next := c.parent; next != nil; next = next.parent {
		if next.faulty {
			return nil, fmt.Errorf("it is derived from class %s, which is faulty", quote(next.name))
		}
		if len(line) == maxDepth {
			return nil, fmt.Errorf("it is derived from more than %d classes", maxDepth)
		}
		line = append(line, next)
	}
	return line, nil
}

// familyOf finds the GUID and the version of the events of a class. line is the
// class and its ancestors.
func familyOf(line []*class) (family, error) {
	f := family{anyVersion: true}
	for _, at := range line {
		if text := valueOf(at.qualifiers, "eventversion"); text != "" && f.anyVersion {
			version, err := number(text, 8)
			if err != nil {
				return family{}, fmt.Errorf("EventVersion %s: %w", quote(text), err)
			}
			f.version, f.anyVersion = uint8(version), false
		}
		if find(at.qualifiers, guidQualifier) == nil {
			continue
		}
		var err error
		if f.guid, err = schema.ParseGUID(valueOf(at.qualifiers, guidQualifier)); err != nil {
			return family{}, err
		}
		f.name, f.prefixes = at.name, []string{at.name}
		if suffix := "_v" + strconv.Itoa(int(f.version)); !f.anyVersion && len(f.name) > len(suffix) && strings.HasSuffix(strings.ToLower(f.name), suffix) {
			f.name = f.name[:len(f.name)-len(suffix)] // so that the versions of an event share a table
			f.prefixes = append(f.prefixes, f.name)
		}
		f.name = cmp.Or(definition.Cut(valueOf(at.qualifiers, "displayname"), maxName), f.name)
		return f, nil
	}
	last := line[len(line)-1]
	if last.super != "" {
		return family{}, fmt.Errorf("no Guid, and class %s is not in the file", quote(last.super))
	}
	return family{}, errors.New("no Guid")
}

// ordered is a property with its position.
type ordered struct {
	*property
	id int
}

// propertiesOf returns the properties of a class in the order of their bytes. line
// is the class and its ancestors.
func propertiesOf(line []*class) ([]ordered, error) {
	list, err := line[0].own, line[0].err
	for _, above := range line[1:] {
		if err != nil || len(list) > 0 && list[0].id <= 1 || strings.EqualFold(above.name, "EventTrace") { // the properties of EventTrace are the header
			break
		}
		list, err = inherit(above.own, list), above.err
		if len(list) > maxProperties {
			return nil, fmt.Errorf("more than %d properties", maxProperties)
		}
	}
	return list, err
}

// inherit returns the properties of a class, preceded by those with lower ids that
// it inherits and does not redefine.
func inherit(above, own []ordered) []ordered {
	names := make(map[string]bool, len(own))
	for _, p := range own {
		names[strings.ToLower(p.name)] = true
	}
	var list []ordered
	for _, p := range above {
		if len(own) > 0 && p.id >= own[0].id {
			break
		}
		if !names[strings.ToLower(p.name)] {
			list = append(list, p)
		}
	}
	return append(list, own...)
}

// ownProperties returns the class's own properties that take bytes, in order.
func ownProperties(c *class) ([]ordered, error) {
	var list []ordered
	for i := range c.properties {
		p := &c.properties[i]
		q := find(p.qualifiers, "wmidataid")
		if q == nil {
			continue
		}
		const bits = 31
		id, err := number(valueOf(p.qualifiers, q.name), bits)
		if err != nil {
			return nil, fmt.Errorf("WmiDataId of %s: %w", quote(p.name), err)
		}
		list = append(list, ordered{p, int(id)})
	}
	if len(list) == 0 && find(c.qualifiers, "eventtype") != nil {
		for i := range c.properties {
			list = append(list, ordered{&c.properties[i], i + 1})
		}
	}
	slices.SortStableFunc(list, func(a, b ordered) int { return cmp.Compare(a.id, b.id) })
	for i := 1; i < len(list); i++ {
		if list[i].id == list[i-1].id {
			return nil, fmt.Errorf("%s and %s have the same WmiDataId %d", quote(list[i-1].name), quote(list[i].name), list[i].id)
		}
	}
	return list, nil
}

// number parses a number: decimal, hexadecimal with 0x, or binary with a final b.
func number(text string, bits int) (uint64, error) {
	text = strings.ToLower(strings.TrimPrefix(strings.TrimSpace(text), "+"))
	if digits, ok := strings.CutPrefix(text, "0x"); ok {
		return parsed(digits, 16, bits)
	}
	if digits, ok := strings.CutSuffix(text, "b"); ok {
		return parsed(digits, 2, bits)
	}
	return parsed(text, 10, bits)
}

func parsed(digits string, base, bits int) (uint64, error) {
	n, err := strconv.ParseUint(digits, base, bits)
	if errors.Is(err, strconv.ErrRange) {
		return 0, fmt.Errorf("not a number of %d bits", bits)
	}
	if err != nil {
		return 0, errors.New("not a number")
	}
	return n, nil
}
