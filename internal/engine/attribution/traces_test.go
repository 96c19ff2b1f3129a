package attribution_test

import (
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/etl2parquet/etl2parquet/decode"
	"github.com/etl2parquet/etl2parquet/decode/decodetest"
	"github.com/etl2parquet/etl2parquet/decode/etltest"
	"github.com/etl2parquet/etl2parquet/internal/engine/attribution"
	"github.com/etl2parquet/etl2parquet/internal/engine/index/snapshot"
	"github.com/etl2parquet/etl2parquet/schema"
	"github.com/etl2parquet/etl2parquet/tools/testenv"
)

const (
	siblingMark = "-- sibling --\n"
	traceMark   = "-- trace --\n"
	expectMark  = "-- expect --\n"
)

// archive is a txtar: a comment, perhaps a sibling, a trace, and the expected dump.
type archive struct{ comment, sibling, trace, expect string }

func readArchive(t testing.TB, path string) (a archive) {
	t.Helper()
	text := testenv.ReadFile(t, path)
	head, rest, ok := strings.Cut(string(text), traceMark)
	if !ok {
		t.Fatalf("%s has no trace", path)
	}
	a.trace, a.expect, _ = strings.Cut(rest, expectMark)
	a.comment, a.sibling, _ = strings.Cut(head, siblingMark)
	return a
}

// testTrace is a trace in memory.
type testTrace struct {
	file  *decode.File
	start decode.Ticks
}

func openTrace(t testing.TB, text string) *testTrace {
	t.Helper()
	data := etltest.MustParse(t, text)
	f := decodetest.Open(t, data)
	return &testTrace{f, f.Header().EventTicks}
}

// each calls do for each event.
func (t *testTrace) each(begin func(buffer int), do func(b *decode.Buffer, ev *decode.Event, ref int64)) {
	var b decode.Buffer
	for i := range t.file.Buffers() {
		if t.file.ReadBuffer(i, &b) != nil {
			continue
		}
		begin(i)
		for ev := (decode.Event{}); b.Next(&ev) == nil; {
			do(&b, &ev, int64(i)<<32|int64(ev.Offset))
		}
	}
}

// kindOf returns the family, the provider or class, and the id or hook of an event.
func kindOf(ev *decode.Event) (provider schema.GUID, id uint32, version uint8) {
	switch ev.Family {
	case decode.FamilySystem:
		return provider, uint32(ev.HookID()), ev.System().Version()
	case decode.FamilyPerfInfo:
		return provider, uint32(ev.HookID()), ev.PerfInfo().Version()
	case decode.FamilyEventTrace:
		h := ev.EventTrace()
		provider, _ = h.GUID()
		kind, _, classVersion := h.Class()
		return provider, uint32(kind), uint8(classVersion)
	case decode.FamilyEvent:
		d := ev.Header().Descriptor()
		return ev.Header().ProviderID(), uint32(d.ID), d.Version
	}
	return provider, 0, 0
}

// reading says how the records of a trace are made. No choice changes the result.
type reading struct {
	each   bool // records for each buffer
	share  bool // the cache of payloads is used
	always bool // events are given to the records without calling Reads first
}

// read gives the events of a trace to records, and adds the records to a builder.
func (t *testTrace) read(b *attribution.Builder, how reading, without attribution.Facts, sibling bool) {
	var known attribution.Known
	var records *attribution.Records
	flush := func() {
		if records != nil {
			b.Add(records)
		}
		records = nil
	}
	t.each(func(buffer int) {
		if how.each {
			flush()
		}
		if records == nil {
			records = &attribution.Records{Without: without}
			if how.share {
				records.Share(&known)
			}
			if sibling {
				records.OfSibling()
			}
		}
		records.Begin(buffer)
	}, func(_ *decode.Buffer, ev *decode.Event, ref int64) {
		records.See(ev)
		provider, id, version := kindOf(ev)
		if ev.Family == decode.FamilyEvent {
			for items := ev.Header().Items(); items.Next(); {
				records.Item(ev, items.Type, items.Data, ref)
			}
		}
		if !how.always && !records.Reads(ev.Family, provider, id) {
			return
		}
		switch ev.Family {
		case decode.FamilySystem, decode.FamilyPerfInfo:
			records.Hook(ev, uint16(id), version)
		case decode.FamilyEventTrace:
			records.Class(ev, provider, uint8(id), version)
		case decode.FamilyEvent:
			records.Manifest(ev, ev.Header())
			records.Walk(ev, ref)
		}
	})
	flush()
}

// nearTicks is a millisecond.
const nearTicks = 10_000

// tables returns the tables of a trace, whose sibling may be nil.
func (t *testTrace) tables(sibling *testTrace, limits attribution.Limits, how reading, without attribution.Facts, workers int) *attribution.Tables {
	b := attribution.NewBuilder(limits, nil)
	if sibling != nil {
		b.Sibling(nearTicks)
		sibling.read(b, how, without, true)
	}
	b.Own()
	t.read(b, how, without, false)
	return b.Build(workers)
}

// TestTraces checks the tables of small traces: those of this folder and, with golden files of
// their own, those of package rows. How the records are made does not change the result.
func TestTraces(t *testing.T) {
	own, err := filepath.Glob("testdata/traces/*.txtar")
	if err != nil || len(own) == 0 {
		t.Fatalf("no traces: %v", err)
	}
	others, err := filepath.Glob("../rows/testdata/attribution/*.txtar")
	if err != nil || len(others) == 0 {
		t.Fatalf("no traces of package rows: %v", err)
	}
	for _, name := range []string{"image", "imageid", "process", "process_pointer_size", "thread", "sysconfig", "fileio"} {
		others = append(others, "../rows/testdata/kernel/"+name+".txtar")
	}
	for _, path := range slices.Concat(own, others) {
		name := strings.TrimSuffix(filepath.Base(path), ".txtar")
		if name == "processors" {
			continue // it has 300 processors, and nothing else
		}
		t.Run(name, func(t *testing.T) {
			a := readArchive(t, path)
			trace := openTrace(t, a.trace)
			var sibling *testTrace
			if a.sibling != "" {
				sibling = openTrace(t, a.sibling)
			}
			tables := trace.tables(sibling, attribution.DefaultLimits, reading{}, 0, 1)
			got := dump(trace, tables)
			compare(t, path, slices.Contains(own, path), &a, got)
			for _, how := range []reading{{each: true}, {share: true}, {each: true, share: true}, {always: true}} {
				again := dump(trace, trace.tables(sibling, attribution.DefaultLimits, how, 0, 3))
				if diff := cmp.Diff(strings.Split(got, "\n"), strings.Split(again, "\n")); diff != "" {
					t.Errorf("%+v: -want +got:\n%s", how, diff)
				}
			}
			checkSnapshot(t, trace, tables, got)
			checkFiles(t, tables)
		})
	}
}

// compare compares a dump with what is expected: in the archive itself or, for an archive of
// another package, in a file of its own.
func compare(t *testing.T, path string, own bool, a *archive, got string) {
	t.Helper()
	want, head := a.expect, ""
	if own {
		head = a.comment
		if a.sibling != "" {
			head += siblingMark + a.sibling
		}
		head += traceMark + a.trace + expectMark
	} else {
		path = "testdata/rows/" + strings.TrimSuffix(filepath.Base(path), ".txtar") + ".golden"
		text, err := os.ReadFile(path)
		if err != nil && !*testenv.Update {
			t.Fatal(err)
		}
		want = string(text)
	}
	if want == got {
		return
	}
	if !*testenv.Update {
		t.Fatalf("-want +got, or use -update:\n%s", cmp.Diff(strings.Split(want, "\n"), strings.Split(got, "\n")))
	}
	testenv.WriteFile(t, path, head+got)
}

// checkSnapshot checks that tables are the same after they were written and read, and that a
// snapshot is rejected for a trace with fewer buffers.
func checkSnapshot(t *testing.T, trace *testTrace, tables *attribution.Tables, want string) {
	t.Helper()
	s, err := tables.Snapshot()
	if err != nil {
		t.Fatal(err)
	}
	restored, err := reread(t, s).Restore(attribution.DefaultLimits.Frames, trace.file.Buffers(), nil)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(strings.Split(want, "\n"), strings.Split(dump(trace, restored), "\n")); diff != "" {
		t.Errorf("restored: -want +got:\n%s", diff)
	}
	if strings.Contains(want, ", in buffers [") && strings.Contains(want, " in buffers [1") {
		if _, err := reread(t, s).Restore(attribution.DefaultLimits.Frames, 1, nil); err == nil {
			t.Error("a snapshot with a buffer beyond the trace is accepted")
		}
	}
}

// reread writes a snapshot and reads it.
func reread(t *testing.T, s *attribution.Snapshot) *attribution.Snapshot {
	t.Helper()
	b, _ := snapshot.AppendMost(nil, s, math.MaxInt)
	again, err := snapshot.Read[attribution.Snapshot](b)
	if err != nil {
		t.Fatal(err)
	}
	return again
}

// checkFiles checks that each file is found at the ends of its life, and no other object is.
func checkFiles(t *testing.T, tables *attribution.Tables) {
	t.Helper()
	objects := make(map[uint64]bool)
	for i := range tables.Files {
		objects[tables.Files[i].Object] = true
	}
	for i := range tables.Files {
		f := &tables.Files[i]
		if a, b := tables.File(f.Object, f.From), tables.File(f.Object, f.To); a != i || b != i {
			t.Errorf("file %d is found at %d and %d", i, a, b)
		}
		if before := tables.File(f.Object, f.From-1); f.From != decode.MinTicks && before == i {
			t.Errorf("file %d is found before its start", i)
		}
		for _, other := range []uint64{f.Object - 1, f.Object + 1} {
			if at := tables.File(other, f.From); !objects[other] && at >= 0 {
				t.Errorf("object %#x has file %d", other, at)
			}
		}
	}
}
