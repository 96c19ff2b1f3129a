package tracelogging

import "github.com/etl2parquet/etl2parquet/decode/tdh"

// inType is an in-type of TraceLogging, numbered as in TDH.
type inType uint8

const inStruct inType = 24

func (in inType) tdh() tdh.InType { return tdh.InType(in) }

// stored returns the in-type with the size and the sign of the field.
func (in inType) stored(out outType) tdh.InType {
	t, integer := in.tdh(), &integers[in]
	known := integer.signed != tdh.Null
	switch {
	case t == tdh.Binary: // TraceLogging always writes the length before the bytes
		return tdh.CountedBinary
	case known && out == outSigned:
		return integer.signed
	case known && out == outUnsigned:
		return integer.unsigned
	}
	return t
}

// outType is an out-type of TraceLogging, numbered differently from TDH.
type outType uint8

// The out-types that depend on the in-type.
const (
	outHex      outType = 4
	outSigned   outType = 17
	outUnsigned outType = 18
)

var outTypes = [256]tdh.OutType{
	1:  tdh.NoPrint,
	2:  tdh.String,
	3:  tdh.OutBoolean,
	5:  tdh.PID,
	6:  tdh.TID,
	7:  tdh.Port,
	8:  tdh.IPv4,
	9:  tdh.IPv6,
	10: tdh.SocketAddress,
	11: tdh.XML,
	12: tdh.JSON,
	13: tdh.Win32Error,
	14: tdh.NTStatus,
	15: tdh.HResult,
	16: tdh.DateTime,
	33: tdh.DateTimeCultureInsensitive,
	35: tdh.UTF8,
	36: tdh.PKCS7WithTypeInfo,
	37: tdh.CodePointer,
	38: tdh.DateTimeUTC,
}

// integers are the forms in which an integer can be shown, by its in-type; other in-types have none.
var integers = [256]struct {
	signed, unsigned                tdh.InType
	hex, shownSigned, shownUnsigned tdh.OutType
}{
	tdh.Int8:     {tdh.Int8, tdh.UInt8, tdh.OutHexInt8, tdh.Byte, tdh.UnsignedByte},
	tdh.UInt8:    {tdh.Int8, tdh.UInt8, tdh.OutHexInt8, tdh.Byte, tdh.UnsignedByte},
	tdh.Int16:    {tdh.Int16, tdh.UInt16, tdh.OutHexInt16, tdh.Short, tdh.UnsignedShort},
	tdh.UInt16:   {tdh.Int16, tdh.UInt16, tdh.OutHexInt16, tdh.Short, tdh.UnsignedShort},
	tdh.Int32:    {tdh.Int32, tdh.UInt32, tdh.OutHexInt32, tdh.Int, tdh.UnsignedInt},
	tdh.UInt32:   {tdh.Int32, tdh.UInt32, tdh.OutHexInt32, tdh.Int, tdh.UnsignedInt},
	tdh.HexInt32: {tdh.Int32, tdh.UInt32, tdh.OutHexInt32, tdh.Int, tdh.UnsignedInt},
	tdh.Int64:    {tdh.Int64, tdh.UInt64, tdh.OutHexInt64, tdh.Long, tdh.UnsignedLong},
	tdh.UInt64:   {tdh.Int64, tdh.UInt64, tdh.OutHexInt64, tdh.Long, tdh.UnsignedLong},
	tdh.HexInt64: {tdh.Int64, tdh.UInt64, tdh.OutHexInt64, tdh.Long, tdh.UnsignedLong},
}

// tdh returns the out-type of TDH, or Default for an unknown one.
func (out outType) tdh(in inType) tdh.OutType {
	integer := &integers[in]
	switch {
	case integer.signed == tdh.Null:
	case out == outHex:
		return integer.hex
	case out == outSigned:
		return integer.shownSigned
	case out == outUnsigned:
		return integer.shownUnsigned
	}
	return outTypes[out]
}
