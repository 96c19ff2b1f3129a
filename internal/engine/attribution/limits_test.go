package attribution_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/etl2parquet/etl2parquet/decode"
	"github.com/etl2parquet/etl2parquet/internal/engine/attribution"
)

// TestFacts counts the entities in the tables when facts are left out.
func TestFacts(t *testing.T) {
	trace := openTrace(t, readArchive(t, "testdata/traces/facts.txtar").trace)
	for _, test := range []struct {
		without attribution.Facts
		want    string
	}{
		{0, "processes 1 threads 1 pairs 1 images 1 debug 1 versions 1 files 2 methods 3 modules 1 volumes 1 refs [1 2] stacks true"},
		{attribution.OwnerFacts, "processes 0 threads 0 pairs 0 images 1 debug 1 versions 1 files 2 methods 3 modules 1 volumes 1 refs [1 2] stacks true"},
		{attribution.ImageFacts, "processes 1 threads 1 pairs 1 images 0 debug 0 versions 1 files 2 methods 3 modules 1 volumes 1 refs [1 2] stacks true"},
		{attribution.VersionFacts, "processes 1 threads 1 pairs 1 images 1 debug 0 versions 0 files 2 methods 3 modules 1 volumes 1 refs [1 2] stacks true"},
		{attribution.FileFacts, "processes 1 threads 1 pairs 1 images 1 debug 1 versions 1 files 0 methods 3 modules 1 volumes 1 refs [1 2] stacks true"},
		{attribution.MethodFacts, "processes 1 threads 1 pairs 1 images 1 debug 1 versions 1 files 2 methods 0 modules 0 volumes 1 refs [1 2] stacks true"},
		{attribution.StackFacts, "processes 1 threads 1 pairs 1 images 1 debug 1 versions 1 files 2 methods 3 modules 1 volumes 1 refs [] stacks true"},
		{attribution.AllFacts, "processes 0 threads 0 pairs 0 images 0 debug 0 versions 0 files 0 methods 0 modules 0 volumes 1 refs [] stacks true"},
	} {
		tables := trace.tables(nil, attribution.DefaultLimits, reading{}, test.without, 1)
		got := fmt.Sprintf("processes %d threads %d pairs %d images %d debug %d versions %d files %d methods %d modules %d volumes %d refs %d stacks %t", len(tables.Processes), len(tables.Threads), len(tables.Pairs),
			len(tables.Images), len(tables.Debug), len(tables.Versions), len(tables.Files), len(tables.Methods), len(tables.Modules), len(tables.Volumes),
			tables.Stacks.Buffers(decode.MinTicks, decode.MaxTicks, nil), tables.Stacks.Any())
		if got != test.want {
			t.Errorf("without %#b: %s, want %s", test.without, got, test.want)
		}
		always := trace.tables(nil, attribution.DefaultLimits, reading{always: true, each: true}, test.without, 1)
		if a, b := dump(trace, tables), dump(trace, always); a != b {
			t.Errorf("without %#b, where all events are given: -want +got:\n%s", test.without, cmp.Diff(strings.Split(a, "\n"), strings.Split(b, "\n")))
		}
	}
}

// TestLimits checks what remains of traces with limits.
func TestLimits(t *testing.T) {
	var b strings.Builder
	for _, name := range []string{"processes", "threads", "images", "files", "methods", "stacks", "clr-walks-steps", "manifest-events", "manifest-sibling"} {
		a := readArchive(t, "testdata/traces/"+name+".txtar")
		trace := openTrace(t, a.trace)
		var sibling *testTrace
		if a.sibling != "" {
			sibling = openTrace(t, a.sibling)
		}
		for _, limits := range []attribution.Limits{
			{}, {Records: 1}, {Records: 3, Keys: 1, Frames: 1 << 10, Texts: 40}, {Records: 6, Files: 1, Keys: 3, Frames: 6, Texts: 150}, {Records: 9, Methods: 4, Keys: 9, Frames: 1 << 10, Texts: 400},
		} {
			tables := trace.tables(sibling, limits, reading{}, 0, 1)
			d := &dumper{start: trace.start, tables: tables}
			d.entities()
			lines := strings.Split(strings.TrimSuffix(d.String(), "\n"), "\n")
			kinds := make(map[string]int)
			for _, line := range lines[:len(lines)-1] {
				kind, _, _ := strings.Cut(line, " ")
				kinds[strings.TrimSpace(kind)]++
			}
			text := dump(trace, tables)
			walks := strings.Count(text, "walk of ") - strings.Count(text, "walk of 0xffffffffffffffff")
			fmt.Fprintf(&b, "%s %+v: %v; versions %d, debug %d, walks with an event %d; %s\n", name, limits, kinds, len(tables.Versions), len(tables.Debug), walks, lines[len(lines)-1])
			for _, how := range []reading{{each: true}, {share: true}} {
				if got := dump(trace, trace.tables(sibling, limits, how, 0, 2)); got != text {
					t.Errorf("%s, %+v, %+v: the result differs", name, limits, how)
				}
			}
		}
	}
	compare(t, "limits.txtar", false, new(archive), b.String())
}

// TestRunningAtStart checks the threads that run at the start of buffers, given the switches in
// them.
func TestRunningAtStart(t *testing.T) {
	const none = attribution.NoThread
	at := func(processor uint16, first, last decode.Ticks, old, now uint32) attribution.ProcessorBuffer {
		return attribution.ProcessorBuffer{Processor: processor, First: first, Switches: attribution.Switches{Any: true, Old: old, New: now, Last: last}}
	}
	quiet := func(processor uint16, first decode.Ticks) attribution.ProcessorBuffer {
		return attribution.ProcessorBuffer{Processor: processor, First: first}
	}
	for _, test := range []struct {
		name           string
		buffers        []attribution.ProcessorBuffer
		lossy, perfect []uint32 // perfect: the trace lost nothing
	}{
		{"nothing", nil, []uint32{}, []uint32{}},
		{"one after another", []attribution.ProcessorBuffer{at(0, 10, 20, 1, 2), at(0, 21, 30, 2, 3), at(0, 31, 40, 3, 4)}, []uint32{none, 2, 3}, []uint32{none, 2, 3}},
		{"a switch is missing", []attribution.ProcessorBuffer{at(0, 10, 20, 1, 2), at(0, 21, 30, 9, 3), at(0, 31, 40, 3, 4)}, []uint32{none, none, 3}, []uint32{none, none, 3}},
		{"between switches, and behind the last", []attribution.ProcessorBuffer{at(0, 10, 20, 1, 2), quiet(0, 21), at(0, 25, 30, 2, 3), quiet(0, 31), quiet(0, 32)}, []uint32{none, 2, 2, none, none}, []uint32{none, 2, 2, 3, 3}},
		{"before any switch", []attribution.ProcessorBuffer{quiet(0, 1), at(0, 10, 20, 1, 2)}, []uint32{none, none}, []uint32{none, none}},
		{"processors side by side, out of order", []attribution.ProcessorBuffer{at(1, 21, 30, 5, 6), at(0, 21, 30, 2, 3), at(1, 10, 20, 4, 5), at(0, 10, 20, 1, 2)}, []uint32{5, 2, none, none}, []uint32{5, 2, none, none}},
		{"a buffer that begins before the last switch of the one before", []attribution.ProcessorBuffer{at(0, 10, 20, 1, 2), at(0, 15, 30, 2, 3), at(0, 20, 25, 3, 4)}, []uint32{none, none, none}, []uint32{none, none, none}},
		{"a buffer that begins with the last switch", []attribution.ProcessorBuffer{at(0, 10, 20, 1, 2), at(0, 20, 30, 2, 3)}, []uint32{none, 2}, []uint32{none, 2}},
	} {
		for lossless, want := range map[bool][]uint32{false: test.lossy, true: test.perfect} {
			if got := attribution.RunningAtStart(test.buffers, lossless); !slices.Equal(got, want) {
				t.Errorf("%s, lossless %t: %d, want %d", test.name, lossless, got, want)
			}
		}
	}
}
