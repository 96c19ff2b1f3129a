package convert

import (
	"github.com/etl2parquet/etl2parquet/internal/engine/catalog"
	"github.com/etl2parquet/etl2parquet/internal/engine/index"
	"github.com/etl2parquet/etl2parquet/internal/engine/rows"
	"github.com/etl2parquet/etl2parquet/internal/engine/selection"
)

// Selection is what of a trace is converted: tables, and events by time, provider,
// name and process. The zero value is everything.
type Selection = selection.Selection

// TimeBound is an end of the time of a selection.
type TimeBound = index.TimeBound

// ParseTimeBound reads a bound as users write it: a time, a date, a time of day, or
// seconds since the start of the session.
func ParseTimeBound(text string) (TimeBound, error) { return index.ParseTimeBound(text) }

// Mismatch is a part of a selection that nothing in a trace matches.
type Mismatch = selection.Mismatch

// Mismatches are the parts of a selection that nothing in a trace matches.
type Mismatches = selection.Mismatches

// ErrNothingSelected is the error of a selection that takes nothing of a trace, when
// that is not to be tolerated.
var ErrNothingSelected = selection.ErrNothingSelected

// PayloadMode says which raw payloads are kept.
type PayloadMode = rows.PayloadMode

// The payload modes.
const (
	PayloadUndecoded = rows.PayloadUndecoded // of events that nothing decoded
	PayloadAll       = rows.PayloadAll
	PayloadNone      = rows.PayloadNone
)

// MessageMode says which messages of events are rendered, with the values in place.
type MessageMode = catalog.MessageMode

// The message modes.
const (
	MessagesUndecoded = catalog.MessagesUndecoded // of WPP, and of events without fields: nothing else tells
	MessagesAll       = catalog.MessagesAll
	MessagesNone      = catalog.MessagesNone
)
