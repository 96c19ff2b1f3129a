package decode_test

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/etl2parquet/etl2parquet/decode"
	"github.com/etl2parquet/etl2parquet/decode/decodetest"
	"github.com/etl2parquet/etl2parquet/decode/etltest"
	"github.com/etl2parquet/etl2parquet/decode/session"
	"github.com/etl2parquet/etl2parquet/schema"
	"github.com/etl2parquet/etl2parquet/tools/testenv"
)

// headerOracle is the first event of a trace as Windows decoded it.
type headerOracle struct {
	Event    string      `json:"event"`
	ProcID   uint32      `json:"pid"`
	ThreadID uint32      `json:"tid"`
	DataLen  int         `json:"datalen"`
	Fields   [][2]string `json:"fields"`
}

// readHeaderOracle returns the first EventTrace line of an oracle.
func readHeaderOracle(t *testing.T, path string) headerOracle {
	t.Helper()
	file, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	lines := bufio.NewScanner(file)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		var o headerOracle
		if json.Unmarshal(lines.Bytes(), &o) == nil && o.Event == "EventTrace" {
			return o
		}
	}
	t.Fatalf("%s: no line for the trace header: %v", path, lines.Err())
	return headerOracle{}
}

// TestTraceHeaderOracle compares the trace headers of real traces with
// TraceEvent's output (shared/oracles/README.md).
func TestTraceHeaderOracle(t *testing.T) {
	for _, name := range []string{"gcevents", "net.4.5.2.x86", "primitive-types"} {
		t.Run(name, func(t *testing.T) {
			want := readHeaderOracle(t, testenv.Shared(t, "oracles/perfview/"+name+".baseline.jsonl"))
			f := openTrace(t, name+".etl")
			h := f.Header()
			got := map[string]string{
				"BufferSize":         number(h.BufferSize),
				"Version":            number(uint32(h.MajorVersion) | uint32(h.MinorVersion)<<8 | uint32(h.SubVersion)<<16 | uint32(h.SubMinorVersion)<<24),
				"ProviderVersion":    number(h.ProviderVersion),
				"NumberOfProcessors": number(h.NumberOfProcessors),
				"EndTime":            shortTime(h.EndTime),
				"TimerResolution":    number(h.TimerResolution),
				"MaxFileSize":        number(h.MaximumFileSize),
				"LogFileMode":        number(h.LogFileMode),
				"BuffersWritten":     number(h.BuffersWritten),
				"StartBuffers":       number(h.StartBuffers),
				"PointerSize":        number(h.PointerSize),
				"EventsLost":         number(h.EventsLost),
				"CPUSpeed":           number(h.CPUSpeedInMHz),
				"BootTime":           shortTime(h.BootTime),
				"PerfFreq":           number(h.PerfFreq),
				"StartTime":          shortTime(h.StartTime),
				"ReservedFlags":      number(h.ClockType),
				"BuffersLost":        number(h.BuffersLost),
				"SessionName":        cut20(h.LoggerName),
				"LogFileName":        cut20(h.LogFileName),
				"UtcOffsetMinutes":   number(h.TimeZone.Bias),
			}
			if len(want.Fields) != len(got) {
				t.Errorf("%d fields, want %d", len(got), len(want.Fields))
			}
			for _, field := range want.Fields {
				if got[field[0]] != field[1] {
					t.Errorf("%s: %s, want %s", field[0], got[field[0]], field[1])
				}
			}
			if h.ProcessID != want.ProcID || h.ThreadID != want.ThreadID {
				t.Errorf("pid %d, tid %d, want %d, %d", h.ProcessID, h.ThreadID, want.ProcID, want.ThreadID)
			}
			var b decode.Buffer
			var ev decode.Event
			if err := errors.Join(f.ReadBuffer(0, &b), b.Next(&ev)); err != nil || len(ev.Payload()) != want.DataLen {
				t.Errorf("payload of %d bytes, want %d: %v", len(ev.Payload()), want.DataLen, err)
			}
		})
	}
}

// number writes a number as in en-US, with commas.
func number[T uint32 | int32 | int64 | decode.ClockType](n T) string {
	s := strconv.FormatInt(int64(n), 10)
	for i := len(s) - 3; i > 0 && s[i-1] != '-'; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return s
}

func shortTime(t int64) string {
	ns, _ := decode.FiletimeTime(t)
	return cut20(time.Unix(0, ns).UTC().Format("06/01/02 15:04:05.000000"))
}

func cut20(s string) string {
	if units := []rune(s); len(units) > 20 {
		return string(units[:20]) + "..."
	}
	return s
}

// TestTraceHeaderTraces checks facts that hold for the headers of all real
// traces (format/03).
func TestTraceHeaderTraces(t *testing.T) {
	for name, counts := range realTraces(t) {
		t.Run(name, func(t *testing.T) {
			h := openTrace(t, name).Header()
			if strings.ContainsFunc(h.LoggerName+h.LogFileName, func(r rune) bool { return r < ' ' || r == '\uFFFD' }) {
				t.Errorf("names %q, %q", h.LoggerName, h.LogFileName)
			}
			if h.MajorVersion < 6 || h.MajorVersion > 10 || h.ProviderVersion < 7600 || h.StartBuffers != 1 || h.NumberOfProcessors == 0 || h.NumberOfProcessors > 64 {
				t.Errorf("%+v", h)
			}
			if h.HeaderPointerSize != int(h.PointerSize) && !strings.HasPrefix(name, "net.") {
				t.Errorf("pointer size %d in a header of %d", h.PointerSize, h.HeaderPointerSize)
			}
			if h.BootTime > h.StartTime || h.Finalised() && h.EndTime < h.StartTime {
				t.Errorf("boot %s, start %s, end %s", filetime(h.BootTime), filetime(h.StartTime), filetime(h.EndTime))
			}
			if h.Finalised() && h.BuffersWritten > 1 && int(h.BuffersWritten) != counts.Buffers {
				t.Errorf("%d buffers written, %d counted", h.BuffersWritten, counts.Buffers)
			}
			if h.TimeZone.StandardName == "" || h.TimeZone.Bias%15 != 0 {
				t.Errorf("zone %+v", h.TimeZone)
			}
		})
	}
}

// TestTimerSources reads the timers that Windows stores in place of two pointers, with
// both pointer sizes, and headers of Windows versions that do not store them.
func TestTimerSources(t *testing.T) {
	for _, tt := range []struct {
		text           string
		clock, counter uint64
		ok             bool
	}{
		{"trace os=6.0", 0, 0, false},
		{"trace os=5.2", 0, 0, false},
		{"trace os=6.1", 3, 0xfffffffd, true},
		{"trace os=10.0", 3, 0xfffffffd, true},
		{"trace os=10.0 ptr=32", 3, 0xfffffffd, true},
	} {
		t.Run(tt.text, func(t *testing.T) {
			file := etltest.MustParse(t, tt.text+"\nlogfile loggernamepointer=3 logfilenamepointer=0xfffffffd")
			f := decodetest.Open(t, file)
			if clock, counter, ok := f.Header().TimerSources(); clock != tt.clock || counter != tt.counter || ok != tt.ok {
				t.Errorf("%d, %d, %v; want %d, %d, %v", clock, counter, ok, tt.clock, tt.counter, tt.ok)
			}
		})
	}
}

// TestTimerSourcesTraces checks the timers of real traces. Relogged traces have none.
func TestTimerSourcesTraces(t *testing.T) {
	for name, want := range map[string][2]string{
		"HTTP_Server.etl":  {"HalPlatformTimerRtc", "HalPlatformTimerProcessorCounter"},
		"Process.etl":      {"HalPlatformTimerHpet", "HalPlatformTimerHpet"},
		"gcevents.etl":     {"HalPlatformTimerHvSynthetic", "HalPlatformTimerHvReferenceTime"},
		"AMSITrace.etl":    {"HalPlatformTimerApic", "HalPlatformTimerProcessorCounter"},
		"smallEtlFile.etl": {"HalPlatformTimerHvSynthetic", "HalPlatformTimerProcessorCounter"}, // with 4-byte pointers
		"PktMon.etl":       {"HalPlatformTimerNotSpecified", "HalPlatformTimerNotSpecified"},
	} {
		clock, counter, ok := openTrace(t, name).Header().TimerSources()
		if got := [2]string{session.TimerSourceName(clock), session.TimerSourceName(counter)}; got != want || !ok {
			t.Errorf("%s: %q, %v; want %q", name, got, ok, want)
		}
	}
}

func TestLogVersionText(t *testing.T) {
	for _, tt := range []struct {
		version [2]uint8
		want    string
	}{
		{[2]uint8{1, 0}, "buffers are not compressed; INSTANCE headers have registration handles in place of GUIDs"},
		{[2]uint8{1, 1}, "buffers are not compressed"},
		{[2]uint8{1, 5}, "buffers are not compressed"},
		{[2]uint8{2, 0}, "buffers may be compressed"},
		{[2]uint8{1, 6}, ""},
		{[2]uint8{3, 0}, ""},
	} {
		h := decode.TraceHeader{SubVersion: tt.version[0], SubMinorVersion: tt.version[1]}
		if got := h.LogVersionText(); got != tt.want {
			t.Errorf("%v: %q, want %q", tt.version, got, tt.want)
		}
	}
}

// TestTimeZone reads both kinds of date, and names without room for a NUL.
func TestTimeZone(t *testing.T) {
	long := strings.Repeat("Ünicode ", 4)
	for _, ptr := range []string{"32", "64"} {
		file := etltest.MustParse(t, fmt.Sprintf(`trace ptr=%s bias=-330 standardbias=15 daylightbias=-60 \
			standard=%q@M10.5.0/3 daylight="\U0001F600 time"@2024-03-31T02:03:04`, ptr, long))
		f := decodetest.Open(t, file)
		want := decode.TimeZone{
			Bias:         -330,
			StandardName: long,
			StandardDate: decode.SystemTime{Month: 10, Day: 5, Hour: 3},
			StandardBias: 15,
			DaylightName: "\U0001F600 time",
			DaylightDate: decode.SystemTime{Year: 2024, Month: 3, Day: 31, Hour: 2, Minute: 3, Second: 4},
			DaylightBias: -60,
		}
		if diff := cmp.Diff(want, f.Header().TimeZone); diff != "" {
			t.Errorf("%s bit: -want +got:\n%s", ptr, diff)
		}
	}
}

// headerGroup collects the payloads of the events of the header group.
func headerGroup(t *testing.T, f *decode.File) map[uint16][][]byte {
	t.Helper()
	found := make(map[uint16][][]byte)
	decodetest.Walk(t, f, func(_ *decode.Buffer, ev *decode.Event) {
		hook := uint16(0xffff)
		switch ev.Family {
		case decode.FamilySystem:
			hook = ev.System().HookID()
		case decode.FamilyPerfInfo:
			hook = ev.PerfInfo().HookID()
		}
		if hook>>8 == 0 {
			found[hook] = append(found[hook], bytes.Clone(ev.Payload()))
		}
	})
	return found
}

// TestHeaderGroupTraces reads the header group of real traces and compares it
// with the traces' names and headers (format/03, section 3).
func TestHeaderGroupTraces(t *testing.T) {
	for name := range realTraces(t) {
		t.Run(name, func(t *testing.T) {
			f := openTrace(t, name)
			group := headerGroup(t, f)
			var text []string
			for _, hook := range []uint16{decode.HookHeaderExtension, decode.HookEndExtension} {
				for _, p := range group[hook] {
					g, err := decode.ParseGroupMasks(p)
					if err != nil {
						t.Error(err)
					}
					if g.KernelEventVersion < 0x10 || g.KernelEventVersion > 0x100 {
						t.Errorf("hook %#04x: %+v", hook, g)
					}
					text = append(text, fmt.Sprintf("masks %v version %#x", session.GroupMaskNames(g.Masks[:]), g.KernelEventVersion))
				}
			}
			for _, p := range group[decode.HookDbgIDRSDS] {
				pdb, err := decode.ParseProviderPDB(p)
				if err != nil || !strings.HasSuffix(pdb.Name, ".pdb") || pdb.GUID == (schema.GUID{}) || pdb.Age == 0 || pdb.Age > 100 {
					t.Errorf("PDB %+v: %v", pdb, err)
				}
				text = append(text, pdb.Name)
			}
			for _, p := range group[decode.HookBuildLab] {
				lab := decode.ParseBuildLab(p)
				if build, _, _ := strings.Cut(lab, "."); build == "" || strings.Count(lab, ".") < 3 {
					t.Errorf("BuildLab %q", lab)
				}
				text = append(text, lab)
			}
			for _, p := range group[decode.HookPartitionInfo] {
				info, err := decode.ParsePartitionInfo(p)
				if err != nil || len(p) != 48 || info.PartitionType > 16 || info.EventVersion > 16 {
					t.Errorf("partition %+v: %v", info, err)
				}
				text = append(text, fmt.Sprintf("partition type %d", info.PartitionType))
			}
			want := map[string]string{
				"CldFlt0.etl":                       "cldflt.pdb",
				"CldFlt1.etl":                       "cldflt.pdb",
				"waasmedic.20251005_113019_195.etl": "WaaSMedicSvcImpl.pdb",
				"ShutdownPerfDiagLogger.etl":        "EVENT_TRACE_FLAG_IMAGE_LOAD",
				"diaghub.kernel.1.etl":              "EVENT_TRACE_FLAG_PROCESS",
			}[name]
			if !strings.Contains(strings.Join(text, "\n"), want) {
				t.Errorf("no %s in %q", want, text)
			}
			t.Log(text)
		})
	}
}

// TestHeaderGroup reads hand-made events of the header group, whole and truncated.
func TestHeaderGroup(t *testing.T) {
	file := etltest.MustParse(t, `
		trace buffersize=4096
		header
		system64 hook=0x0005 ver=2 payload=u32:1|2|3|4|5|6|7|0xffffffff|0x46
		system64 hook=0x0020 ver=1 payload=u32:1|2|3|4|5|6|7|8
		system64 hook=0x0040 payload=guid:00112233-4455-6677-8899-aabbccddeeff,u32:3,str8:cldflt.pdb
		system64 hook=0x0042 payload=str8:"26100.1.amd64fre.ge_release.240331-1435"
		system64 hook=0x0050 ver=2 payload=u16:2|0,u32:1,i64:-77,guid:00112233-4455-6677-8899-aabbccddeeff,guid:ffeeddcc-bbaa-9988-7766-554433221100`)
	f := decodetest.Open(t, file)
	group := headerGroup(t, f)
	payload := func(hook uint16) []byte {
		if len(group[hook]) != 1 {
			t.Fatalf("%d events of hook %#04x", len(group[hook]), hook)
		}
		return group[hook][0]
	}
	guid := schema.GUID{0x33, 0x22, 0x11, 0x00, 0x55, 0x44, 0x77, 0x66, 0x88, 0x99, 0xaa, 0xbb, 0xcc, 0xdd, 0xee, 0xff}
	parent := schema.GUID{0xcc, 0xdd, 0xee, 0xff, 0xaa, 0xbb, 0x88, 0x99, 0x77, 0x66, 0x55, 0x44, 0x33, 0x22, 0x11, 0x00}
	check := func(name string, got any, err error, want any) {
		t.Helper()
		if diff := cmp.Diff(want, got); diff != "" || err != nil {
			t.Errorf("%s: %v, -want +got:\n%s", name, err, diff)
		}
	}
	masks, err := decode.ParseGroupMasks(payload(decode.HookHeaderExtension))
	check("HeaderExtension", masks, err, decode.GroupMasks{Masks: [8]uint32{1, 2, 3, 4, 5, 6, 7, 0xffffffff}, KernelEventVersion: 0x46})
	masks, err = decode.ParseGroupMasks(payload(decode.HookEndExtension))
	check("EndExtension", masks, err, decode.GroupMasks{Masks: [8]uint32{1, 2, 3, 4, 5, 6, 7, 8}})
	pdb, err := decode.ParseProviderPDB(payload(decode.HookDbgIDRSDS))
	check("DbgIdRSDS", pdb, err, decode.ProviderPDB{GUID: guid, Age: 3, Name: "cldflt.pdb"})
	check("BuildLab", decode.ParseBuildLab(payload(decode.HookBuildLab)), nil, "26100.1.amd64fre.ge_release.240331-1435")
	partition, err := decode.ParsePartitionInfo(payload(decode.HookPartitionInfo))
	check("PartitionInfo", partition, err, decode.PartitionInfo{EventVersion: 2, PartitionType: 1, QPCOffsetFromRoot: -77, PartitionID: guid, ParentID: parent})

	for _, hook := range []uint16{decode.HookHeaderExtension, decode.HookDbgIDRSDS, decode.HookPartitionInfo} {
		p := payload(hook)
		least := map[uint16]int{decode.HookHeaderExtension: 32, decode.HookDbgIDRSDS: 20, decode.HookPartitionInfo: 48}[hook]
		for n := range p {
			var err error
			switch hook {
			case decode.HookHeaderExtension:
				_, err = decode.ParseGroupMasks(p[:n])
			case decode.HookDbgIDRSDS:
				_, err = decode.ParseProviderPDB(p[:n])
			case decode.HookPartitionInfo:
				_, err = decode.ParsePartitionInfo(p[:n])
			}
			if short := errors.Is(err, decode.ErrTruncated); short != (n < least) || !short && err != nil {
				t.Errorf("hook %#04x, %d bytes: %v", hook, n, err)
			}
		}
	}
	// Text that is not UTF-8 is Latin-1, and needs no NUL.
	check("Latin-1", decode.ParseBuildLab([]byte("gr\xfcn")), nil, "grün")
	check("UTF-8", decode.ParseBuildLab([]byte("grün\x00rest")), nil, "grün")
	for n, want := range []string{"", "", "", "", "", "", "", "", "", "", "9", "9", "92", "92", "92", "92"} {
		check("BuildInfo", decode.ParseBuildInfo([]byte("\x01\x02\x03\x04\x05\x06\x07\x089\x002\x00\x00\x00W\x00")[:n]), nil, want)
	}
}
