package rows

import "github.com/etl2parquet/etl2parquet/schema"

// layoutKey tells the layouts of an event apart.
type layoutKey struct {
	event       *schema.Event
	version     uint8
	pointerSize int
}

func layoutKeyOf(r *row) layoutKey {
	return layoutKey{r.Literal.Event, r.Version, int(r.pointerSize)}
}

// layouts are the layouts that a worker has compiled. Those of the last kinds of event are found
// without the map: events of a table may have different layouts in turn, as programs that log by
// TraceLogging often give many events one name.
type layouts[L any] struct {
	all    map[layoutKey]*L
	recent [recentLayouts]recentLayout[L]
}

const recentLayouts = 16

type recentLayout[L any] struct {
	key    layoutKey
	layout *L // nil: the place is free
}

// find returns the layout of a row, or nil if it is to be added.
func (l *layouts[L]) find(r *row) *L {
	key, at := layoutKeyOf(r), &l.recent[r.Number%recentLayouts]
	if at.layout != nil && at.key == key {
		return at.layout
	}
	found := l.all[key]
	if found != nil {
		*at = recentLayout[L]{key, found}
	}
	return found
}

// add adds the layout of a row, and returns it.
func (l *layouts[L]) add(r *row, layout *L) *L {
	if l.all == nil {
		l.all = make(map[layoutKey]*L)
	}
	l.all[layoutKeyOf(r)] = layout
	return layout
}
