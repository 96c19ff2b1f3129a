package etltest

import (
	"strings"
	"testing"

	"github.com/etl2parquet/etl2parquet/decode/eventinfo"
)

// TestEventInfo reads written records with the eventinfo package.
func TestEventInfo(t *testing.T) {
	const text = `eventinfo:(provider:22fb2cd6-0e7b-422b-a0c7-2fad1fd0e716,id:7,ver:2,chan:16,level:4,op:1,task:3,kw:0x11,` +
		`pname:"P ",kname:one,kname:"two ",tname:T,oname:O,msg:"%1",fields:(N:u32=M,A:u16[N],B:bin{N},C:str16{3},D:u8[2],E:u32/17,S:struct(X:u8,Y:guid)[2]))`
	b, err := Payload(text, 8)
	if err != nil {
		t.Fatal(err)
	}
	r, err := eventinfo.Parse(b)
	if err != nil {
		t.Fatal(err)
	}
	if r.GUID.String() != "22fb2cd6-0e7b-422b-a0c7-2fad1fd0e716" || r.ID != 7 || r.Version != 2 || r.Channel != 16 || r.Level != 4 || r.Opcode != 1 || r.Task != 3 || r.Keyword != 0x11 {
		t.Errorf("%+v", r.Schema)
	}
	if r.Class != "P" || strings.Join(r.Keywords, " ") != "one two" || r.DisplayName() != "T/O" || r.MessageText != "%1" {
		t.Errorf("%+v", r.Schema)
	}
	var got []string
	for _, f := range r.Fields {
		got = append(got, f.Doc)
	}
	if names := strings.Join(got, " "); len(r.Fields) != 7 || r.Fields[1].CountField != "n" || r.Fields[2].LengthField != "n" || r.Fields[3].Length != 3 ||
		r.Fields[4].Count != 2 || r.Fields[0].Values != "M" || len(r.Fields[6].Struct) != 2 || r.Fields[6].Count != 2 || !r.Fields[5].Hex {
		t.Errorf("%s: %+v", names, r.Fields)
	}
	if b, err = Payload(`mapinfo:(provider:22fb2cd6-0e7b-422b-a0c7-2fad1fd0e716,name:"M ",flags:2,1:a,0x4:"b c")`, 8); err != nil {
		t.Fatal(err)
	}
	provider, values, err := eventinfo.ParseMap(b)
	if err != nil || provider != r.GUID || values.Name != "M" || values.Text(5) != "a|b c" {
		t.Errorf("%v, %+v, %v", provider, values, err)
	}
}

func TestEventInfoFaults(t *testing.T) {
	for text, want := range map[string]string{
		"eventinfo:x":                             "not in brackets",
		"eventinfo:(id)":                          "not name:value",
		"eventinfo:(nosuch:1)":                    "unknown key",
		"eventinfo:(id:70000)":                    "does not fit",
		"eventinfo:(fields:(A:nosuch))":           "field A",
		"eventinfo:(fields:(A:u16[N]))":           `no field "N"`,
		"eventinfo:(fields:(S:struct(A:nosuch)))": "field S",
		"mapinfo:(x:y)":                           "bad number",
	} {
		if _, err := Payload(text, 8); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %s", text, err, want)
		}
	}
}
