package main

import (
	"bytes"
	"encoding/json"
	"maps"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/etl2parquet/etl2parquet/tools/testenv"
)

// dnsManifest describes event 256 of DNS servers as the case writes it.
const dnsManifest = `<instrumentationManifest xmlns="http://schemas.microsoft.com/win/2004/08/events"><instrumentation><events>
<provider name="Microsoft-Windows-DNSServer" guid="{eb79061a-a566-4698-9119-3ed2807060e7}" symbol="D" resourceFileName="x" messageFileName="x">
<templates><template tid="T"><data name="TCP" inType="win:UInt32"/><data name="InterfaceIP" inType="win:UnicodeString"/><data name="Source" inType="win:UnicodeString"/>
<data name="RD" inType="win:UInt8"/><data name="QNAME" inType="win:UnicodeString"/><data name="QTYPE" inType="win:UInt32"/><data name="XID" inType="win:UInt32"/>
<data name="Port" inType="win:UInt32"/><data name="Flags" inType="win:UInt32"/><data name="ServerScope" inType="win:UnicodeString"/><data name="CacheScope" inType="win:UnicodeString"/>
<data name="BufferSize" inType="win:UInt32"/><data name="PacketData" inType="win:Binary" length="BufferSize"/></template></templates>
<events><event value="256" version="0" template="T"/></events></provider></events></instrumentation></instrumentationManifest>`

// caseEvent is an event as cat prints it.
type caseEvent struct {
	ProcessID    int            `json:"process_id"`
	ProcessName  string         `json:"process_name"`
	ProviderName string         `json:"provider_name"`
	EventName    string         `json:"event_name"`
	Payload      string         `json:"payload"`
	Fields       map[string]any `json:"fields"`
}

// values returns some fields of an event, as JSON by name.
func (e *caseEvent) values(t *testing.T, names []string) string {
	t.Helper()
	some := make(map[string]any)
	for _, name := range names {
		if v, ok := e.Fields[name]; ok {
			some[name] = v
		}
	}
	text, err := json.Marshal(some)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// TestCases reads the traces of ../shared/cases, and compares what their README expects.
func TestCases(t *testing.T) {
	const (
		runtime = "Microsoft-Windows-DotNETRuntime "
		packet1 = "ffffffffffff020000000001080600010800060400010200000000010a0000020000000000000a000003"
		packet2 = "020000000001020000000002080600010800060400020200000000020a0000030200000000010a000002"
		dns     = "00000000310030002e0030002e0030002e0031000000310030002e0030002e0030002e00320000000168006f00730074002e006500780061006d0070006c0065002e0000000100000034120000" +
			"3500000000010000440065006600610075006c0074000000440065006600610075006c00740000000400000012340100"
	)
	for _, test := range []struct {
		name     string // of the case, and what is beside it
		manifest string // its text, or a path in ../shared
		provider string // whose events are compared
		fields   []string
		want     []string // of each event: provider and name, owner, payload, fields
		counts   [3]int   // payloads of the provider: whole, in part, raw
		severity []string // of the problems
		info     string   // in what info prints
	}{
		{
			name: "ndiscap-older-form", provider: "Microsoft-Windows-NDIS-PacketCapture", fields: []string{"fragment", "fragment_size", "gft_flow_entry_id", "gft_offload_information"},
			want: []string{
				`Microsoft-Windows-NDIS-PacketCapture 1001 4 {"fragment":"` + packet1 + `","fragment_size":42}`,
				`Microsoft-Windows-NDIS-PacketCapture 1001 4 {"fragment":"` + packet2 + `","fragment_size":42}`,
				`Microsoft-Windows-NDIS-PacketCapture 1001 4 {"fragment":"` + packet1 + `","fragment_size":42,"gft_flow_entry_id":0,"gft_offload_information":0}`,
			},
			counts: [3]int{3, 0, 0}, severity: []string{"info"},
		},
		{
			name: "dotnet5-runtime-events", provider: "Microsoft-Windows-DotNETRuntime",
			fields: []string{"flags", "pending_method_count", "assembly_name", "assembly_load_context", "wait_source", "type_name", "object_size", "sampled_byte_offset"},
			want: []string{
				runtime + `TieredCompilation/Settings 700 {"flags":31}`,
				runtime + `TieredCompilation/Start 700 {"pending_method_count":7}`,
				runtime + `AssemblyLoader/Start 700 {"assembly_load_context":"Default","assembly_name":"Demo.Json"}`,
				runtime + `WaitHandleWait/Start 700 {"wait_source":1}`,
				runtime + `AllocationSampling 700 {"object_size":104,"sampled_byte_offset":40,"type_name":"Demo.Order"}`,
			},
			counts: [3]int{5, 0, 0},
		},
		{
			name: "dotnet5-newer-versions", provider: "Microsoft-Windows-DotNETRuntime", fields: []string{"object_size", "lock_id", "associated_object_id", "lock_owner_thread_id", "duration_ns", "payload_rest"},
			want: []string{
				runtime + `GC/AllocationTick 700 {"object_size":104}`,
				runtime + `Contention/Start 700 {"associated_object_id":8738,"lock_id":4369,"lock_owner_thread_id":13107}`,
				runtime + `Contention/Stop 700 {"duration_ns":1234500}`,
			},
			counts: [3]int{3, 0, 0},
		},
		{
			name: "sample-owner-by-stackwalk", provider: "PerfInfo", fields: []string{"thread_id"},
			want:   []string{`PerfInfo SampleProf 7000 photo.exe {"thread_id":5208}`, `PerfInfo SampleProf 7000 photo.exe {"thread_id":5208}`},
			counts: [3]int{2, 0, 0},
		},
		{
			name: "eventsource-nul", manifest: "cases/eventsource-nul.man", provider: "Demo-Nul", fields: []string{"foo", "bar", "baz", "payload_rest"},
			want: []string{ // the bytes have more than one reading: bar and baz are not guessed
				`Demo-Nul E1 {"foo":10,"payload_rest":"61006100610000006200620062000000f6ffffff"} payload=0a00000061006100610000006200620062000000f6ffffff`,
				`Demo-Nul E1 {"bar":"aaa","baz":-10,"foo":10}`,
			},
			counts: [3]int{1, 1, 0}, severity: []string{"error"}, info: "in part: E1.bar contradicts its description",
		},
		{
			name: "dotnet-own-manifest", provider: "Microsoft-Windows-DotNETRuntime", fields: []string{"type_text", "reason_text", "allocation_kind_text", "exception_flags_text", "contention_flags_text"},
			want: []string{
				runtime + "ManifestData 700 {}",
				runtime + `GC/SuspendEEStart 700 {"reason_text":"SuspendForGC"}`,
				runtime + `GC/Start 700 {"reason_text":"Induced","type_text":"NonConcurrentGC"}`,
				runtime + "GC/Stop 700 {}", runtime + "GC/RestartEEStop 700 {}",
				runtime + `GC/AllocationTick 700 {"allocation_kind_text":"Large"}`,
				runtime + `Exception/Start 700 {"exception_flags_text":"CLSCompliant"}`,
				runtime + `Contention/Start 700 {"contention_flags_text":"Managed"}`,
			},
			counts: [3]int{8, 0, 0},
		},
		{
			name: "clr-eventsource-maps", provider: "Microsoft-Windows-DotNETRuntime", fields: []string{"type_text", "reason_text"},
			want: []string{
				runtime + "ManifestData 7 {}", runtime + `GC/SuspendEEStart 7 {"reason_text":"SuspendForGC"}`,
				runtime + `GC/Start 7 {"reason_text":"Induced","type_text":"BackgroundGC"}`,
				runtime + "GC/RestartEEStop 7 {}", runtime + "GC/Stop 7 {}",
			},
			counts: [3]int{5, 0, 0},
		},
		{
			name: "clr-eventinfo-nomap", provider: "Microsoft-Windows-DotNETRuntime", fields: []string{"type_text", "reason_text"},
			want:   []string{runtime + `GC/Start 7 {"reason_text":"Induced","type_text":"BackgroundGC"}`, runtime + "GC/Stop 7 {}"},
			counts: [3]int{2, 0, 0},
		},
		{
			name: "two-versions", provider: "Demo-Orders", fields: []string{"id", "who"}, severity: []string{"warning"}, // that both describe it
			want: []string{
				"Demo-Orders ManifestData 100 {}", "Demo-Orders ManifestData 200 {}",
				`Demo-Orders Order 100 {"id":7,"who":"old"}`, `Demo-Orders Order 200 {"id":8,"who":"new"}`, `Demo-Orders Order 100 {"id":9,"who":"old again"}`,
			},
			counts: [3]int{5, 0, 0},
		},
		{
			name: "rotated/rotated_2", manifest: "cases/rotated/rotated_1.etl", provider: "Demo-Orders", fields: []string{"id", "who"},
			want:   []string{`Demo-Orders Order 100 {"id":8,"who":"second"}`},
			counts: [3]int{1, 0, 0},
		},
		{
			name: "gc-dynamic", provider: "Microsoft-Windows-DotNETRuntime", fields: []string{"name", "data", "version", "total_committed_in_use", "total_committed_in_global_decommit", "total_committed_in_free", "total_committed_in_global_free", "total_bookkeeping_committed"},
			want: []string{
				runtime + `GC/GCDynamicEvent 700 {"name":"CommittedUsage","total_bookkeeping_committed":20480,"total_committed_in_free":3,"total_committed_in_global_decommit":2,"total_committed_in_global_free":4,"total_committed_in_use":1048576,"version":1}`,
				runtime + `GC/GCDynamicEvent 700 {"data":"010002","name":"NotYetKnown"}`,
			},
			counts: [3]int{2, 0, 0},
		},
		{
			name: "filetime-100ns", provider: "EventTrace", fields: []string{"boot_time", "start_time", "end_time"},
			want:   []string{`EventTrace Header {"boot_time":"2024-05-01T11:58:20.1234567Z","end_time":"2024-05-01T12:00:00.1254567Z","start_time":"2024-05-01T12:00:00.1234567Z"}`},
			counts: [3]int{1, 0, 0},
		},
		{
			name: "filetime-100ns", provider: "Microsoft-Windows-Kernel-Process", fields: []string{"create_time"},
			want:   []string{`Microsoft-Windows-Kernel-Process ProcessStart/Start 5204 {"create_time":"2024-05-01T12:00:00.7654321Z"}`},
			counts: [3]int{1, 0, 0},
		},
		{
			name: "filetime-100ns", provider: "My.Provider", fields: []string{"when"},
			want:   []string{`My.Provider Tick {"when":"2024-05-01T12:00:00.7654321Z"}`},
			counts: [3]int{1, 0, 0},
		},
		{
			name: "dns-server-analytical", provider: "Microsoft-Windows-DNSServer",
			want:   []string{`Microsoft-Windows-DNSServer 256 1500 {} payload=` + dns},
			counts: [3]int{0, 0, 1}, info: "--manifest FILE: its manifest",
		},
		{
			name: "dns-server-analytical", manifest: dnsManifest, provider: "Microsoft-Windows-DNSServer", fields: []string{"source", "qname", "xid", "port", "packet_data"},
			want:   []string{`Microsoft-Windows-DNSServer 256 1500 {"packet_data":"12340100","port":53,"qname":"host.example.","source":"10.0.0.2","xid":4660}`},
			counts: [3]int{1, 0, 0},
		},
	} {
		name := test.name
		if test.manifest != "" {
			name += "+manifest"
		}
		t.Run(name, func(t *testing.T) {
			args := []string{testenv.Shared(t, "cases/"+test.name+".etl")}
			switch path := filepath.Join(t.TempDir(), "case.man"); {
			case test.manifest == "":
			case strings.HasPrefix(test.manifest, "<"):
				testenv.WriteFile(t, path, test.manifest)
				args = append(args, "--manifest", path)
			default:
				args = append(args, "--manifest", testenv.Shared(t, test.manifest))
			}
			print := func(command string, more ...string) []byte {
				t.Helper()
				var stdout, stderr bytes.Buffer
				if status := run(t.Context(), slices.Concat([]string{command}, args, more), nil, &stdout, &stderr); status != exitDone {
					t.Fatalf("%s: exit status %d: %s", command, status, &stderr)
				}
				return stdout.Bytes()
			}
			var got []string
			for line := range bytes.Lines(print("cat", "--format", "ndjson", "--provider", test.provider)) {
				var e caseEvent
				if err := json.Unmarshal(line, &e); err != nil {
					t.Fatal(err)
				}
				words := []string{e.ProviderName, e.EventName}
				if e.ProcessID != 0 {
					words = append(words, strconv.Itoa(e.ProcessID))
				}
				if e.ProcessName != "" {
					words = append(words, e.ProcessName)
				}
				words = append(words, e.values(t, test.fields))
				if e.Payload != "" {
					words = append(words, "payload="+e.Payload)
				}
				got = append(got, strings.Join(words, " "))
			}
			if diff := cmp.Diff(test.want, got); diff != "" {
				t.Errorf("events: -want +got:\n%s", diff)
			}
			var known struct {
				Providers []struct {
					Name   string `json:"provider_name"`
					Whole  int    `json:"payloads_whole"`
					InPart int    `json:"payloads_in_part"`
					Raw    int    `json:"payloads_raw"`
				} `json:"providers"`
			}
			if err := json.Unmarshal(print("info", "--json"), &known); err != nil {
				t.Fatal(err)
			}
			counts := make(map[string][3]int)
			for _, p := range known.Providers {
				counts[p.Name] = [3]int{p.Whole, p.InPart, p.Raw}
			}
			if counts[test.provider] != test.counts {
				t.Errorf("payloads whole, in part, raw: %v, want %v", counts, test.counts)
			}
			severity := make(map[string]bool)
			for line := range bytes.Lines(print("cat", "--format", "ndjson", "--table", "problems")) {
				var p struct{ Severity string }
				if err := json.Unmarshal(line, &p); err != nil {
					t.Fatal(err)
				}
				severity[p.Severity] = true
			}
			if found := slices.Sorted(maps.Keys(severity)); !slices.Equal(found, test.severity) {
				t.Errorf("problems of severity %q, want %q", found, test.severity)
			}
			if text := string(print("info")); !strings.Contains(text, test.info) {
				t.Errorf("info does not print %q:\n%s", test.info, text)
			}
		})
	}
}
