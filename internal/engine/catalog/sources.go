package catalog

import (
	"cmp"

	"github.com/etl2parquet/etl2parquet/decode"
	"github.com/etl2parquet/etl2parquet/decode/eventinfo"
	"github.com/etl2parquet/etl2parquet/decode/manifest"
	"github.com/etl2parquet/etl2parquet/decode/tracelogging"
	"github.com/etl2parquet/etl2parquet/internal/engine/problems"
	"github.com/etl2parquet/etl2parquet/schema"
)

// Sources are the descriptions of all events of a trace that are not the kernel's: those in the
// trace itself, those in the user's files, and the built-in ones.
type Sources struct {
	learned     *Learned
	files       *Files // or nil
	catalogs    *catalogs
	problems    *problems.List
	eventSource map[schemaKey]*schema.Schema
	chunks      map[schema.GUID]string // names of the providers that logged a manifest; "" if it has none
	records     map[schemaKey]*schema.Schema
	fromFiles   map[schemaKey]*schema.Schema // of the providers looked up
	anyVersion  map[schemaKey]*schema.Schema // of classes without a version; the version of the key is 0
	asked       map[schema.GUID]bool
	used        map[*schemaFile]bool // files that describe events of the trace
	fields      int                  // of TraceLogging and records, so far
	maxFields   int
	beyond      int64 // number of schemas with too many fields
}

// schemaKey identifies a schema of a provider or class.
type schemaKey struct {
	provider schema.GUID
	id       uint16
	version  uint8
	classic  bool
}

func keyOfSchema(s *schema.Schema) schemaKey { return schemaKey{s.GUID, s.ID, s.Version, s.Classic} }

// NewSources reads the descriptions in the trace, which a build of Windows wrote. At most maxFields
// fields are described; 0 is DefaultMaxFields.
func NewSources(l *Learned, files *Files, build, maxFields int, found *problems.List) *Sources {
	s := &Sources{learned: l, files: files, problems: found, maxFields: cmp.Or(maxFields, DefaultMaxFields), catalogs: newCatalogs(files, build, found),
		eventSource: make(map[schemaKey]*schema.Schema), chunks: make(map[schema.GUID]string), records: make(map[schemaKey]*schema.Schema),
		fromFiles: make(map[schemaKey]*schema.Schema), anyVersion: make(map[schemaKey]*schema.Schema), asked: make(map[schema.GUID]bool), used: make(map[*schemaFile]bool)}
	s.readManifests()
	s.readRecords()
	if n := l.beyond; n > 0 {
		found.Trace(problems.Warning, "schemas_limit", n, "", "the trace has more than %d MiB of metadata; events described by the rest are not decoded", maxLearned>>20)
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
		s.problems.Trace(problems.Warning, "schemas_limit", s.beyond, "", "the trace describes more than %d fields; events described by the rest are not decoded", s.maxFields)
	}
}

// readManifests reads the manifests that EventSources logged.
func (s *Sources) readManifests() {
	pieces := &s.learned.manifests
	complete, incomplete := pieces.Assemble()
	for _, c := range complete {
		s.chunked(c.Provider, "")
		m, err := manifest.Parse(c.XML, schema.FromEventSource)
		if err != nil {
			s.problem("manifest_damaged", c.Provider.String(), err)
			continue
		}
		for _, err := range m.Errors {
			s.problem("manifest_damaged", c.Provider.String(), err)
		}
		for i := range m.Providers {
			s.chunked(c.Provider, m.Providers[i].Name)
			for j := range m.Providers[i].Events {
				ev := &m.Providers[i].Events[j]
				own := withMessage(ev.Schema, ev.MessageText, ev.Insert)
				own.GUID = c.Provider // the header's GUID wins over the one in the manifest
				keepFirst(s.eventSource, own)
			}
		}
	}
	for _, i := range incomplete {
		s.chunked(i.Provider, "")
		s.problems.Trace(problems.Info, "manifest_incomplete", 1, i.Provider.String(), "process %d logged only %d of the %d chunks of its manifest", i.Process, i.Chunks, i.Total)
	}
	if n := pieces.Invalid + pieces.Dropped; n > 0 {
		s.problems.Trace(problems.Info, "manifest_damaged", n, "", "invalid or surplus manifest chunks, ignored")
	}
}

// chunked records that a provider logged a manifest, and its first name there.
func (s *Sources) chunked(provider schema.GUID, name string) {
	s.chunks[provider] = cmp.Or(s.chunks[provider], name)
}

// readRecords reads the EventInfo and MapInfo records of the merge tools.
func (s *Sources) readRecords() {
	maps := make(map[schema.GUID]map[string]*schema.Values)
	for _, record := range s.learned.records.list {
		if record[0] != schema.MapInfoType {
			continue
		}
		provider, values, err := eventinfo.ParseMap([]byte(record[1:]))
		if err != nil {
			s.problem("map_record_damaged", provider.String(), err)
			continue
		}
		if values == nil {
			continue
		}
		if maps[provider] == nil {
			maps[provider] = make(map[string]*schema.Values)
		}
		if maps[provider][values.Name] == nil {
			maps[provider][values.Name] = values
		}
	}
	for _, record := range s.learned.records.list {
		if record[0] != schema.EventInfoType {
			continue
		}
		r, err := eventinfo.Parse([]byte(record[1:]))
		if err != nil {
			s.problem("event_record_damaged", "", err)
		}
		if r == nil {
			continue
		}
		eventinfo.Link(r.Fields, func(name string) *schema.Values { return maps[r.GUID][name] })
		if s.records[keyOfSchema(r.Schema)] == nil && s.room(r.Schema) {
			s.records[keyOfSchema(r.Schema)] = withMessage(r.Schema, r.MessageText, r.Insert)
		}
	}
}

func (s *Sources) problem(code, field string, err error) {
	s.problems.Trace(problems.Info, code, 1, field, "%v", err)
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

// description describes a kind of event. others are the layouts of the event in other builds of
// Windows than the trace's, in the order in which they are tried.
type description struct {
	*schema.Schema
	builds  []int // of Windows, with this layout; nil if it is not from a catalogue of builds
	isNamed bool  // the name is from the catalogue of Windows
	others  []*description
	shared  *description // of the fields that all of these begin with; see Kind.Shared
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
	found := s.ofVersion(key)
	if found == nil && !key.classic {
		found = s.older(key)
	}
	found = correct(key, found)
	if found == nil {
		return nil
	}
	own := s.named(found, key, provider)
	for _, other := range found.others {
		own.others = append(own.others, s.named(other, key, provider))
	}
	if found.shared != nil {
		own.shared = s.named(found.shared, key, provider)
	}
	if s.catalogs.isBeyond(found.builds) {
		s.problems.Trace(problems.Info, "layout_guessed", t.Events, own.Class+"/"+own.Name,
			"build %d of Windows is older or newer than all builds whose layouts are known: its events are decoded as those of build %d", s.catalogs.build, s.catalogs.nearest(found.builds))
	}
	if own.Version != key.version {
		s.problems.Trace(problems.Info, "version_unknown", t.Events, own.Class+"/"+own.Name,
			"no description of version %d: its events are decoded as version %d, and the rest of their payloads is in payload_rest", key.version, own.Version)
	}
	return own
}

// named returns a copy of a form with the names of its provider and event. Names of Windows' own
// catalogue win, so that an event has the same name whatever describes it.
func (s *Sources) named(found *form, key schemaKey, provider string) *description {
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
	return &description{Schema: &own, builds: found.builds, isNamed: isNamed}
}

// nulsOf returns how texts of an event treat NULs. An event is logged by an EventSource if its
// provider logged a manifest, or has the GUID that EventSource derives from its name. Windows' own
// providers log no NULs in such texts; for events of the user's files it is unknown.
func (s *Sources) nulsOf(key schemaKey, found *schema.Schema) schema.NULs {
	_, logged := s.chunks[key.provider]
	switch {
	case key.classic:
		return schema.NoNULs
	case logged, tracelogging.ProviderGUID(found.Class) == key.provider:
		return schema.HoldsNULs
	case found.Source == schema.FromManifest:
		return schema.PerhapsNULs
	}
	return schema.NoNULs
}

// ofVersion looks for a schema in all sources except the event itself.
func (s *Sources) ofVersion(key schemaKey) *form {
	if found := cmp.Or(s.eventSource[key], s.records[key]); found != nil {
		return &form{Schema: found}
	}
	if found := s.ofUser(key); found != nil {
		for _, f := range s.files.of[key.provider] {
			s.used[f] = true
		}
		return &form{Schema: found}
	}
	if found := s.catalogs.find(formKey{schemaKey: key}); found != nil {
		return found
	}
	if name, ok := s.chunks[key.provider]; ok && key.id == manifest.EventID && !key.classic {
		return &form{Schema: manifest.ChunkSchema(key.provider, name, key.version)}
	}
	return nil
}

// older returns the schema of the highest lower version. A new version of an event only appends
// fields.
func (s *Sources) older(key schemaKey) *form {
	for key.version > 0 {
		key.version--
		if found := s.ofVersion(key); found != nil {
			return found
		}
	}
	return nil
}

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
	return &description{Schema: found}
}

// message looks up a message in the TMF files and catalogues of the user.
func (s *Sources) message(t *EventType) *description {
	own := s.messageOfFiles(t)
	if own == nil {
		found := s.catalogs.find(formKey{schemaKey: schemaKey{provider: t.GUID, id: uint16(t.ID)}, message: true})
		if found == nil {
			return nil
		}
		copied := *found.Schema
		own = &copied
	}
	own.Class = cmp.Or(own.Class, own.GUID.String())
	own.Name = own.DisplayName()
	return &description{Schema: own}
}

// messageOfFiles returns a copy of a message's schema from the TMF files, or nil.
func (s *Sources) messageOfFiles(t *EventType) *schema.Schema {
	if s.files == nil {
		return nil
	}
	found := s.files.message(t.GUID, uint16(t.ID))
	if found.schema == nil {
		return nil
	}
	s.used[found.file] = true
	own := *found.schema
	return &own
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

// ask loads the descriptions of a provider or class from the files.
func (s *Sources) ask(provider schema.GUID) {
	for _, ev := range s.files.Events(provider) {
		keepFirst(s.fromFiles, withMessage(ev.Schema, ev.MessageText, ev.Insert))
	}
	for _, ev := range s.files.Classic(provider) {
		if ev.AnyVersion {
			keepFirst(s.anyVersion, ev.Schema)
		} else {
			keepFirst(s.fromFiles, ev.Schema)
		}
	}
}
