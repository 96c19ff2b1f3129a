package main

import (
	"cmp"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"github.com/google/pprof/profile"
)

// step is a part of a conversion: the functions that are called for it and nothing else.
type step struct {
	name  string
	parts []string // of names of functions, from the package on
}

// passes are the parts of a conversion. A sample belongs to the first whose function is nearest
// to the root of its stack.
var passes = []step{
	{"garbage collection", []string{"runtime.gcBgMarkWorker", "runtime.bgsweep", "runtime.bgscavenge", "runtime.gcAssistAlloc", "runtime.gcStart"}},
	{"index", []string{"internal/engine/index.(*Index).indexChunk", "internal/engine/index.(*Index).read"}},
	{"who and what", []string{"internal/engine/attribution.(*Builder)", "internal/engine/attribution.(*Tables)", "internal/engine/index.Build", "internal/engine/index.(*Index)"}},
	{"gather", []string{"internal/engine/rows.(*Gathered).Gather"}},
	{"fill", []string{"internal/engine/rows.(*Gathered).FillRows"}},
	{"fixed tables", []string{"internal/engine/rows/fixed."}},
	{"encode", []string{"internal/formats/parquet."}},
}

// steps are the parts of a pass. A sample belongs to the first whose function is nearest to the
// leaf of its stack.
var steps = map[string][]step{
	"index": {
		{"hash", []string{"internal/base/filehash."}},
		{"read", []string{"decode.(*File)"}},
		{"walk", []string{"decode.(*Buffer)"}},
		{"kinds", []string{"internal/engine/catalog."}},
		{"who and what", []string{"internal/engine/attribution."}},
	},
	"gather": {
		{"read", []string{"decode.(*File)"}},
		{"copy", []string{"internal/engine/rows.(*arena)", "internal/engine/rows.(*Gathered).copy"}},
		{"walk", []string{"decode.(*Buffer)"}},
		{"sort", []string{"internal/engine/rows.(*Gathered).sort"}},
		{"stacks", []string{"internal/engine/rows.(*stackParts)", "internal/engine/rows.(*Gathered).addStacks"}},
	},
	"fill": {
		{"events", []string{"internal/engine/rows.(*block).load"}},
		{"common columns", []string{"internal/engine/rows.(*filling).append"}},
		{"fields", []string{"internal/engine/rows.(*payloadRows).fill"}},
		{"stacks", []string{"internal/engine/rows.(*Gathered).fillStacks"}},
	},
	"encode": {
		{"compress", []string{"internal/formats/parquet.zstdCodec"}},
		{"dictionaries", []string{"internal/formats/parquet.(*dictionary)", "internal/formats/parquet.appendIndices"}},
		{"bounds", []string{"internal/formats/parquet.(*bounds)"}},
		{"levels", []string{"internal/formats/parquet.(*chunkEncoder).addLevels", "internal/formats/parquet.(*chunkEncoder).appendLevels", "internal/formats/parquet.(*chunkEncoder).structLevels"}},
		{"write", []string{"internal/formats/parquet.(*File)"}},
	},
}

// rest is what belongs to no pass, or to no step of one.
const rest = "the rest"

// stageOf returns the pass of a sample, and the step in it.
func stageOf(s *profile.Sample) string {
	stack := functionsOf(s)
	for i := len(stack) - 1; i >= 0; i-- {
		if pass := find(passes, stack[i]); pass != "" {
			if steps[pass] == nil {
				return pass
			}
			return pass + ": " + stepOf(steps[pass], stack[:i+1])
		}
	}
	return rest
}

// stepOf returns the step of a stack, which begins at the leaf.
func stepOf(steps []step, stack []string) string {
	for _, function := range stack {
		if name := find(steps, function); name != "" {
			return name
		}
	}
	return rest
}

func find(list []step, function string) string {
	for _, s := range list {
		if slices.ContainsFunc(s.parts, func(part string) bool { return strings.Contains(function, part) }) {
			return s.name
		}
	}
	return ""
}

// functionsOf returns the functions of a stack, the leaf first.
func functionsOf(s *profile.Sample) (list []string) {
	for _, l := range s.Location {
		for _, line := range l.Line {
			if line.Function != nil {
				list = append(list, strings.TrimPrefix(line.Function.Name, "github.com/etl2parquet/etl2parquet/"))
			}
		}
	}
	return list
}

// order returns the places of the stages in the table.
func order() map[string]int {
	places := make(map[string]int)
	for _, p := range passes {
		for _, s := range steps[p.name] {
			places[p.name+": "+s.name] = len(places)
		}
		if steps[p.name] == nil {
			places[p.name] = len(places)
		} else {
			places[p.name+": "+rest] = len(places)
		}
	}
	places[rest] = len(places)
	return places
}

// printTable prints a row per stage and a column per trace.
func printTable(w io.Writer, traces []measured) {
	stages := make(map[string]bool)
	for _, t := range traces {
		for stage := range t.ns {
			stages[stage] = true
		}
	}
	places := order()
	fmt.Fprint(w, "| ns an event |")
	for _, t := range traces {
		fmt.Fprintf(w, " %s |", t.name)
	}
	fmt.Fprintf(w, "\n|---|%s\n", strings.Repeat("---|", len(traces)))
	for _, stage := range slices.SortedFunc(maps.Keys(stages), func(a, b string) int { return cmp.Compare(places[a], places[b]) }) {
		fmt.Fprintf(w, "| %s |", stage)
		for _, t := range traces {
			fmt.Fprintf(w, " %.0f |", float64(t.ns[stage])/float64(t.events))
		}
		fmt.Fprintln(w)
	}
	fmt.Fprint(w, "| all |")
	for _, t := range traces {
		fmt.Fprintf(w, " %.0f |", float64(t.total)/float64(t.events))
	}
	fmt.Fprintln(w)
}
