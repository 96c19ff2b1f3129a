package main

import (
	"fmt"
	"slices"

	"github.com/spf13/pflag"

	"github.com/etl2parquet/etl2parquet/convert"
)

// The words for the modes, in their order.
var (
	payloadModes = words(convert.PayloadUndecoded, convert.PayloadAll, convert.PayloadNone)
	messageModes = words(convert.MessagesUndecoded, convert.MessagesAll, convert.MessagesNone)
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

func (f *contentFlags) set(o *convert.Options) {
	o.Payload = convert.PayloadMode(slices.Index(payloadModes, f.payload.value))
	o.Messages = convert.MessageMode(slices.Index(messageModes, f.messages.value))
}
