package etltest

// Kind is the type and width of an event's header. The numbers are this
// package's own; the zero Kind is not an event.
type Kind uint8

// The kinds of event.
const (
	System32      Kind = 1 + iota // SYSTEM_TRACE_HEADER
	System64                      //
	Compact32                     // the same without the CPU times
	Compact64                     //
	PerfInfo32                    // PERFINFO_TRACE_HEADER
	PerfInfo64                    //
	Full32                        // EVENT_TRACE_HEADER, classic
	Full64                        //
	Instance32                    // EVENT_INSTANCE_GUID_HEADER, 0x48 bytes
	Instance64                    //
	OldInstance32                 // EVENT_INSTANCE_HEADER, 0x38 bytes
	OldInstance64                 //
	Event32                       // EVENT_HEADER
	Event64                       //
	Message                       // MESSAGE_TRACE_HEADER, WPP
	Timed                         // header type 0x0C: four bytes, the rest unknown
	Error                         // header type 0x0D: four bytes, the rest unknown
	WNode                         // WNODE_HEADER
	Raw                           // no header at all: the payload is everything
)

// headerSpec is one row of the table of headers.
type headerSpec struct {
	name   string // in the text form
	typ    byte   // byte 2
	marker byte   // byte 3
	size   int    // bytes
	sizeAt int    // where the u16 Size lies
	ptr    int    // pointer size of the payload; 0: the event's PointerSize
	fields []headerField
	guids  []headerGUID
	keys   string // the text form's keys, beyond those of every event
}

// headerField is an integer of a header.
type headerField struct {
	name string
	place
	get func(*Event) uint64 // nil: written elsewhere, or zero
}

// headerGUID is a GUID of a header.
type headerGUID struct {
	off int
	get func(*Event) GUID
}

// headerSpecs holds each header's bytes. Source: the format dossier, 02.
var headerSpecs = [...]headerSpec{
	System32:      {"system32", 0x01, 0xC0, 0x20, 4, 4, systemFields, nil, systemKeys},
	System64:      {"system64", 0x02, 0xC0, 0x20, 4, 8, systemFields, nil, systemKeys},
	Compact32:     {"compact32", 0x03, 0xC0, 0x18, 4, 4, systemFields[:8], nil, compactKeys},
	Compact64:     {"compact64", 0x04, 0xC0, 0x18, 4, 8, systemFields[:8], nil, compactKeys},
	PerfInfo32:    {"perfinfo32", 0x10, 0xC0, 0x10, 4, 4, perfInfoFields, nil, "hook ver pmc pebs"},
	PerfInfo64:    {"perfinfo64", 0x11, 0xC0, 0x10, 4, 8, perfInfoFields, nil, "hook ver pmc pebs"},
	Full32:        {"full32", 0x0A, 0xC0, 0x30, 0, 4, fullFields, classGUID, fullKeys},
	Full64:        {"full64", 0x14, 0xC0, 0x30, 0, 8, fullFields, classGUID, fullKeys},
	Instance32:    {"instance32", 0x0B, 0xC0, 0x48, 0, 4, instanceFields, instanceGUIDs, instanceKeys},
	Instance64:    {"instance64", 0x15, 0xC0, 0x48, 0, 8, instanceFields, instanceGUIDs, instanceKeys},
	OldInstance32: {"oldinstance32", 0x0B, 0xC0, 0x38, 0, 4, oldInstanceFields, nil, oldInstanceKeys},
	OldInstance64: {"oldinstance64", 0x15, 0xC0, 0x38, 0, 8, oldInstanceFields, nil, oldInstanceKeys},
	Event32:       {"event32", 0x12, 0xC0, 0x50, 0, 4, eventFields, eventGUIDs, eventKeys},
	Event64:       {"event64", 0x13, 0xC0, 0x50, 0, 8, eventFields, eventGUIDs, eventKeys},
	Message:       {"message", 0x00, 0x90, 0x08, 0, 0, messageFields, nil, messageKeys},
	Timed:         {"timed", 0x0C, 0xC0, 0x04, 0, 8, anyFields, nil, ""},
	Error:         {"error", 0x0D, 0xC0, 0x04, 0, 8, anyFields, nil, ""},
	WNode:         {"wnode", 0x0E, 0xC0, 0x30, 0, 8, wnodeFields, classGUID, "guid"},
	Raw:           {"raw", 0, 0, 0, 0, 8, []headerField{{"marker", place{0, 4}, nil}}, nil, ""},
}

const (
	compactKeys     = "hook ver pid tid pmc pebs"
	systemKeys      = compactKeys + " kernel user cputime"
	fullKeys        = "guid type level ver pid tid kernel user cputime"
	instanceKeys    = fullKeys + " instance parent parentguid"
	oldInstanceKeys = "type level ver pid tid kernel user cputime instance parent"
	eventKeys       = "provider id ver chan level op task kw flags property pid tid kernel user cputime activity " +
		"related sid session instanceinfo stack32 stack64 pebs pmc psmkey eventkey schema traits startkey control " +
		"qpcdelta container stackkey32 stackkey64 rawext"
	messageKeys = "number flags ptr seq guid component perft pid tid"
)

// anyFields begins every header whose Size comes first.
var anyFields = []headerField{
	{"marker", place{0, 4}, nil},
	{"size", place{0, 2}, nil},
	{"headertype", place{2, 1}, nil},
	{"headerflags", place{3, 1}, nil},
}

// systemFields is SYSTEM_TRACE_HEADER; its first eight rows are the compact form.
var systemFields = []headerField{
	{"marker", place{0x00, 4}, nil},
	{"version", place{0x00, 2}, systemVersion},
	{"headertype", place{0x02, 1}, nil},
	{"size", place{0x04, 2}, nil},
	{"hookid", place{0x06, 2}, func(e *Event) uint64 { return uint64(e.Hook) }},
	{"threadid", place{0x08, 4}, threadID},
	{"processid", place{0x0C, 4}, processID},
	{"systemtime", place{0x10, 8}, timestamp},
	{"kerneltime", place{0x18, 4}, kernelTime},
	{"usertime", place{0x1C, 4}, userTime},
}

var perfInfoFields = []headerField{
	{"marker", place{0x00, 4}, nil},
	{"version", place{0x00, 2}, systemVersion},
	{"headertype", place{0x02, 1}, nil},
	{"size", place{0x04, 2}, nil},
	{"hookid", place{0x06, 2}, func(e *Event) uint64 { return uint64(e.Hook) }},
	{"systemtime", place{0x08, 8}, timestamp},
}

var fullFields = join(anyFields, []headerField{
	{"class.type", place{0x04, 1}, func(e *Event) uint64 { return uint64(e.Opcode) }},
	{"class.level", place{0x05, 1}, func(e *Event) uint64 { return uint64(e.Level) }},
	{"class.version", place{0x06, 2}, func(e *Event) uint64 { return uint64(e.Version) }},
	{"threadid", place{0x08, 4}, threadID},
	{"processid", place{0x0C, 4}, processID},
	{"timestamp", place{0x10, 8}, timestamp},
	{"kerneltime", place{0x28, 4}, kernelTime},
	{"usertime", place{0x2C, 4}, userTime},
})

var classGUID = []headerGUID{{0x18, func(e *Event) GUID { return e.GUID }}}

var instanceFields = join(fullFields, []headerField{
	{"instanceid", place{0x30, 4}, func(e *Event) uint64 { return uint64(e.Instance) }},
	{"parentinstanceid", place{0x34, 4}, func(e *Event) uint64 { return uint64(e.ParentInstance) }},
})

var instanceGUIDs = join(classGUID, []headerGUID{{0x38, func(e *Event) GUID { return e.ParentGUID }}})

var oldInstanceFields = join(fullFields, []headerField{
	{"reghandle", place{0x18, 8}, func(e *Event) uint64 { return e.RegHandle }},
	{"instanceid", place{0x20, 4}, func(e *Event) uint64 { return uint64(e.Instance) }},
	{"parentinstanceid", place{0x24, 4}, func(e *Event) uint64 { return uint64(e.ParentInstance) }},
	{"parentreghandle", place{0x30, 8}, func(e *Event) uint64 { return e.ParentRegHandle }},
})

var eventFields = join(anyFields, []headerField{
	{"eventflags", place{0x04, 2}, eventFlags},
	{"eventproperty", place{0x06, 2}, func(e *Event) uint64 { return uint64(e.Property) }},
	{"threadid", place{0x08, 4}, threadID},
	{"processid", place{0x0C, 4}, processID},
	{"timestamp", place{0x10, 8}, timestamp},
	{"descriptor.id", place{0x28, 2}, func(e *Event) uint64 { return uint64(e.ID) }},
	{"descriptor.version", place{0x2A, 1}, func(e *Event) uint64 { return uint64(e.Version) }},
	{"descriptor.channel", place{0x2B, 1}, func(e *Event) uint64 { return uint64(e.Channel) }},
	{"descriptor.level", place{0x2C, 1}, func(e *Event) uint64 { return uint64(e.Level) }},
	{"descriptor.opcode", place{0x2D, 1}, func(e *Event) uint64 { return uint64(e.Opcode) }},
	{"descriptor.task", place{0x2E, 2}, func(e *Event) uint64 { return uint64(e.Task) }},
	{"descriptor.keyword", place{0x30, 8}, func(e *Event) uint64 { return e.Keyword }},
	{"kerneltime", place{0x38, 4}, kernelTime},
	{"usertime", place{0x3C, 4}, userTime},
})

var eventGUIDs = join(classGUID, []headerGUID{{0x40, func(e *Event) GUID { return e.Activity }}})

var messageFields = join(anyFields, []headerField{
	{"messagenumber", place{0x04, 2}, func(e *Event) uint64 { return uint64(e.ID) }},
	{"optionflags", place{0x06, 2}, func(e *Event) uint64 { return uint64(e.Flags) }},
})

var wnodeFields = join(anyFields, []headerField{
	{"providerid", place{0x04, 4}, nil},
	{"historicalcontext", place{0x08, 8}, nil},
	{"timestamp", place{0x10, 8}, timestamp},
	{"clientcontext", place{0x28, 4}, nil},
	{"wnodeflags", place{0x2C, 4}, nil},
})

func threadID(e *Event) uint64   { return uint64(e.TID) }
func processID(e *Event) uint64  { return uint64(e.PID) }
func timestamp(e *Event) uint64  { return uint64(e.Time) }
func kernelTime(e *Event) uint64 { return uint64(e.KernelTime) }
func userTime(e *Event) uint64   { return uint64(e.UserTime) }

// systemVersion has the event's version in its low byte, the count of
// counters in bits 8-10, and in bit 15 whether a PEBS index precedes them.
func systemVersion(e *Event) uint64 {
	v := uint64(e.Version) | uint64(len(e.PMC)&7)<<8
	if e.PEBS != nil {
		v |= 0x8000
	}
	return v
}

// eventFlags has bit 0 when extended items follow.
func eventFlags(e *Event) uint64 {
	if len(e.Items) > 0 {
		return uint64(e.Flags | 1)
	}
	return uint64(e.Flags)
}

func (s *headerSpec) find(name string) (place, bool) {
	for _, f := range s.fields {
		if f.name == name {
			return f.place, true
		}
	}
	return place{}, false
}

func join[T any](a, b []T) []T { return append(append([]T(nil), a...), b...) }
