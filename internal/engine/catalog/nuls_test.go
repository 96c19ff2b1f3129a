package catalog

import (
	"testing"

	"github.com/etl2parquet/etl2parquet/decode/tracelogging"
	"github.com/etl2parquet/etl2parquet/schema"
)

// TestNULs checks which events are detected as events of an EventSource.
func TestNULs(t *testing.T) {
	const name = "Demo-Source"
	byName, other := tracelogging.ProviderGUID(name), schema.GUID{1}
	for _, test := range []struct {
		name    string
		id      schema.GUID
		classic bool
		source  schema.Source
		want    schema.NULs
	}{
		{"its manifest", schema.GUID{2}, false, schema.FromEventSource, schema.HoldsNULs},
		{"a record, of a provider that logged a manifest", schema.GUID{2}, false, schema.FromEventInfo, schema.HoldsNULs},
		{"the GUID of its name", byName, false, schema.FromManifest, schema.HoldsNULs},
		{"a file of the user", other, false, schema.FromManifest, schema.PerhapsNULs},
		{"Windows' own", other, false, schema.FromCatalog, schema.NoNULs},
		{"a record", other, false, schema.FromEventInfo, schema.NoNULs},
		{"a class", byName, true, schema.FromManifest, schema.NoNULs},
	} {
		s := &Sources{own: &traceDescriptions{names: map[schema.GUID]string{{2}: ""}}, siblings: new(traceDescriptions)}
		got := s.nulsOf(schemaKey{provider: test.id, classic: test.classic}, &schema.Schema{Event: schema.Event{Class: name}, Source: test.source})
		if got != test.want {
			t.Errorf("%s: %d, want %d", test.name, got, test.want)
		}
	}
}
