package catalog

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"github.com/etl2parquet/etl2parquet/decode"
	"github.com/etl2parquet/etl2parquet/decode/manifest"
	"github.com/etl2parquet/etl2parquet/decode/tracelogging"
	"github.com/etl2parquet/etl2parquet/facts"
	"github.com/etl2parquet/etl2parquet/internal/engine/problems"
	"github.com/etl2parquet/etl2parquet/schema"
)

// Sources are the descriptions of all events of a trace that are not the kernel's: those in the
// trace itself, those in the user's files, and the built-in ones.
type Sources struct {
	learned    *Learned
	own        *traceDescriptions // in the trace
	siblings   *traceDescriptions
	sibling    KnownFrom                          // of siblings
	inputs     *InputDescriptions                 // or nil
	ofInput    map[schema.GUID]*traceDescriptions // that were asked for
	described  map[schema.GUID]*traceDescriptions // of these: that describe events
	unknown    map[schema.GUID]bool               // providers and classes of events that nothing describes, nor other events of theirs
	err        error                              // why the inputs could not be asked
	files      *Files                             // or nil
	catalogs   *catalogs
	problems   *problems.List
	fromFiles  map[schemaKey]*schema.Schema // of the providers looked up
	anyVersion map[schemaKey]*schema.Schema // of classes without a version; the version of the key is 0
	asked      map[schema.GUID]bool
	fromOf     map[*schema.Schema]KnownFrom // of the schemas of files
	used       map[*schemaFile]bool         // files that describe events of the trace
	fields     int                          // of TraceLogging and records, so far
	maxFields  int
	beyond     int64 // number of schemas with too many fields
}

// schemaKey identifies a schema of a provider or class.
type schemaKey struct {
	provider schema.GUID
	id       uint16
	version  uint8
	classic  bool
}

func keyOfSchema(s *schema.Schema) schemaKey { return schemaKey{s.GUID, s.ID, s.Version, s.Classic} }

// SourceOptions say what else describes the events of a trace. All may be nil or 0.
type SourceOptions struct {
	Files     *Files
	Siblings  *Learned // of the traces of the same session
	Names     []string // of their files
	Inputs    *InputDescriptions
	Input     string // the trace among them
	Build     int    // of the Windows that wrote the trace
	MaxFields int    // that are described; 0 is DefaultMaxFields
}

// NewSources reads the descriptions in the trace and in its siblings.
func NewSources(l *Learned, o SourceOptions, found *problems.List) *Sources {
	s := &Sources{learned: l, sibling: fromSiblings(o.Names), files: o.Files, inputs: o.Inputs, ofInput: make(map[schema.GUID]*traceDescriptions), described: make(map[schema.GUID]*traceDescriptions), unknown: make(map[schema.GUID]bool), problems: found, maxFields: cmp.Or(o.MaxFields, DefaultMaxFields), catalogs: newCatalogs(o.Files, o.Build, found),
		fromFiles: make(map[schemaKey]*schema.Schema), anyVersion: make(map[schemaKey]*schema.Schema), asked: make(map[schema.GUID]bool), fromOf: make(map[*schema.Schema]KnownFrom), used: make(map[*schemaFile]bool)}
	s.own, s.siblings = readDescriptions(l, found, s.room), new(traceDescriptions)
	if l.beyond == 0 { // else the workers decide which are left
		o.Inputs.add(o.Input, s.own)
	}
	s.own.texts = nil
	if o.Siblings != nil {
		s.siblings = readDescriptions(o.Siblings, new(problems.List), s.room) // each has its own problems
		s.siblings.texts = nil
	}
	return s
}

// DefaultMaxFields bounds the described fields: three bytes of metadata can describe a field,
// which takes a hundred times as much memory.
const DefaultMaxFields = 1 << 19

// room reports whether the fields of a schema are within the limit, and counts them.
func (s *Sources) room(found *schema.Schema) bool {
	n := countFields(found.Fields)
	if s.fields+n > s.maxFields {
		s.beyond++
		return false
	}
	s.fields += n
	return true
}

func countFields(fields []schema.Field) int {
	n := len(fields)
	for i := range fields {
		n += countFields(fields[i].Struct)
	}
	return n
}

// finish reports the schemas beyond the limit, once all have been found.
func (s *Sources) finish() {
	if s.beyond > 0 {
		s.problems.Trace(facts.SeverityWarning, "schemas_limit", s.beyond, "", "the trace describes more than %d fields; events described by the rest are not decoded", s.maxFields)
	}
}

func (s *Sources) problem(code, field string, err error) {
	s.problems.Trace(facts.SeverityInfo, code, 1, field, "%v", err)
}

func keepFirst(m map[schemaKey]*schema.Schema, s *schema.Schema) {
	if key := keyOfSchema(s); m[key] == nil {
		m[key] = s
	}
}

// withMessage returns a copy of a schema with the message parsed from text, if there is one.
func withMessage(s *schema.Schema, text string, insert func(int) (int, bool)) *schema.Schema {
	own := *s
	if text != "" {
		own.Message = decode.ParseMessage(text, insert)
	}
	return &own
}

// description describes a kind of event, as a form does.
type description struct {
	*schema.Schema
	from      KnownFrom
	builds    []int // of Windows, with this layout; nil if it is not from a catalogue of builds
	isNamed   bool  // the name is from the catalogue of Windows
	isOther   bool  // see Kind.IsOther
	label     string
	others    []*description
	shared    *description
	weaker    *description
	processes map[uint32]*description
}

// find returns the description of a kind of event, or nil. The caller may change its schema.
func (s *Sources) find(t *EventType, provider string) *description {
	switch {
	case t.Meta > 0:
		return s.traceLogging(t, provider)
	case !t.HasGUID:
		return nil
	case t.Family == decode.FamilyMessage:
		return s.message(t)
	}
	key := schemaKey{t.GUID, uint16(t.ID), t.LayoutVersion(), t.Family != decode.FamilyEvent}
	list := s.ofVersion(key)
	found := join(list)
	if found == nil {
		found = correct(key, nil)
	}
	found = withDynamic(key, found)
	if found == nil {
		if _, sent := s.chunked(key.provider); !sent && len(s.ofInputs(key.provider).manifests) == 0 {
			s.unknown[key.provider] = true
		}
		return nil
	}
	own := s.named(found, key, provider)
	s.noteDiffering(t, own, list)
	if s.catalogs.isBeyond(found.builds) {
		s.problems.Trace(facts.SeverityInfo, "layout_guessed", t.Events, own.Class+"/"+own.Name,
			"build %d of Windows is older or newer than all builds whose layouts are known: its events are decoded as those of build %d", s.catalogs.build, s.catalogs.nearest(found.builds))
	}
	if own.Version != key.version {
		s.problems.Trace(facts.SeverityInfo, "version_unknown", t.Events, own.Class+"/"+own.Name,
			"no description of version %d: its events are decoded as version %d, and the rest of their payloads is in payload_rest", key.version, own.Version)
	}
	return own
}

// noteDiffering reports manifests of processes that describe a kind of event differently.
func (s *Sources) noteDiffering(t *EventType, own *description, list []*candidates) {
	for _, c := range list {
		if len(c.sent) < 2 {
			continue
		}
		var texts []string
		for n, f := range c.all()[:len(c.sent)] {
			texts = append(texts, f.text()+processesText(c.sent[n], f.from))
		}
		s.problems.Trace(facts.SeverityWarning, "descriptions_differ", t.Events, own.Class+"/"+own.Name,
			"version %d: manifests describe it differently: %s: each decodes the events of its processes; of events of other processes that several fit, only what they agree on is read", t.Version, strings.Join(texts, ", "))
	}
}

// named returns copies of a form, and of the forms for other payloads, with the names of their provider and event.
func (s *Sources) named(found *form, key schemaKey, provider string) *description {
	own := s.namedOne(found, key, provider)
	for _, other := range found.others {
		own.others = append(own.others, s.namedOne(other, key, provider))
	}
	if found.shared != nil {
		own.shared = s.namedOne(found.shared, key, provider)
	}
	if found.weaker != nil {
		own.weaker = s.named(found.weaker, key, provider)
	}
	chains := make(map[*form]*description)
	for process, f := range found.processes {
		if chains[f] == nil {
			chains[f] = s.named(f, key, provider)
		}
		if own.processes == nil {
			own.processes = make(map[uint32]*description)
		}
		own.processes[process] = chains[f]
	}
	return own
}

// namedOne returns a copy of a form with the names of its provider and event. Names of Windows' own
// catalogue win, so that an event has the same name whatever describes it.
func (s *Sources) namedOne(found *form, key schemaKey, provider string) *description {
	own, isNamed := *found.Schema, false
	if key.classic {
		own.Version = key.version // the class may have no version
	} else if name := s.catalogs.windowsName(key.provider); name != "" {
		own.Class = name
		if name := s.catalogs.eventName(key.provider, key.id); name != "" {
			own.Name, isNamed = name, true
		}
	}
	own.Class = cmp.Or(own.Class, provider, own.GUID.String())
	own.Name = own.DisplayName()
	if own.Version == key.version {
		own.NULs = s.nulsOf(key, &own)
	}
	return &description{Schema: &own, from: found.from, builds: found.builds, isNamed: isNamed, isOther: found.isOther, label: found.label}
}

// nulsOf returns how texts of an event treat NULs. An event is logged by an EventSource if its
// provider logged a manifest, or has the GUID that EventSource derives from its name. Windows' own
// providers log no NULs in such texts; for events of the user's files it is unknown.
func (s *Sources) nulsOf(key schemaKey, found *schema.Schema) schema.NULs {
	_, logged := s.chunked(key.provider)
	switch {
	case key.classic:
		return schema.NoNULs
	case logged, found.Source == schema.FromEventSource, tracelogging.ProviderGUID(found.Class) == key.provider:
		return schema.HoldsNULs
	case found.Source == schema.FromManifest:
		return schema.PerhapsNULs
	}
	return schema.NoNULs
}

// chunked returns the name of a provider that logged a manifest, here or in a sibling, or "" if the manifest
// has none.
func (s *Sources) chunked(provider schema.GUID) (name string, ok bool) {
	if name, ok = s.own.names[provider]; !ok {
		name, ok = s.siblings.names[provider]
	}
	return name, ok
}

// ofVersion returns the descriptions of events with a key in all sources except the event itself, else those of
// the highest lower version: a new version of an event only appends fields.
func (s *Sources) ofVersion(of schemaKey) []*candidates {
	key := of
	for {
		if list := s.candidatesOf(key, of); list != nil {
			return list
		}
		if name, ok := s.chunked(key.provider); ok && key.id == manifest.EventID && !key.classic {
			return []*candidates{candidate(of, manifest.ChunkSchema(key.provider, name, key.version), FromProgram)}
		}
		if key.classic || key.version == 0 {
			return nil
		}
		key.version--
	}
}

// noDescriptions is never changed.
var noDescriptions traceDescriptions

// ofInputs returns the descriptions of a provider's events in the inputs of the run.
func (s *Sources) ofInputs(provider schema.GUID) *traceDescriptions {
	if s.inputs == nil || s.err != nil {
		return &noDescriptions
	}
	of, asked := s.ofInput[provider]
	if !asked {
		if of, s.err = s.inputs.provider(provider); s.err != nil {
			return &noDescriptions
		}
		s.ofInput[provider] = of
	}
	return of
}

// Err returns why the inputs of the run could not be asked for descriptions.
func (s *Sources) Err() error { return s.err }

// traceLogging parses the metadata of a kind of event.
func (s *Sources) traceLogging(t *EventType, provider string) *description {
	metadata := s.learned.metadata.list[t.Meta-1]
	found, err := tracelogging.Parse([]byte(metadata))
	if err != nil {
		s.problem("tracelogging_damaged", provider, err)
	}
	if found == nil || !s.room(found) {
		return nil
	}
	found.GUID = t.GUID
	found.Class = cmp.Or(provider, t.GUID.String())
	found.Name = found.DisplayName()
	return &description{Schema: found, from: FromEvent}
}

// message looks up a message in the TMF files and catalogues of the user.
func (s *Sources) message(t *EventType) *description {
	own, from := s.messageOfFiles(t)
	if own == nil {
		key := formKey{schemaKey: schemaKey{provider: t.GUID, id: uint16(t.ID)}, message: true}
		found := s.catalogs.find(key)
		if found == nil {
			return nil
		}
		copied := *found.Schema
		own, from = &copied, s.catalogs.knownFrom(key)
	}
	own.Class = cmp.Or(own.Class, own.GUID.String())
	own.Name = own.DisplayName()
	return &description{Schema: own, from: from}
}

// messageOfFiles returns a copy of a message's schema from the TMF files, or nil, and where it is.
func (s *Sources) messageOfFiles(t *EventType) (*schema.Schema, KnownFrom) {
	if s.files == nil {
		return nil, ""
	}
	found := s.files.message(t.GUID, uint16(t.ID))
	if found.schema == nil {
		return nil, ""
	}
	s.used[found.file] = true
	own := *found.schema
	return &own, found.file.knownFrom()
}

// ofUser looks up an event in the files of the user.
func (s *Sources) ofUser(key schemaKey) *schema.Schema {
	if s.files == nil {
		return nil
	}
	if !s.asked[key.provider] {
		s.asked[key.provider] = true
		s.ask(key.provider)
	}
	unversioned := key
	unversioned.version = 0
	return cmp.Or(s.fromFiles[key], s.anyVersion[unversioned])
}

// Descriptions returns the files that describe events of the trace.
func (s *Sources) Descriptions() []Description {
	var list []Description
	for f := range s.used {
		list = append(list, f.description())
	}
	for c := range s.catalogs.used {
		if c != s.catalogs.windows {
			list = append(list, s.files.fileOf[c].description())
		}
	}
	return list // in no particular order
}

// Inputs returns the inputs of the run that describe events of the trace, with fingerprints of what all of
// them say about a provider, in order.
func (s *Sources) Inputs() (list []Description) {
	for _, of := range s.described {
		for _, name := range of.inputs {
			list = append(list, Description{InputDescription, name, of.fingerprint})
		}
	}
	slices.SortFunc(list, compareDescriptions)
	return list
}

// Unknown returns the providers and classes that have events which nothing describes, and that no trace of the
// run describes other events of, sorted.
func (s *Sources) Unknown() []schema.GUID {
	return slices.SortedFunc(maps.Keys(s.unknown), schema.GUID.Compare)
}

// Described returns the providers and classes whose events the trace describes, sorted.
func (s *Sources) Described() []schema.GUID {
	ids := make(map[schema.GUID]bool)
	for described := range s.own.schemas {
		ids[described.GUID] = true
	}
	return slices.SortedFunc(maps.Keys(ids), schema.GUID.Compare)
}

// ask loads the descriptions of a provider or class from the files.
func (s *Sources) ask(provider schema.GUID) {
	for _, ev := range s.files.Events(provider) {
		own := withMessage(ev.Schema, ev.MessageText, ev.Insert)
		s.fromOf[own] = s.files.knownFrom(ev.Schema)
		keepFirst(s.fromFiles, own)
	}
	for _, ev := range s.files.Classic(provider) {
		s.fromOf[ev.Schema] = s.files.knownFrom(ev.Schema)
		if ev.AnyVersion {
			keepFirst(s.anyVersion, ev.Schema)
		} else {
			keepFirst(s.fromFiles, ev.Schema)
		}
	}
}
