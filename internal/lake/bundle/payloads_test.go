package bundle

import (
	"slices"
	"strconv"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/etl2parquet/etl2parquet/decode/decodetest"
	"github.com/etl2parquet/etl2parquet/decode/etltest"
	"github.com/etl2parquet/etl2parquet/facts"
	"github.com/etl2parquet/etl2parquet/internal/engine/index"
	"github.com/etl2parquet/etl2parquet/internal/engine/index/indextest"
	"github.com/etl2parquet/etl2parquet/internal/engine/rows"
	"github.com/etl2parquet/etl2parquet/internal/formats/parquet/parquettest"
	"github.com/etl2parquet/etl2parquet/tools/testenv"
)

// sysmon is event 1 of schema 4.1 of Sysmon, which has fewer fields than the same version in later
// schemas.
const sysmon = `str16:rule,str16:now,guid:00000000-0000-0000-0000-000000000001,u32:11,str16:a.exe,str16:1.0,str16:desc,str16:prod,str16:comp,` +
	`str16:"a -b",str16:C:\,str16:user,guid:00000000-0000-0000-0000-000000000002,u64:0x3e7,u32:1,str16:High,str16:MD5=00,` +
	`guid:00000000-0000-0000-0000-000000000003,u32:12,str16:p.exe,str16:p`

// payloadCases are events with one payload each, how much of it is read, and the rows in the table
// problems.
var payloadCases = []struct {
	name, event string
	want        facts.Payloads
	problem     string // severity and code
}{
	{"whole", "perfinfo64 hook=0x0524 ver=4 payload=zero:24", facts.Payloads{Whole: 1, BytesWhole: 24}, ""},
	{"shorter", "perfinfo64 hook=0x0524 ver=4 payload=zero:20", facts.Payloads{Whole: 1, BytesWhole: 20}, "info payload_shorter"},
	{"longer", "perfinfo64 hook=0x0f2e ver=2 payload=zero:17", facts.Payloads{InPart: 1, BytesInPart: 16, BytesRest: 1}, "warning payload_longer"},
	{"longer, of a later version", "perfinfo64 hook=0x0524 ver=9 payload=zero:27", facts.Payloads{InPart: 1, BytesInPart: 24, BytesRest: 3}, "info payload_longer"},
	{"damaged", "perfinfo64 hook=0x0524 ver=4 payload=zero:23", facts.Payloads{InPart: 1, BytesInPart: 20, BytesRest: 3, Damaged: 1}, "error payload_damaged"},
	{"pointers of 4 bytes, 8 in the header", "system64 hook=0x0323 ver=2 payload=zero:8", facts.Payloads{Whole: 1, BytesWhole: 8}, "info other_pointer_size"},
	{"pointers of 8 bytes, 4 in the header", "system32 hook=0x0323 ver=2 payload=zero:12", facts.Payloads{Whole: 1, BytesWhole: 12}, "info other_pointer_size"},
	{"a process with pointers of 4 bytes, 8 in the header", "system64 hook=0x0303 ver=3 payload=zero:24,u32:0,4900,0000", facts.Payloads{Whole: 1, BytesWhole: 32}, "info other_pointer_size"},
	{"a process with bytes in the place of a text", "system64 hook=0x0303 ver=3 payload=zero:32,u32:0,014900,0000,07",
		facts.Payloads{InPart: 1, BytesInPart: 36, BytesRest: 6, Damaged: 1}, "error payload_damaged"},
	{"unstated", "event64 provider=2a576b87-09a7-520e-c21a-4942f0271d67 id=1101 ver=1 payload=ptr:1,u8:1,u32:32768,str16:PowerShell,str16:x.ps1,u32:4,u32:4,hex:61006200,zero:63",
		facts.Payloads{InPart: 1, BytesInPart: 59, BytesRest: 63}, "info payload_unstated"}, // no two hashes take 59 bytes
	{"a form of no build", "event64 provider=5770385f-c22a-43e0-bf4c-06f5698ffbd9 id=1 ver=5 payload=" + sysmon,
		facts.Payloads{Whole: 1, BytesWhole: 204}, "info payload_shorter"},
	{"a later form of no build, longer", "event64 provider=5770385f-c22a-43e0-bf4c-06f5698ffbd9 id=1 ver=5 payload=" + sysmon + `,str16:"",zero:1`,
		facts.Payloads{InPart: 1, BytesInPart: 206, BytesRest: 1}, "warning payload_longer"},
	{"raw", "system64 hook=0x0bfe ver=1 payload=zero:5", facts.Payloads{Raw: 1, BytesRaw: 5}, ""},
	{"raw and empty", "system64 hook=0x0bfe ver=1", facts.Payloads{}, ""},
	{"empty", "perfinfo64 hook=0x0524 ver=4 payload=", facts.Payloads{}, "info payload_shorter"},
	{"unknown header", "timed bytes=zero:8", facts.Payloads{Raw: 1, BytesRaw: 12}, ""},
	{"TraceLogging", `event64 provider=00000000-0000-0000-0000-000000000009 schema=A(a:u32,s:str16) payload=u32:1,str16:"a"`, facts.Payloads{Whole: 1, BytesWhole: 8}, ""},
	{"TraceLogging, cut at a field", `event64 provider=00000000-0000-0000-0000-000000000009 schema=A(a:u32,s:str16) payload=u32:1`,
		facts.Payloads{InPart: 1, BytesInPart: 4, Damaged: 1}, "error payload_damaged"},
}

// TestPayloads checks the counts of payloads read whole, in part and not at all: in info, in the report
// of a conversion and in the tables traces, providers, event_types and problems, with any selection.
func TestPayloads(t *testing.T) {
	t.Parallel()
	for _, test := range payloadCases {
		t.Run(test.name, func(t *testing.T) {
			head := "trace ptr=64 buffersize=4096\nheader\nbuffer cpu=0\n"
			path := indextest.Write(t, "a.etl", etltest.MustParse(t, head+test.event+"\n"))
			before := summaryOf(t, indextest.Write(t, "b.etl", etltest.MustParse(t, head)))
			want := before.Decoding.Payloads
			want.Add(&test.want)
			summary := summaryOf(t, path)
			if diff := cmp.Diff(want, summary.Decoding.Payloads); diff != "" {
				t.Errorf("info: -want +got\n%s", diff)
			}
			x, err := index.Build(t.Context(), decodetest.OpenFile(t, path), index.Options{Workers: 1, Judge: true})
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(summary.Decoding, indextest.Summary(t, x, path).Decoding); diff != "" {
				t.Errorf("info, judged while read: -again +judged\n%s", diff)
			}
			if err := x.Close(); err != nil {
				t.Error(err)
			}
			for name, change := range map[string]func(*Options){
				"everything":   func(*Options) {},
				"all payloads": func(o *Options) { o.Payload = rows.PayloadAll },
				"without problems": func(o *Options) {
					o.Selection.Tables = []string{"providers", "traces", "event_types", "other_header", "system_trace_header", "perfinfo_trace_header", "event_header"}
				},
				"another provider":  func(o *Options) { o.Selection.Providers = []string{"Absent"} },
				"without the table": func(o *Options) { o.MaxTables = 1 },
			} {
				o, root := testOptions, t.TempDir()
				change(&o)
				report := convertTo(t, root, path, o)
				if diff := cmp.Diff(summary.Decoding, report.Decoding); diff != "" && name != "another provider" {
					t.Errorf("%s: the report differs from info: %s", name, diff)
				}
				want := want
				want.Damaged = 0
				rows := rowsByTable(t, root, "t")
				for _, table := range []string{"traces", "providers", "event_types"} {
					if diff := testenv.Diff(want, payloadsIn(t, rows[table])); diff != "" {
						t.Errorf("%s: table %s: -want +got\n%s", name, table, diff)
					}
				}
				if name == "another provider" || name == "without problems" {
					continue
				}
				var got []string
				for _, p := range rows["problems"] {
					if p["code"] != "tables_limit" {
						got = append(got, p["severity"]+" "+p["code"])
					}
				}
				var problems []string
				if test.problem != "" {
					problems = []string{test.problem}
				}
				if !slices.Equal(got, problems) {
					t.Errorf("%s: problems %q, want %q", name, got, problems)
				}
			}
		})
	}
}

// payloadsIn adds up the payloads that the rows of a table count.
func payloadsIn(t *testing.T, rows []parquettest.Row) (sum facts.Payloads) {
	t.Helper()
	for _, row := range rows {
		for name, to := range map[string]*int64{
			"payloads_whole": &sum.Whole, "payloads_in_part": &sum.InPart, "payloads_raw": &sum.Raw, "payload_bytes_whole": &sum.BytesWhole,
			"payload_bytes_in_part": &sum.BytesInPart, "payload_bytes_rest": &sum.BytesRest, "payload_bytes_raw": &sum.BytesRaw,
		} {
			n, err := strconv.ParseInt(row[name], 10, 64)
			if err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			*to += n
		}
	}
	return sum
}
