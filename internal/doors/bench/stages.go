package bench

import (
	"bytes"
	"runtime/pprof"
	"slices"
	"strings"
	"time"
)

// step is a part of a conversion: the functions that are called only for it.
type step struct {
	name  string
	parts []string // parts of names of functions, beginning with the package
}

// passes are the stages of a conversion. A sample belongs to the stage whose function is nearest to
// the root of its stack.
var passes = []step{
	{"garbage collection", []string{"runtime.gcBgMarkWorker", "runtime.bgsweep", "runtime.bgscavenge", "runtime.gcAssistAlloc", "runtime.gcStart"}},
	{"index", []string{"internal/engine/index.(*Index).indexChunk", "internal/engine/index.(*Index).read"}},
	{"attribution", []string{"internal/engine/attribution.(*Builder)", "internal/engine/attribution.(*Tables)", "internal/engine/index.Build", "internal/engine/index.(*Index)"}},
	{"decode", []string{"internal/engine/rows.(*Gathered).Gather", "internal/engine/rows.(*Gathered).FillRows"}},
	{"fixed tables", []string{"internal/engine/rows/fixed."}},
	{"encode", []string{"internal/formats/parquet."}},
	{"files", []string{"internal/lake/store.", "internal/lake/dataset.", "internal/lake/views."}},
}

// steps are the parts of a stage. A sample belongs to the step whose function is nearest to the leaf
// of its stack.
var steps = map[string][]step{
	"index": {
		{"hash", []string{"internal/base/fileid."}},
		{"read", []string{"decode.(*File)"}},
		{"walk", []string{"decode.(*Buffer)"}},
		{"kinds", []string{"internal/engine/catalog."}},
		{"attribution", []string{"internal/engine/attribution."}},
	},
	"decode": {
		{"read", []string{"decode.(*File)"}},
		{"walk", []string{"decode.(*Buffer)"}},
		{"copy", []string{"internal/engine/rows.(*arena)", "internal/engine/rows.(*Gathered).keep"}},
		{"sort", []string{"internal/engine/rows.(*Gathered).sort"}},
		{"events", []string{"internal/engine/rows.(*block).load"}},
		{"common columns", []string{"internal/engine/rows.(*batchBuilder).append"}},
		{"fields", []string{"internal/engine/rows.(*payloadRows).fill"}},
		{"stacks", []string{"internal/engine/rows.(*stackParts)", "internal/engine/rows.(*Gathered).addStacks", "internal/engine/rows.(*Gathered).fillStacks"}},
	},
	"encode": {
		{"compress", []string{"internal/formats/parquet.zstdCodec"}},
		{"dictionaries", []string{"internal/formats/parquet.(*dictionary)", "internal/formats/parquet.appendIndices"}},
		{"bounds", []string{"internal/formats/parquet.(*bounds)"}},
		{"levels", []string{"internal/formats/parquet.(*chunkEncoder).addLevels", "internal/formats/parquet.(*chunkEncoder).level", "internal/formats/parquet.(*chunkEncoder).structLevels"}},
		{"write", []string{"internal/formats/parquet.(*File)"}},
	},
	"files": {
		{"create", []string{"internal/lake/store.(*Folder).Create"}},
		{"views", []string{"internal/lake/views."}},
	},
}

// rest is the name for samples of no stage, or of no step of a stage.
const rest = "the rest"

// stageKey is a stage, or a step of it.
type stageKey struct{ stage, step string }

// String returns the name of a stage, or of a step with its stage.
func (k stageKey) String() string {
	if k.step == "" {
		return k.stage
	}
	return k.stage + ": " + k.step
}

// order lists all stages, each followed by its steps.
func order() (list []stageKey) {
	for _, p := range passes {
		list = append(list, stageKey{p.name, ""})
		for _, s := range steps[p.name] {
			list = append(list, stageKey{p.name, s.name})
		}
		if steps[p.name] != nil {
			list = append(list, stageKey{p.name, rest})
		}
	}
	return append(list, stageKey{rest, ""})
}

// tally is the processor time of each stage, by the profiler.
type tally struct {
	ns    map[stageKey]int64
	total int64
}

// profiled runs f under Go's profiler and returns the profile.
func profiled(f func() error) ([]byte, error) {
	var raw bytes.Buffer
	if err := pprof.StartCPUProfile(&raw); err != nil {
		return nil, err
	}
	err := f()
	pprof.StopCPUProfile()
	return raw.Bytes(), err
}

// add adds the samples of a profile.
func (t *tally) add(data []byte) error {
	samples, err := parseProfile(data)
	if err != nil {
		return err
	}
	if t.ns == nil {
		t.ns = make(map[stageKey]int64)
	}
	for _, s := range samples {
		key := stageOf(s.functions)
		t.ns[key] += s.ns
		if key.step != "" {
			t.ns[stageKey{key.stage, ""}] += s.ns
		}
		t.total += s.ns
	}
	return nil
}

// stageOf returns the stage of a stack, which begins at the leaf, and the step in it.
func stageOf(stack []string) stageKey {
	for i := len(stack) - 1; i >= 0; i-- {
		if pass := find(passes, stack[i]); pass != "" {
			if steps[pass] == nil {
				return stageKey{pass, ""}
			}
			return stageKey{pass, stepOf(steps[pass], stack[:i+1])}
		}
	}
	return stageKey{rest, ""}
}

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

// conversion sums up the rounds.
func (r *run) conversion(workers int, s *Shape) Conversion {
	c := Conversion{Workers: workers}
	var cpu, wall []time.Duration
	for _, cost := range r.costs {
		cpu, wall = append(cpu, cost.CPU), append(wall, cost.Wall)
	}
	c.CPU, c.Wall = spreadOf(cpu), spreadOf(wall)
	c.EventsPerCore, c.BytesPerCore = rate(s.Events, c.CPU.Median), rate(s.Uncompressed, c.CPU.Median)
	c.EventsPerSecond, c.BytesPerSecond = rate(s.Events, c.Wall.Median), rate(s.Uncompressed, c.Wall.Median)
	return c
}

// stages divides the processor time of a conversion among the stages. Without samples, which stage took
// it is unknown: it counts as the rest.
func (r *run) stages(c *Conversion, s *Shape) (list []StageTotal) {
	for _, key := range order() {
		t := StageTotal{Stage: key.stage, Step: key.step, Workers: c.Workers, Share: ratio(float64(r.tally.ns[key]), float64(r.tally.total))}
		if r.tally.total == 0 && key.stage == rest {
			t.Share = 1
		}
		t.CPU = t.Share * c.CPU.Median
		t.NSPerEvent = ratio(t.CPU*1e9, float64(s.Events))
		t.EventsPerCore, t.BytesPerCore = rate(s.Events, t.CPU), rate(s.Uncompressed, t.CPU)
		list = append(list, t)
	}
	return list
}
