package explain

import (
	"errors"
	"fmt"
	"strings"

	"github.com/etl2parquet/etl2parquet/decode"
	"github.com/etl2parquet/etl2parquet/decode/session"
	"github.com/etl2parquet/etl2parquet/schema"
)

// readName looks a name up in all tables of names. Case does not matter.
func readName(e *Explainer, w *word) ([]Reading, error) {
	if w.hasGUID || w.bytes != nil {
		return nil, errors.New("not a name")
	}
	name := strings.TrimSpace(w.text)
	var list []Reading
	for _, look := range []func(*Explainer, string) []Reading{kernelFlagsNamed, modesNamed, statusesNamed, valuesNamed, classesNamed, headersNamed, symbolsNamed, eventsNamed, tablesNamed, providersNamed} {
		list = append(list, look(e, name)...)
	}
	return list, nil
}

// kernelFlags calls visit for each bit of a group mask that has a name.
func kernelFlags(visit func(word int, bit uint32, name string)) {
	for word := range decode.GroupMaskWords {
		for shift := range 32 {
			bit := uint32(1) << shift
			if name := maskName(word, bit); known(name) == name {
				visit(word, bit, name)
			}
		}
	}
}

// isNamed reports whether a flag has this name, in full or without the prefix that all flags of
// its kind have.
func isNamed(full, name string) bool {
	return strings.EqualFold(full, name) || strings.EqualFold(session.ShortFlagName(full), name)
}

func kernelFlagsNamed(_ *Explainer, name string) (list []Reading) {
	kernelFlags(func(word int, bit uint32, full string) {
		if isNamed(full, name) {
			list = append(list, kernelFlagReading("name", word, bit))
		}
	})
	return list
}

// modesNamed finds the names of modes and flags of sessions and buffers.
func modesNamed(_ *Explainer, name string) (list []Reading) {
	add := func(of, full string, value uint32) {
		if known(full) == full && isNamed(full, name) {
			list = append(list, Reading{As: "name", Meaning: fmt.Sprintf("%s, %#x of %s", full, value, of)})
		}
	}
	for shift := range 32 {
		bit := uint32(1) << shift
		add("LogFileMode", session.LogFileModeNames(bit)[0], bit)
		if bit <= 0xffff {
			add("the BufferFlag of a buffer", session.BufferFlagNames(uint16(bit))[0], bit)
		}
	}
	for value := range uint32(16) {
		add("the BufferType of a buffer", session.BufferTypeName(uint16(value)), value)
		add("ReservedFlags, the clock of a session", session.ClockTypeName(value), value)
	}
	return list
}

// valuesNamed finds the names of values of fields and columns.
func valuesNamed(_ *Explainer, name string) (list []Reading) {
	for _, v := range schema.AllValues() {
		if v.Name == "log_file_mode" || v.Name == string(schema.AsNTStatus) && len(statusesNamed(nil, name)) > 0 {
			continue // see modesNamed and statusesNamed
		}
		for _, n := range v.Names {
			if strings.EqualFold(n.Name, name) {
				list = append(list, Reading{As: "name", Meaning: fmt.Sprintf("%s, %#x of %s", n.Name, n.Value, v.Name),
					Facts: []Fact{{Name: v.Name, Value: v.Doc}, {Name: "source", Value: v.Ref}}})
			}
		}
	}
	return list
}

// classesNamed finds the classes of kernel events, and control GUIDs.
func classesNamed(e *Explainer, name string) (list []Reading) {
	seen := make(map[schema.GUID]bool)
	add := func(id schema.GUID, of string) {
		if strings.EqualFold(of, name) && !seen[id] {
			seen[id] = true
			list = append(list, classReading(id, of))
		}
	}
	for _, c := range schema.KernelClasses() {
		add(c.GUID, c.Name)
	}
	for _, t := range schema.KernelCatalog().Tables() { // classes of the merge tools
		add(t.Literals()[0].GUID, t.Class)
	}
	for _, c := range schema.ControlGUIDs() {
		if strings.EqualFold(c.Name, name) || strings.EqualFold(c.Name+"Guid", name) {
			list = append(list, controlReading(&c))
		}
	}
	for i := range list {
		list[i].As = "name"
	}
	return list
}

func headersNamed(_ *Explainer, name string) (list []Reading) {
	for n := range 256 {
		if t := decode.HeaderType(n); t.String() != decode.TypeUnknown.String() && strings.EqualFold(t.String(), name) {
			list = append(list, headerTypeReading("name", t))
		}
	}
	return list
}

func symbolsNamed(_ *Explainer, name string) []Reading {
	s, ok := schema.LookupSymbol(name)
	if !ok {
		return nil
	}
	r, ok := hookReading(s.Hook)
	if !ok {
		return nil
	}
	r.As = "name"
	r.Meaning = "symbol of hook " + r.Meaning
	return []Reading{r}
}

// eventsNamed finds kernel events, by name alone or as class/event.
func eventsNamed(_ *Explainer, name string) (list []Reading) {
	for _, t := range schema.KernelCatalog().Tables() {
		if !strings.EqualFold(t.Name, name) && !strings.EqualFold(t.Class+"/"+t.Name, name) && !t.Table.Named(name) {
			continue
		}
		first := t.Literals()[0]
		r := Reading{As: "name", Meaning: fmt.Sprintf("event %s/%s", t.Class, t.Name)}
		if class, ok := schema.KernelClassOf(first.Hook); ok && first.HasHook {
			r.Meaning += fmt.Sprintf(", hook %#04x", first.Hook)
			r.Facts = hookFacts(first.Hook, class)
		} else {
			r.Facts = append([]Fact{{Name: "class GUID", Value: first.GUID.String()}, {Name: "type", Value: fmt.Sprintf("%#02x (%d)", first.Type, first.Type)}}, eventFacts(t)...)
		}
		list = append(list, r)
	}
	return list
}

// tablesNamed finds tables and views, except tables of kernel events.
func tablesNamed(e *Explainer, name string) (list []Reading) {
	for _, t := range e.Tables {
		if t.Named(name) && !t.IsPayload() {
			list = append(list, Reading{As: "name", Meaning: fmt.Sprintf("table or view %s", t.Name), Facts: []Fact{
				{Name: "table", Value: t.Doc}, {Name: "columns", Value: fmt.Sprintf("%d; etl2parquet describe %s explains them", len(t.Columns), t.Name)},
			}})
		}
	}
	return list
}

func providersNamed(e *Explainer, name string) []Reading { return e.providerReadings("name", name) }

// names returns all names, to suggest the ones similar to a word.
func (e *Explainer) names() (list []string) {
	kernelFlags(func(_ int, _ uint32, full string) { list = append(list, full) })
	for _, v := range schema.AllValues() {
		for _, n := range v.Names {
			list = append(list, n.Name)
		}
	}
	for _, s := range schema.HookSymbols() {
		list = append(list, s.Symbol)
	}
	for _, c := range schema.KernelClasses() {
		list = append(list, c.Name)
	}
	for _, c := range schema.ControlGUIDs() {
		list = append(list, c.Name)
	}
	for _, t := range schema.KernelCatalog().Tables() {
		list = append(list, t.Name)
	}
	for _, t := range e.Tables {
		list = append(list, schema.TableNames(t.Name)...)
	}
	return list
}
