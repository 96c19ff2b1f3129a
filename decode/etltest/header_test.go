package etltest

import (
	"bytes"
	"encoding/hex"
	"strings"
	"testing"
)

// unhex reads hex with blanks; a line may have a note after a semicolon.
func unhex(t *testing.T, s string) []byte {
	t.Helper()
	var clean strings.Builder
	for line := range strings.Lines(s) {
		code, _, _ := strings.Cut(line, ";")
		clean.WriteString(strings.Join(strings.Fields(code), ""))
	}
	b, err := hex.DecodeString(clean.String())
	if err != nil {
		t.Fatalf("the test's own hex: %v", err)
	}
	return b
}

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

// The bytes were written by hand from the dossier's tables (02).
var headerTests = []struct{ name, text, want string }{
	{"system64", "system64 hook=0x0525 ver=2 pid=4 tid=8 kernel=1 user=2 t=0x1122334455667788 payload=u32:0xaabbccdd", `
		0200 02 c0                 ; 00 version, 02 type, 03 flags
		2400 2505                  ; 04 size, 06 hook id
		08000000 04000000          ; 08 thread, 0C process
		8877665544332211           ; 10 time
		01000000 02000000          ; 18 kernel, 1C user time
		ddccbbaa 00000000          ; 20 payload, pad`},
	{"system32", "system32 hook=0x0525 ver=2 pid=4 tid=8 t=1 payload=ptr:7", `
		0200 01 c0 2400 2505 08000000 04000000 0100000000000000 00000000 00000000
		07000000 00000000`},
	{"compact32 with counters", "compact32 hook=0x0524 ver=2 pid=4 tid=8 t=1 pebs=9 pmc=1,2", `
		0282 03 c0 3000 2405 08000000 04000000 0100000000000000
		0900000000000000           ; 18 PEBS index
		0100000000000000 0200000000000000`},
	{"compact64", "compact64 hook=0x0524 ver=2 t=1", `
		0200 04 c0 1800 2405 00000000 00000000 0100000000000000`},
	{"perfinfo64", "perfinfo64 hook=0x0f2e ver=2 t=0x1122334455667788 payload=ptr:0x1234,u32:7", `
		0200 11 c0 1c00 2e0f
		8877665544332211           ; 08 time
		3412000000000000 07000000 00000000`},
	{"perfinfo32 with a counter", "perfinfo32 hook=0x0f2e ver=2 t=1 pmc=5 payload=u8:1", `
		0201 10 c0 1900 2e0f 0100000000000000 0500000000000000 01 00000000000000`},
	{"full64", "full64 guid=00112233-4455-6677-8899-aabbccddeeff type=1 level=4 ver=0x102 pid=4 tid=8 t=9 kernel=1 user=2 payload=ff", `
		3100 14 c0                 ; 00 size
		01 04 0201                 ; 04 type, 05 level, 06 version
		08000000 04000000 0900000000000000
		33221100 5544 7766 8899aabbccddeeff ; 18 class
		01000000 02000000          ; 28 times
		ff 00000000000000`},
	{"full32, processor time", "full32 cputime=0x1122334455667788", `
		3000 0a c0 00 00 0000 00000000 00000000 00ca9a3b00000000
		00000000 00000000 00000000 00000000
		88776655 44332211`},
	{"instance64", "instance64 guid=00112233-4455-6677-8899-aabbccddeeff type=1 pid=4 tid=8 t=9 instance=0x77 parent=0x88 parentguid=ffeeddcc-bbaa-9988-7766-554433221100 kernel=1 user=2", `
		4800 15 c0 01 00 0000 08000000 04000000 0900000000000000
		33221100 5544 7766 8899aabbccddeeff
		01000000 02000000
		77000000 88000000          ; 30 instance, 34 parent
		ccddeeff aabb 8899 7766554433221100 ; 38 parent's class`},
	{"oldinstance32", "oldinstance32 reghandle=0x1111 instance=0x77 parent=0x88 parentreghandle=0x2222 kernel=1 user=2 t=9", `
		3800 0b c0 00 00 0000 00000000 00000000 0900000000000000
		1111000000000000           ; 18 registration handle
		77000000 88000000          ; 20 instance, 24 parent
		01000000 02000000          ; 28 times
		2222000000000000           ; 30 parent's registration handle`},
	{"event64", "event64 provider=00112233-4455-6677-8899-aabbccddeeff id=0x0102 ver=3 chan=4 level=5 op=6 task=0x0708 kw=0x8000000000000010 property=1 pid=4 tid=8 t=9 kernel=1 user=2 activity=ffeeddcc-bbaa-9988-7766-554433221100 payload=ab", `
		5100 13 c0 0000 0100       ; 00 size, 04 flags, 06 property
		08000000 04000000 0900000000000000
		33221100 5544 7766 8899aabbccddeeff ; 18 provider
		0201 03 04 05 06 0807      ; 28 id, version, channel, level, opcode, task
		1000000000000080           ; 30 keyword
		01000000 02000000          ; 38 times
		ccddeeff aabb 8899 7766554433221100 ; 40 activity
		ab 00000000000000`},
	{"event32 with items", "event32 t=9 sid=S-1-5-18 session=2 stack32=1:0x10,0x20 stackkey32=3:4 qpcdelta=-1 payload=01", `
		b900 12 c0 0100 0000 00000000 00000000 0900000000000000
		00000000 00000000 00000000 00000000
		0000000000000000 0000000000000000 00000000 00000000
		00000000 00000000 00000000 00000000
		1800 0200 0100 0c00        ; 50 item size, type, linkage, data size
		01 01 000000000005 12000000 00000000
		1000 0300 0100 0400 02000000 00000000
		1800 0500 0100 1000 0100000000000000 10000000 20000000
		1800 1100 0100 1000 0300000000000000 04000000 00000000
		1000 0f00 0000 0800 ffffffffffffffff
		01 00000000000000`},
	{"event64 with spoiled items", "event64 flags=0 eventflags=0 rawext=0x1f:aabb:0:9:3 rawext=1:", `
		6800 13 c0 0000 0000 00000000 00000000 00ca9a3b00000000
		00000000 00000000 00000000 00000000
		0000000000000000 0000000000000000 00000000 00000000
		00000000 00000000 00000000 00000000
		0000 1f00 0300 0900 aabb 000000000000
		0800 0100 0000 0000`},
	{"message", "message number=10 guid=00112233-4455-6677-8899-aabbccddeeff pid=4 tid=8 t=9 payload=u32:1", `
		2c00 00 90                 ; 00 size, 03 flags
		0a00 aa00                  ; 04 number, 06 options
		33221100 5544 7766 8899aabbccddeeff
		0900000000000000 08000000 04000000
		01000000 00000000`},
	{"message, other parts", "message number=10 seq=7 component=6 perft=5 ptr=32 payload=ptr:1", `
		2400 00 90 0a00 7500
		07000000 06000000 0500000000000000 00000000 00000000
		01000000 00000000`},
	{"message without parts", "message flags=0", `0800 00 90 0000 0000`},
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
}

func TestHeaders(t *testing.T) {
	for _, tt := range headerTests {
		t.Run(tt.name, func(t *testing.T) {
			tr, err := ParseTrace(tt.text)
			if err != nil {
				t.Fatal(err)
			}
			compare(t, tr.Buffers[0].Data, unhex(t, tt.want))
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
	compare(t, schema.Bytes(), unhex(t, `
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
	compare(t, traits.Bytes(), unhex(t, `
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
		if want := unhex(t, tt.want); !bytes.Equal(got, want) {
			t.Errorf("%s: got %x, want %x", tt.text, got, want)
		}
	}
}
