package etl2parquet_test

import (
	"cmp"
	"encoding/json"
	"math"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/etl2parquet/etl2parquet"
	"github.com/etl2parquet/etl2parquet/decode"
	"github.com/etl2parquet/etl2parquet/decode/decodetest"
	"github.com/etl2parquet/etl2parquet/internal/engine/index/indextest"
	"github.com/etl2parquet/etl2parquet/tools/testenv"
)

// methodSaid are the facts about a method in an event, or in a row of methods.
type methodSaid struct {
	process, address, size uint64
	name                   string
}

// methodTimes is a method with the time in which it is valid.
type methodTimes struct {
	methodSaid
	from, to int64
}

func number(t testing.TB, text string) uint64 {
	t.Helper()
	n, err := strconv.ParseUint(text, 10, 64)
	if err != nil {
		t.Fatal(err)
	}
	return n
}

// nanoseconds returns a time, or the one that stands for NULL.
func nanoseconds(t testing.TB, text string, null int64) int64 {
	t.Helper()
	if text == "(null)" {
		return null
	}
	return int64(number(t, text))
}

// methodEvents reads the methods in the tables of events with this name, with their times.
func methodEvents(t testing.TB, trace *etl2parquet.Trace, event string) map[methodSaid][]int64 {
	t.Helper()
	said := make(map[methodSaid][]int64)
	for _, table := range trace.Tables() {
		if !strings.HasPrefix(table.Name, "events/Microsoft-Windows-DotNETRuntime") || !strings.HasSuffix(table.Name, event) {
			continue
		}
		columns := []string{"process_id", "method_start_address", "method_size", "method_namespace", "method_name", "time_ns"}
		for _, row := range rowsOf(t, trace, etl2parquet.Scan{Table: table.Name, Columns: columns}) {
			m := methodSaid{number(t, row[0]), number(t, row[1]), number(t, row[2]), strings.TrimPrefix(row[3]+"."+row[4], "NULL.")}
			said[m] = append(said[m], int64(number(t, row[5])))
		}
	}
	return said
}

// methodRows reads the table methods.
func methodRows(t testing.TB, trace *etl2parquet.Trace) (rows []methodTimes) {
	t.Helper()
	columns := []string{"process_id", "address", "size", "namespace", "method_name", "valid_from_ns", "valid_to_ns"}
	for _, row := range rowsOf(t, trace, etl2parquet.Scan{Table: "methods", Columns: columns}) {
		said := methodSaid{number(t, row[0]), number(t, row[1]), number(t, row[2]), strings.TrimPrefix(row[3]+"."+row[4], "(null).")}
		rows = append(rows, methodTimes{said, nanoseconds(t, row[5], math.MinInt64), nanoseconds(t, row[6], math.MaxInt64)})
	}
	return rows
}

// TestMethodsOfRealTraces compares the table methods with the columns of the event tables: it has
// every method that an event names, at the time of the event, and no others.
func TestMethodsOfRealTraces(t *testing.T) {
	for _, test := range []struct {
		name          string
		events, wants int
	}{
		{"net.4.5.2.x86", 405 + 271 + 13783, 14064},
		{"diaghub.user_paged.1", 2 * 5409, 5409},
		{"gcevents", 0, 0},
	} {
		t.Run(test.name, func(t *testing.T) {
			trace := open(t, testenv.Shared(t, "traces/"+test.name+".etl"), 2)
			rows := methodRows(t, trace)
			if len(rows) != test.wants {
				t.Errorf("%d methods, want %d", len(rows), test.wants)
			}
			if one := methodRows(t, open(t, testenv.Shared(t, "traces/"+test.name+".etl"), 1)); !slices.Equal(one, rows) {
				t.Error("one worker makes other methods than two")
			}
			lives := make(map[methodSaid][]methodTimes)
			for _, row := range rows {
				lives[row.methodSaid] = append(lives[row.methodSaid], row)
			}
			events := 0
			for _, event := range []string{"Method_LoadVerbose", "Method_UnloadVerbose", "Method_DCStopVerbose"} {
				for said, times := range methodEvents(t, trace, event) {
					events += len(times)
					for _, at := range times {
						if !slices.ContainsFunc(lives[said], func(m methodTimes) bool { return at >= m.from && at <= m.to }) {
							t.Fatalf("%s says %+v at %d, and methods has %+v", event, said, at, lives[said])
						}
					}
				}
			}
			if events != test.events {
				t.Errorf("%d events name methods, want %d", events, test.events)
			}
		})
	}
}

// frame is a frame of a stack.
type frame struct {
	process, address uint64
	at               int64
	module, function string
}

// framesOf reads the frames of the stacks of a trace, except stacks of CLRStackWalk.
func framesOf(t testing.TB, trace *etl2parquet.Trace) (frames []frame) {
	t.Helper()
	stacks := make(map[string][]frame)
	for _, row := range rowsOf(t, trace, etl2parquet.Scan{Table: "stacks", Columns: []string{"stack_id", "addresses", "modules", "functions"}}) {
		var addresses []uint64
		var modules, functions []string
		if err := cmp.Or(json.Unmarshal([]byte(row[1]), &addresses), json.Unmarshal([]byte(row[2]), &modules), json.Unmarshal([]byte(row[3]), &functions)); err != nil {
			t.Fatal(err)
		}
		for i, address := range addresses {
			stacks[row[0]] = append(stacks[row[0]], frame{address: address, module: modules[i], function: functions[i]})
		}
	}
	for _, row := range rowsOf(t, trace, etl2parquet.Scan{Table: "stack_events", Columns: []string{"process_id", "time_ns", "stack_id", "sources"}}) {
		if row[0] == "(null)" || strings.Contains(row[3], "clr_stack_walk") {
			continue
		}
		process, at := number(t, row[0]), int64(number(t, row[1]))
		for _, f := range stacks[row[2]] {
			f.process, f.at = process, at
			frames = append(frames, f)
		}
	}
	return frames
}

// imageTimes is an image with the time in which it is valid.
type imageTimes struct {
	process, base, size uint64
	from, to            int64
}

// inNoImage leaves out frames in images, by a plain search through the table images. The images of
// processes 0 and 4 are the kernel's, which all processes have.
func inNoImage(t testing.TB, trace *etl2parquet.Trace, frames []frame) []frame {
	t.Helper()
	images := make(map[uint64][]imageTimes)
	for _, row := range rowsOf(t, trace, etl2parquet.Scan{Table: "images", Columns: []string{"process_id", "image_base", "image_size", "valid_from_ns", "valid_to_ns"}}) {
		m := imageTimes{number(t, row[0]), number(t, row[1]), number(t, row[2]), nanoseconds(t, row[3], math.MinInt64), nanoseconds(t, row[4], math.MaxInt64)}
		images[m.process] = append(images[m.process], m)
	}
	const kernel = 1 << 63
	return slices.DeleteFunc(frames, func(f frame) bool {
		of := [][]imageTimes{images[f.process]}
		if f.address >= kernel {
			of = [][]imageTimes{images[0], images[4]}
		}
		return slices.ContainsFunc(slices.Concat(of...), func(m imageTimes) bool {
			return f.address-m.base < m.size && f.at >= m.from && f.at <= m.to
		})
	})
}

// TestFramesOfMethods names the frames that are in no image: by a plain search through the event
// tables, by the table methods, and by the resolver. All agree.
func TestFramesOfMethods(t *testing.T) {
	path := testenv.Shared(t, "traces/net.4.5.2.x86.etl")
	trace := open(t, path, 2)
	frames := inNoImage(t, trace, framesOf(t, trace))
	const want, wantNamed = 39_216, 38_785
	if len(frames) != want {
		t.Errorf("%d frames are in no image, want %d", len(frames), want)
	}
	loads, unloads := methodEvents(t, trace, "Method_LoadVerbose"), methodEvents(t, trace, "Method_UnloadVerbose")
	lives := make(map[methodSaid]methodTimes) // none is loaded twice
	for said := range methodEvents(t, trace, "Method_DCStopVerbose") {
		lives[said] = methodTimes{said, math.MinInt64, math.MaxInt64}
	}
	for said, times := range loads {
		lives[said] = methodTimes{said, times[0], math.MaxInt64}
	}
	for said, times := range unloads {
		m, ok := lives[said]
		if !ok {
			m = methodTimes{said, math.MinInt64, 0}
		}
		m.to = times[0]
		lives[said] = m
	}
	var byEvents []methodTimes
	for _, m := range lives {
		byEvents = append(byEvents, m)
	}
	inEvents, inTable := searchOf(byEvents), searchOf(methodRows(t, trace))
	x := indextest.Of(t, decodetest.OpenFile(t, path), nil)
	tables := x.Tables()
	resolver, ticks := tables.Resolver(), ticksOf(t, x.Clock)
	named := 0
	for _, f := range frames {
		a, b := inEvents(f), inTable(f)
		if a != b {
			t.Fatalf("frame %+v is in %+v, the table says %+v", f, a, b)
		}
		c := methodSaid{}
		if i := resolver.Method(uint32(f.process), f.address, ticks(f.at)); i >= 0 {
			m := &tables.Methods[i]
			c = methodSaid{uint64(m.Process), m.Address, uint64(m.Size), tables.FullName(m)}
		}
		if a != c {
			t.Fatalf("frame %+v is in %+v, the resolver says %+v", f, a, c)
		}
		if a.name != f.function {
			t.Fatalf("frame %+v is in %+v", f, a)
		}
		if a != (methodSaid{}) {
			named++
		}
	}
	if named < wantNamed {
		t.Errorf("%d of %d frames are in methods, want at least %d", named, len(frames), wantNamed)
	}
	t.Logf("%d of %d frames are in methods", named, len(frames))
}

// searchOf returns a function that finds the method of a frame. No two methods overlap.
func searchOf(methods []methodTimes) func(frame) methodSaid {
	before := func(m methodTimes, f frame) int {
		return cmp.Or(cmp.Compare(m.process, f.process), cmp.Compare(m.address, f.address))
	}
	slices.SortFunc(methods, func(a, b methodTimes) int { return before(a, frame{process: b.process, address: b.address}) })
	return func(f frame) methodSaid {
		i, found := slices.BinarySearchFunc(methods, f, before)
		if !found {
			i--
		}
		if i < 0 || methods[i].process != f.process || f.address-methods[i].address >= methods[i].size || f.at < methods[i].from || f.at > methods[i].to {
			return methodSaid{}
		}
		return methods[i].methodSaid
	}
}

// ticksOf returns a function from nanoseconds to the ticks whose time they are.
func ticksOf(t testing.TB, clock decode.Clock) func(ns int64) decode.Ticks {
	t.Helper()
	return func(ns int64) decode.Ticks {
		low, high := decode.Ticks(0), decode.Ticks(math.MaxInt64/2)
		for low < high {
			if middle := low + (high-low)/2; clock.UnixNano(middle) < ns {
				low = middle + 1
			} else {
				high = middle
			}
		}
		return low
	}
}
