package pcapng

import (
	"cmp"
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
	numbers      map[string]int // of traces, by name
	count        int
	components   map[named]string // the file of its driver
	descriptions map[named]string // of components
	edges        map[named]string
	adapterOf    map[named]int64 // the interface index of a component's adapter
	selfIndex    map[named]int64 // of a component that is an adapter
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
		numbers: make(map[string]int), components: make(map[named]string), descriptions: make(map[named]string), edges: make(map[named]string),
		adapterOf: make(map[named]int64), selfIndex: make(map[named]int64), adapters: make(map[named]string), adapterDocs: make(map[named]string),
	}
	for i, trace := range t.All() {
		n.traces = append(n.traces, trace.Name())
		n.numbers[trace.Name()] = i
	}
	addComponent := func(row *componentRow) {
		component := named{trace: n.numbers[row.Trace], id: row.ID}
		n.set(n.components, component, row.Name)
		n.set(n.descriptions, component, row.Description)
	}
	s = etl2parquet.Scan{Workers: s.Workers, Memory: s.Memory}
	return n, cmp.Or(
		eachName(ctx, n, t, s, "Microsoft-Windows-PktMon/20", addComponent),
		eachName(ctx, n, t, s, "Microsoft-Windows-PktMon/270", addComponent),
		eachName(ctx, n, t, s, "Microsoft-Windows-PktMon/90", func(row *edgeRow) {
			n.set(n.edges, named{n.numbers[row.Trace], row.Component, row.Edge}, row.Name)
		}),
		eachName(ctx, n, t, s, "Microsoft-Windows-PktMon/30", func(row *propertyRow) {
			component := named{trace: n.numbers[row.Trace], id: row.Component}
			switch row.Type {
			case ifIndex:
				n.selfIndex[component] = row.Value
			case miniportIfIndex:
				n.adapterOf[component] = row.Value
			}
			n.count++
		}),
		eachName(ctx, n, t, s, "SysConfig/NetInterface", func(row *adapterRow) {
			adapter := named{trace: n.numbers[row.Trace], id: row.Index}
			n.set(n.adapters, adapter, row.Alias)
			n.set(n.adapterDocs, adapter, row.Description)
		}),
	)
}

// componentRow is a row of an event that names a component.
type componentRow struct {
	Trace       string `column:"trace"`
	ID          int64  `column:"id" null:"-1"`
	Name        string `column:"name"`
	Description string `column:"description"`
}

// edgeRow is a row of an event that names an edge of a component.
type edgeRow struct {
	Trace     string `column:"trace"`
	Component int64  `column:"component_id" null:"-1"`
	Edge      int64  `column:"edge_id" null:"-1"`
	Name      string `column:"edge_name"`
}

// propertyRow is a row of an event with a property of a component.
type propertyRow struct {
	Trace     string `column:"trace"`
	Component int64  `column:"component_id" null:"-1"`
	Type      int64  `column:"type" null:"-1"`
	Value     int64  `column:"value" null:"-1"`
}

// adapterRow is a row of an event that names a network adapter.
type adapterRow struct {
	Trace       string `column:"trace"`
	Index       int64  `column:"interface_index" null:"-1"`
	Alias       string `column:"alias"`
	Description string `column:"description"`
}

// eachName calls do for the rows of a table until there are too many names.
func eachName[T any](ctx context.Context, n *names, t *etl2parquet.Traces, s etl2parquet.Scan, table string, do func(row *T)) error {
	rows, err := open[T](ctx, t, s, table)
	if err != nil {
		return err
	}
	defer rows.Release()
	for n.count < maxNames && rows.Next() {
		do(&rows.Row)
	}
	return rows.Err()
}

// set keeps a name, unless there is one.
func (n *names) set(list map[named]string, key named, name string) {
	if name = clean(name, maxName); name != "" && name != noName && list[key] == "" {
		list[key] = name
		n.count++
	}
}

// describe returns the name and the description of a place.
func (n *names) describe(trace int, p place) (name, doc string) {
	id := named{trace: trace, id: p.id}
	switch p.kind {
	case component:
		name, doc = n.describeComponent(named{trace, p.id, p.sub})
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

func (n *names) describeComponent(edge named) (name, doc string) {
	id := named{trace: edge.trace, id: edge.id}
	index, ok := n.adapterOf[id]
	if !ok {
		index = n.selfIndex[id]
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
