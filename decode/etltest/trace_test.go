package etltest

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"testing"
	"time"

	"github.com/etl2parquet/etl2parquet/decode"
	"github.com/etl2parquet/etl2parquet/decode/decodetest"
	"github.com/etl2parquet/etl2parquet/tools/testenv"
)

// record is an event of a trace.
type record struct {
	cpu  uint16
	time decode.Ticks // 0 without one
	raw  []byte
}

// walk reads the events of a trace, those of the header buffer first.
func walk(t *testing.T, file []byte) (events []record) {
	t.Helper()
	f := decodetest.Open(t, file)
	decodetest.Walk(t, f, func(b *decode.Buffer, ev *decode.Event) {
		events = append(events, record{b.Header.Processor, ev.Time, bytes.Clone(ev.Raw)})
	})
	return events
}

func TestBufferHeader(t *testing.T) {
	file := MustParse(t, `
trace buffersize=0x400 logger=0x1c
buffer cpu=0x102
system64 hook=0x0525 ver=2 t=0x1122334455667788 payload=zero:5
buffer cpu=1 t=0x99 seq=7 type=2 flags=2 state=1 slack=0x00 referencecount=1 clockfrequency=2 starttime=3 startperfclock=4
buffer offset=0x47 savedoffset=-1 currentoffset=5 buffersize=0 patch=0x3ff:ee`)
	if len(file) != 4*0x400 {
		t.Fatalf("%#x bytes", len(file))
	}
	for i, want := range []string{`
		00040000 38020000 38020000 00000000 ; 00 size, saved, current, references
		0000000000000000 0000000000000000   ; 10 time, 18 sequence
		0000000000000000                    ; 20
		0000 1c00 03000000                  ; 28 processor, logger, state
		38020000 2100 0400                  ; 30 offset, flags, type`, `
		00040000 70000000 70000000 00000000
		8877665544332211 0100000000000000 0000000000000000
		0201 1c00 03000000 70000000 2100 0000
		0000000000000000 0000000000000000`, `
		00040000 48000000 48000000 01000000
		9900000000000000 0700000000000000 0200000000000000
		0100 1c00 01000000 48000000 2300 0200
		0300000000000000 0400000000000000 00`, `
		00000000 ffffffff 05000000 00000000
		0000000000000000 0800000000000000 0000000000000000
		0000 1c00 03000000 47000000 2100 0000`} {
		w := MustHex(t, want)
		if i == 0 {
			// 0x48 + SYSTEM header 0x20 + logfile header 0x118 + two empty names, to 8
			binary.LittleEndian.PutUint32(w[4:], 0x188)
			binary.LittleEndian.PutUint32(w[8:], 0x188)
			binary.LittleEndian.PutUint32(w[0x30:], 0x188)
		}
		compare(t, file[i*0x400:][:len(w)], w)
	}
	if file[0x400+0x6f] != 0 || file[0x400+0x70] != 0xff || file[len(file)-1] != 0xee {
		t.Error("pad, fill or patch")
	}
}

// TestWindows7 checks that the processor is a byte and the header has no SavedOffset.
func TestWindows7(t *testing.T) {
	file := MustParse(t, "trace os=6.1 build=7601 buffersize=0x400\nbuffer cpu=3\nsystem64 hook=1")
	compare(t, file[:0x38], MustHex(t, `
		00040000 00000000 88010000 00000000 0000000000000000 0000000000000000 0000000000000000
		0008 0000 03000000 88010000 0100 0400`))
	compare(t, file[0x400+0x28:][:0x10], MustHex(t, `0308 0000 03000000 68000000 0100 0000`))
}

func TestLogfileHeader(t *testing.T) {
	const line = ` clock=cycles freq=2000000 mhz=3000 start=1601-01-01T00:01:40Z startticks=0x77 end=1601-01-01T00:01:41Z
		boot=1601-01-01T00:00:01Z buffersize=0x800 processors=5 mode=circular|kbytes maxsize=100 startbuffers=2
		eventslost=6 bufferslost=7 timerres=8 os=6.3 version=1.4 build=9600 name=N file=F
		bias=-60 standard="S"@M10.5.0/3 daylight="D"@2024-03-31T02:00:00 standardbias=0 daylightbias=-60`
	const head = `
		00080000 06 03 01 04 80250000 05000000 ; 00 buffer size, version, build, processors
		8060333c00000000 08000000 64000000     ; 10 end, timer resolution, maximum size
		02200000 01000000 02000000             ; 20 mode, buffers written, start buffers`
	const tail = `
		8096980000000000                       ; boot
		80841e0000000000                       ; frequency
		00ca9a3b00000000                       ; start
		03000000 07000000                      ; clock, buffers lost
		4e000000 46000000                      ; names`
	zone := "c4ffffff 5300" + fmt.Sprintf("%0124x", 0) + "0000 0a00 0000 0500 0300 0000 0000 0000 00000000" +
		"4400" + fmt.Sprintf("%0124x", 0) + "e807 0300 0000 1f00 0200 0000 0000 0000 c4ffffff 00000000"
	for _, tt := range []struct{ ptr, event, middle string }{
		{"64", "0200 02c0 4001 0000 00000000 00000000 7700000000000000 00000000 00000000",
			"08000000 06000000 b80b0000 0000000000000000 0000000000000000"},
		{"32", "0200 01c0 3801 0000 00000000 00000000 7700000000000000 00000000 00000000",
			"04000000 06000000 b80b0000 00000000 00000000"},
	} {
		file := MustParse(t, "trace ptr="+tt.ptr+continued(line))
		want := MustHex(t, tt.event+"\n"+head+"\n"+tt.middle+"\n"+zone+"\n"+tail)
		compare(t, file[0x48:][:len(want)], want)
	}
}

func continued(s string) string {
	return string(bytes.ReplaceAll([]byte(s), []byte("\n"), []byte(" ")))
}

func TestLogfileFields(t *testing.T) {
	file := MustParse(t, "logfile pointersize=3 perffreq=0 loggernamepointer=5 endtime=-1\nheaderevent pid=4 tid=8 size=0")
	e := file[0x48:]
	compare(t, e[:0x10], MustHex(t, "0200 02c0 0000 0000 08000000 04000000"))
	for _, f := range []struct{ off, want uint32 }{{0x2C, 3}, {0x38, 5}, {0x100, 0}, {0x10, 0xFFFFFFFF}} {
		if got := binary.LittleEndian.Uint32(e[0x20+f.off:]); got != f.want {
			t.Errorf("%#x: %#x, want %#x", f.off, got, f.want)
		}
	}
}

func TestCompressedHeaders(t *testing.T) {
	for name, format := range map[string]uint32{"lznt1": 2, "xpress": 3, "huffman": 4} {
		file := MustParse(t, "trace buffersize=8192 compressed="+name+
			"\nheader\nsystem64 hook=0x50 payload=zero:48\nbuffer cpu=2\nrepeat 20 { system64 hook=1 payload=zero:100 }\nbuffer plain")
		u32 := binary.LittleEndian.Uint32
		if size := u32(file); size != 0x400 {
			t.Errorf("header buffer of %#x bytes", size)
		}
		if u32(file[4:]) != 0x188 || u32(file[0x30:]) != 0x188+0x50 {
			t.Error("the extra event must lie beyond SavedOffset")
		}
		if file[0x34] != 1 || u32(file[0x2C:]) != format {
			t.Errorf("flags %#x, state %#x", file[0x34], u32(file[0x2C:]))
		}
		if v := u32(file[0x68+4:]); v != 0x0002000A {
			t.Errorf("version %#x", v)
		}
		if mode := u32(file[0x68+0x20:]); mode != 0x04010000 {
			t.Errorf("mode %#x", mode)
		}
		b := file[0x400:]
		used := uint32(0x48 + 20*(0x20+104))
		if u32(b) >= used || u32(b[4:]) != used || u32(b[0x30:]) != used || u32(b[8:]) != 8192+used {
			t.Errorf("%s: size %#x, saved %#x, current %#x, offset %#x", name, u32(b), u32(b[4:]), u32(b[8:]), u32(b[0x30:]))
		}
		if b[0x34] != 0x61 {
			t.Errorf("flags %#x", b[0x34])
		}
		if when := int64(binary.LittleEndian.Uint64(b[0x10:])); when != FileTime(time.Date(2024, 5, 1, 12, 0, 0, 0, time.UTC)) {
			t.Errorf("time stamp %#x is not a FILETIME", when)
		}
		if plain := b[u32(b):]; plain[0x34] != 0x21 || len(plain) != 8192 {
			t.Errorf("plain buffer: flags %#x, %d bytes", plain[0x34], len(plain))
		}
	}
}

// sequences lists logger and sequence number of each data buffer.
func sequences(file []byte, size int) (out string) {
	for at := size; at < len(file); at += size {
		out += fmt.Sprintf(" %d:%d", binary.LittleEndian.Uint16(file[at+0x2A:]), binary.LittleEndian.Uint64(file[at+0x18:]))
	}
	return out
}

func TestFileModes(t *testing.T) {
	for _, tt := range []struct{ name, text, want string }{
		{"sequential", "trace mode=sequential\nrepeat 3 { buffer cpu=$i }", " 0:1 0:2 0:3"},
		{"circular", "trace mode=circular wrap=2\nrepeat 5 { buffer cpu=$i }", " 0:4 0:5 0:1 0:2 0:3"},
		{"circular with kept buffers", "trace mode=circular wrap=2 startbuffers=2\nrepeat 5 { buffer }", " 0:1 0:4 0:5 0:2 0:3"},
		{"circular, oldest overwritten", "trace wrap=1 seq=8\nrepeat 3 { buffer }", " 0:10 0:8 0:9"},
		{"append", "trace mode=append logger=3\nbuffer\nbuffer\nbuffer logger=4\nbuffer logger=4\nbuffer logger=5", " 3:1 3:2 4:1 4:2 5:1"},
		{"new file", "trace mode=newfile seq=908\nbuffer\nbuffer", " 0:908 0:909"},
		{"gap", "buffer\nbuffer seq=9\nbuffer", " 0:1 0:9 0:10"},
	} {
		if got := sequences(MustParse(t, tt.text), 4096); got != tt.want {
			t.Errorf("%s: got%s, want%s", tt.name, got, tt.want)
		}
	}

	file := MustParse(t, "trace unfinalised slack=16:0xab truncate=4\nbuffer")
	if len(file) != 2*4096+12 || file[len(file)-1] != 0xab || file[2*4096] != 0xab {
		t.Errorf("slack: %d bytes", len(file))
	}
	if h := file[0x68:]; binary.LittleEndian.Uint64(h[0x10:]) != 0 || binary.LittleEndian.Uint32(h[0x24:]) != 0 {
		t.Error("unfinalised: EndTime or BuffersWritten set")
	}
	file = MustParse(t, "trace mode=noperprocessor\nstream\nsystem64 hook=1 cpu=3\nsystem64 hook=1 cpu=4")
	if len(file) != 2*4096 || file[0x68+0xC] != 1 || len(walk(t, file)) != 3 {
		t.Error("noperprocessor: more than one processor")
	}
	file = MustParse(t, "trace noheader\nbytes payload=0102\nbuffer\nbytes payload=03")
	if len(file) != 4096+3 || file[0] != 1 || file[4098] != 3 {
		t.Errorf("bytes: %d", len(file))
	}
}

func TestClocks(t *testing.T) {
	for _, tt := range []struct {
		trace      Trace
		start, one int64 // ticks at the start and a second later
	}{
		{Trace{}, 1_000_000_000, 1_010_000_000},
		{Trace{Frequency: 3}, 300, 303},
		{Trace{Clock: ClockSystem, Start: time.Unix(0, 0)}, 116444736000000000, 116444736010000000},
		{Trace{Clock: ClockCycles, MHz: 2}, 200_000_000, 202_000_000},
		{Trace{StartTicks: new(int64(5))}, 5, 10_000_005},
	} {
		start, one := tt.trace.Ticks(0), tt.trace.Ticks(time.Second)
		if start != tt.start || one != tt.one {
			t.Errorf("%+v: %d, %d", tt.trace, start, one)
		}
		if d := tt.trace.fileTime(one) - FileTime(tt.trace.start()); d != 1e7 {
			t.Errorf("%+v: a second is %d", tt.trace, d)
		}
	}
	if scale(-7, 10, 3) != -23 || scale(1<<62, 1e9, 1e9) != 1<<62 {
		t.Error("scale")
	}
}

// TestRealHeaderBuffer writes what Windows wrote, byte for byte: a boot logger
// of a 64-bit Windows 10, and a merged trace of a 32-bit one.
func TestRealHeaderBuffer(t *testing.T) {
	for name, text := range map[string]string{
		"ShutdownPerfDiagLogger.etl": `
trace build=18362 buffersize=0x10000 processors=2 mode=0x02000080 maxsize=20 mhz=1992 logger=0x1c \
	name="PerfDiag Logger" file="C:\\Windows\\system32\\WDI\\LogFiles\\ShutdownPerfDiagLogger.etl" startticks=0x612161 \
	bias=-60 standard="@tzres.dll,-302"@M10.5.0/3 daylight="@tzres.dll,-301"@M3.5.0/2 daylightbias=-60
logfile endtime=0x01d5ee5abb4d240d boottime=0x01d5ee15fc7be6c0 starttime=0x01d5ee15fca1389e bufferswritten=49
logfile loggernamepointer=5 logfilenamepointer=7
headerevent pid=4 tid=0x103c kernel=6
header savedoffset=0x2b0
system64 hook=5 ver=2 pid=4 tid=0x103c kernel=6 payload=zero:32,u32:0x46
system64 hook=0x50 ver=2 pid=4 tid=0x103c kernel=6 payload=zero:48`,
		"smallEtlFile.etl": `
trace ptr=32 build=10586 buffersize=0x10000 headersize=0x200 processors=4 mode=0x1001 compressed=xpress mhz=3193 \
	name=PerfWatsonGCHeapETLSession688 file=ReloggedFile.ETL startticks=0x2b2066b55d freq=3117777 \
	bias=480 standard="@tzres.dll,-212"@M11.1.0/2 daylight="@tzres.dll,-211"@M3.2.0/2 daylightbias=-60
logfile endtime=0x01d1f8df52c7fcfd boottime=0x01d1f8550082c702 starttime=0x01d1f8df52c34482 bufferswritten=2
logfile loggernamepointer=10 logfilenamepointer=6
headerevent pid=0x82c tid=0x8d0 kernel=12 user=127 pad=6600
header savedoffset=0x1d8`,
	} {
		t.Run(name, func(t *testing.T) {
			real := testenv.ReadFile(t, testenv.Shared(t, "traces/"+name))
			got := MustParse(t, text)
			compare(t, got, real[:len(got)])
		})
	}
}
