package schema

import (
	"slices"
	"strings"
)

// Kind is the form in which a field of a payload is stored.
type Kind uint8

// The kinds of field. Numbers are little-endian unless the kind says so.
const (
	U8 Kind = iota + 1
	I8
	U16
	I16
	U32
	I32
	U64
	I64
	Pointer  // 4 or 8 bytes, by the event's header type
	Size     // like Pointer; a number of bytes or pages
	GUIDs    // 16 bytes
	FileTime // u64, 100 ns since 1601-01-01 UTC
	Ticks    // u64, ticks of the trace's clock
	Text16   // UTF-16 up to a NUL, or to the end of the payload
	Text8    // 8-bit units up to a NUL, or to the end of the payload
	Chars16  // Length UTF-16 units; the text ends at a NUL
	Bytes    // Length bytes
	WBEMSID  // u32 0, or TOKEN_USER of two pointers and a SID
	IPv4     // 4 bytes, network order
	IPv6     // 16 bytes, network order
	Port     // u16, network order
	F32
	F64
	Bool8         // 1 byte, true if not 0
	Bool32        // 4 bytes, true if not 0
	SystemTime    // SYSTEMTIME: 8 u16, year to milliseconds, UTC
	SID           // 8 bytes and 4 for each subauthority
	Chars8        // like Chars16, with 8-bit units
	SocketAddress // SOCKADDR of Length bytes
	MAC           // 6 bytes
	// LZNT1Text16 is UTF-16 up to a NUL, compressed with LZNT1 to Length bytes. The field
	// before it holds the decompressed size in bytes.
	LZNT1Text16
	Key     // like Pointer; identifies an object. Its column is text, because programs that read numbers as floats change it
	WideU32 // a number as wide as a pointer; later versions of the event have a U32
	kindEnd
)

// kindSpec describes a kind. To add one, add a row to kindSpecs.
type kindSpec struct {
	name    string
	size    uint8 // bytes; 0 for the size of a pointer, or if it varies
	column  Type
	in, out string // the types in a manifest, as package decode/tdh writes them
}

var kindSpecs = [kindEnd]kindSpec{
	U8:       {"u8", 1, Int32, "win:UInt8", "xs:unsignedByte"},
	I8:       {"i8", 1, Int32, "win:Int8", "xs:byte"},
	U16:      {"u16", 2, Int32, "win:UInt16", "xs:unsignedShort"},
	I16:      {"i16", 2, Int32, "win:Int16", "xs:short"},
	U32:      {"u32", 4, Int64, "win:UInt32", "xs:unsignedInt"},
	I32:      {"i32", 4, Int32, "win:Int32", "xs:int"},
	U64:      {"u64", 8, Uint64, "win:UInt64", "xs:unsignedLong"},
	I64:      {"i64", 8, Int64, "win:Int64", "xs:long"},
	Pointer:  {"pointer", 0, Uint64, "win:Pointer", "win:HexInt64"},
	Size:     {"size", 0, Uint64, "wbem:SizeT", "win:HexInt64"},
	GUIDs:    {"guid", 16, String, "win:GUID", "xs:GUID"},
	FileTime: {"filetime", 8, Timestamp, "win:FILETIME", "xs:dateTime"},
	Ticks:    {"ticks", 8, Timestamp, "win:UInt64", "win:ETWTIME"},
	Text16:   {"text16", 0, String, "win:UnicodeString", "xs:string"},
	Text8:    {"text8", 0, String, "win:AnsiString", "xs:string"},
	Chars16:  {"chars16", 2, String, "win:UnicodeString", "xs:string"},
	Bytes:    {"bytes", 1, Binary, "win:Binary", "xs:hexBinary"},
	WBEMSID:  {"wbemsid", 0, String, "wbem:WBEMSID", "xs:string"},
	IPv4:     {"ipv4", 4, String, "win:UInt32", "win:IPv4"},
	IPv6:     {"ipv6", 16, String, "win:Binary", "win:IPv6"},
	Port:     {"port", 2, Int32, "win:UInt16", "win:Port"},

	F32:           {"f32", 4, Float, "win:Float", "xs:float"},
	F64:           {"f64", 8, Double, "win:Double", "xs:double"},
	Bool8:         {"bool8", 1, Boolean, "win:UInt8", "xs:boolean"},
	Bool32:        {"bool32", 4, Boolean, "win:Boolean", "xs:boolean"},
	SystemTime:    {"systemtime", 16, Timestamp, "win:SYSTEMTIME", "xs:dateTime"},
	SID:           {"sid", 0, String, "win:SID", "xs:string"},
	Chars8:        {"chars8", 1, String, "win:AnsiString", "xs:string"},
	SocketAddress: {"socketaddress", 1, String, "win:Binary", "win:SocketAddress"},
	MAC:           {"mac", 6, String, "win:Binary", "xs:hexBinary"},
	LZNT1Text16:   {"lznt1_text16", 1, String, "win:Binary", "xs:hexBinary"},
	Key:           {"key", 0, String, "win:Pointer", "win:HexInt64"},
	WideU32:       {"wide_u32", 0, Int64, "win:Pointer", "xs:unsignedInt"},
}

func (k Kind) String() string { return kindSpecs[k].name }

// ParseKind returns the kind with a name.
func ParseKind(name string) (Kind, bool) {
	for k := U8; k < kindEnd; k++ {
		if kindSpecs[k].name == name {
			return k, true
		}
	}
	return 0, false
}

// Width returns the size of a value for a size of pointers; ok is false for kinds whose
// values vary in size.
func (k Kind) Width(pointerSize int) (bytes int, ok bool) {
	switch {
	case k.IsWord():
		return pointerSize, true
	case k == Text16, k == Text8, k == WBEMSID, k == SID:
		return 0, false
	}
	return int(kindSpecs[k].size), true
}

// IsInteger reports whether values of the kind are plain integers, of any size.
func (k Kind) IsInteger() bool { return k >= U8 && k <= I64 }

// IsNumber reports whether values of the kind are integers, or as wide as a pointer.
func (k Kind) IsNumber() bool { return k.IsInteger() || k == Pointer || k == Size }

// IsWord reports whether values of the kind are as wide as a pointer.
func (k Kind) IsWord() bool { return k == Pointer || k == Size || k == Key || k == WideU32 }

// HasLength reports whether a value of the kind is a sequence of units whose number the
// field gives. Width is then the size of one unit.
func (k Kind) HasLength() bool {
	return k == Chars16 || k == Chars8 || k == Bytes || k == SocketAddress || k == LZNT1Text16
}

// hasNS reports whether a time, or a list of times, has a second column in ns: that of its value has us.
func (f *Field) hasNS() bool { return f.Struct == nil && (f.Kind == Ticks || f.Kind == FileTime) }

// isUnsigned reports whether no value of the kind is negative.
func (k Kind) isUnsigned() bool {
	return k == U8 || k == U16 || k == U32 || k == U64 || k == Port || k.IsWord() && k != Key
}

// ColumnType returns the type of the column that holds a kind.
func (k Kind) ColumnType() Type { return kindSpecs[k].column }

// Unit is the unit of a number.
type Unit string

// The units. The zero value means no unit.
const (
	InBytes       Unit = "bytes"
	InPages       Unit = "pages"
	InTicks       Unit = "ticks"
	InNanos       Unit = "ns"
	In100Ns       Unit = "100 ns"
	InMicros      Unit = "us"
	InMillis      Unit = "ms"
	InHertz       Unit = "Hz"
	InMHz         Unit = "MHz"
	InPercent     Unit = "%"
	InCycles      Unit = "CPU cycles"
	InMegabytes   Unit = "MB"
	InClusters    Unit = "clusters"
	InCharacters  Unit = "characters"
	InPixels      Unit = "pixels"
	InDotsPerInch Unit = "dots per inch"
)

// Rest as a Count or Length means that the values or units extend to the end of the payload.
const Rest = -1

// Prefix is the form of a number before a value that gives its length.
type Prefix uint8

// The prefixes.
const (
	NoPrefix     Prefix = iota
	UnitsIn16           // u16, counts units
	BytesIn16           // u16, counts bytes
	BytesIn16Big        // like BytesIn16, in network order
	BytesIn32           // u32, counts bytes
)

// Size returns the size of the prefix in bytes.
func (p Prefix) Size() int { return [...]int{0, 2, 2, 2, 4}[p] }

// Unstated is a set of facts about a field that no source states. The value is read only if the
// payload's length leaves exactly one reading.
type Unstated uint8

// The facts that sources may lack.
const (
	LengthUnstated  Unstated = 1 << iota // of a binary value, the same in all payloads
	CountUnstated                        // whether it is an array
	MembersUnstated                      // of a structure; Struct, if set, has the members of structures of this name in other sources
	LayoutUnstated                       // of the event from this field on, which is never read
	AllUnstated     = 1<<iota - 1
)

// String returns the facts in the words of the documentation.
func (u Unstated) String() string {
	var words []string
	for i, word := range []string{"length", "count", "members", "layout"} {
		if u>>i&1 != 0 {
			words = append(words, word)
		}
	}
	return strings.Join(words, " and ") + " not stated"
}

// Field is a field of a payload. Fields are in the order of their bytes.
type Field struct {
	Name   string // of the column
	Kind   Kind
	Unit   Unit
	Values string // name of the Values its numbers have, or ""
	Parts  []Part // groups of bits with Values of their own
	// The versions of the event that have the field: from Since and, unless Before is 0,
	// below Before.
	Since, Before uint8
	// The number of units of a value, for a kind with a length. One of these is set.
	Length       int    // a number, or Rest
	LengthField  string // the earlier field that holds it
	LengthPrefix Prefix
	// The number of values of an array. One of these is set.
	Count       int    // a number, or Rest
	CountField  string // the earlier field that holds it
	CountPrefix bool   // a u16 before the values holds it
	Struct      []Field
	Aligned     bool    // the members of Struct are aligned as in C
	Map         *Values // names from the source itself, instead of Values
	Hex         bool    // show the number in hexadecimal
	Optional    bool    // the payload may end before it
	Code        bool    // an address of code: the table also has its module and function
	Unstated    Unstated
	Sizes       []int // for LengthUnstated: the sizes that its name allows; nil means any
	// The name and types in the source. If they are "", [Field.OriginalName] and
	// [Field.SourceTypes] derive them.
	Original        string // name
	InType, OutType string
	Tags            uint32 // of TraceLogging or EventInfo: 28 bits whose meaning the provider chooses; 0 means none
	Doc             string
}

// OriginalName returns the name of the field in its source. For a kernel event it is
// Original or else the column's name in CamelCase.
func (f *Field) OriginalName() string {
	if f.Original != "" {
		return f.Original
	}
	var b strings.Builder
	for word := range strings.SplitSeq(f.Name, "_") {
		if word != "" {
			b.WriteString(strings.ToUpper(word[:1]) + word[1:])
		}
	}
	return b.String()
}

// SourceTypes returns the types in which the field is stored and shown according to its
// source, in the terms of manifests; out is "" if the source has none. For a kernel event
// they follow from the kind.
func (f *Field) SourceTypes() (in, out string) {
	switch {
	case f.InType != "":
		return f.InType, f.OutType
	case f.Struct != nil:
		return StructType, ""
	}
	spec := &kindSpecs[f.Kind]
	return spec.in, spec.out
}

// StructType is the in-type of a structure.
const StructType = "struct"

// ValueNames returns the names of the field's numbers, or nil.
func (f *Field) ValueNames() *Values {
	if f.Map != nil {
		return f.Map
	}
	v, _ := LookupValues(f.Values)
	return v
}

// Part is a group of bits of a number with its own meaning.
type Part struct {
	Values string // name of the Values; with "_text", the name of the column
	Shift  uint8
	Mask   uint64 // of the bits, after the shift
}

// In reports whether a version of the event has the field.
func (f *Field) In(version uint8) bool {
	return version >= f.Since && (f.Before == 0 || version < f.Before)
}

// IsArray reports whether the field is an array. Structures with unstated members are read as one
// sequence of bytes.
func (f *Field) IsArray() bool {
	return !f.IsOpaque() && (f.Count != 0 || f.CountField != "" || f.CountPrefix)
}

// IsOpaque reports whether the field holds structures whose members no source states, not even for
// other structures of this name.
func (f *Field) IsOpaque() bool { return f.Unstated&MembersUnstated != 0 && f.Struct == nil }

// Certainty is the certainty of a layout.
type Certainty string

// The degrees of certainty.
const (
	Verified   Certainty = "verified"   // it fits the bytes of real payloads exactly
	Documented Certainty = "documented" // MOF, Microsoft's documentation or TraceEvent
	Uncertain  Certainty = "uncertain"  // only a structure in a header file, or the sources differ
)

// NULs says whether texts that end with a NUL may contain more NULs.
type NULs uint8

// The kinds of such texts.
const (
	NoNULs      NULs = iota // the first NUL ends a text
	PerhapsNULs             // unknown whether an EventSource logs the event
	HoldsNULs               // an EventSource logs it: any NUL may end a text
)

// Event is an event of a kernel class, or of a class that the merge tools write. Its table
// has the columns of all versions.
type Event struct {
	Class     string // the class in the table's folder: events/<class>/<name>
	Name      string // as tools show it
	Table     string // name of the table in the class
	Doc       string
	Ref       string // sources of the layout
	Certainty Certainty
	GUID      GUID   // class
	Type      uint8  // opcode; for kernel events the low byte of the hook
	Hook      uint16 // of kernel events; HasHook says whether it is one
	HasHook   bool
	// The versions that this literal describes: from Since and, unless Before is 0, below Before.
	Since, Before uint8
	Natural       bool // fields are aligned as in C
	NULs          NULs // in texts that end with a NUL
	EnabledBy     string
	Owner         Owner
	// The fields that identify the file that the event is about, best first: its object or
	// key or, if they are text, its path. The table then has the column file_name.
	Files  []string
	Fields []Field
}

// Owner gives the fields with the owner of an event, for events whose payload is more
// accurate than the header: the subject of the event, or the thread that caused it.
type Owner struct {
	// The fields that contain the ids, or "".
	Process, Thread string
	// If the payload has only the process: true keeps the thread that the event has otherwise. If
	// false, the event has no thread then.
	KeepThread bool
}

// HeaderIDs reports whether the table of the event has the ids of the header in addition to
// those of the owner.
func (o *Owner) HeaderIDs() bool { return o.Process != "" }

// LastChange returns the last version that is known to have changed the fields.
func (e *Event) LastChange() uint8 {
	last := e.Since
	for i := range e.Fields {
		last = max(last, e.Fields[i].Since, e.Fields[i].Before)
	}
	return last
}

// HasPointers reports whether a version has fields that depend on the size of pointers.
func (e *Event) HasPointers(version uint8) bool {
	return slices.ContainsFunc(e.Fields, func(f Field) bool { return f.In(version) && f.hasPointers() })
}

// HasPointerLists reports whether a version has such fields in arrays or structures.
func (e *Event) HasPointerLists(version uint8) bool {
	return slices.ContainsFunc(e.Fields, func(f Field) bool { return f.In(version) && (f.IsArray() || f.Struct != nil) && f.hasPointers() })
}

func (f *Field) hasPointers() bool {
	return f.Kind.IsWord() || f.Kind == WBEMSID || slices.ContainsFunc(f.Struct, func(member Field) bool { return member.hasPointers() })
}
