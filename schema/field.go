package schema

import "strings"

// Kind is how a field of a payload is stored.
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
	Size     // as Pointer; a number of bytes or pages
	GUIDs    // 16 bytes
	FileTime // u64, 100 ns since 1601-01-01 UTC
	Ticks    // u64, ticks of the trace's clock
	Text16   // UTF-16 up to a NUL, or to the end of the payload
	Text8    // 8-bit units up to a NUL, or to the end of the payload
	Chars16  // UTF-16 units, as many as Length says; those before a NUL are the text
	Bytes    // as many as Length says
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
	Chars8        // 8-bit units, as Chars16
	SocketAddress // SOCKADDR, as many bytes as Length says
	MAC           // 6 bytes
	// LZNT1Text16 is UTF-16 up to a NUL, compressed with LZNT1 to as many bytes as
	// Length says; the field before it has the bytes that it decompresses to.
	LZNT1Text16
	kindEnd
)

// kindSpec describes a kind: a new one is a row of kindSpecs.
type kindSpec struct {
	name    string
	size    uint8 // bytes; 0: of a pointer, or variable
	column  Type
	in, out string // the types that a manifest would have, as package decode/tdh writes them
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
}

func (k Kind) String() string { return kindSpecs[k].name }

// Width returns the bytes that a value takes with pointers of a size; ok is
// false for kinds whose values differ in length.
func (k Kind) Width(pointerSize int) (bytes int, ok bool) {
	switch k {
	case Pointer, Size:
		return pointerSize, true
	case Text16, Text8, WBEMSID, SID:
		return 0, false
	}
	return int(kindSpecs[k].size), true
}

// HasLength reports whether a value of the kind is a run of units, whose number
// the field says: Width is that of one unit.
func (k Kind) HasLength() bool {
	return k == Chars16 || k == Chars8 || k == Bytes || k == SocketAddress || k == LZNT1Text16
}

// ColumnType returns the type of the column that holds a kind.
func (k Kind) ColumnType() Type { return kindSpecs[k].column }

// Unit is what a number counts.
type Unit string

// The units. The empty one is for what has none.
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

// Rest as a Count or Length means "as many as there are up to the end of the
// payload".
const Rest = -1

// Prefix is a number that stands before a value and says how long it is.
type Prefix uint8

// The prefixes.
const (
	NoPrefix     Prefix = iota
	UnitsIn16           // u16, of units
	BytesIn16           // u16, of bytes
	BytesIn16Big        // as BytesIn16, in network order
	BytesIn32           // u32, of bytes
)

// Size returns the bytes that the prefix takes.
func (p Prefix) Size() int { return [...]int{0, 2, 2, 2, 4}[p] }

// Field is a field of a payload. Fields stand in the order of the bytes.
type Field struct {
	Name   string // of the column
	Kind   Kind
	Unit   Unit
	Values string // name of the Values its numbers have, or ""
	Parts  []Part // that have Values of their own
	// The versions of the event that have the field: from Since on and, unless
	// it is 0, below Before.
	Since, Before uint8
	// Of a kind with a length: how many units a value has, in one of these ways.
	Length       int    // a number, or Rest
	LengthField  string // the earlier field that says it
	LengthPrefix Prefix
	// Of an array: how many values it has, in one of these ways.
	Count       int    // a number, or Rest; 0 is no array
	CountField  string // the earlier field that says it
	CountPrefix bool   // a u16 before the values
	Struct      []Field
	Map         *Values // as Values, of a source that has names of its own
	Hex         bool    // people want the number in hexadecimal
	Optional    bool    // the payload may end before it
	// What the source says in its own words; see [Field.OriginalName] and
	// [Field.SourceTypes] for where they are "".
	Original        string // name
	InType, OutType string
	Doc             string
}

// OriginalName returns the name that the source gives the field. That of a kernel
// event is its column's in CamelCase, unless the field says otherwise.
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

// SourceTypes returns how the source says that the field is stored and shown, in
// the words of manifests; out is "" where it does not say. Those of a kernel
// event follow from its kind.
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

// StructType is the in-type of a field of fields.
const StructType = "struct"

// ValueNames returns the names of the field's numbers, or nil.
func (f *Field) ValueNames() *Values {
	if f.Map != nil {
		return f.Map
	}
	v, _ := LookupValues(f.Values)
	return v
}

// Part is some bits of a number that mean something by themselves.
type Part struct {
	Values string // name; with "_text", that of the column
	Shift  uint8
	Mask   uint64 // of the bits, after the shift
}

// In reports whether a version of the event has the field.
func (f *Field) In(version uint8) bool {
	return version >= f.Since && (f.Before == 0 || version < f.Before)
}

// IsArray reports whether the field has any number of values.
func (f *Field) IsArray() bool {
	return f.Count != 0 || f.CountField != "" || f.CountPrefix
}

// Certainty is how sure a layout is.
type Certainty string

// How sure a layout is.
const (
	Verified   Certainty = "verified"   // it fits the bytes of real payloads exactly
	Documented Certainty = "documented" // MOF, Microsoft's documentation or TraceEvent
	Uncertain  Certainty = "uncertain"  // a structure in a header file, or sources that differ
)

// Event is an event of a kernel class, or of a class that the merge tools
// write. Its table has the columns of all its versions.
type Event struct {
	Class     string // of the table's folder: events/<class>/<name>
	Name      string // as the tools show it
	Table     string // name of the table in the class
	Doc       string
	Ref       string // sources of the layout
	Certainty Certainty
	GUID      GUID   // class
	Type      uint8  // opcode; for kernel events the low byte of the hook
	Hook      uint16 // of kernel events; HasHook says whether it is one
	HasHook   bool
	// The versions that this literal describes: from Since on and, unless it is
	// 0, below Before.
	Since, Before uint8
	Natural       bool // fields are aligned as in C
	EnabledBy     string
	Owner         Owner
	// The fields that say which file it is about, those that say more first: with
	// its object or key or, if they are text, its path. The table names the file.
	Files  []string
	Fields []Field
}

// Owner says whose event it is, where the payload knows better than the header:
// the subject of the event, or who caused it.
type Owner struct {
	// The fields with the ids; "" is none. In old versions their names may end
	// in "_pointer".
	Process, Thread string
	// Where only the process is known: the thread is that which the event has
	// otherwise. Else there is none.
	KeepThread bool
}

// HeaderIDs reports whether the table of the event has the ids of the header
// beside those of the owner.
func (o *Owner) HeaderIDs() bool { return o.Process != "" }
