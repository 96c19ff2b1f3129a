package catalog

import (
	_ "embed"
	"slices"
	"sync"

	"github.com/etl2parquet/etl2parquet/decode/manifest"
	"github.com/etl2parquet/etl2parquet/schema"
)

//go:embed dynamic.man
var dynamicManifest string

// dynamicEvent is GC/GCDynamicEvent of the .NET runtime, whose text Name says what the bytes in Data are.
var dynamicEvent = schemaKey{provider: schema.MustGUID("e13c0d23-ccbc-4e12-931b-d9cc2eee27e4"), id: 39}

var dynamicEvents = sync.OnceValue(func() []*schema.Schema {
	m, err := manifest.Parse([]byte(dynamicManifest), schema.FromCatalog)
	if err != nil {
		panic(err) // the text is wrong; a test checks it
	}
	var events []*schema.Schema
	for i := range m.Providers[0].Events {
		events = append(events, m.Providers[0].Events[i].Schema)
	}
	return events
})

// withDynamic returns the forms of a dynamic event, for payloads that have their names, before the form that leaves Data
// as bytes.
func withDynamic(key schemaKey, found *form) *form {
	if found == nil || key != dynamicEvent {
		return found
	}
	data := slices.IndexFunc(found.Fields, func(f schema.Field) bool { return f.OriginalName() == "Data" && f.LengthField != "" })
	if data < 1 || found.Fields[0].Kind != schema.Text16 {
		return found
	}
	var forms []*form
	for _, s := range dynamicEvents() {
		own := *found.Schema
		own.Fields = slices.Concat(found.Fields[:data:data], s.Fields, found.Fields[data+1:])
		own.Message = nil
		forms = append(forms, &form{Schema: &own, from: found.from, label: s.TaskName})
	}
	forms[0].others, forms[0].weaker = forms[1:], found
	return forms[0]
}
