package bundle

import (
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/etl2parquet/etl2parquet/decode/etltest"
	"github.com/etl2parquet/etl2parquet/facts"
	"github.com/etl2parquet/etl2parquet/internal/engine/index"
	"github.com/etl2parquet/etl2parquet/internal/engine/index/indextest"
	"github.com/etl2parquet/etl2parquet/internal/engine/rows"
)

// decodingTrace has events for each kind of source of descriptions, and some without.
const decodingTrace = `
trace ptr=64 buffersize=8192
header
system64 hook=0x0040 ver=2 payload=guid:00000000-0000-0000-0000-00000000000d,u32:3,str8:driver.pdb
buffer
# A provider of manifests, one event without a payload.
event64 provider=00000000-0000-0000-0000-000000000001 id=1 payload=u32:1
event64 provider=00000000-0000-0000-0000-000000000001 id=1 sid=S-1-5-18 payload=u32:1
event64 provider=00000000-0000-0000-0000-000000000001 id=1
event64 provider=00000000-0000-0000-0000-000000000001 id=1 sid=S-1-5-18
event64 provider=00000000-0000-0000-0000-000000000001 id=2 t=+1s payload=u32:1
# TraceLogging.
event64 provider=00000000-0000-0000-0000-000000000002 schema=Good(A:u32) traits=Loud() payload=u32:1
# WPP, one message without a GUID.
message guid=00000000-0000-0000-0000-000000000003 number=10 payload=u32:1
message guid=00000000-0000-0000-0000-000000000003 number=11
message component=7 number=10 payload=u32:1
# Classic events, one with the id of the provider above, one of a class of the kernel.
full64 guid=00000000-0000-0000-0000-000000000004 type=1 payload=u32:1
full64 guid=00000000-0000-0000-0000-000000000001 type=1 payload=u32:1
full64 guid=3d6fa8d1-fe05-11d0-9dda-00c04fd7ba7c type=200 payload=u32:1
# The kernel: described, too short for that, without a layout that is public.
perfinfo64 hook=0x0524 ver=4 payload=zero:24
perfinfo64 hook=0x0524 ver=4 payload=zero:5
system64 hook=0x0bfe ver=1 payload=u32:1
system64 hook=0x0bfe ver=1
timed bytes=zero:8
`

// TestDecoding checks the list of undecoded events and of the files that would help, in
// the report of a conversion, in its record and in the index.
func TestDecoding(t *testing.T) {
	t.Parallel()
	trace := etltest.MustParse(t, decodingTrace)
	path := indextest.Write(t, "a.etl", trace)
	provider := func(id, name string, events int64, payloads facts.Payloads, help ...facts.Help) facts.ProviderDecoding {
		p := facts.ProviderDecoding{Events: events, NotDecoded: payloads.Raw, Payloads: payloads, Help: append([]facts.Help{}, help...), InParts: []facts.PartlyRead{}}
		if id != "" {
			p.ID = &id
		}
		if name != "" {
			p.Name = &name
		}
		return p
	}
	manifests := func(n int64) facts.Help { return index.HelpFrom(facts.Manifest, n) }
	mof := func(n int64) facts.Help { return index.HelpFrom(facts.MOF, n) }
	tmf := func(n int64) facts.Help { return index.HelpFrom(facts.TMF, n) }
	pdbs := []facts.PDB{{Name: "driver.pdb", GUID: "00000000-0000-0000-0000-00000000000d", Age: 3}}
	const (
		one    = "00000000-0000-0000-0000-000000000001"
		three  = "00000000-0000-0000-0000-000000000003"
		four   = "00000000-0000-0000-0000-000000000004"
		thread = "3d6fa8d1-fe05-11d0-9dda-00c04fd7ba7c"
		config = "01853a65-418f-4f36-aefc-dc0f1d2fd235"
	)
	all := []facts.ProviderDecoding{
		provider(one, "", 6, facts.Payloads{Raw: 4, BytesRaw: 16}, manifests(3), mof(1)),
		provider("", "", 2, facts.Payloads{Raw: 2, BytesRaw: 16}),
		provider(thread, "Thread", 3, facts.Payloads{Whole: 1, InPart: 1, Raw: 1, BytesWhole: 24, BytesInPart: 4, BytesRest: 1, BytesRaw: 4, Damaged: 1}, mof(1)),
		provider(three, "", 2, facts.Payloads{Raw: 1, BytesRaw: 4}, tmf(1)),
		provider(four, "", 1, facts.Payloads{Raw: 1, BytesRaw: 4}, mof(1)),
		provider(config, "SystemConfig", 2, facts.Payloads{Raw: 1, BytesRaw: 4}),
	}
	all[2].InParts = []facts.PartlyRead{{EventName: "CSwitch", EventID: 0x524, Version: 4, Reason: facts.PartDamaged, Field: "old_thread_id", Payloads: 1, BytesRest: 1}}
	decoding := func(events int64, payloads facts.Payloads, providers []facts.ProviderDecoding, pdbs []facts.PDB) facts.Decoding {
		return facts.Decoding{Events: events, NotDecoded: payloads.Raw, Payloads: payloads, Providers: providers, PDBs: pdbs}
	}
	payloads := sumOf(all)
	payloads.Add(&facts.Payloads{Whole: 3, BytesWhole: 319}) // of providers that have no others
	whole := decoding(19, payloads, all, pdbs)
	switches := provider(thread, "Thread", 2, facts.Payloads{Whole: 1, InPart: 1, BytesWhole: 24, BytesInPart: 4, BytesRest: 1, Damaged: 1})
	switches.InParts = all[2].InParts
	for _, test := range []struct {
		name   string
		change func(*Options)
		want   facts.Decoding
	}{
		{"all", func(*Options) {}, whole},
		{"all payloads", func(o *Options) { o.Payload = rows.PayloadAll }, whole},
		{"fields", func(o *Options) { o.Fields = true }, whole},
		{"fields alone", func(o *Options) { o.Fields, o.MaxTables = true, 1 }, whole},
		{"provider", func(o *Options) { o.Selection.Providers = []string{three} },
			decoding(2, all[3].Payloads, all[3:4], pdbs)},
		{"time", func(o *Options) { o.Selection.To = facts.SinceStart(time.Second) },
			decoding(6, facts.Payloads{Whole: 2, Raw: 2, BytesWhole: 315, BytesRaw: 8}, []facts.ProviderDecoding{provider(one, "", 4, facts.Payloads{Raw: 2, BytesRaw: 8}, manifests(2))}, []facts.PDB{})},
		{"decoded only", func(o *Options) { o.Selection.Events = []string{"CSwitch"} },
			decoding(2, switches.Payloads, []facts.ProviderDecoding{switches}, []facts.PDB{})},
		{"no events", func(o *Options) { o.Selection.Tables = []string{"stacks", "providers"} },
			facts.Decoding{Providers: []facts.ProviderDecoding{}, PDBs: []facts.PDB{}}},
	} {
		t.Run(test.name, func(t *testing.T) {
			o := testOptions
			test.change(&o)
			root := filepath.Join(t.TempDir(), "out")
			report := convertTo(t, root, path, o)
			if diff := cmp.Diff(&test.want, report.Decoding); diff != "" {
				t.Errorf("report: -want +got\n%s", diff)
			}
			again := convertTo(t, root, path, o)
			if diff := cmp.Diff(report.Decoding, again.Decoding); diff != "" || !again.Skipped {
				t.Errorf("skipped: %t, -before +after\n%s", again.Skipped, diff)
			}
		})
	}
	s := summaryOf(t, path)
	if diff := cmp.Diff(&whole, s.Decoding); diff != "" {
		t.Errorf("summary: -want +got\n%s", diff)
	}
	sum := int64(0)
	for _, p := range s.Providers {
		sum += p.NotDecoded
	}
	if sum != whole.NotDecoded {
		t.Errorf("providers have %d raw payloads, want %d", sum, whole.NotDecoded)
	}
}

// sumOf adds up the payloads of providers.
func sumOf(list []facts.ProviderDecoding) (sum facts.Payloads) {
	for i := range list {
		sum.Add(&list[i].Payloads)
	}
	return sum
}

// TestDecodingLists converts more providers and PDBs than are listed.
func TestDecodingLists(t *testing.T) {
	t.Parallel()
	trace, err := etltest.Parse(strings.ReplaceAll(`
trace ptr=64 buffersize=65536
header
repeat 150 { system64 hook=0x0040 ver=2 payload=guid:00000000-0000-0000-0000-00000000000d,u32:$i,str8:LONG }
buffer
repeat 150 from=100 { message guid=00000000-0000-0000-0000-000000000$i number=10 payload=u32:1 }
message guid=00000000-0000-0000-0000-000000000249 number=10 payload=u32:1
message guid=00000000-0000-0000-0000-000000000248 number=10 payload=u32:1
event64 provider=00000000-0000-0000-0000-000000000248 traits=LONG()
`, "LONG", strings.Repeat("n", 300)))
	if err != nil {
		t.Fatal(err)
	}
	x := indextest.Data(t, trace)
	d := x.Decoding(indextest.Count(t, x))
	if d.NotDecoded != 152 || len(d.Providers) != index.MaxListed || d.Unlisted != 50 || len(d.PDBs) != index.MaxListed {
		t.Errorf("%d events, %d providers and %d more, %d PDBs", d.NotDecoded, len(d.Providers), d.Unlisted, len(d.PDBs))
	}
	cut := strings.Repeat("n", 253) + "..."
	if first := d.Providers[0]; first.NotDecoded != 2 || *first.ID != "00000000-0000-0000-0000-000000000248" || *first.Name != cut || d.PDBs[0].Name != cut {
		t.Errorf("the first is %+v, the first PDB %+v", first, d.PDBs[0])
	}
	if n := len(indextest.Summary(t, x, "").ProviderPDBs); n != 150 {
		t.Errorf("the summary has %d PDBs", n)
	}
}
