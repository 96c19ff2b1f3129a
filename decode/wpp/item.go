package wpp

import (
	"strings"

	"github.com/etl2parquet/etl2parquet/schema"
)

// item is the form of an argument in the payload.
type item struct {
	schema.Field
	names   naming
	spelled bool // its text is not just the number or its name: "#s" in decode.ParseMessage
}

// naming is the meaning of the names after an item.
type naming uint8

const (
	noNames naming = iota
	numbers        // a name for each number from 0 on
	bits           // a name for each bit
	typeOf         // the name of a type, which only debug symbols describe
)

// items are the item types of TMF files, in lower case.
var items = map[string]item{
	"itemchar":     {Field: schema.Field{Kind: schema.I8}},
	"itemuchar":    {Field: schema.Field{Kind: schema.U8}},
	"itemlistbyte": {Field: schema.Field{Kind: schema.U8}, names: numbers},
	"itemsetbyte":  {Field: schema.Field{Kind: schema.U8, Hex: true}, names: bits},

	"itemshort":     {Field: schema.Field{Kind: schema.I16}},
	"itemushort":    {Field: schema.Field{Kind: schema.U16}},
	"itemlistshort": {Field: schema.Field{Kind: schema.U16}, names: numbers},
	"itemsetshort":  {Field: schema.Field{Kind: schema.U16, Hex: true}, names: bits},
	"itemport":      {Field: schema.Field{Kind: schema.Port}},

	"itemlong":        {Field: schema.Field{Kind: schema.I32}},
	"itemulong":       {Field: schema.Field{Kind: schema.U32}},
	"itemulongx":      {Field: schema.Field{Kind: schema.U32, Hex: true}},
	"itemlistlong":    {Field: schema.Field{Kind: schema.U32}, names: numbers},
	"itemsetlong":     {Field: schema.Field{Kind: schema.U32, Hex: true}, names: bits},
	"itemenum":        {Field: schema.Field{Kind: schema.I32}, names: typeOf},
	"itemflagsenum":   {Field: schema.Field{Kind: schema.U32, Hex: true}, names: typeOf},
	"itemntstatus":    {Field: schema.Field{Kind: schema.U32, Hex: true, Values: "ntstatus"}, spelled: true},
	"itemndis_status": {Field: schema.Field{Kind: schema.U32, Hex: true, Values: "ntstatus"}, spelled: true},
	"itemhresult":     {Field: schema.Field{Kind: schema.U32, Hex: true}, spelled: true},
	"itemwinerror":    {Field: schema.Field{Kind: schema.U32}},
	"itemndis_oid":    {Field: schema.Field{Kind: schema.U32, Hex: true}, spelled: true},
	"itemchar4":       {Field: schema.Field{Kind: schema.Chars8, Length: 4}},
	"itemipaddr":      {Field: schema.Field{Kind: schema.IPv4}},

	"itemlonglong":   {Field: schema.Field{Kind: schema.I64}},
	"itemulonglong":  {Field: schema.Field{Kind: schema.U64}},
	"itemlonglongx":  {Field: schema.Field{Kind: schema.U64, Hex: true}},
	"itemlonglongxx": {Field: schema.Field{Kind: schema.U64, Hex: true}},
	"itemlonglongo":  {Field: schema.Field{Kind: schema.U64}},
	"itemtimestamp":  {Field: schema.Field{Kind: schema.FileTime}},
	"itemtimedelta":  {Field: schema.Field{Kind: schema.I64, Unit: schema.InMillis}, spelled: true},
	"itemwaittime":   {Field: schema.Field{Kind: schema.I64, Unit: schema.InMillis}, spelled: true},
	"itemduetime":    {Field: schema.Field{Kind: schema.I64, Unit: schema.InMillis}, spelled: true},

	"itemfloat":  {Field: schema.Field{Kind: schema.F32}},
	"itemdouble": {Field: schema.Field{Kind: schema.F64}},
	"itemptr":    {Field: schema.Field{Kind: schema.Pointer}},

	"itemguid":    {Field: schema.Field{Kind: schema.GUIDs}},
	"itemclsid":   {Field: schema.Field{Kind: schema.GUIDs}},
	"itemlibid":   {Field: schema.Field{Kind: schema.GUIDs}},
	"itemiid":     {Field: schema.Field{Kind: schema.GUIDs}},
	"itemmacaddr": {Field: schema.Field{Kind: schema.MAC}},
	"itemsid":     {Field: schema.Field{Kind: schema.SID}},

	"itemstring":   {Field: schema.Field{Kind: schema.Text8}},
	"itemrstring":  {Field: schema.Field{Kind: schema.Text8}},
	"itemwstring":  {Field: schema.Field{Kind: schema.Text16}},
	"itemrwstring": {Field: schema.Field{Kind: schema.Text16}},
	"itempstring":  {Field: schema.Field{Kind: schema.Chars8, LengthPrefix: schema.BytesIn16}},
	"itempwstring": {Field: schema.Field{Kind: schema.Chars16, LengthPrefix: schema.BytesIn16}},
	"itemhexdump":  {Field: schema.Field{Kind: schema.Bytes, LengthPrefix: schema.BytesIn16}},
	"itemhexbytes": {Field: schema.Field{Kind: schema.Bytes, LengthPrefix: schema.BytesIn16}},
}

// parseItem splits ItemListByte(Low,APC) into the item's name and the names.
func parseItem(s string) (name, list string, ok bool) {
	if !strings.HasPrefix(s, "Item") {
		return "", "", false
	}
	end := 0
	for end < len(s) && isNamePart(s[end]) {
		end++
	}
	name, list = s[:end], s[end:]
	if list == "" {
		return name, "", true
	}
	if list[0] != '(' || list[len(list)-1] != ')' {
		return "", "", false
	}
	return name, list[1 : len(list)-1], true
}

func isNamePart(c byte) bool {
	return c >= 'A' && c <= 'Z' || c >= 'a' && c <= 'z' || c >= '0' && c <= '9' || c == '_'
}
