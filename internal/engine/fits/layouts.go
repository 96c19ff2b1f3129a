package fits

import (
	"github.com/etl2parquet/etl2parquet/internal/engine/catalog"
	"github.com/etl2parquet/etl2parquet/schema"
)

// Key tells the layouts of events apart.
type Key struct {
	Event       *schema.Event
	Version     uint8
	PointerSize int
}

// KeyOf returns the key of the layout that payloads of a kind have.
func KeyOf(k *catalog.Kind, pointerSize int32) Key {
	return Key{k.Literal.Event, k.Version, int(pointerSize)}
}

// Layouts are the layouts that a worker has compiled. Those of the last kinds of event are found
// without the map: events of a table may have different layouts in turn, as programs that log by
// TraceLogging often give many events one name.
type Layouts[L any] struct {
	all    map[Key]*L
	recent [recentLayouts]recentLayout[L]
}

const recentLayouts = 16

type recentLayout[L any] struct {
	key    Key
	layout *L // nil: the place is free
}

// Len returns how many layouts there are.
func (l *Layouts[L]) Len() int { return len(l.all) }

// Find returns the layout of payloads of a kind, or nil if it is to be added.
func (l *Layouts[L]) Find(k *catalog.Kind, pointerSize int32) *L {
	key, at := KeyOf(k, pointerSize), &l.recent[k.Number%recentLayouts]
	if at.layout != nil && at.key == key {
		return at.layout
	}
	found := l.all[key]
	if found != nil {
		*at = recentLayout[L]{key, found}
	}
	return found
}

// Add adds a layout, and returns it.
func (l *Layouts[L]) Add(key Key, layout *L) *L {
	if l.all == nil {
		l.all = make(map[Key]*L)
	}
	l.all[key] = layout
	return layout
}
