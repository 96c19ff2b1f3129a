package attribution_test

import (
	"encoding/binary"
	"fmt"
	"slices"
	"strings"
	"testing"
	"unicode/utf16"

	"github.com/etl2parquet/etl2parquet/decode"
	"github.com/etl2parquet/etl2parquet/decode/etltest"
	"github.com/etl2parquet/etl2parquet/internal/engine/attribution"
	"github.com/etl2parquet/etl2parquet/schema"
)

const (
	clrProvider     = "e13c0d23-ccbc-4e12-931b-d9cc2eee27e4"
	rundownProvider = "a669021c-c450-4609-a035-5af59af4df18"
	scriptProvider  = "57277741-3638-4a4b-bdba-0ac6e45da56c"
	clrMethodClass  = "3044f61a-99b0-4c21-b203-d39423c73b00"
	clrLoaderClass  = "d00792da-07b7-40f5-97eb-5d974e054740"
)

// wire builds a payload.
type wire []byte

func (w wire) u16(v uint16) wire { return binary.LittleEndian.AppendUint16(w, v) }
func (w wire) u32(v uint32) wire { return binary.LittleEndian.AppendUint32(w, v) }
func (w wire) u64(v uint64) wire { return binary.LittleEndian.AppendUint64(w, v) }

func (w wire) text(s string) wire {
	for _, unit := range append(utf16.Encode([]rune(s)), 0) {
		w = w.u16(unit)
	}
	return w
}

// clrMethod is the payload of an event of version 1, or of an event without names if name is empty.
func clrMethod(id, module, address uint64, size, flags uint32, namespace, name string) wire {
	w := wire{}.u64(id).u64(module).u64(address).u32(size).u32(0x06000001).u32(flags)
	if name != "" {
		w = w.text(namespace).text(name).text("void  ()")
	}
	return w.u16(7)
}

func clrModule(id uint64, il, native string) wire {
	return wire{}.u64(id).u64(1).u32(8).u32(0).text(il).text(native).u16(7)
}

func scriptMethod(context, address, source uint64, rangeID uint16, name string) wire {
	return wire{}.u64(context).u64(address).u64(0x40).u32(3).u16(0).u16(rangeID).u64(source).u32(12).u32(34).text(name)
}

func scriptSource(id, context uint64, url string) wire {
	return wire{}.u64(id).u64(context).u32(0).text(url)
}

// codeEvent is an event about code. Events of classes have no version.
type codeEvent struct {
	at       int64
	provider string
	id       uint16
	version  uint8
	process  uint32
	payload  []byte
	narrow   bool // of a 32-bit process
}

// tablesOf reads events, in one sequence of buffers or in one sequence for each event.
func tablesOf(t testing.TB, limits attribution.Limits, events []codeEvent, each bool) *attribution.Tables {
	t.Helper()
	file := emptyFile(t)
	b := attribution.NewBuilder(limits, nil)
	records := new(attribution.Records)
	for _, e := range events {
		switch e.provider {
		case "process": // a kernel event: id is the hook
			records.Hook(eventOf(file, e.id, true, e.at, e.payload), e.id, 3)
		case clrMethodClass, clrLoaderClass:
			class, err := schema.ParseGUID(e.provider)
			if err != nil {
				t.Fatal(err)
			}
			records.Class(classicEvent(file, e.process, e.at, e.payload), class, uint8(e.id), e.version)
		default:
			ev := providerEvent(file, e.provider, e.process, e.id, e.version, !e.narrow, e.at, e.payload)
			records.Manifest(ev, ev.Header())
		}
		if each {
			b.Add(records)
			records = new(attribution.Records)
		}
	}
	b.Add(records)
	return b.Build(2)
}

// show prints a method and its life.
func show(t *attribution.Tables, m *attribution.Method) string {
	time := func(at, unknown decode.Ticks) string {
		if at == unknown {
			return ""
		}
		return fmt.Sprint(at)
	}
	s := fmt.Sprintf("%d %x+%x %s..%s %s %q", m.Process, m.Address, m.Size, time(m.From, decode.MinTicks), time(m.To, decode.MaxTicks), strings.Join(m.Sources.Names(), ","), t.FullName(m))
	for _, more := range []string{t.Kind(m), m.Tier(), t.ModuleFile(m)} {
		if more != "" {
			s += " " + more
		}
	}
	return s
}

// processOf is the payload of a kernel event of a process, of version 3.
func processOf(id uint32) []byte {
	return wire{}.u64(uint64(id)).u32(id).u32(1).u32(1).u32(0).u64(0).u32(0)
}

// TestMethods checks the methods that events make.
func TestMethods(t *testing.T) {
	a := clrMethod(1, 0, 0x1000, 0x100, 8, "N.C", "a")
	b := clrMethod(2, 0, 0x1000, 0x100, 8, "N.C", "b")
	for _, test := range []struct {
		name   string
		events []codeEvent
		want   []string
	}{
		{"of diaghub.user_paged.1, version 1", []codeEvent{
			{at: 5, provider: clrProvider, id: 143, version: 1, process: 2140, payload: etltest.MustHex(t, "60f5dccefc7f00005022dccefc7f0000d0fdcacefc7f00000d0000002000000688010000530051004c00690074006500500043004c002e0072006100770000002e006300630074006f007200000076006f0069006400200020002800290000000500")},
		}, []string{`2140 7ffccecafdd0+d 5.. start "SQLitePCL.raw..cctor" jitted QuickJitted`}},
		{"of diaghub.user_paged.1, version 2", []codeEvent{
			{at: 5, provider: clrProvider, id: 143, version: 2, process: 2140, payload: etltest.MustHex(t, "680a54cefc7f0000204044cefc7f0000804502cffc7f0000010000008a04000608020000530079007300740065006d002e004f0062006a0065006300740000002e00630074006f007200000069006e007300740061006e0063006500200076006f00690064002000200028002900000005000100000000000000")},
		}, []string{`2140 7ffccf024580+1 5.. start "System.Object..ctor" jitted OptimizedTier1`}},
		{"of net.4.5.2.x86, by the rundown", []codeEvent{
			{at: 5, provider: rundownProvider, id: 144, version: 1, process: 3988, narrow: true, payload: etltest.MustHex(t, "7883ea060000000010284f0600000000a0f8eb06000000003d000000d2000006080000003c004d006f00640075006c0065003e0000002e006300630074006f007200000076006f0069006400200020002800290000000b00")},
		}, []string{`3988 6ebf8a0+3d .. rundown_end "<Module>..cctor" jitted`}},
		{"of net.4.5.2.x86, a helper", []codeEvent{
			{at: 5, provider: clrProvider, id: 143, version: 1, process: 3644, narrow: true, payload: etltest.MustHex(t, "5021c0000000000000000000000000005021c000000000006c00000000000000100000004e0055004c004c000000400042006f00780000004e0055004c004c0000000b00")},
		}, []string{`3644 c02150+6c 5.. start "@Box" jit_helper`}},
		{"made, listed and gone", []codeEvent{
			{at: 1, provider: clrProvider, id: 143, version: 1, process: 4, payload: a},
			{at: 5, provider: rundownProvider, id: 144, version: 1, process: 4, payload: a},
			{at: 9, provider: clrProvider, id: 144, version: 1, process: 4, payload: a},
		}, []string{`4 1000+100 1..9 start,end,rundown_end "N.C.a" jitted`}},
		{"the address is reused", []codeEvent{
			{at: 1, provider: clrProvider, id: 143, version: 1, process: 4, payload: a},
			{at: 5, provider: clrProvider, id: 144, version: 1, process: 4, payload: a},
			{at: 7, provider: clrProvider, id: 143, version: 1, process: 4, payload: b},
		}, []string{`4 1000+100 1..5 start,end "N.C.a" jitted`, `4 1000+100 7.. start "N.C.b" jitted`}},
		{"the address is reused, and no end recorded", []codeEvent{
			{at: 1, provider: rundownProvider, id: 143, version: 1, process: 4, payload: a},
			{at: 7, provider: clrProvider, id: 143, version: 1, process: 4, payload: b},
		}, []string{`4 1000+100 ..6 rundown_start "N.C.a" jitted`, `4 1000+100 7.. start "N.C.b" jitted`}},
		{"the process id is reused", []codeEvent{
			{at: 0, provider: "process", id: 0x0301, payload: processOf(4)},
			{at: 1, provider: clrProvider, id: 143, version: 1, process: 4, payload: a},
			{at: 2, provider: "process", id: 0x0302, payload: processOf(4)},
			{at: 5, provider: "process", id: 0x0301, payload: processOf(4)},
			{at: 6, provider: rundownProvider, id: 144, version: 1, process: 4, payload: a},
			{at: 7, provider: rundownProvider, id: 144, version: 1, process: 4, payload: clrMethod(3, 0, 0x1080, 0x10, 8, "N.C", "c")},
		}, []string{
			`4 1000+100 1..2 start "N.C.a" jitted`, `4 1000+100 5.. rundown_end "N.C.a" jitted`, `4 1080+10 5.. rundown_end "N.C.c" jitted`,
		}},
		{"the process id is reused, with other modules", []codeEvent{
			{at: 0, provider: "process", id: 0x0301, payload: processOf(4)},
			{at: 1, provider: clrProvider, id: 152, version: 1, process: 4, payload: clrModule(0x55, `C:\a\b.dll`, ``)},
			{at: 2, provider: "process", id: 0x0302, payload: processOf(4)},
			{at: 5, provider: "process", id: 0x0301, payload: processOf(4)},
			{at: 6, provider: rundownProvider, id: 144, version: 1, process: 4, payload: clrMethod(3, 0x55, 0x1080, 0x10, 8, "N.C", "c")},
			{at: 7, provider: rundownProvider, id: 154, version: 1, process: 4, payload: clrModule(0x55, `C:\a\c.dll`, ``)},
		}, []string{`4 1080+10 5.. rundown_end "N.C.c" jitted c.dll`}},
		{"names from an event of the same address", []codeEvent{
			{at: 1, provider: clrProvider, id: 141, version: 1, process: 4, payload: clrMethod(1, 0, 0x1000, 0x100, 8, "", "")},
			{at: 5, provider: rundownProvider, id: 144, version: 1, process: 4, payload: a},
		}, []string{`4 1000+100 1.. start,rundown_end "N.C.a" jitted`}},
		{"names from other code of the method", []codeEvent{
			{at: 1, provider: clrProvider, id: 141, version: 1, process: 4, payload: clrMethod(1, 0, 0x2000, 0x10, 8, "", "")},
			{at: 5, provider: rundownProvider, id: 144, version: 1, process: 4, payload: a},
		}, []string{`4 1000+100 .. rundown_end "N.C.a" jitted`, `4 2000+10 1.. start "N.C.a" jitted`}},
		{"no names from a method whose id was reused", []codeEvent{
			{at: 1, provider: clrProvider, id: 141, version: 1, process: 4, payload: clrMethod(1, 0, 0x2000, 0x10, 8, "", "")},
			{at: 5, provider: rundownProvider, id: 144, version: 1, process: 4, payload: a},
			{at: 5, provider: rundownProvider, id: 144, version: 1, process: 4, payload: clrMethod(1, 0, 0x3000, 0x100, 8, "N.C", "z")},
		}, []string{`4 1000+100 .. rundown_end "N.C.a" jitted`, `4 2000+10 1.. start "" jitted`, `4 3000+100 .. rundown_end "N.C.z" jitted`}},
		{"no names from another process", []codeEvent{
			{at: 1, provider: clrProvider, id: 141, version: 1, process: 8, payload: clrMethod(1, 0, 0x2000, 0x10, 8, "", "")},
			{at: 5, provider: rundownProvider, id: 144, version: 1, process: 4, payload: a},
		}, []string{`4 1000+100 .. rundown_end "N.C.a" jitted`, `8 2000+10 1.. start "" jitted`}},
		{"modules", []codeEvent{
			{at: 1, provider: clrProvider, id: 151, version: 1, process: 4, payload: etltest.MustHex(t, "d8488dcefc7f0000a0b2181bcb010000e0f3171bcb0100000c0000000000000041006e006f006e0079006d006f00750073006c007900200048006f0073007400650064002000440079006e0061006d00690063004d006500740068006f0064007300200041007300730065006d0062006c007900000000000500")},
			{at: 1, provider: clrProvider, id: 143, version: 1, process: 4, payload: clrMethod(1, 0x7ffcce8d48d8, 0x1000, 1, 9, "dynamicClass", "IL_STUB")},
			{at: 2, provider: clrProvider, id: 152, version: 1, process: 4, payload: clrModule(0x55, `C:\a\b.dll`, `C:\n\b.ni.dll`)},
			{at: 2, provider: clrProvider, id: 143, version: 1, process: 4, payload: clrMethod(2, 0x55, 0x2000, 1, 0, "N", "x")},
			{at: 3, provider: clrProvider, id: 153, version: 1, process: 4, payload: clrModule(0x55, `C:\a\b.dll`, ``)},
			{at: 4, provider: clrProvider, id: 152, version: 1, process: 4, payload: clrModule(0x55, `C:\a\c.dll`, ``)},
			{at: 5, provider: clrProvider, id: 143, version: 1, process: 4, payload: clrMethod(3, 0x55, 0x3000, 1, 0x10000000, "N", "y")},
			{at: 6, provider: clrProvider, id: 143, version: 1, process: 8, payload: clrMethod(3, 0x55, 0x3000, 1, 0, "N", "y")},
		}, []string{
			`4 1000+1 1.. start "dynamicClass.IL_STUB" dynamic Anonymously Hosted DynamicMethods Assembly`, `4 2000+1 2.. start "N.x" precompiled b.dll`,
			`4 3000+1 5.. start "N.y" precompiled c.dll`, `8 3000+1 6.. start "N.y" precompiled`,
		}},
		{"scripts", []codeEvent{
			{at: 1, provider: scriptProvider, id: 41, process: 4, payload: scriptSource(9, 0x77, "https://example.com/js/app.js?v=1/2")},
			{at: 1, provider: scriptProvider, id: 41, process: 4, payload: scriptSource(9, 0x78, "https://example.com/")},
			{at: 2, provider: scriptProvider, id: 9, process: 4, payload: scriptMethod(0x77, 0x1000, 9, 2, "f;g\n")},
			{at: 2, provider: scriptProvider, id: 5, process: 4, payload: scriptMethod(0x78, 0x2000, 9, 7, "loop")},
			{at: 4, provider: scriptProvider, id: 10, process: 4, payload: scriptMethod(0x77, 0x1000, 9, 2, "f;g\n")},
		}, []string{`4 1000+40 2..4 start,end "f,g " jitted app.js`, `4 2000+40 .. rundown_start "loop" jitted_loop`}},
		{"classes", []codeEvent{
			{at: 1, provider: clrLoaderClass, id: 35, process: 4, payload: clrModule(0x55, `C:\a\b.dll`, ``)},
			{at: 1, provider: clrMethodClass, id: 37, process: 4, payload: clrMethod(1, 0x55, 0x1000, 0x100, 8, "N.C", "a")},
			{at: 2, provider: clrMethodClass, id: 34, process: 4, payload: clrMethod(1, 0x55, 0x1000, 0x100, 8, "", "")},
		}, []string{`4 1000+100 1..2 start,end "N.C.a" jitted b.dll`}},
		{"a namespace that ends with its payload", []codeEvent{
			{at: 1, provider: clrProvider, id: 143, process: 4, payload: append(clrMethod(1, 0, 0x1000, 0x10, 8, "", "")[:36], 'N', 0)},
			{at: 2, provider: clrProvider, id: 143, process: 4, payload: clrMethod(2, 0, 0x2000, 0x10, 8, "NX", "a")},
		}, []string{`4 1000+10 1.. start "" jitted`, `4 2000+10 2.. start "NX.a" jitted`}},
		{"other events", []codeEvent{
			{at: 1, provider: clrProvider, id: 145, version: 1, process: 4, payload: a},
			{at: 1, provider: clrProvider, id: 143 + 256, version: 1, process: 4, payload: a},
			{at: 1, provider: rundownProvider, id: 140, version: 1, process: 4, payload: a},
			{at: 1, provider: clrMethodClass, id: 42, process: 4, payload: a},
			{at: 1, provider: "e13c0d23-ccbc-4e12-931b-d9cc2eee27e5", id: 143, version: 1, process: 4, payload: a},
		}, nil},
		{"an address of a 32-bit process, extended by its sign", []codeEvent{
			{at: 1, provider: clrProvider, id: 143, version: 1, process: 4, narrow: true, payload: clrMethod(1, 0, 0xffffffff80001000, 0x100, 8, "N", "a")},
		}, []string{`4 80001000+100 1.. start "N.a" jitted`}},
	} {
		t.Run(test.name, func(t *testing.T) {
			for _, each := range []bool{false, true} {
				tables := tablesOf(t, attribution.DefaultLimits, test.events, each)
				var got []string
				for i := range tables.Methods {
					got = append(got, show(tables, &tables.Methods[i]))
				}
				if !slices.Equal(got, test.want) {
					t.Errorf("methods\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(test.want, "\n"))
				}
			}
		})
	}
}

// TestMethodPayloads cuts payloads: a payload that ends inside a field makes no method.
func TestMethodPayloads(t *testing.T) {
	for _, test := range []struct {
		name     string
		provider string
		id       uint16
		payload  []byte
	}{
		{"method", clrProvider, 141, clrMethod(1, 0, 0x1000, 1, 0, "", "")},
		{"method with names", clrProvider, 143, clrMethod(1, 0, 0x1000, 1, 0, "N", "a")},
		{"module", clrProvider, 152, clrModule(1, "a", "b")},
		{"method of a script", scriptProvider, 9, scriptMethod(1, 0x1000, 1, 1, "")},
		{"source", scriptProvider, 41, scriptSource(1, 2, "")},
	} {
		t.Run(test.name, func(t *testing.T) {
			for n := range len(test.payload) + 1 {
				cut := test.payload[:n]
				tables := tablesOf(t, attribution.DefaultLimits, []codeEvent{{provider: test.provider, id: test.id, process: 4, payload: cut}}, false)
				if got := len(tables.Methods) + len(tables.Modules); n == len(test.payload) && got != 1 || got > 1 {
					t.Errorf("%d of %d bytes: %d methods and modules", n, len(test.payload), got)
				}
				tables = tablesOf(t, attribution.DefaultLimits, []codeEvent{{provider: test.provider, id: test.id, version: 2, process: 4, payload: cut}}, false)
				if got := len(tables.Methods); got != 0 && test.provider == clrProvider {
					t.Errorf("%d bytes, without ReJITID: %d methods", n, got)
				}
			}
		})
	}
}

// TestMethodAt finds methods by address, also where they overlap, with and without the resolver's
// cache.
func TestMethodAt(t *testing.T) {
	tables := tablesOf(t, attribution.DefaultLimits, []codeEvent{
		{at: 10, provider: clrProvider, id: 143, version: 1, process: 4, payload: clrMethod(1, 0, 0x1000, 0x1000, 8, "N", "outer")},
		{at: 20, provider: clrProvider, id: 143, version: 1, process: 4, payload: clrMethod(2, 0, 0x1100, 0x10, 8, "N", "inner")},
		{at: 30, provider: clrProvider, id: 144, version: 1, process: 4, payload: clrMethod(2, 0, 0x1100, 0x10, 8, "N", "inner")},
		{at: 40, provider: clrProvider, id: 143, version: 1, process: 4, payload: clrMethod(3, 0, 0x1100, 0x20, 8, "N", "later")},
		{at: 10, provider: clrProvider, id: 143, version: 1, process: 4, payload: clrMethod(4, 0, 0x8000, 0x10, 8, "N", "apart")},
		{at: 10, provider: clrProvider, id: 143, version: 1, process: 4, payload: clrMethod(5, 0, 0x9000, 0, 8, "N", "empty")},
		{at: 10, provider: clrProvider, id: 143, version: 1, process: 4, payload: clrMethod(6, 0, 0xfffffffffffffff0, 0x100, 8, "N", "wraps")},
		{at: 10, provider: clrProvider, id: 143, version: 1, process: 8, payload: clrMethod(1, 0, 0x1000, 0x10, 8, "N", "other")},
	}, false)
	resolver := tables.Resolver()
	for _, test := range []struct {
		process uint32
		address uint64
		at      int64
		want    string
	}{
		{4, 0xfff, 50, ""}, {4, 0x1000, 50, "N.outer"}, {4, 0x1fff, 50, "N.outer"}, {4, 0x2000, 50, ""}, {4, 0x1000, 9, ""},
		{4, 0x1105, 15, "N.outer"}, {4, 0x1105, 20, "N.inner"}, {4, 0x1105, 30, "N.inner"}, {4, 0x1105, 35, "N.outer"}, {4, 0x1105, 40, "N.later"},
		{4, 0x1115, 25, "N.outer"}, {4, 0x111f, 45, "N.later"}, {4, 0x1120, 45, "N.outer"},
		{4, 0x8000, 10, "N.apart"}, {4, 0x800f, 99, "N.apart"}, {4, 0x8010, 99, ""}, {4, 0x9000, 99, ""}, {4, 0xffffffffffffffff, 99, ""},
		{8, 0x1000, 99, "N.other"}, {8, 0x1010, 99, ""}, {9, 0x1000, 99, ""},
	} {
		for range 2 {
			got := ""
			if i := resolver.Method(test.process, test.address, test.at); i >= 0 {
				got = tables.FullName(&tables.Methods[i])
			}
			if got != test.want {
				t.Errorf("process %d, %#x at %d: %q, want %q", test.process, test.address, test.at, got, test.want)
			}
		}
	}
}

// TestMethodLimits checks that exceeding a limit is counted, and a dropped name once per method.
func TestMethodLimits(t *testing.T) {
	var events []codeEvent
	for i := range uint64(10) {
		events = append(events, codeEvent{provider: clrProvider, id: 143, version: 1, process: 4, payload: clrMethod(i, 0, 0x1000*i, 1, 8, "N", fmt.Sprint("method", min(i, 4)))})
	}
	tables := tablesOf(t, attribution.Limits{Records: 3, Methods: 6, Texts: 220}, events, false)
	if len(tables.Methods) != 6 || tables.Unlisted != 4 {
		t.Errorf("%d methods and %d beyond the limit", len(tables.Methods), tables.Unlisted)
	}
	named := 0
	for i := range tables.Methods {
		if tables.Methods[i].Name != 0 {
			named++
		}
	}
	if named != 4 || tables.NoText != 2 {
		t.Errorf("%d methods have names, and %d texts were dropped", named, tables.NoText)
	}
}
