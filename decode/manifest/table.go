package manifest

import "strings"

// named is a number with what people call it.
type named struct {
	label string
	value uint64
}

// table is what a provider names, or winmeta.xml: levels, tasks, opcodes,
// keywords or channels.
type table struct {
	byName  map[string]named // by what events call them
	byValue map[uint64]named
}

func newTable() *table {
	return &table{byName: make(map[string]named), byValue: make(map[uint64]named)}
}

// add adds a name unless there is one like it. So of each value the first name
// is the one that is shown.
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

// predefinedKey is what a predefined name is found by: win:DC_Start as
// win:DCStart.
func predefinedKey(name string) string {
	return strings.ToLower(strings.ReplaceAll(local(name), "_", ""))
}

// table reads the elements of a name. One whose number is missing may be
// predefined: the manifest names it only to give it a message.
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

// channels reads the channels, which events name by their ids or names. One
// without a number has that behind the last, as the compiler of manifests does.
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

// find returns what an event's attribute names: something of the provider, or
// that all have, or a number, whose name is looked up. The last of the tables
// is the predefined one.
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
