package catalog

import (
	_ "embed"
	"slices"
	"strings"
	"sync"

	"github.com/etl2parquet/etl2parquet/decode/manifest"
	"github.com/etl2parquet/etl2parquet/internal/engine/catalog/corrections"
	"github.com/etl2parquet/etl2parquet/schema"
)

//go:embed known.man
var knownManifest string

// knownEvents returns the events of a provider whose published descriptions lack fields or have wrong
// counts. The fields here replace those of any description; an event without a description
// gets the whole schema.
func knownEvents(provider schema.GUID) map[schemaKey]*schema.Schema {
	if events := knownProviders()[provider]; events != nil {
		return events()
	}
	return nil
}

// knownProviders splits knownManifest into manifests of one provider each. One is parsed when a trace
// has its provider: the whole takes 0.3 ms.
var knownProviders = sync.OnceValue(func() map[schema.GUID]func() map[schemaKey]*schema.Schema {
	const begin, end = "<provider ", "</provider>\n"
	head, rest, _ := strings.Cut(knownManifest, begin)
	providers := make(map[schema.GUID]func() map[schemaKey]*schema.Schema)
	tail := rest[strings.LastIndex(rest, end)+len(end):]
	for text := range strings.SplitSeq(strings.TrimSuffix(rest, tail), begin) {
		_, guid, _ := strings.Cut(text, `guid="`)
		guid, _, _ = strings.Cut(guid, `"`)
		id, err := schema.ParseGUID(guid)
		if err != nil {
			panic(err) // the text is wrong; a test checks it
		}
		providers[id] = sync.OnceValue(func() map[schemaKey]*schema.Schema {
			return parseKnown(head + begin + text + tail)
		})
	}
	return providers
})

func parseKnown(text string) map[schemaKey]*schema.Schema {
	m, err := manifest.Parse([]byte(text), schema.FromCatalog)
	if err != nil {
		panic(err) // the text is wrong; a test checks it
	}
	known := make(map[schemaKey]*schema.Schema)
	for i := range m.Providers {
		for j := range m.Providers[i].Events {
			s := m.Providers[i].Events[j].Schema
			known[keyOfSchema(s)] = s
		}
	}
	return known
}

// laterFields are fields of known events that older programs log without, under the same version.
// The payload's length distinguishes the two forms: in .NET 4.5 it is 8 bytes less than in 4.5.2.
var laterFields = map[schemaKey]string{
	{provider: privateCLR, id: 4, version: 2}: "ExtraGen0Commit",
}

// privateCLR is Microsoft-Windows-DotNETRuntimePrivate.
var privateCLR = schema.GUID{0x54, 0xd7, 0x3f, 0x76, 0x86, 0x70, 0xfe, 0x4d, 0x95, 0xeb, 0xc0, 0x1a, 0x46, 0xfa, 0xf4, 0xca}

// withOlderForm returns a description of an event, together with the shorter form that older
// programs may log.
func withOlderForm(key schemaKey, s *schema.Schema) *form {
	f := &form{Schema: s}
	if later := laterFields[key]; later != "" {
		older := *s
		older.Fields = slices.DeleteFunc(slices.Clone(s.Fields), func(f schema.Field) bool { return f.OriginalName() == later })
		f.others = []*form{{Schema: &older, isOther: true}}
	}
	return f
}

// correct returns the description of an event as real payloads have it: the found description with
// corrections or, for a known event, the known fields. found may be nil, or describe an older
// version.
func correct(key schemaKey, found *form) *form {
	found = found.corrected(key)
	known := knownEvents(key.provider)[key]
	switch {
	case known == nil:
		return found
	case found == nil:
		return withOlderForm(key, known)
	}
	own := *found.Schema
	own.Version = key.version
	own.Fields = slices.Clone(known.Fields)
	for i := range own.Fields {
		f := &own.Fields[i]
		described := slices.IndexFunc(found.Fields, func(d schema.Field) bool { return d.OriginalName() == f.OriginalName() })
		if described != i {
			own.Message = nil // its inserts count fields
		} else if d := &found.Fields[i]; sameShape(f, d) {
			own.Fields[i] = withNames(*d, f)
		}
	}
	return withOlderForm(key, &own)
}

// corrected returns a form, and its others, with the types that real payloads have.
func (f *form) corrected(key schemaKey) *form {
	if f == nil || key.classic {
		return f
	}
	own := *f
	fields := corrections.Apply(key.provider, key.id, f.Fields)
	if len(fields) > 0 && &fields[0] != &f.Fields[0] {
		changed := *f.Schema
		changed.Fields = fields
		own.Schema = &changed
	}
	own.others, own.shared = nil, f.shared.corrected(key)
	for _, other := range f.others {
		own.others = append(own.others, other.corrected(key))
	}
	return &own
}

// sameShape reports whether two fields are the same kind of single value.
func sameShape(a, b *schema.Field) bool {
	return a.Kind == b.Kind && a.Struct == nil && b.Struct == nil && !a.IsArray() && !b.IsArray()
}

// withNames returns f with the value map of other if f has none.
func withNames(f schema.Field, other *schema.Field) schema.Field {
	if f.Map == nil {
		f.Map = other.Map
	}
	return f
}
