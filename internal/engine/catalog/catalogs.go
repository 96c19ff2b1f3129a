package catalog

import (
	"cmp"
	"reflect"
	"slices"

	"github.com/etl2parquet/etl2parquet/facts"
	"github.com/etl2parquet/etl2parquet/internal/engine/catalog/packed"
	"github.com/etl2parquet/etl2parquet/internal/engine/problems"
	"github.com/etl2parquet/etl2parquet/schema"
)

// catalogs are the packed catalogues that are searched: the user's, and then that of Windows' own
// providers.
type catalogs struct {
	list     []*packed.Catalog
	files    *Files
	windows  *packed.Catalog // the last of the list, or nil
	build    int             // of the Windows that wrote the trace
	problems *problems.List
	forms    map[formKey][]packed.Event  // of the providers looked up
	from     map[formKey]*packed.Catalog // that describes the event
	used     map[*packed.Catalog]bool
	names    map[schema.GUID]map[uint16]string    // of events, by Windows' catalogue
	known    map[schema.Identity][]*schema.Schema // the forms of events of the providers looked up, by Windows' catalogue
	asked    map[schema.GUID]bool
}

// formKey identifies an event in a catalogue.
type formKey struct {
	schemaKey
	anyVersion bool // of a class that describes all versions; the version is 0
	message    bool // of a WPP message
}

func formKeyOf(ev *packed.Event) formKey {
	key := formKey{keyOfSchema(ev.Schema), ev.AnyVersion, ev.Source == schema.FromTMF}
	if key.anyVersion {
		key.version = 0
	}
	return key
}

// newCatalogs returns the catalogues for a trace that a build of Windows wrote. files may be nil.
func newCatalogs(files *Files, build int, found *problems.List) *catalogs {
	c := &catalogs{files: files, build: build, problems: found,
		forms: make(map[formKey][]packed.Event), from: make(map[formKey]*packed.Catalog), used: make(map[*packed.Catalog]bool),
		names: make(map[schema.GUID]map[uint16]string), known: make(map[schema.Identity][]*schema.Schema), asked: make(map[schema.GUID]bool)}
	c.list, c.windows = files.Catalogs()
	return c
}

// find returns the form of an event in the trace's build, else in the nearest older build, else in
// the nearest newer build.
func (c *catalogs) find(key formKey) *form {
	c.ask(key.provider)
	events := c.forms[key]
	if events == nil {
		key.version, key.anyVersion = 0, true
		events = c.forms[key]
	}
	if len(events) == 0 {
		return nil
	}
	c.used[c.from[key]] = true
	// The best form is first: the newest that is not newer than the trace, then the oldest that is newer.
	ordered := slices.Clone(events)
	slices.SortStableFunc(ordered, func(a, b packed.Event) int { return cmp.Compare(c.distance(a.Builds), c.distance(b.Builds)) })
	best := &form{Schema: ordered[0].Schema, builds: ordered[0].Builds}
	for _, ev := range ordered[1:] {
		same := func(f *form) bool { return sameLayout(f.Fields, ev.Fields) }
		if !same(best) && !slices.ContainsFunc(best.others, same) {
			best.others = append(best.others, &form{Schema: ev.Schema, builds: ev.Builds, isOther: true})
		}
	}
	if best.builds == nil && len(best.others) > 0 {
		best.shared = best.beginning()
	}
	return best
}

// knownFrom returns where the description that find has found is.
func (c *catalogs) knownFrom(key formKey) KnownFrom {
	of, known := c.from[key]
	if !known {
		key.version, key.anyVersion = 0, true
		of = c.from[key]
	}
	if of == c.windows {
		return FromProgram
	}
	return c.files.fileOf[of].knownFrom()
}

// beginning returns the form of the fields that a form and its others begin with. After them comes
// a field that is never read, because the layouts differ there.
func (f *form) beginning() *form {
	n := len(f.Fields)
	for _, other := range f.others {
		n = min(n, len(other.Fields))
		for n > 0 && !sameFields(f.Fields[:n], other.Fields[:n]) {
			n--
		}
	}
	if n == len(f.Fields) {
		return nil
	}
	own := *f.Schema
	own.Fields = slices.Clone(f.Fields[:n+1])
	own.Fields[n].Unstated = schema.LayoutUnstated
	own.Message = nil
	return &form{Schema: &own}
}

// distance returns how far the nearest of some builds is from the trace's build. Any older build is
// nearer than all newer builds.
func (c *catalogs) distance(builds []int) int64 {
	const newer = int64(1) << 32
	nearest := 2 * newer
	for _, build := range builds {
		if build <= c.build {
			nearest = min(nearest, int64(c.build-build))
		} else {
			nearest = min(nearest, newer+int64(build-c.build))
		}
	}
	if len(builds) == 0 { // not of particular builds
		return 0
	}
	return nearest
}

// isBeyond reports whether a layout is of particular builds, and the trace is older or newer than
// all known builds.
func (c *catalogs) isBeyond(builds []int) bool {
	if len(builds) == 0 || c.windows == nil || c.build == 0 {
		return false
	}
	known := c.windows.Builds // in order
	return len(known) > 0 && (c.build < known[0] || c.build > known[len(known)-1])
}

// nearest returns the one of some builds that is nearest to the trace's build.
func (c *catalogs) nearest(builds []int) int {
	return slices.MinFunc(builds, func(a, b int) int { return cmp.Compare(c.distance([]int{a}), c.distance([]int{b})) })
}

// sameFields reports whether the fields of two forms have the same names and take the same bytes.
func sameFields(a, b []schema.Field) bool {
	return sameLayout(a, b) && slices.EqualFunc(a, b, func(a, b schema.Field) bool { return a.Original == b.Original })
}

// sameLayout reports whether the fields of two forms take the same bytes.
func sameLayout(a, b []schema.Field) bool {
	return slices.EqualFunc(a, b, func(a, b schema.Field) bool {
		a.Map, b.Map, a.Doc, b.Doc, a.Name, b.Name, a.Original, b.Original = nil, nil, "", "", "", "", "", ""
		return reflect.DeepEqual(a, b)
	})
}

// eventName returns the name of an event in the catalogue of Windows if it is unique, or "".
func (c *catalogs) eventName(provider schema.GUID, id uint16) string {
	c.ask(provider)
	return c.names[provider][id]
}

// windowsName returns the name of a provider in the catalogue of Windows, or "".
func (c *catalogs) windowsName(id schema.GUID) string {
	if c.windows == nil {
		return ""
	}
	e, ok := c.windows.Entry(id)
	if !ok {
		return ""
	}
	return e.Name
}

// providerName returns the name of a provider, class or group of messages, or "". isComponent is
// true if it is the name of a component rather than a provider.
func (c *catalogs) providerName(id schema.GUID) (name string, isComponent bool) {
	for _, one := range slices.Backward(c.list) { // Windows' own name wins
		if e, ok := one.Entry(id); ok {
			return e.Name, e.IsComponent
		}
	}
	return "", false
}

// ask unpacks a provider.
func (c *catalogs) ask(id schema.GUID) {
	if c.asked[id] {
		return
	}
	c.asked[id] = true
	for _, one := range c.list {
		p, err := one.Provider(id)
		if err != nil {
			c.problems.Trace(facts.SeverityWarning, "catalog_damaged", 1, id.String(), "%v", err)
		}
		if p != nil {
			c.add(p, one)
		}
	}
}

// add adds the events of a provider, except those that an earlier catalogue has.
func (c *catalogs) add(p *packed.Provider, from *packed.Catalog) {
	names := make(map[uint16]string)
	earlier := make(map[formKey]bool) // whether an earlier catalogue has the event
	for i := range p.Events {
		ev := &p.Events[i]
		key := formKeyOf(ev)
		if _, seen := earlier[key]; !seen {
			earlier[key] = c.forms[key] != nil
		}
		if !earlier[key] {
			c.forms[key], c.from[key] = append(c.forms[key], *ev), from
		}
		if !ev.Classic {
			names[ev.ID] = ev.DisplayName()
		}
		if from == c.windows && !key.message {
			c.known[ev.Identity()] = append(c.known[ev.Identity()], ev.Schema)
		}
	}
	if from == c.windows {
		c.names[p.GUID] = names
	}
}
