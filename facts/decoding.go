package facts

// Decoding counts the payloads that are read whole, in part and not at all (raw), and lists the
// files that would describe the raw ones. For a trace it counts all events, for a conversion only
// the selected events.
type Decoding struct {
	Events     int64 `json:"events"`
	NotDecoded int64 `json:"events_not_decoded"` // the same as payloads_raw
	Payloads
	Providers []ProviderDecoding `json:"providers"`          // with payloads that are not whole, most such payloads first, at most 100
	Unlisted  int                `json:"unlisted_providers"` // number of further providers
	PDBs      []PDB              `json:"provider_pdbs"`      // of the session, if a TMF file would help; at most 100
}

// ProviderDecoding counts the payloads of a provider with payloads that are not whole.
type ProviderDecoding struct {
	ID         *string `json:"provider_id"`
	Name       *string `json:"provider_name"`
	Events     int64   `json:"events"`
	NotDecoded int64   `json:"events_not_decoded"` // the same as payloads_raw
	Payloads
	Help    []Help       `json:"help"`    // files that may describe raw payloads; no file describes the remaining raw ones
	InParts []PartlyRead `json:"in_part"` // kinds of event with payloads read in part, most such payloads first, at most 100 of all providers
}

// PartlyRead is a kind of event with payloads that are read in part, and why.
type PartlyRead struct {
	EventName string     `json:"event_name"`
	EventID   uint32     `json:"event_id"`
	Version   uint16     `json:"event_version"`
	Reason    PartReason `json:"reason"`
	Field     string     `json:"field"` // the unstated field, or the one that does not fit; "" if all fields fit
	Payloads  int64      `json:"payloads"`
	BytesRest int64      `json:"payload_bytes_rest"`
}

// PartReason is why a payload is read in part.
type PartReason string

// The reasons. If a kind of event has several, PartlyRead has the first of them in this order.
const (
	PartDamaged  PartReason = "damaged"       // the payload contradicts its description
	PartUnstated PartReason = "unstated"      // no source states the size, count or members of a field
	PartOlder    PartReason = "other_version" // the description is of an older version
	PartLonger   PartReason = "longer"        // there are bytes beyond the last field
)

// Help is a kind of file that would describe events.
type Help struct {
	Option string   `json:"option"` // manifest or tmf: the field of DescriptionFiles that takes the file
	Kind   HelpFile `json:"kind"`   // the kind of the file
	Events int64    `json:"events"` // number of events that it may describe
}

// HelpFile is a kind of file that describes events.
type HelpFile string

// The kinds of file that describe events.
const (
	Manifest HelpFile = "manifest" // an instrumentation manifest
	MOF      HelpFile = "mof"      // classes of classic events
	TMF      HelpFile = "tmf"      // formats of WPP messages
)

// Payloads counts payloads and their bytes. A payload is whole if every byte is in a named column;
// in part if the description leaves bytes over, ends at a field that no source states, or
// contradicts the payload; and raw if nothing describes it. An event without payload bytes has no
// payload. An event with an unknown header is raw, with all of its bytes.
type Payloads struct {
	Whole       int64 `json:"payloads_whole"`
	InPart      int64 `json:"payloads_in_part"`
	Raw         int64 `json:"payloads_raw"`
	BytesWhole  int64 `json:"payload_bytes_whole"`
	BytesInPart int64 `json:"payload_bytes_in_part"` // of payloads in part: bytes in named columns
	BytesRest   int64 `json:"payload_bytes_rest"`    // of payloads in part: all other bytes
	BytesRaw    int64 `json:"payload_bytes_raw"`
	Damaged     int64 `json:"payloads_damaged"` // payloads in part that contradict their description
}

// Add adds the counts of other payloads.
func (p *Payloads) Add(other *Payloads) {
	p.Whole += other.Whole
	p.InPart += other.InPart
	p.Raw += other.Raw
	p.BytesWhole += other.BytesWhole
	p.BytesInPart += other.BytesInPart
	p.BytesRest += other.BytesRest
	p.BytesRaw += other.BytesRaw
	p.Damaged += other.Damaged
}

// All returns the number of payloads.
func (p *Payloads) All() int64 { return p.Whole + p.InPart + p.Raw }

// Bytes returns the bytes of all payloads.
func (p *Payloads) Bytes() int64 { return p.BytesWhole + p.BytesInPart + p.BytesRest + p.BytesRaw }
