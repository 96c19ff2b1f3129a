package main

import (
	"fmt"
	"slices"

	"github.com/etl2parquet/etl2parquet/internal/engine/catalog"
	"github.com/etl2parquet/etl2parquet/internal/engine/pipeline"
	"github.com/etl2parquet/etl2parquet/internal/engine/rows"
)

// The names of the modes, in the order of the modes.
var (
	payloadModes = words(rows.PayloadUndecoded, rows.PayloadAll, rows.PayloadNone)
	messageModes = words(catalog.MessagesUndecoded, catalog.MessagesAll, catalog.MessagesNone)
)

func words[Mode fmt.Stringer](modes ...Mode) (list []string) {
	for _, mode := range modes {
		list = append(list, mode.String())
	}
	return list
}

// contentFlags select what tables have of events besides the decoded fields.
type contentFlags struct{ payload, messages choice }

// flags returns the flags, with the defaults.
func (f *contentFlags) flags() []option {
	f.payload, f.messages = choice{payloadModes[0], payloadModes}, choice{messageModes[0], messageModes}
	return []option{
		{flag: "payload", value: &f.payload, usage: "raw payloads to keep: undecoded ones, all, or none"},
		{flag: "messages", value: &f.messages, usage: "messages of events to write as text: undecoded ones (of WPP, and of events without fields), all, or none"},
	}
}

// set sets the modes. Commands without these flags use the default modes.
func (f *contentFlags) set(o *pipeline.Options) {
	if f.payload.value == "" {
		return
	}
	o.Payload = rows.PayloadMode(slices.Index(payloadModes, f.payload.value))
	o.Messages = catalog.MessageMode(slices.Index(messageModes, f.messages.value))
}
