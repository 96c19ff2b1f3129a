package pcapng

import (
	"context"
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/etl2parquet/etl2parquet"
)

// maxNames bounds the names that are kept of all traces.
const maxNames = 1 << 16

// named is what has a name: a component, an edge of it (sub), or an adapter.
type named struct {
	trace   int
	id, sub int64
}

// names has what traces call the places where packets are captured.
type names struct {
	traces       []string
	count        int
	components   map[named]string // the file of its driver
	descriptions map[named]string // of components
	edges        map[named]string
	adapterOf    map[named]int64 // the interface index of a component's adapter
	ownIndex     map[named]int64 // of a component that is an adapter
	adapters     map[named]string
	adapterDocs  map[named]string
}

// Types of PktMon's properties: the interface index of a component, and of the adapter below it.
const (
	ifIndex         = 1
	miniportIfIndex = 2
)

// noName is the name that PktMon gives to a component without one.
const noName = "NULL"

// readNames reads the names of all traces, whatever the selection.
func readNames(ctx context.Context, t *etl2parquet.Traces, s etl2parquet.Scan) (*names, error) {
	n := &names{
		components: make(map[named]string), descriptions: make(map[named]string), edges: make(map[named]string),
		adapterOf: make(map[named]int64), ownIndex: make(map[named]int64), adapters: make(map[named]string), adapterDocs: make(map[named]string),
	}
	traces := make(map[string]int)
	for i, trace := range t.All() {
		n.traces = append(n.traces, trace.Name())
		traces[trace.Name()] = i
	}
	all := etl2parquet.Scan{Workers: s.Workers, Memory: s.Memory}
	each := func(table string, columns []string, do func(r *row, trace int)) error {
		r, err := scan(ctx, t, all, table, columns...)
		if r == nil || err != nil {
			return err
		}
		defer r.Release()
		for n.count < maxNames && r.Next() {
			do(r, traces[r.text("trace")])
		}
		return r.Err()
	}
	for _, table := range []string{"Microsoft-Windows-PktMon/20", "Microsoft-Windows-PktMon/270"} {
		if err := each(table, []string{"id", "name", "description"}, func(r *row, trace int) {
			of := named{trace: trace, id: r.number("id")}
			n.set(n.components, of, r.text("name"))
			n.set(n.descriptions, of, r.text("description"))
		}); err != nil {
			return nil, err
		}
	}
	if err := each("Microsoft-Windows-PktMon/90", []string{"component_id", "edge_id", "edge_name"}, func(r *row, trace int) {
		n.set(n.edges, named{trace, r.number("component_id"), r.number("edge_id")}, r.text("edge_name"))
	}); err != nil {
		return nil, err
	}
	if err := each("Microsoft-Windows-PktMon/30", []string{"component_id", "type", "value"}, func(r *row, trace int) {
		of := named{trace: trace, id: r.number("component_id")}
		switch r.number("type") {
		case ifIndex:
			n.ownIndex[of] = r.number("value")
		case miniportIfIndex:
			n.adapterOf[of] = r.number("value")
		}
		n.count++
	}); err != nil {
		return nil, err
	}
	if err := each("SysConfig/NetInterface", []string{"interface_index", "alias", "description"}, func(r *row, trace int) {
		of := named{trace: trace, id: r.number("interface_index")}
		n.set(n.adapters, of, r.text("alias"))
		n.set(n.adapterDocs, of, r.text("description"))
	}); err != nil {
		return nil, err
	}
	return n, nil
}

// set keeps a name, unless there is one.
func (n *names) set(list map[named]string, of named, name string) {
	if name = clean(name, maxName); name != "" && name != noName && list[of] == "" {
		list[of] = name
		n.count++
	}
}

// of returns the name and the description of a place.
func (n *names) of(trace int, p place) (name, doc string) {
	id := named{trace: trace, id: p.id}
	switch p.kind {
	case component:
		name, doc = n.ofComponent(named{trace, p.id, p.sub})
	case adapter:
		name, doc = n.adapters[id], n.adapterDocs[id]
		if name == "" {
			name = fmt.Sprintf("adapter %d", p.id)
		} else {
			name += fmt.Sprintf(" (%d)", p.id)
		}
		if p.sub != p.id {
			name += fmt.Sprintf(", layer %d", p.sub)
			if layer := n.adapters[named{trace: trace, id: p.sub}]; layer != "" {
				doc = join(doc, "above "+layer)
			}
		}
	case switchPort:
		name = join(clean(p.name, maxName), fmt.Sprintf("port %d of a switch", p.sub))
	case remoteAccess:
		name = join("remote access", clean(p.name, maxName))
	}
	if len(n.traces) > 1 {
		name = n.traces[trace] + ": " + name
	}
	return clean(name, maxName), doc
}

func (n *names) ofComponent(edge named) (name, doc string) {
	id := named{trace: edge.trace, id: edge.id}
	index, ok := n.adapterOf[id]
	if !ok {
		index = n.ownIndex[id]
	}
	adapterName := n.adapters[named{trace: edge.trace, id: index}]
	side := n.edges[edge]
	if side == "" {
		side = fmt.Sprintf("edge %d", edge.sub)
	}
	driver := n.components[id]
	if driver == "" {
		driver = n.descriptions[id]
	}
	if driver == "" {
		driver = "component"
	}
	return join(adapterName, fmt.Sprintf("%s (%d, %s)", driver, edge.id, side)), n.descriptions[id]
}

// join joins two texts, which may be "".
func join(a, b string) string {
	if a == "" || b == "" {
		return a + b
	}
	return a + ", " + b
}

// maxName and maxComment are the most bytes of names and of comments. An option of pcapng has at most
// 65,535.
const (
	maxName    = 256
	maxComment = 1024
)

// clean returns a text of at most a number of bytes, in UTF-8 and without control characters. The
// result shares no memory with it.
func clean(text string, most int) string {
	text = strings.Map(func(r rune) rune {
		if unicode.IsControl(r) {
			return ' '
		}
		return r
	}, text[:min(len(text), most)]) // it makes bytes that are not UTF-8 U+FFFD
	for len(text) > most {
		_, size := utf8.DecodeLastRuneInString(text)
		text = text[:len(text)-size]
	}
	return strings.Clone(strings.TrimSpace(text))
}
