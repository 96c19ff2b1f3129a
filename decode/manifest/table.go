package manifest

import (
	"strings"
)

// named is a number with its name for people.
type named struct {
	label string
	value uint64
}

// table holds the levels, tasks, opcodes, keywords or channels that a provider or
// winmeta.xml defines.
type table struct {
	byName  map[string]named // by the name that events refer to
	byValue map[uint64]named
}

func newTable() *table {
	return &table{byName: make(map[string]named), byValue: make(map[uint64]named)}
}

// add adds an entry unless the name exists. The first name of each value is the one that is shown.
func (t *table) add(key string, n named) {
	if _, twice := t.byName[key]; twice || key == "" {
		return
	}
	t.byName[key] = n
	if _, twice := t.byValue[n.value]; !twice {
		t.byValue[n.value] = n
	}
}

func predefined(all ...named) *table {
	t := newTable()
	for _, n := range all {
		t.add(predefinedKey(n.label), n)
	}
	return t
}

// predefinedKey returns the key of a predefined name, the same for win:DC_Start and
// win:DCStart.
func predefinedKey(name string) string {
	return strings.ToLower(strings.ReplaceAll(local(name), "_", ""))
}

// table reads the elements with this name. An element without a number may be
// predefined: the manifest repeats it only to give it a message.
func (r *reader) table(e *element, name, value string, bits int, known *table) *table {
	t := newTable()
	for _, c := range e.childrenOf(name) {
		key := c.get("name")
		n, err := number(c.get(value), bits)
		if err != nil {
			p, ok := known.byName[predefinedKey(key)]
			if !ok {
				r.fail(c.pos, "%s %s: invalid %s %s", name, quote(key), value, quote(c.get(value)))
				continue
			}
			n = p.value
		}
		t.add(key, named{r.label(c), n})
	}
	return t
}

// channels reads the channels, which events refer to by id or name. A channel
// without a number gets the one after the last, as in the manifest compiler.
func (r *reader) channels(e *element) *table {
	const firstOfProvider, last = 16, 255
	t := newTable()
	next := uint64(firstOfProvider)
	for _, c := range e.children {
		if c.name != "channel" && c.name != "importChannel" {
			continue
		}
		ch := named{label: c.get("name")}
		n, err := number(c.get("value"), 8)
		known, ok := predefinedChannels.byName[predefinedKey(ch.label)]
		switch {
		case err == nil:
			ch.value, next = n, n+1
		case ok:
			ch.value = known.value
		default:
			ch.value, next = min(next, last), next+1
		}
		t.add(c.get("chid"), ch)
		t.add(ch.label, ch)
	}
	return t
}

// find resolves an attribute of an event: it is a name in one of the tables, or a
// number whose name is looked up there. The last table is the predefined one.
func (r *reader) find(e *element, attribute string, bits int, tables ...*table) named {
	name := strings.TrimSpace(e.get(attribute))
	if name == "" {
		return named{}
	}
	for _, t := range tables {
		if n, ok := t.byName[name]; ok {
			return n
		}
	}
	if n, ok := tables[len(tables)-1].byName[predefinedKey(name)]; ok {
		return n
	}
	value, err := number(name, bits)
	if err != nil {
		r.fail(e.pos, "%s of event %s: %s is not defined", attribute, quote(e.get("value")), quote(name))
		return named{label: local(name)}
	}
	for _, t := range tables {
		if n, ok := t.byValue[value]; ok {
			return n
		}
	}
	return named{value: value}
}
