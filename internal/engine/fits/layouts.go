package fits

import (
	"github.com/etl2parquet/etl2parquet/internal/engine/catalog"
	"github.com/etl2parquet/etl2parquet/schema"
)

// Key identifies the layout of events.
type Key struct {
	Event       *schema.Event
	Version     uint8
	PointerSize int
}

// KeyOf returns the key of the layout for payloads of a kind.
func KeyOf(k *catalog.Kind, pointerSize int32) Key {
	return Key{k.Literal.Event, k.Version, int(pointerSize)}
}

// Layouts are the layouts that a worker has compiled. A cache finds those of recent kinds of event
// without the map. The layouts of a table can alternate from event to event, because TraceLogging
// programs often give many events one name.
type Layouts[L any] struct {
	all    map[Key]*L
	recent [recentLayouts]recentLayout[L]
}

const recentLayouts = 16

type recentLayout[L any] struct {
	key    Key
	layout *L // nil in a free slot
}

// Len returns the number of layouts.
func (l *Layouts[L]) Len() int { return len(l.all) }

// Find returns the layout of payloads of a kind, or nil if it must be added.
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
