package schema

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// Source is the source of a payload's description.
type Source uint8

// The sources, in the order in which they are searched.
const (
	FromTraceLogging Source = iota + 1 // metadata in the event itself
	FromEventSource                    // a manifest that the provider wrote into the trace
	FromEventInfo                      // a record that the merge tools wrote into the trace
	FromManifest                       // a manifest from the user
	FromTMF                            // message formats from the user
	FromCatalog                        // the catalogue of Windows' providers that is built into the program
	FromKernel                         // the tables of this package
)

var sourceNames = [...]string{
	FromTraceLogging: "tracelogging", FromEventSource: "eventsource", FromEventInfo: "eventinfo",
	FromManifest: "manifest", FromTMF: "tmf", FromCatalog: "catalog", FromKernel: "kernel",
}

func (s Source) String() string { return sourceNames[s] }

// ParseSource returns the source with a name.
func ParseSource(name string) (Source, bool) {
	i := slices.Index(sourceNames[:], name)
	return Source(max(i, 0)), i > 0
}

// Schema describes a kind of event, at one version.
type Schema struct {
	// Event describes the payload. Class is the name of the provider and Name the name of
	// the event, as tools show them. Table is not set. GUID is the GUID of the provider, of
	// the class of a classic event, or of a message.
	Event
	Source  Source
	ID      uint16 // event id, class type or message number
	Version uint8
	Channel uint8
	Level   uint8
	Opcode  uint8
	Task    uint16
	Keyword uint64
	Tags    uint32 // of an event of TraceLogging or EventInfo: 28 bits whose meaning the provider chooses; 0 means none
	Classic bool   // a classic event, with a class and type instead of a provider and id
	// The names of the numbers; "" if the source has none.
	ChannelName, LevelName, OpcodeName, TaskName string
	Keywords                                     []string // names of the bits of Keyword, the lowest first; the flags of a message
	Function, SourceFile                         string   // of a message: where the program logs it
	SourceLine                                   int      // 0 if unknown
	Message                                      Message  // nil if there is none
}

// Message is the text of an event, in pieces.
type Message []MessagePart

// MessagePart is a piece of literal text and then, unless Field is negative,
// the value of a field.
type MessagePart struct {
	Text   string
	Field  int    // index of the field in Event.Fields
	Format string // in printf's form without the percent sign: "08X", "s"; "" is the field's own form
}

// Template returns the text with the names of fields in braces instead of their values, or "" if it
// is longer than most bytes.
func (m Message) Template(fields []Field, most int) string {
	var b strings.Builder
	for _, part := range m {
		b.WriteString(part.Text)
		if part.Field >= 0 && part.Field < len(fields) {
			b.WriteString("{" + fields[part.Field].OriginalName() + "}")
		}
		if b.Len() > most {
			return ""
		}
	}
	return b.String()
}

// Names of levels, opcodes, channels and keywords that all providers share (winmeta.xml of the
// Windows SDK, without the prefix "win:").
var (
	sharedLevels  = Values{Names: numbered("LogAlways", "Critical", "Error", "Warning", "Informational", "Verbose")}
	sharedOpcodes = Values{Names: append(numbered("Info", "Start", "Stop", "DC_Start", "DC_Stop", "Extension", "Reply", "Resume", "Suspend", "Send"),
		ValueName{240, "Receive"})}
	sharedChannels = Values{Names: []ValueName{{8, "System"}, {9, "Application"}, {10, "Security"}, {11, "TraceLogging"}, {12, "ProviderMetadata"}}}
	sharedKeywords = [...]string{"ResponseTime", "WDIContext", "WDIDiag", "SQM", "AuditFailure", "AuditSuccess", "CorrelationHint", "EventlogClassic"}
)

const firstSharedKeyword = 48 // the bit of the first of sharedKeywords

// LevelName returns the name of a level that all providers share, or "".
func LevelName(level uint8) string { return sharedLevels.Text(uint64(level)) }

// ParseLevel returns the level of a name that all providers share, such as warning, or of a number.
// Case does not matter.
func ParseLevel(text string) (uint8, error) {
	if n, err := strconv.ParseUint(text, 10, 8); err == nil {
		return uint8(n), nil
	}
	name := text
	switch strings.ToLower(text) {
	case "info", "information":
		name = "Informational"
	case "warn":
		name = "Warning"
	case "always":
		name = "LogAlways"
	}
	for _, level := range sharedLevels.Names {
		if strings.EqualFold(level.Name, name) {
			return uint8(level.Value), nil
		}
	}
	return 0, fmt.Errorf("level %q: it is critical, error, warning, informational, verbose, or a number up to 255", text)
}

// OpcodeName returns the name of an opcode that all providers share, or "".
func OpcodeName(opcode uint8) string { return sharedOpcodes.Text(uint64(opcode)) }

// ChannelName returns the name of a channel that all providers share, or "".
func ChannelName(channel uint8) string { return sharedChannels.Text(uint64(channel)) }

// KeywordNames returns the names of the bits of a keyword that all providers share.
func KeywordNames(keyword uint64) (names []string) {
	for i, name := range sharedKeywords {
		if keyword>>(firstSharedKeyword+i)&1 != 0 {
			names = append(names, name)
		}
	}
	return names
}
