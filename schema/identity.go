package schema

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"strings"
)

// Identity identifies an event, whatever describes it and under whatever name. All versions of an
// event have one identity, and so one table.
type Identity struct {
	Kind IdentityKind `json:"kind"`
	GUID GUID         `json:"guid,omitzero"` // of the provider or class; zero for messages
	ID   uint16       `json:"id"`            // event id or class type; 0 for the others
	Name string       `json:"name,omitempty"`
}

// IdentityKind says what identifies an event.
type IdentityKind string

// The kinds of identity.
const (
	ProviderEvent     IdentityKind = "event"        // provider and event id
	TraceLoggingEvent IdentityKind = "tracelogging" // provider and name, as in the trace
	ClassEvent        IdentityKind = "class"        // class and type
	MessageEvent      IdentityKind = "message"      // WPP: the names of provider and message, in lower case
)

// Identity returns the identity of the events that a schema describes.
func (s *Schema) Identity() Identity {
	switch {
	case s.Source == FromTMF:
		return Identity{Kind: MessageEvent, Name: strings.ToLower(userFolder(s.Class) + "/" + FolderName(s.DisplayName()))}
	case s.Source == FromTraceLogging:
		return Identity{Kind: TraceLoggingEvent, GUID: s.GUID, Name: s.DisplayName()}
	case s.Classic:
		return Identity{Kind: ClassEvent, GUID: s.GUID, ID: s.ID}
	}
	return Identity{Kind: ProviderEvent, GUID: s.GUID, ID: s.ID}
}

// Compare orders identities.
func (e Identity) Compare(other Identity) int {
	return cmp.Or(cmp.Compare(e.Kind, other.Kind), e.GUID.Compare(other.GUID), cmp.Compare(e.ID, other.ID), cmp.Compare(e.Name, other.Name))
}

// NamedEvent is an event with the name that it should get.
type NamedEvent struct {
	Identity
	Name      string
	Ambiguous bool // another event is known to want the name, even if it is not in the list
}

// Suffixes of a name, the first that makes it unique.
const (
	plainName  = iota
	nameWithID // the id or, without one, a hash
	nameWithHash
)

// DistinctNames returns a name for each event: the one it wants, unless another event wants that
// too, or it is taken. Case does not matter. All events that want the same name get a suffix, so
// that a name does not depend on the order: the event id or class type or, if there is none or it
// is not enough, a hash of the identity.
func DistinctNames(events []NamedEvent, taken map[string]bool) []string {
	names, suffixes := make([]string, len(events)), make([]int, len(events))
	for i := range events {
		if events[i].Ambiguous {
			suffixes[i] = nameWithID
		}
	}
	for changed := true; changed; {
		changed = false
		wanting := make(map[string]int, len(events))
		for i := range events {
			names[i] = events[i].name(suffixes[i])
			wanting[strings.ToLower(names[i])]++
		}
		for i := range events {
			folded := strings.ToLower(names[i])
			if suffixes[i] < nameWithHash && (wanting[folded] > 1 || taken[folded]) {
				suffixes[i]++
				changed = true
			}
		}
	}
	return names
}

// name returns the name with a suffix.
func (e *NamedEvent) name(suffix int) string {
	hasID := e.Kind == ProviderEvent || e.Kind == ClassEvent
	switch {
	case suffix == plainName:
		return e.Name
	case suffix == nameWithID && hasID:
		return e.Name + "_" + itoa(int(e.ID))
	case suffix == nameWithID:
		return e.Name + "_" + e.hash()[:8]
	}
	return e.Name + "_" + e.hash()
}

// hash returns a hash of the identity, in hexadecimal digits.
func (e *Identity) hash() string {
	sum := sha256.Sum256([]byte(string(e.Kind) + e.GUID.String() + itoa(int(e.ID)) + "/" + e.Name))
	return hex.EncodeToString(sum[:8])
}
