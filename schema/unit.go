package schema

// The units of numbers and texts whose form or meaning the source states.
const (
	AsHex           Unit = "hex"
	AsHResult       Unit = "hresult"
	AsNTStatus      Unit = "ntstatus"
	AsWin32Error    Unit = "win32_error"
	AsErrorCode     Unit = "error_code" // of a system that the source does not name
	AsPort          Unit = "port"
	AsIPv4          Unit = "ipv4"
	AsIPv6          Unit = "ipv6"
	AsSocketAddress Unit = "socket_address"
	AsMAC           Unit = "mac"
	AsProcess       Unit = "process_id"
	AsThread        Unit = "thread_id"
	AsCodePointer   Unit = "code_pointer"
	AsXML           Unit = "xml"
	AsJSON          Unit = "json"
	AsPKCS7         Unit = "pkcs7"
)

// outUnits are the units that an out-type of a manifest, or an item of a TMF file, states.
var outUnits = map[string]Unit{
	"win:HexInt8": AsHex, "win:HexInt16": AsHex, "win:HexInt32": AsHex, "win:HexInt64": AsHex,
	"win:HResult": AsHResult, "win:NTSTATUS": AsNTStatus, "win:Win32Error": AsWin32Error, "win:ErrorCode": AsErrorCode,
	"win:Port": AsPort, "win:IPv4": AsIPv4, "win:IPv6": AsIPv6, "win:SocketAddress": AsSocketAddress,
	"win:PID": AsProcess, "win:TID": AsThread, "win:CodePointer": AsCodePointer,
	"win:Xml": AsXML, "win:Json": AsJSON, "win:Pkcs7WithTypeInfo": AsPKCS7,
	"ItemHRESULT": AsHResult, "ItemNTSTATUS": AsNTStatus, "ItemNDIS_STATUS": AsNTStatus, "ItemWINERROR": AsWin32Error,
}

// kindUnits are the units of kinds that have one.
var kindUnits = [kindEnd]Unit{Port: AsPort, IPv4: AsIPv4, IPv6: AsIPv6, SocketAddress: AsSocketAddress, MAC: AsMAC}

// ColumnUnit returns the unit of the field's column: Unit, else the one that its source states,
// else "".
func (f *Field) ColumnUnit() Unit {
	switch {
	case f.Struct != nil:
		return ""
	case f.Unit != "":
		return f.Unit
	case f.InType == "" && f.Values == string(AsNTStatus): // of the kernel
		return AsNTStatus
	case outUnits[f.OutType] != "":
		return outUnits[f.OutType]
	case outUnits[f.InType] != "":
		return outUnits[f.InType]
	}
	return kindUnits[f.Kind]
}
