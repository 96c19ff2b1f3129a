package explain

import (
	"errors"
	"fmt"

	"github.com/etl2parquet/etl2parquet/schema"
)

func readGUID(e *Explainer, w *word) ([]Reading, error) {
	switch {
	case w.hasGUID:
		return e.guidReadings(w.guid), nil
	case len(w.bytes) == len(schema.GUID{}):
		return e.guidReadings(schema.GUID(w.bytes)), nil
	}
	return nil, errors.New("neither a GUID such as 3d6fa8d1-fe05-11d0-9dda-00c04fd7ba7c nor 16 bytes")
}

// guidReadings returns all known meanings of a GUID.
func (e *Explainer) guidReadings(id schema.GUID) (list []Reading) {
	if name, ok := schema.ProviderName(id); ok {
		list = append(list, classReading(id, name))
	}
	for _, c := range schema.ControlGUIDs() {
		if c.GUID == id {
			list = append(list, controlReading(&c))
		}
	}
	return append(list, e.providerReadings("guid", id.String())...)
}

// providerReadings returns the providers that a catalogue knows by a GUID or name.
func (e *Explainer) providerReadings(as, nameOrGUID string) (list []Reading) {
	if e.Providers == nil {
		return nil
	}
	for _, p := range e.Providers(nameOrGUID) {
		list = append(list, Reading{As: as, Meaning: "provider " + p.Name, Facts: []Fact{
			{Name: "GUID", Value: p.GUID.String()}, {Name: "provider", Value: p.Name}, {Name: "source", Value: p.Source},
		}})
	}
	return list
}

// classReading explains an event class of the kernel or of the merge tools.
func classReading(id schema.GUID, name string) Reading {
	r := Reading{As: "guid", Meaning: fmt.Sprintf("event class %s", name)}
	r.Facts = []Fact{{Name: "GUID", Value: id.String()}, {Name: "class", Value: name}}
	for _, c := range schema.KernelClasses() {
		if c.GUID == id {
			r.Meaning += " of the kernel"
			r.Facts = append(r.Facts,
				Fact{Name: "group", Value: fmt.Sprintf("%#02x, hooks %#02x00 to %#02xff", c.Group, c.Group, c.Group)},
				Fact{Name: "source", Value: c.Ref})
		}
	}
	for _, t := range schema.KernelCatalog().Tables() {
		first := t.Literals()[0]
		if first.GUID != id {
			continue
		}
		what := fmt.Sprintf("type %#02x", first.Type)
		if first.HasHook {
			what = fmt.Sprintf("hook %#04x", first.Hook)
		}
		r.Facts = append(r.Facts, Fact{Name: "event", Value: fmt.Sprintf("%s, %s, table %s", t.Name, what, t.Table.Name)})
	}
	return r
}

func controlReading(c *schema.ControlGUID) Reading {
	return Reading{As: "guid", Meaning: "control GUID " + c.Name, Facts: []Fact{
		{Name: "GUID", Value: c.GUID.String()}, {Name: "name", Value: c.Name + "Guid"}, {Name: "controls", Value: c.Doc},
	}}
}
