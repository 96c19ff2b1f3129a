package export

import (
	"cmp"
	"context"
	"errors"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/etl2parquet/etl2parquet"
)

var firefoxFormat = &Format{
	Name: "firefox", Extension: ".firefox.json", IsProfile: true, Write: writeFirefox,
	Doc: "threads and markers for profiler.firefox.com",
}

// firefoxFile is a profile in the processed format of the Firefox Profiler, in a version that every
// release since 2023 reads and upgrades:
// https://github.com/firefox-devtools/profiler/blob/main/docs-developer/CHANGELOG-formats.md.
type firefoxFile struct {
	*profile
	j       *jsonWriter
	samples *sorter // by thread
	markers *sorter // by thread
	threads []firefoxThread
	at      map[int32]int // indexes of threads by their numbers
	first   int64         // time of the earliest sample or marker
	names   map[int32]string
	modules table[string] // libs
}

// firefoxThread is a thread with samples or markers.
type firefoxThread struct {
	perKey
	markers int64
	ofAll   int64 // weight of the threads of its process
}

// writeFirefox writes a thread for each thread, those of the processes with the largest weights first.
func writeFirefox(ctx context.Context, traces *etl2parquet.Traces, w io.Writer, o Options) (err error) {
	p, err := newProfile(ctx, traces, &o)
	if err != nil {
		return err
	}
	f := &firefoxFile{profile: p, j: newJSON(w), samples: newSorter(o.TempDir), markers: newSorter(o.TempDir), at: make(map[int32]int), first: math.MaxInt64}
	defer func() { err = errors.Join(err, f.samples.close(), f.markers.close()) }()
	if err := f.read(ctx); err != nil {
		return err
	}
	if len(f.threads) == 0 && len(p.failed) == 0 {
		return p.lackOfAll(ctx)
	}
	f.sortThreads()
	if f.names, err = p.threadNames(ctx); err != nil {
		return err
	}
	builds, err := buildIDs(ctx, traces)
	if err != nil {
		return err
	}
	f.meta()
	f.j.raw(`,"threads":`)
	var failed error
	main := make(map[int32]bool) // processes that have a main thread
	f.j.list(len(f.threads), func(i int) {
		failed = cmp.Or(failed, ctx.Err(), f.thread(&f.threads[i], main))
	})
	f.j.raw(`,"libs":`)
	f.j.list(len(f.modules.list), func(i int) { f.lib(f.modules.list[i], builds) })
	f.j.raw("}\n")
	if err := cmp.Or(failed, f.j.flush()); err != nil {
		return err
	}
	return p.joined()
}

// read reads samples and markers into the sorters.
func (f *firefoxFile) read(ctx context.Context) error {
	keys, err := f.sortSamples(ctx, f.samples, func(s *sample) int32 { return s.thread })
	if err != nil {
		return err
	}
	for i := range keys {
		f.at[keys[i].key] = len(f.threads)
		f.threads = append(f.threads, firefoxThread{perKey: keys[i]})
		f.first = min(f.first, keys[i].first)
	}
	var record []byte
	return f.eachSpan(ctx, func(s *span) error {
		i, ok := f.at[s.thread]
		if !ok {
			i = len(f.threads)
			f.at[s.thread] = i
			f.threads = append(f.threads, firefoxThread{perKey: perKey{key: s.thread}})
		}
		f.threads[i].markers++
		f.first = min(f.first, s.from)
		record = s.append(record[:0])
		return f.markers.add(s.thread, record)
	}, func(*counter) error { return nil })
}

// sortThreads sorts the threads by process.
func (f *firefoxFile) sortThreads() {
	all := make(map[int32]int64)
	process := func(t *firefoxThread) int32 { return f.profile.threads.list[t.key].process }
	for i := range f.threads {
		all[process(&f.threads[i])] += f.threads[i].weight
	}
	for i := range f.threads {
		f.threads[i].ofAll = all[process(&f.threads[i])]
	}
	slices.SortStableFunc(f.threads, func(a, b firefoxThread) int {
		return cmp.Or(cmp.Compare(b.ofAll, a.ofAll), cmp.Compare(process(&a), process(&b)), cmp.Compare(b.weight, a.weight), cmp.Compare(a.key, b.key))
	})
}

// Categories of frames; those of markers follow.
const firefoxOther, firefoxUser, firefoxKernel, firefoxMarkers = 0, 1, 2, 3

// firefoxColors are the colours of the categories of spans.
var firefoxColors = []string{"lightred", "purple", "red", "lightblue", "green", "magenta", "yellow", "darkgrey", "transparent"}

// meta writes the head of the profile.
func (f *firefoxFile) meta() {
	j := f.j
	interval := int64(1e6)
	if f.timed {
		interval = cmp.Or(slices.Max(f.intervals), interval)
	}
	category := func(name, color string) {
		j.raw(`{"name":`)
		j.text(name)
		j.raw(`,"color":"`, color, `","subcategories":["Other"]}`)
	}
	j.raw(`{"meta":{"version":24,"preprocessedProfileVersion":44,"product":"Windows trace","interval":`)
	j.millis(interval)
	j.raw(`,"startTime":`)
	j.millis(f.first)
	j.raw(`,"processType":0,"stackwalk":1,"debug":false,"symbolicated":true,"usesOnlyOneStackType":true,"doesNotUseFrameImplementation":true,"sourceCodeIsNotOnSearchfox":true,"importedFrom":"etl2parquet","extensions":{"baseURL":[],"id":[],"length":0,"name":[]},"sampleUnits":{"time":"ms","eventDelay":"ms","threadCPUDelta":"ns"},"categories":[`)
	category("Other", "grey")
	j.raw(",")
	category("User", "blue")
	j.raw(",")
	category("Kernel", "orange")
	for i, name := range categories {
		j.raw(",")
		category(name, firefoxColors[i])
	}
	j.raw(`],"markerSchema":`)
	j.list(len(categories), func(i int) {
		j.raw(`{"name":"`, markerType(i), `","display":["marker-chart","marker-table","timeline-overview"],"chartLabel":"{marker.name}","tooltipLabel":"{marker.name}","data":[{"key":"details","label":"Details","format":"string","searchable":true}]}`)
	})
	j.raw(`},"pages":[],"counters":[],"profilerOverhead":[]`)
}

// markerType returns the name of the type of markers of a category.
func markerType(category int) string {
	return strings.ReplaceAll(strings.ToLower(categories[category]), " ", "-")
}

// lib writes a module.
func (f *firefoxFile) lib(module string, builds map[string]string) {
	j := f.j
	for i, name := range []string{"name", "path", "debugName", "debugPath"} {
		j.raw([]string{"{", ",", ",", ","}[i], `"`, name, `":`)
		j.text(module)
	}
	j.raw(`,"arch":"","breakpadId":`)
	j.text(builds[strings.ToLower(module)])
	j.raw(`,"codeId":null}`)
}

// intOrNull writes a number, or null if it is negative.
func (j *jsonWriter) intOrNull(n int64) {
	if n < 0 {
		j.raw("null")
		return
	}
	j.int(n)
}

// idText returns an id as text.
func idText(id int64) string { return strconv.FormatInt(id, 10) }
