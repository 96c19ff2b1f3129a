package tdh

import (
	"strconv"
	"strings"
	"sync"

	"github.com/etl2parquet/etl2parquet/schema"
)

// InType is the form in which a value is stored (tdh.h TDH_INTYPE_*).
type InType uint16

// The in-types. Those from 300 on are for classic providers, described by MOF.
const (
	Null                    InType = 0 // no bytes
	UnicodeString           InType = 1 // up to a NUL, or with a length in characters
	AnsiString              InType = 2
	Int8                    InType = 3
	UInt8                   InType = 4
	Int16                   InType = 5
	UInt16                  InType = 6
	Int32                   InType = 7
	UInt32                  InType = 8
	Int64                   InType = 9
	UInt64                  InType = 10
	Float                   InType = 11
	Double                  InType = 12
	Boolean                 InType = 13 // 4 bytes
	Binary                  InType = 14 // with a length in bytes
	GUID                    InType = 15
	Pointer                 InType = 16
	FileTime                InType = 17
	SystemTime              InType = 18
	SID                     InType = 19
	HexInt32                InType = 20
	HexInt64                InType = 21
	CountedUnicodeString    InType = 22 // u16 of bytes before it
	CountedAnsiString       InType = 23
	CountedBinary           InType = 25
	WBEMCountedString       InType = 300 // as 22
	WBEMCountedAnsiString   InType = 301
	ReversedCountedString   InType = 302 // the u16 in network order
	ReversedCountedAnsi     InType = 303
	NonNullTerminatedString InType = 304 // the rest of the payload
	NonNullTerminatedAnsi   InType = 305
	UnicodeChar             InType = 306
	AnsiChar                InType = 307
	SizeT                   InType = 308
	HexDump                 InType = 309 // u32 of bytes before it
	WBEMSID                 InType = 310
)

// OutType is the form in which a value is shown (tdh.h TDH_OUTTYPE_*).
type OutType uint16

// The out-types.
const (
	Default                    OutType = 0 // the default of the in-type
	String                     OutType = 1
	DateTime                   OutType = 2
	Byte                       OutType = 3
	UnsignedByte               OutType = 4
	Short                      OutType = 5
	UnsignedShort              OutType = 6
	Int                        OutType = 7
	UnsignedInt                OutType = 8
	Long                       OutType = 9
	UnsignedLong               OutType = 10
	OutFloat                   OutType = 11
	OutDouble                  OutType = 12
	OutBoolean                 OutType = 13
	OutGUID                    OutType = 14
	HexBinary                  OutType = 15
	OutHexInt8                 OutType = 16
	OutHexInt16                OutType = 17
	OutHexInt32                OutType = 18
	OutHexInt64                OutType = 19
	PID                        OutType = 20
	TID                        OutType = 21
	Port                       OutType = 22
	IPv4                       OutType = 23
	IPv6                       OutType = 24
	SocketAddress              OutType = 25
	CIMDateTime                OutType = 26
	ETWTime                    OutType = 27
	XML                        OutType = 28
	ErrorCode                  OutType = 29
	Win32Error                 OutType = 30
	NTStatus                   OutType = 31
	HResult                    OutType = 32
	DateTimeCultureInsensitive OutType = 33
	JSON                       OutType = 34
	UTF8                       OutType = 35
	PKCS7WithTypeInfo          OutType = 36
	CodePointer                OutType = 37
	DateTimeUTC                OutType = 38
	ReducedString              OutType = 300
	NoPrint                    OutType = 301
)

// inSpec describes an in-type. To add one, add a row to inTypes.
type inSpec struct {
	name   string  // in manifests; from 300 on a name of ours in the same style
	out    OutType // the default
	kind   schema.Kind
	prefix schema.Prefix
}

var inTypes = map[InType]inSpec{
	Null:                    {"win:Null", Default, 0, schema.NoPrefix},
	UnicodeString:           {"win:UnicodeString", String, schema.Text16, schema.NoPrefix},
	AnsiString:              {"win:AnsiString", String, schema.Text8, schema.NoPrefix},
	Int8:                    {"win:Int8", Byte, schema.I8, schema.NoPrefix},
	UInt8:                   {"win:UInt8", UnsignedByte, schema.U8, schema.NoPrefix},
	Int16:                   {"win:Int16", Short, schema.I16, schema.NoPrefix},
	UInt16:                  {"win:UInt16", UnsignedShort, schema.U16, schema.NoPrefix},
	Int32:                   {"win:Int32", Int, schema.I32, schema.NoPrefix},
	UInt32:                  {"win:UInt32", UnsignedInt, schema.U32, schema.NoPrefix},
	Int64:                   {"win:Int64", Long, schema.I64, schema.NoPrefix},
	UInt64:                  {"win:UInt64", UnsignedLong, schema.U64, schema.NoPrefix},
	Float:                   {"win:Float", OutFloat, schema.F32, schema.NoPrefix},
	Double:                  {"win:Double", OutDouble, schema.F64, schema.NoPrefix},
	Boolean:                 {"win:Boolean", OutBoolean, schema.Bool32, schema.NoPrefix},
	Binary:                  {"win:Binary", HexBinary, schema.Bytes, schema.NoPrefix},
	GUID:                    {"win:GUID", OutGUID, schema.GUIDs, schema.NoPrefix},
	Pointer:                 {"win:Pointer", OutHexInt64, schema.Pointer, schema.NoPrefix},
	FileTime:                {"win:FILETIME", DateTime, schema.FileTime, schema.NoPrefix},
	SystemTime:              {"win:SYSTEMTIME", DateTime, schema.SystemTime, schema.NoPrefix},
	SID:                     {"win:SID", String, schema.SID, schema.NoPrefix},
	HexInt32:                {"win:HexInt32", OutHexInt32, schema.U32, schema.NoPrefix},
	HexInt64:                {"win:HexInt64", OutHexInt64, schema.U64, schema.NoPrefix},
	CountedUnicodeString:    {"win:CountedUnicodeString", String, schema.Chars16, schema.BytesIn16},
	CountedAnsiString:       {"win:CountedAnsiString", String, schema.Chars8, schema.BytesIn16},
	CountedBinary:           {"win:CountedBinary", HexBinary, schema.Bytes, schema.BytesIn16},
	WBEMCountedString:       {"wbem:CountedString", String, schema.Chars16, schema.BytesIn16},
	WBEMCountedAnsiString:   {"wbem:CountedAnsi", String, schema.Chars8, schema.BytesIn16},
	ReversedCountedString:   {"wbem:ReversedCountedString", String, schema.Chars16, schema.BytesIn16Big},
	ReversedCountedAnsi:     {"wbem:ReversedCountedAnsi", String, schema.Chars8, schema.BytesIn16Big},
	NonNullTerminatedString: {"wbem:NonNullTerminatedString", String, schema.Chars16, schema.NoPrefix},
	NonNullTerminatedAnsi:   {"wbem:NonNullTerminatedAnsi", String, schema.Chars8, schema.NoPrefix},
	UnicodeChar:             {"wbem:UnicodeChar", String, schema.U16, schema.NoPrefix},
	AnsiChar:                {"wbem:AnsiChar", String, schema.U8, schema.NoPrefix},
	SizeT:                   {"wbem:SizeT", OutHexInt64, schema.Size, schema.NoPrefix},
	HexDump:                 {"wbem:HexDump", HexBinary, schema.Bytes, schema.BytesIn32},
	WBEMSID:                 {"wbem:WBEMSID", String, schema.WBEMSID, schema.NoPrefix},
}

var outTypes = map[OutType]string{
	String: "xs:string", DateTime: "xs:dateTime", Byte: "xs:byte", UnsignedByte: "xs:unsignedByte",
	Short: "xs:short", UnsignedShort: "xs:unsignedShort", Int: "xs:int", UnsignedInt: "xs:unsignedInt",
	Long: "xs:long", UnsignedLong: "xs:unsignedLong", OutFloat: "xs:float", OutDouble: "xs:double",
	OutBoolean: "xs:boolean", OutGUID: "xs:GUID", HexBinary: "xs:hexBinary", OutHexInt8: "win:HexInt8",
	OutHexInt16: "win:HexInt16", OutHexInt32: "win:HexInt32", OutHexInt64: "win:HexInt64", PID: "win:PID",
	TID: "win:TID", Port: "win:Port", IPv4: "win:IPv4", IPv6: "win:IPv6", SocketAddress: "win:SocketAddress",
	CIMDateTime: "win:CIMDateTime", ETWTime: "win:ETWTIME", XML: "win:Xml", ErrorCode: "win:ErrorCode",
	Win32Error: "win:Win32Error", NTStatus: "win:NTSTATUS", HResult: "win:HResult",
	DateTimeCultureInsensitive: "win:DateTimeCultureInsensitive", JSON: "win:Json", UTF8: "win:Utf8",
	PKCS7WithTypeInfo: "win:Pkcs7WithTypeInfo", CodePointer: "win:CodePointer", DateTimeUTC: "win:DateTimeUtc",
	ReducedString: "win:ReducedString", NoPrint: "win:NoPrint",
}

var inTypesByName = sync.OnceValue(func() map[string]InType {
	byName := make(map[string]InType, len(inTypes))
	for in, spec := range inTypes {
		byName[localName(spec.name)] = in
	}
	return byName
})

var outTypesByName = sync.OnceValue(func() map[string]OutType {
	byName := make(map[string]OutType, len(outTypes))
	for out, name := range outTypes {
		byName[localName(name)] = out
	}
	return byName
})

// localName returns a name in lower case without its prefix: manifests choose the
// prefixes, and writers differ in the case of the types.
func localName(name string) string {
	return strings.ToLower(name[strings.LastIndexByte(name, ':')+1:])
}

// ParseInType returns the in-type with this name in manifests, such as
// "win:UnicodeString".
func ParseInType(name string) (InType, bool) {
	in, ok := inTypesByName()[localName(name)]
	return in, ok
}

// ParseOutType returns the out-type with this name in manifests, such as "xs:string".
func ParseOutType(name string) (OutType, bool) {
	out, ok := outTypesByName()[localName(name)]
	return out, ok
}

func (in InType) String() string {
	if spec, ok := inTypes[in]; ok {
		return spec.name
	}
	return "in-type " + strconv.Itoa(int(in))
}

// String returns the name of the out-type; that of Default is "".
func (out OutType) String() string {
	if out == Default {
		return ""
	}
	if name, ok := outTypes[out]; ok {
		return name
	}
	return "out-type " + strconv.Itoa(int(out))
}
