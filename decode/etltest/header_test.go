package etltest

import (
	"bytes"
	"encoding/hex"
	"strings"
	"testing"
)

func compare(t *testing.T, got, want []byte) {
	t.Helper()
	if bytes.Equal(got, want) {
		return
	}
	n := 0
	for n < len(got) && n < len(want) && got[n] == want[n] {
		n++
	}
	t.Errorf("differs at %#x\ngot\n%swant\n%s", n, hex.Dump(got), hex.Dump(want))
}

// TestUnreadHeaders checks the bytes of headers that package decode does not read in full. They were
// written by hand from the dossier's tables (02).
func TestUnreadHeaders(t *testing.T) {
	for _, tt := range []struct{ name, text, want string }{
		{"timed", "timed bytes=0102030405", `0900 0c c0 0102030405 00000000000000`},
		{"error", "error bytes=01020304", `0800 0d c0 01020304`},
		{"wnode", "wnode guid=00112233-4455-6677-8899-aabbccddeeff t=9 providerid=1 historicalcontext=2 clientcontext=3 wnodeflags=4", `
			3000 0e c0 01000000 0200000000000000 0900000000000000
			33221100 5544 7766 8899aabbccddeeff 03000000 04000000`},
		{"raw", "raw marker=0xb0000008 bytes=0000000001020304", `080000b0 01020304`},
		{"endmarker", "endmarker", `ffffffffffffffff`},
		{"spoiled", "system64 hook=1 t=1 size=0 headertype=0xee payload=01 patch=0x20:ff pad=eeee", `
			0000 ee c0 0000 0100 00000000 00000000 0100000000000000 00000000 00000000
			ff eeee`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			tr, err := ParseTrace(tt.text)
			if err != nil {
				t.Fatal(err)
			}
			compare(t, tr.Buffers[0].Data, MustHex(t, tt.want))
		})
	}
}

// TestHeaderTable checks the table of headers as a table.
func TestHeaderTable(t *testing.T) {
	for kind := System32; int(kind) < len(headerSpecs); kind++ {
		spec := headerSpecs[kind]
		names := map[string]bool{}
		for _, f := range spec.fields {
			if f.off+f.size > max(spec.size, 4) && kind != Raw {
				t.Errorf("%s.%s ends beyond %#x", spec.name, f.name, spec.size)
			}
			if names[f.name] {
				t.Errorf("%s.%s twice", spec.name, f.name)
			}
			names[f.name] = true
		}
		for _, key := range strings.Fields(spec.keys) {
			if eventKeyFuncs[key] == nil {
				t.Errorf("%s: no key %q", spec.name, key)
			}
			if names[key] || commonKeys[key] != nil {
				t.Errorf("%s: key %q means two things", spec.name, key)
			}
		}
	}
	for name := range bufferFields {
		if bufferKeys[name] != nil {
			t.Errorf("buffer: key %q means two things", name)
		}
	}
}

func TestTraceLogging(t *testing.T) {
	schema, err := parseSchema(`"My Event"#0x0FE00001(A:u32,"B:,":u8/hex,C:u16[]/string#1,D:u8[3],E:struct(F:str8/utf8,G:struct())[],H:bin{01ff})`)
	if err != nil {
		t.Fatal(err)
	}
	compare(t, schema.Bytes(), MustHex(t, `
		3800                       ; size
		ff 80 80 01                ; tag, seven bits a byte from the top
		4d79204576656e74 00        ; My Event
		41 00 08                   ; A: u32
		42 3a 2c 00 84 04          ; B: u8, out type hex
		43 00 c6 82 80 80 80 01    ; C: variable array, out type string, tag
		44 00 24 0300              ; D: constant array
		45 00 d8 02                ; E: variable array of structures of two fields
		46 00 82 23                ; F: str8, out type utf8
		47 00 98 00                ; G: structure without fields
		48 00 6e 0200 01ff         ; H: custom array`))

	traits, err := parseTraits("Prov(group:00112233-4455-6677-8899-aabbccddeeff,decode:ffeeddcc-bbaa-9988-7766-554433221100)")
	if err != nil {
		t.Fatal(err)
	}
	compare(t, traits.Bytes(), MustHex(t, `
		2d00 50726f76 00
		1300 01 33221100 5544 7766 8899aabbccddeeff
		1300 02 ccddeeff aabb 8899 7766554433221100`))

	if got, want := (&Schema{}).Bytes(), []byte{4, 0, 0, 0}; !bytes.Equal(got, want) {
		t.Errorf("empty schema: %x", got)
	}
}

func TestPayload(t *testing.T) {
	for _, tt := range []struct{ text, want string }{
		{"u8:1,u16:0x0203,u32:-1,i64:-2", "01 0302 ffffffff feffffffffffffff"},
		{"u16:1|2|3", "0100 0200 0300"},
		{"u8*3:2*(3+1)-7%4", "05 05 05"},
		{"00ff,hex:aa", "00ff aa"},
		{"ptr:1", "01000000"},
		{"f32:1.5,f64:-2", "0000c03f 00000000000000c0"},
		{`str8:"a,b\n",str16:"é😀",chars8:x,chars16:y`, "612c620a00 e9003dd800de0000 78 7900"},
		{`cstr8:"ab",cstr16:"ab",bin:010203`, "0200 6162 0400 61006200 0300 010203"},
		{"zero:3", "000000"},
		{"sid:S-1-5-21-1-2", "01 03 000000000005 15000000 01000000 02000000"},
		{"wbemsid:none,wbemsid:S-1-5-18", "00000000 20dc9cfc 00000000 01 01 000000000005 12000000"},
		{"port:443,ip:10.0.0.1,ip:::1", "01bb 0a000001 00000000000000000000000000000001"},
		{"ticks:+1us,ticks:5", "0aca9a3b00000000 0500000000000000"},
		{"filetime:1601-01-01T00:00:01Z", "8096980000000000"},
		{"systemtime:2024-05-01T12:30:15.25Z", "e807 0500 0300 0100 0c00 1e00 0f00 fa00"},
	} {
		got, err := Payload(tt.text, 4)
		if err != nil {
			t.Errorf("%s: %v", tt.text, err)
			continue
		}
		if want := MustHex(t, tt.want); !bytes.Equal(got, want) {
			t.Errorf("%s: got %x, want %x", tt.text, got, want)
		}
	}
}
