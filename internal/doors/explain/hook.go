package explain

import (
	"fmt"
	"strings"

	"github.com/etl2parquet/etl2parquet/schema"
)

func readHook(_ *Explainer, w *word) ([]Reading, error) {
	return w.eachNumber(16, func(n uint64) (Reading, bool) {
		hook := uint16(n)
		if !w.asked && len(hookTables(hook)) == 0 && schema.SymbolsOf(hook) == nil {
			return Reading{}, false // any number has a group
		}
		return hookReading(hook)
	})
}

// hookReading returns the meaning of a hook id; ok is false if no public source knows its
// group.
func hookReading(hook uint16) (r Reading, ok bool) {
	class, ok := schema.KernelClassOf(hook)
	if !ok {
		return r, false
	}
	r = Reading{As: "hook", Meaning: fmt.Sprintf("%#04x, %s", hook, hookName(hook))}
	r.Facts = hookFacts(hook, class)
	return r, true
}

// hookName names a hook: by its event, else its symbol, else its class.
func hookName(hook uint16) string {
	if tables := hookTables(hook); len(tables) > 0 {
		return tables[0].Class + "/" + tables[0].Name
	}
	if symbols := schema.SymbolsOf(hook); len(symbols) > 0 {
		return symbols[0]
	}
	if class, ok := schema.KernelClassOf(hook); ok {
		return fmt.Sprintf("%s, type %#02x", class.Name, uint8(hook))
	}
	return fmt.Sprintf("group %#02x, type %#02x: no public source names the group", hook>>8, uint8(hook))
}

// hookTables returns the tables of a hook's events.
func hookTables(hook uint16) (list []*schema.EventTable) {
	for _, t := range schema.KernelCatalog().Tables() {
		if first := t.Literals()[0]; first.HasHook && first.Hook == hook {
			list = append(list, t)
		}
	}
	return list
}

func hookFacts(hook uint16, class *schema.KernelClass) []Fact {
	facts := []Fact{{Name: "hook", Value: fmt.Sprintf("%#04x (%d)", hook, hook)}}
	for _, symbol := range schema.SymbolsOf(hook) {
		facts = append(facts, Fact{Name: "symbol", Value: symbol})
	}
	facts = append(facts,
		Fact{Name: "class", Value: fmt.Sprintf("%s, group %#02x", class.Name, class.Group)},
		Fact{Name: "class GUID", Value: class.GUID.String()},
		Fact{Name: "type", Value: fmt.Sprintf("%#02x (%d)", uint8(hook), uint8(hook))})
	tables := hookTables(hook)
	if len(tables) == 0 {
		return append(facts, Fact{Name: "event", Value: "not decoded: no public source describes the payload"})
	}
	for _, t := range tables {
		facts = append(facts, eventFacts(t)...)
	}
	return facts
}

// eventFacts explains the event of a table.
func eventFacts(t *schema.EventTable) []Fact {
	facts := []Fact{
		{Name: "event", Value: t.Name + ": " + t.Table.Doc},
		{Name: "table", Value: t.Table.Name},
		{Name: "view", Value: t.Table.ViewName()},
	}
	var enabledBy string
	for _, e := range t.Literals() {
		facts = append(facts, Fact{Name: "layout", Value: fmt.Sprintf("versions %s: %s; %s", versions(e), e.Certainty, e.Ref)})
		if e.EnabledBy != "" && e.EnabledBy != enabledBy {
			enabledBy = e.EnabledBy
			facts = append(facts, Fact{Name: "enabled by", Value: enabledBy})
		}
	}
	return facts
}

func versions(e *schema.Event) string {
	if e.Before == 0 {
		return fmt.Sprintf("from %d on", e.Since)
	}
	return fmt.Sprintf("%d to %d", e.Since, e.Before-1)
}

// enables reports whether a flag enables an event.
func enables(flag string, e *schema.Event) bool {
	for _, name := range strings.FieldsFunc(e.EnabledBy, func(r rune) bool {
		return r != '_' && (r < 'A' || r > 'Z') && (r < '0' || r > '9')
	}) {
		if name == flag {
			return true
		}
	}
	return false
}

// enabledEvents returns the names of the events that a flag enables, as class/event.
func enabledEvents(flag string) (list []string) {
	for _, t := range schema.KernelCatalog().Tables() {
		for _, e := range t.Literals() {
			if enables(flag, e) {
				list = append(list, t.Class+"/"+t.Name)
				break
			}
		}
	}
	return list
}
