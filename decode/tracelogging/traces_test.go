package tracelogging

import (
	"testing"

	"github.com/etl2parquet/etl2parquet/decode"
	"github.com/etl2parquet/etl2parquet/decode/decodetest"
	"github.com/etl2parquet/etl2parquet/schema"
)

// item returns the data of an extended item, or nil.
func item(ev *decode.Event, of decode.ItemType) []byte {
	if ev.Family != decode.FamilyEvent {
		return nil
	}
	for items := ev.Header().Items(); items.Next(); {
		if items.Type == of {
			return items.Data
		}
	}
	return nil
}

// TestRealTraces checks that all metadata parse, and that every payload is used up
// to its last byte.
func TestRealTraces(t *testing.T) {
	var payloads, exact, total, kinds int
	schemas := make(map[string]*schema.Schema)
	var spans []decode.Span
	decodetest.EachEvent(t, func(ev *decode.Event) {
		metadata := item(ev, decode.ItemSchemaTL)
		if metadata == nil {
			return
		}
		s := schemas[string(metadata)]
		if s == nil {
			var err error
			if s, err = Parse(metadata); err != nil {
				t.Errorf("%x: %v", metadata, err)
			}
			checkSchema(t, s)
			schemas[string(metadata)] = s
		}
		payloads++
		var fit decode.Fit
		spans, fit = decode.NewLayout(&s.Event, 0, ev.PointerSize()).Locate(ev.Payload(), spans)
		if fit.Err != nil || fit.Used != len(ev.Payload()) || decodetest.OpenText(s.Fields, ev.Payload(), spans) {
			t.Errorf("%s: %d of %d bytes used, %v\n%s%x", s.Name, fit.Used, len(ev.Payload()), fit.Err, schemaText(s), ev.Payload())
			return
		}
		exact++
	}, func(trace string) {
		if payloads > 0 {
			t.Logf("SCORE %s: %d TraceLogging payloads, %d used exactly, %d schemas", trace, payloads, exact, len(schemas))
		}
		total, kinds = total+exact, kinds+len(schemas)
		payloads, exact = 0, 0
		clear(schemas)
	})
	t.Logf("SCORE all: %d TraceLogging payloads used exactly, %d schemas", total, kinds)
	if total == 0 {
		t.Error("no TraceLogging payload in all traces")
	}
}

// TestProviderGUIDsOfTraces counts the providers of real traces whose GUID is
// derived from their name; the authors of the others chose one.
func TestProviderGUIDsOfTraces(t *testing.T) {
	byName := make(map[string]bool)
	decodetest.EachEvent(t, func(ev *decode.Event) {
		data := item(ev, decode.ItemProviderTraits)
		if data == nil {
			return
		}
		traits, err := decode.ParseProviderTraits(data)
		if err != nil {
			t.Error(err)
		}
		byName[traits.Name] = ProviderGUID(traits.Name) == ev.Header().ProviderID()
	}, func(string) {})
	hashed := 0
	for name, is := range byName {
		if is {
			hashed++
			t.Logf("derived from the name: %s", name)
		}
	}
	t.Logf("SCORE %d of %d providers have the GUID of their name", hashed, len(byName))
	if hashed < 3 {
		t.Errorf("%d of %d providers have the GUID of their name", hashed, len(byName))
	}
}
