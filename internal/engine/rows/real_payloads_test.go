package rows

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/etl2parquet/etl2parquet/decode"
	"github.com/etl2parquet/etl2parquet/facts"
	"github.com/etl2parquet/etl2parquet/internal/engine/index"
	"github.com/etl2parquet/etl2parquet/internal/engine/index/indextest"
	"github.com/etl2parquet/etl2parquet/internal/engine/rows/slabs"
	"github.com/etl2parquet/etl2parquet/schema"
	"github.com/etl2parquet/etl2parquet/tools/testenv"
)

// decodedShare counts the payloads of a trace by how they were decoded.
type decodedShare struct {
	facts.Payloads
	events        int64
	decoded       int64 // with all their fields found, or empty
	tailed        int64 // the decoded payloads with bytes beyond their fields
	withManifests facts.Payloads
	bySource      [schema.FromKernel + 1]int64
	tails         map[string]int64 // by event, payloads that are longer than their fields or do not fit, except kernel events
}

// shareOf reads all payloads of a trace.
func shareOf(t testing.TB, x *index.Index) *decodedShare {
	t.Helper()
	share := &decodedShare{tails: make(map[string]int64)}
	ctx := newContext(x, PayloadUndecoded)
	p := slabs.NewPlan(x, slabs.SizeFor(x), everyBuffer, slabs.Whole())
	sources := make(map[TableID]schema.Source)
	for _, k := range x.Catalog.Kinds {
		if k.Literal.Table != nil {
			sources[payloadTable(k.Literal.Table)] = k.Source
		}
	}
	var g Gathered
	idle := make(map[TableID]Filler)
	for i := 0; i < len(p.Slabs); i++ {
		cut, ok, err := g.Gather(x, p, p.Slabs[i], nil)
		if err != nil {
			t.Fatal(err)
		}
		if !ok {
			s := p.Slabs[i]
			p.Slabs = append(p.Slabs, slabs.Slab{From: s.From, To: cut}, slabs.Slab{From: cut, To: s.To})
			continue
		}
		for id, filler := range g.FillRows(ctx, func(id TableID) Filler {
			if idle[id] == nil {
				idle[id] = NewFiller(id, ctx)
			}
			return idle[id]
		}) {
			if filler != nil && TableID(id) != stackEventTable && TableID(id) != stackTable {
				share.add(t, TableID(id), filler, sources[TableID(id)])
			}
		}
	}
	d := x.Decoding(g.Tally)
	share.Payloads = d.Payloads
	if d.Events != share.events || d.Events-d.Raw-d.Damaged != share.decoded {
		t.Errorf("%d of %d payloads are decoded, the report says %+v", share.decoded, share.events, d)
	}
	if diff := cmp.Diff(d, indextest.Summary(t, x, "").Decoding); diff != "" {
		t.Errorf("the summary differs from the report: %s", diff)
	}
	return share
}

func (s *decodedShare) add(t testing.TB, id TableID, filler Filler, source schema.Source) {
	c := filler.start()
	if err := c.batch.Check(); err != nil {
		t.Fatal(err)
	}
	rows, ok := filler.(*payloadRows)
	if int(id) < decode.Families {
		payload, size := c.batch.OptionalColumn(schema.PayloadColumn), c.batch.Column("payload_size")
		s.events += int64(c.batch.Rows)
		for row := range c.batch.Rows {
			if payload != nil && (!payload.Has(row) || size.Small[row] == 0) { // other_header has no payloads
				s.decoded++
			}
		}
		return
	}
	if !ok { // stacks
		return
	}
	if source == 0 {
		source = schema.FromKernel
	}
	s.bySource[source] += int64(c.batch.Rows)
	for _, m := range rows.takeProblems() {
		if m.problem.Code == "payload_longer" {
			s.tailed += m.problem.Count
		}
		if source != schema.FromKernel {
			s.tails[fmt.Sprintf("%s %s %s: %s", source, m.problem.Code, m.problem.Field, m.problem.Message)] += m.problem.Count
		}
	}
}

// TestPayloadsOfRealTraces counts the payloads of the real traces by how much of them is read,
// without any option and with the manifests. README.md and docs/coverage.md have the counts.
func TestPayloadsOfRealTraces(t *testing.T) {
	testenv.Slow(t, "all real traces, twice")
	testenv.Sequential(t)
	paths := testenv.SharedFiles(t, "traces/*.etl")
	files := indextest.OpenFiles(t, []string{testenv.Shared(t, "manifests")}, nil)
	t.Log("SCORE payloads | trace | payloads | whole | in part | raw | bytes whole | in part | left over | raw | kernel | TraceLogging | EventSource | EventInfo | catalog | whole with manifests |")
	var all decodedShare
	for _, path := range paths {
		x := indextest.File(t, path)
		s := shareOf(t, x)
		if s.events != x.Events {
			t.Errorf("%s: %d rows, want %d", indextest.Name(path), s.events, x.Events)
		}
		for what, n := range s.tails {
			if !isKnownTail(what) {
				t.Errorf("%s: %d times %s", indextest.Name(path), n, what)
			}
			t.Logf("%s: %d times %s", indextest.Name(path), n, what)
		}
		for _, p := range x.Problems.All() {
			if strings.HasPrefix(p.Code, "tracelogging_") || strings.HasPrefix(p.Code, "event_record_") || strings.HasPrefix(p.Code, "map_record_") || strings.HasPrefix(p.Code, "manifest_") {
				t.Logf("%s: %s", indextest.Name(path), problemText(&p))
			}
		}
		with := shareOf(t, indextest.FileWith(t, path, files))
		s.withManifests = with.Payloads
		t.Logf("SCORE payloads | %s | %s", strings.TrimSuffix(indextest.Name(path), ".etl"), s)
		all.withManifests.Add(&with.Payloads)
		all.Payloads.Add(&s.Payloads)
		all.events, all.decoded, all.tailed = all.events+s.events, all.decoded+s.decoded, all.tailed+s.tailed
		for i, n := range s.bySource {
			all.bySource[i] += n
		}
	}
	t.Logf("SCORE payloads | all | %s", &all)
	const least, leastBytes = 0.9999, 0.99998
	if share := float64(all.Whole) / float64(all.All()); share < least {
		t.Errorf("%d of %d payloads are whole without any flag: %.5f, want %.5f", all.Whole, all.All(), share, least)
	}
	bytes := all.BytesWhole + all.BytesInPart + all.BytesRest + all.BytesRaw
	if share := float64(all.BytesWhole) / float64(bytes); share < leastBytes {
		t.Errorf("%d of %d bytes are in whole payloads without any flag: %.5f, want %.5f", all.BytesWhole, bytes, share, leastBytes)
	}
}

func (s *decodedShare) String() string {
	return fmt.Sprintf("%d | %d | %d | %d | %d | %d | %d | %d | %d | %d | %d | %d | %d | %d |", s.All(), s.Whole, s.InPart, s.Raw, s.BytesWhole, s.BytesInPart, s.BytesRest, s.BytesRaw,
		s.bySource[schema.FromKernel], s.bySource[schema.FromTraceLogging], s.bySource[schema.FromEventSource], s.bySource[schema.FromEventInfo], s.bySource[schema.FromCatalog], s.withManifests.Whole)
}

// knownTails has the beginnings of the texts about payloads that are longer than their fields: an
// EventSource logs an argument that its manifest lacks.
var knownTails = []string{
	"eventsource payload_longer PerfView/ClrEnableParameters: version 0: 4 bytes ",
}

func isKnownTail(what string) bool {
	return slices.ContainsFunc(knownTails, func(known string) bool { return strings.HasPrefix(what, known) })
}
