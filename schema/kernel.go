package schema

import (
	"cmp"
	"strings"
	"sync"
)

// eventClass is an event class of the kernel or of the merge tools, with its events as kernel.txt has
// them. An event omits the values that its class determines: Class, GUID and HasHook always, Hook
// unless the hook is in another class's group, and Table unless the table and the event have
// different names.
type eventClass struct {
	class    KernelClass
	ofKernel bool
	all      Event // Ref, Certainty, EnabledBy and Natural of events that omit them
	events   []Event
}

// complete gives the events what their class says, and returns them.
func (c *eventClass) complete() []Event {
	for i := range c.events {
		e := &c.events[i]
		e.Class, e.GUID = c.class.Name, c.class.GUID
		e.Table = cmp.Or(e.Table, defaultTable(e.Name))
		e.Ref, e.Certainty = cmp.Or(e.Ref, c.all.Ref), cmp.Or(e.Certainty, c.all.Certainty)
		e.EnabledBy, e.Natural = cmp.Or(e.EnabledBy, c.all.EnabledBy), e.Natural || c.all.Natural
		if c.ofKernel {
			e.HasHook, e.Hook = true, cmp.Or(e.Hook, uint16(c.class.Group)<<8|uint16(e.Type))
		}
	}
	return c.events
}

// defaultTable returns the name of an event's table if the text gives none.
func defaultTable(event string) string {
	return strings.Map(func(r rune) rune {
		if r == '-' || r == ' ' {
			return '_'
		}
		return r
	}, event)
}

// Kernel returns the events of the kernel's classes and of those that the
// merge tools write. The caller must not change them.
var Kernel = sync.OnceValue(readKernel)

func readKernel() (groups [][]Event) {
	classes, err := parseKernel(kernelText)
	if err != nil {
		panic(err) // the text is wrong; every test finds it
	}
	for _, c := range classes {
		groups = append(groups, c.complete())
	}
	return groups
}

// KernelCatalog returns the catalog of [Kernel].
var KernelCatalog = sync.OnceValue(func() *Catalog {
	c, err := NewCatalog(Kernel()...)
	if err != nil {
		panic(err) // the text is wrong; a test checks it
	}
	return c
})
