package catalog

import (
	"fmt"
	"maps"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/etl2parquet/etl2parquet/decode"
	"github.com/etl2parquet/etl2parquet/decode/decodetest"
	"github.com/etl2parquet/etl2parquet/decode/manifest"
	"github.com/etl2parquet/etl2parquet/schema"
)

// The providers of the CLR.
var (
	clrRuntime = mustParseGUID("e13c0d23-ccbc-4e12-931b-d9cc2eee27e4")
	clrRundown = mustParseGUID("a669021c-c450-4609-a035-5af59af4df18")
	clrPrivate = mustParseGUID("763fd754-7086-4dfe-95eb-c01a46faf4ca")
	clrStress  = mustParseGUID("cc2bcbba-16b6-4cf3-8990-d74c2e8af500")
)

func mustParseGUID(text string) schema.GUID {
	id, err := schema.ParseGUID(text)
	if err != nil {
		panic(err)
	}
	return id
}

// knownWithoutBytes lists the known events that no real trace has, with the source of
// each layout.
var knownWithoutBytes = map[schemaKey]string{
	{provider: clrRuntime, id: 205, version: 3}: "version 4 without its array",
	{provider: clrRundown, id: 0}:               "the template of event 82 of the runtime",
	{provider: clrRundown, id: 10}:              "ClrEtwAll.man and eventtrace.cpp of dotnet/runtime",
	{provider: clrPrivate, id: 151}:             "the template of event 82 of the runtime",
	{provider: clrStress, id: 1}:                "the template of event 82 of the runtime",
}

// TestKnownEvents checks that the layouts of known events fit the payloads of real traces
// to the last byte.
func TestKnownEvents(t *testing.T) {
	m, err := manifest.Parse([]byte(knownManifest), schema.FromCatalog)
	if err != nil || len(m.Errors) > 0 {
		t.Fatal(err, m.Errors)
	}
	all := make(map[schemaKey]*schema.Schema)
	for provider := range knownProviders() {
		maps.Copy(all, knownEvents(provider))
	}
	if diff := cmp.Diff(parseKnown(knownManifest), all, cmp.AllowUnexported(schema.Schema{}, schema.Event{})); diff != "" {
		t.Errorf("-parsed as a whole +by provider:\n%s", diff)
	}
	payloads := make(map[schemaKey]int)
	decodetest.EachEvent(t, func(ev *decode.Event) {
		var of Key
		of.Of(ev)
		key := schemaKey{of.GUID, uint16(of.ID), of.LayoutVersion(), of.Family != decode.FamilyEvent}
		known := all[key]
		if known == nil {
			return
		}
		payloads[key]++
		_, fit := decode.NewLayout(&known.Event, key.version, ev.PointerSize()).Locate(ev.Payload(), nil)
		if fit.Err != nil || fit.Used != len(ev.Payload()) {
			t.Fatalf("%s: %d of %d bytes used, %v", known.DisplayName(), fit.Used, len(ev.Payload()), fit.Err)
		}
	}, func(string) {})
	for key, known := range all {
		name := fmt.Sprintf("%s, %s, version %d", known.Class, known.DisplayName(), key.version)
		t.Logf("%s: %d payloads", name, payloads[key])
		if (payloads[key] == 0) != (knownWithoutBytes[key] != "") {
			t.Errorf("%s: %d payloads in real traces, want some payloads or a reason", name, payloads[key])
		}
	}
}

// TestCorrect corrects descriptions of an event.
func TestCorrect(t *testing.T) {
	key := schemaKey{provider: clrRuntime, id: 82}
	known := knownEvents(clrRuntime)[key]
	values := &schema.Values{Name: "instances"}
	message := schema.Message{{Text: "Stack=", Field: 4}}
	clr := schema.Field{Name: "clr_instance_id", Original: "ClrInstanceID", Kind: schema.U16, Map: values, Doc: "described"}
	two := []schema.Field{clr, known.Fields[1], known.Fields[2], known.Fields[3], known.Fields[4]}
	two[4].CountField, two[4].Count = "", 2
	want := []schema.Field{clr, known.Fields[1], known.Fields[2], known.Fields[3], known.Fields[4]}
	for _, test := range []struct {
		name    string
		key     schemaKey
		fields  []schema.Field // nil: no description
		want    []schema.Field
		message schema.Message
	}{
		{"another event", schemaKey{provider: clrRuntime, id: 1}, two[:1], two[:1], message},
		{"a classic event", schemaKey{provider: clrRuntime, id: 82, classic: true}, two, two, message},
		{"two frames", key, two, want, message},
		{"no fields", key, []schema.Field{}, known.Fields, nil},
		{"other order", key, []schema.Field{two[1], clr, two[2], two[3], two[4]}, known.Fields, nil},
		{"no description", key, nil, known.Fields, nil},
	} {
		t.Run(test.name, func(t *testing.T) {
			var found *form
			if test.fields != nil {
				found = &form{Schema: &schema.Schema{Source: schema.FromEventInfo, Message: message}}
				found.Name, found.Fields = "Walk", test.fields
			}
			got := correct(test.key, found)
			if diff := cmp.Diff(test.want, got.Fields); diff != "" {
				t.Errorf("-want +got:\n%s", diff)
			}
			if diff := cmp.Diff(test.message, got.Message); diff != "" {
				t.Errorf("message: -want +got:\n%s", diff)
			}
			if found != nil && (got.Name != "Walk" || got.Source != schema.FromEventInfo) {
				t.Errorf("the event is %q from %v", got.Name, got.Source)
			}
		})
	}
	if correct(schemaKey{provider: clrRuntime, id: 1}, nil) != nil {
		t.Error("an unknown event has a description")
	}
	if known.Source != schema.FromCatalog {
		t.Errorf("known from %v", known.Source)
	}
}

func BenchmarkKnownEvents(b *testing.B) {
	for b.Loop() {
		if _, err := manifest.Parse([]byte(knownManifest), schema.FromCatalog); err != nil {
			b.Fatal(err)
		}
	}
}
