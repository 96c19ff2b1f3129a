package catalog

import "github.com/etl2parquet/etl2parquet/schema"

// MessageMode selects the messages of events that are rendered, with the values in place.
type MessageMode uint8

// The message modes.
const (
	MessagesUndecoded MessageMode = iota // of WPP, and of events without fields: nothing else describes them
	MessagesAll
	MessagesNone
)

var messageModes = [...]string{MessagesUndecoded: "undecoded", MessagesAll: "all", MessagesNone: "none"}

func (m MessageMode) String() string { return messageModes[m] }

// renders reports whether the messages of events that a schema describes are rendered.
func (m MessageMode) renders(s *schema.Schema) bool {
	switch {
	case s.Message == nil || m == MessagesNone:
		return false
	case m == MessagesAll:
		return true
	}
	return s.Source == schema.FromTMF || len(s.Fields) == 0
}
