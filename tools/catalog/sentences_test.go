package main

import (
	"testing"

	"github.com/etl2parquet/etl2parquet/internal/engine/catalog/packed"
	"github.com/etl2parquet/etl2parquet/schema"
)

// TestSentences checks which texts without spaces are sentences.
func TestSentences(t *testing.T) {
	var providers []packed.Provider
	for range leastUsers {
		var p packed.Provider
		for _, name := range []string{"CreateCall", "Calls_data", "SentReceived", "CommandStart", "OperationAsync", "AuthenticationTable", "InSpec"} {
			p.Events = append(p.Events, packed.Event{Schema: &schema.Schema{TaskName: name, Event: schema.Event{Fields: []schema.Field{{Name: "f", Struct: []schema.Field{{Name: "g", Original: "Failure"}}}}}}})
		}
		providers = append(providers, p)
	}
	words := newVocabulary(providers)
	for text, want := range map[string]bool{
		"GC":                                  true,
		"StartingCommand":                     true,
		"Oncreatecalls":                       false, // on create calls
		"Asyncoperationfailure":               false,
		"Shuttingdown":                        true, // two words, as in a name
		"CREATERESTOREBUFFER_ONCREATECALLS":   true, // an identifier
		"Inspectable":                         true, // and not in, spec, table
		"Authentication":                      true,
		"Datasent":                            true,
		"Datasent.":                           false,
		"InjectDllTask.":                      true,
		"Open(async)":                         true,
		"Datasent(async)":                     false,
		"UIoncreatecalls":                     false,
		"Thisrunoflettersislongerthananyword": false,
		"On create calls":                     false,
	} {
		if words.isName(text) != want {
			t.Errorf("%s: %v", text, !want)
		}
	}
}
