package main

import (
	"fmt"
	"slices"

	"github.com/spf13/pflag"

	"github.com/etl2parquet/etl2parquet/internal/engine/catalog"
	"github.com/etl2parquet/etl2parquet/internal/engine/pipeline"
	"github.com/etl2parquet/etl2parquet/internal/engine/rows"
)

// The words for the modes, in their order.
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

// contentFlags say what tables have of events beside the decoded fields.
type contentFlags struct{ payload, messages choice }

func newContentFlags() contentFlags {
	return contentFlags{choice{payloadModes[0], payloadModes}, choice{messageModes[0], messageModes}}
}

func (f *contentFlags) add(flags *pflag.FlagSet) {
	flags.Var(&f.payload, "payload", "raw payloads to keep: undecoded ones, all, or none")
	flags.Var(&f.messages, "messages", "messages of events to write as text: undecoded ones (of WPP, and of events without fields), all, or none")
}

func (f *contentFlags) set(o *pipeline.Options) {
	o.Payload = rows.PayloadMode(slices.Index(payloadModes, f.payload.value))
	o.Messages = catalog.MessageMode(slices.Index(messageModes, f.messages.value))
}
