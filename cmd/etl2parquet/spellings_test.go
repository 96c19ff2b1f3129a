package main

import (
	"bytes"
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/etl2parquet/etl2parquet/decode/etltest"
	"github.com/etl2parquet/etl2parquet/internal/answers"
	"github.com/etl2parquet/etl2parquet/interop"
	"github.com/etl2parquet/etl2parquet/tools/testenv"
)

// powerShell is a trace of two events as the built-in catalogue describes them.
const powerShell = `
event64 provider=a0c1853b-5c40-4b15-8766-3cf1c58f985a id=4104 ver=1 chan=16 level=5 op=15 task=2 t=+1ms payload=u32:1,u32:1,str16:Get-Date,str16:b,str16:c
event64 provider=a0c1853b-5c40-4b15-8766-3cf1c58f985a id=7937 ver=1 t=+2ms payload=str16:a,str16:b,str16:c
`

// spelled is an event with the names that commands take.
type spelled struct {
	name     string // of the test
	trace    string
	provider string
	guid     string // "" of messages: tables join those of all builds, whose GUIDs and numbers differ
	event    string // the name that info prints, alone
	table    string // below events/
	sql      string
	ids      []string // after the provider
	aliases  []string // names in SQL with an id
	bare     []string // names without the provider that no other event of the trace has
}

// spellings returns all names of the event.
func (e *spelled) spellings() []string {
	list := slices.Concat([]string{e.provider + "/" + e.event, e.table, "events/" + e.table, e.sql}, e.aliases, e.bare)
	folder, _, _ := strings.Cut(e.table, "/")
	for _, id := range e.ids {
		list = append(list, e.provider+"/"+id, folder+"/"+id, e.guid+"/"+id, "{"+e.guid+"}/"+id)
	}
	if e.guid != "" {
		list = append(list, e.guid+"/"+e.event)
	}
	for _, name := range slices.Clone(list) {
		list = append(list, strings.ToUpper(name), strings.ToLower(name))
	}
	slices.Sort(list)
	return slices.Compact(list)
}

func spelledEvents(t *testing.T) []spelled {
	folder := t.TempDir()
	made := etltest.MustParse(t, powerShell)
	ps := filepath.Join(folder, "ps.etl")
	testenv.WriteFile(t, ps, made)
	clr, http := testenv.Shared(t, "traces/net.4.5.2.x86.etl"), testenv.Shared(t, "traces/HTTP_Server.etl")
	return []spelled{
		{name: "kernel", trace: sampleTrace, provider: "Thread", guid: "3d6fa8d1-fe05-11d0-9dda-00c04fd7ba7c", event: "CSwitch", table: "Thread/CSwitch", sql: "thread_cswitch",
			ids: []string{"36", "0x0524"}, aliases: []string{"thread_36"}, bare: []string{"CSwitch", "0x0524", "1316"}},
		{name: "class type", trace: sampleTrace, provider: "PerfInfo", guid: "ce1dbfb4-137e-4da6-87b0-3f59aa102cbc", event: "SampleProf", table: "PerfInfo/SampleProf", sql: "perfinfo_sampleprof",
			ids: []string{"46"}, aliases: []string{"perfinfo_46"}, bare: []string{"SampleProf", "0x0F2E", "3886"}},
		{name: "CLR", trace: clr, provider: "Microsoft-Windows-DotNETRuntime", guid: "e13c0d23-ccbc-4e12-931b-d9cc2eee27e4", event: "GC/Start", table: "Microsoft-Windows-DotNETRuntime/GC_Start", sql: "microsoft_windows_dotnetruntime_gc_start",
			ids: []string{"1"}, aliases: []string{"microsoft_windows_dotnetruntime_1"}, bare: []string{"GC/Start", "GC_Start"}},
		{name: "PowerShell 4104", trace: ps, provider: "Microsoft-Windows-PowerShell", guid: "a0c1853b-5c40-4b15-8766-3cf1c58f985a", event: "4104", table: "Microsoft-Windows-PowerShell/4104", sql: "microsoft_windows_powershell_4104",
			ids: []string{"4104"}, bare: []string{"4104"}},
		{name: "PowerShell 7937", trace: ps, provider: "Microsoft-Windows-PowerShell", guid: "a0c1853b-5c40-4b15-8766-3cf1c58f985a", event: "7937", table: "Microsoft-Windows-PowerShell/7937", sql: "microsoft_windows_powershell_7937",
			ids: []string{"7937"}, bare: []string{"7937"}},
		{name: "TraceLogging", trace: sampleTrace, provider: "Etl2parquet.Sample", guid: "a57d9ab3-69c1-580b-f793-c1336e890330", event: "FileSaved", table: "Etl2parquet.Sample/FileSaved", sql: "etl2parquet_sample_filesaved",
			bare: []string{"FileSaved"}},
		{name: "HTTP", trace: http, provider: "Microsoft-Windows-HttpService", guid: "dd5ef90a-6398-47a4-ad34-4dcecdef795f", event: "RecvReq", table: "Microsoft-Windows-HttpService/RecvReq", sql: "microsoft_windows_httpservice_recvreq",
			ids: []string{"1"}, aliases: []string{"microsoft_windows_httpservice_1"}, bare: []string{"RecvReq", "1"}},
		{name: "DNS", trace: clr, provider: "Microsoft-Windows-DNS-Client", guid: "1c95126e-7eea-49a9-a3fe-a378b03ddb4d", event: "DnsServerForInterface", table: "Microsoft-Windows-DNS-Client/DnsServerForInterface", sql: "microsoft_windows_dns_client_dnsserverforinterface",
			ids: []string{"1001"}, aliases: []string{"microsoft_windows_dns_client_1001"}, bare: []string{"DnsServerForInterface"}},
		{name: "WPP", trace: sampleTrace, provider: "sample", event: "items_c10", table: "sample/items_c10", sql: "sample_items_c10",
			bare: []string{"items_c10"}},
		{name: "manifest", trace: sampleTrace, provider: "Microsoft-Windows-Kernel-Process", guid: "22fb2cd6-0e7b-422b-a0c7-2fad1fd0e716", event: "ProcessStart/Start", table: "Microsoft-Windows-Kernel-Process/ProcessStart_Start", sql: "microsoft_windows_kernel_process_processstart_start",
			ids: []string{"1"}, aliases: []string{"microsoft_windows_kernel_process_1"}, bare: []string{"ProcessStart/Start", "ProcessStart_Start"}},
	}
}

// TestSpellings calls ten events by their names in cat, describe and query: each name means the one
// table. For catalog show and convert it takes some of the names.
func TestSpellings(t *testing.T) {
	testenv.Slow(t, "ten events by hundreds of names in five commands")
	t.Setenv(answers.Variable, interop.NewDuckDB(t))
	for nth, e := range spelledEvents(t) {
		t.Run(e.name, func(t *testing.T) {
			ok := func(args ...string) string {
				t.Helper()
				var out, errs bytes.Buffer
				if status := run(context.Background(), args, nil, &out, &errs); status != exitDone {
					t.Errorf("%q: exit status %d: %.300s", args, status, errs.String())
				}
				return out.String()
			}
			same := func(what, name, got, want string) {
				t.Helper()
				if got != want || got == "" {
					t.Errorf("%s by %q is not that by its table:\n%.300s\nwant\n%.300s", what, name, got, want)
				}
			}
			table := "events/" + e.table
			if out := ok("info", e.trace, "--json"); !strings.Contains(out, fmt.Sprintf(`"provider_name":%q,"event_name":%q`, e.provider, e.event)) || !strings.Contains(out, fmt.Sprintf(`"payload_table":%q`, table)) {
				t.Errorf("info does not print %s/%s of %s", e.provider, e.event, table)
			}
			if out := ok("info", e.trace, "--tables"); !strings.Contains(out, e.sql) {
				t.Errorf("info --tables does not print %s", e.sql)
			}
			dataset := filepath.Join(t.TempDir(), "out")
			ok("convert", e.trace, "-o", dataset, "--table", table, "--bundle", "never")
			rows := ok("cat", e.trace, "--table", table)
			events := ok("cat", e.trace, "--event", table)
			ofTrace, ofDataset := ok("describe", e.trace, table), ok("describe", dataset, table)
			var parts []string
			for i, name := range e.spellings() {
				parts = append(parts, fmt.Sprintf(`SELECT count(*) AS n FROM "%s"`, name))
				if testenv.Running(t) < testenv.TierAll && i%5 != nth%5 {
					continue // another event has it
				}
				same("cat --table", name, ok("cat", e.trace, "--table", name), rows)
				same("cat --event", name, ok("cat", e.trace, "--event", name), events)
				same("describe TRACE", name, ok("describe", e.trace, name), ofTrace)
				same("describe DATASET", name, ok("describe", dataset, name), ofDataset)
			}
			counts := strings.Fields(ok("query", e.trace, strings.Join(parts, " UNION ALL "), "--format", "csv"))
			if want := strings.Count(rows, "\n"); len(counts) != len(parts)+1 || slices.ContainsFunc(counts[1:], func(n string) bool { return n != fmt.Sprint(want) }) {
				t.Errorf("query counts %q rows by the names of a table with %d", counts, want)
			}
			inCatalogue := strings.HasPrefix(e.provider, "Microsoft-Windows-")
			shown := ""
			for _, name := range slices.Concat([]string{e.event}, e.ids) {
				for _, provider := range []string{e.provider, e.guid} {
					if !inCatalogue {
						continue
					}
					out := ok("catalog", "show", provider, name, "--json")
					if shown == "" {
						shown = out
					}
					same("catalog show", provider+" "+name, out, shown)
				}
			}
			for _, name := range []string{e.sql, e.provider + "/" + e.event} {
				to := filepath.Join(t.TempDir(), "out")
				ok("convert", e.trace, "-o", to, "--event", name, "--bundle", "never")
				if files, err := filepath.Glob(filepath.Join(to, "events", filepath.FromSlash(e.table), "*.parquet")); err != nil || len(files) == 0 {
					t.Errorf("convert --event %s writes no %s: %v", name, table, err)
				}
			}
		})
	}
}
