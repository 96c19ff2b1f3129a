package etltest

import (
	"bytes"
	"strings"
	"testing"
)

func TestParseErrors(t *testing.T) {
	for _, tt := range []struct{ text, want string }{
		{"nonsense", `line 1: unknown statement "nonsense"`},
		{"\n# note\nbuffer\nsystem64 hook=0x10000", "line 4: system64 hook: 65536 does not fit in 16 bits"},
		{"system64 provider=1", "line 1: system64 provider: unknown key"},
		{"system64 hook", "line 1: system64 hook: no value"},
		{"system64 size=70000", "line 1: system64 size: 70000 does not fit in 16 bits"},
		{"system64 ver=256", "line 1: version 0x100 does not fit in a byte"},
		{"system64 pmc=1,2,3,4,5,6,7,8", "line 1: 8 counters, a header counts at most 7"},
		{"system64 cpu=1", "line 1: system64 cpu: only in a stream; a buffer has one for all its events"},
		{"system64 payload=u9:1", `line 1: system64 payload: unknown payload type "u9"`},
		{"system64 payload=abc", `line 1: system64 payload: hex: bad hex "abc"`},
		{"system64 payload=u8:256", "line 1: system64 payload: u8: 256 does not fit in 8 bits"},
		{"system64 payload=u8:1/0", `line 1: system64 payload: u8: bad number "1/0": division by zero`},
		{"system64 payload=str8:\"a", "line 1: missing closing quote"},
		{"system64 t=+5", `line 1: system64 t: bad duration "+5"`},
		{"system64 =1", `line 1: "=1" is not key=value`},
		{"event64 provider=12", `line 1: event64 provider: bad guid "12"`},
		{"event64 sid=S-1", `line 1: event64 sid: sid: bad sid "S-1"`},
		{"event64 schema=A(b", `line 1: brackets do not match`},
		{"event64 schema=A(b)", `line 1: event64 schema: "b" is not name:type`},
		{"event64 schema=A(b:u33)", `line 1: event64 schema: field b: bad number "u33": "u33" is no number`},
		{"event64 payload=zero:70000", "line 1: event of 0x111c0 bytes, the size field holds at most 0xffff"},
		{"buffer\nsystem64 payload=zero:4096", "line 2: the events need 0x1068 bytes, the buffer has 0x1000"},
		{"stream\nsystem64 payload=zero:4096", "line 2: event does not fit in a buffer of 0x1000 bytes"},
		{"header\nsystem64 payload=zero:4096", "line 1: header buffer: 0x11a8 bytes do not fit in a buffer of 0x1000"},
		{"buffer cpu=1\ntrace", "line 2: trace must be the first statement"},
		{"trace clock=sun", "line 1: trace clock: must be one of qpc, system, cycles"},
		{"trace freq=0", "line 1: trace freq: 0 is out of range; logfile fields can be any"},
		{"trace wrap=2\nbuffer", "line 1: cannot wrap 2 of 1 buffers with 0 kept"},
		{"trace unfinalised=1", "line 1: trace unfinalised: takes no value"},
		{"trace standard=\"A\"@M10", `line 1: trace standard: "M10" is neither like M10.5.0/3 nor like 2024-10-27T03:00:00`},
		{"logfile nonsense=1", "line 1: logfile nonsense: unknown key"},
		{"buffer offset=0x100000000", "line 1: buffer offset: 4294967296 does not fit in 32 bits"},
		{"header compressed=xpress", "line 1: buffer compressed: unknown key"},
		{"repeat 2 {\nbuffer", "line 1: repeat without }"},
		{"}", "line 1: } without repeat"},
		{"repeat 2\n", "line 1: repeat without {"},
		{"repeat 2 {\nbuffer cpu=$j\n}", "line 2: unknown variable $j"},
		{"repeat 2 x=1 { buffer }", "line 1: repeat x: unknown key"},
		{"repeat 3000000 {\n}\nrepeat 3000000 {\n}", "line 3: more than 4194304 statements"},
		{"trace buffersize=0x8000000\nrepeat 9 { buffer }", "line 1: the buffers are more than 0x40000000 bytes"},
		{"raw patch=9:00", "line 1: patch at 0x9: outside the 0x0 bytes"},
	} {
		_, err := Parse(tt.text)
		if err == nil || err.Error() != tt.want {
			t.Errorf("%q:\ngot  %v\nwant %s", tt.text, err, tt.want)
		}
	}
}

// TestParseSame compares pairs of texts that mean the same bytes.
func TestParseSame(t *testing.T) {
	for _, tt := range []struct{ name, a, b string }{
		{"implied buffer", "system64 hook=1", "trace\nbuffer\nsystem64 hook=1"},
		{"comments and continued lines", "buffer # one\n# two\nsystem64 \\\n  hook=1", "buffer\nsystem64 hook=1"},
		{"repeat", "repeat 3 t=+1ms dt=2us {\nsystem64 hook=$i\n}",
			"system64 hook=0 t=+1ms\nsystem64 hook=1 t=+1002us\nsystem64 hook=2 t=+1004us"},
		{"nested repeat", "repeat 2 as=a dt=1s {\nrepeat 2 dt=1ms { system64 hook=10*$a+$i t=+1us }\n}",
			"system64 hook=0 t=+1us\nsystem64 hook=1 t=+1001us\nsystem64 hook=10 t=+1000001us\nsystem64 hook=11 t=+1001001us"},
		{"dt", "system64 t=+1ms\nsystem64 dt=2ms\nsystem64", "system64 t=+1ms\nsystem64 t=+3ms\nsystem64 t=+3ms"},
		{"date", "system64 t=2024-05-01T12:00:00.5Z", "system64 t=+500ms"},
		{"ticks", "system64 t=1000000010", "system64 t=+1us"},
		{"stream", "stream\nsystem64 cpu=1 t=+2us hook=1\nsystem64 cpu=0 t=+1us hook=2\nsystem64 cpu=1 t=+1us hook=3",
			"buffer cpu=0\nsystem64 t=+1us hook=2\nbuffer cpu=1\nsystem64 t=+1us hook=3\nsystem64 t=+2us hook=1"},
		{"dollar", `system64 payload=str8:"$$x"`, `system64 payload=str8:"\x24x"`},
		{"braces", "repeat 1 from=1 { system64 hook=${i}1 }", "system64 hook=11"},
	} {
		compare(t, MustParse(t, tt.a), MustParse(t, tt.b))
	}
}

// FuzzParse checks that no text crashes the parser, and that parsing a text
// again gives the same bytes.
func FuzzParse(f *testing.F) {
	f.Add("system64 hook=0x0525 ver=2 pid=4 tid=8 kernel=1 user=2 t=0x1122334455667788 pebs=9 pmc=1,2 payload=u32:0xaabbccdd")
	f.Add("instance64 guid=00112233-4455-6677-8899-aabbccddeeff type=1 instance=0x77 parentguid=ffeeddcc-bbaa-9988-7766-554433221100")
	f.Add("event32 t=9 sid=S-1-5-18 session=2 stack32=1:0x10,0x20 stackkey32=3:4 qpcdelta=-1 rawext=0x1f:aabb:0:9:3 payload=01")
	f.Add("message number=10 seq=7 component=6 perft=5 ptr=32 payload=ptr:1\nraw marker=0xb0000008 bytes=0000000001020304\nendmarker")
	f.Add("trace bias=1 standard=\"a\"@M1.2.3/4 slack=3:4 wrap=1\nlogfile pointersize=3\nrepeat 2 { buffer cpu=$i }")
	f.Fuzz(func(t *testing.T, text string) {
		if strings.Contains(text, "repeat") || strings.Contains(text, "zero") || strings.Contains(text, "size") ||
			strings.Contains(text, "slack") || strings.Contains(text, "*") {
			return // sizes are bounded, but slow
		}
		a, err := Parse(text)
		if err != nil {
			return
		}
		b, err := Parse(text)
		if err != nil || !bytes.Equal(a, b) {
			t.Error("the second parse gives other bytes")
		}
	})
}
