package export

import (
	"bufio"
	"cmp"
	"compress/gzip"
	"context"
	"io"
	"slices"
	"strings"

	"github.com/etl2parquet/etl2parquet"
)

var pprofFormat = &Format{
	Name: "pprof", Extension: ".pb.gz", Binary: true, IsProfile: true, Write: writePprof,
	Doc: "a profile for go tool pprof, Pyroscope and Parca",
}

// Numbers of fields: https://github.com/google/pprof/blob/main/proto/profile.proto.
const (
	profileSampleType, profileSample, profileMapping, profileLocation, profileFunction = 1, 2, 3, 4, 5
	profileString, profileTime, profileDuration, profilePeriodType, profilePeriod      = 6, 9, 10, 11, 12
	profileDefaultType                                                                 = 14
)

// writePprof writes a profile with one sample for each stack of each thread: its events and their
// weight. Processes and threads are labels. Parts are written when they are first used, which the
// format allows, so that the whole message is never in memory.
func writePprof(ctx context.Context, traces *etl2parquet.Traces, w io.Writer, o Options) error {
	p, err := newProfile(ctx, traces, &o)
	if err != nil {
		return err
	}
	builds, err := buildIDs(ctx, traces)
	if err != nil {
		return err
	}
	var first, last int64
	totals, err := p.total(ctx, func(s *sample) total {
		if first == 0 || s.time < first {
			first = s.time
		}
		last = max(last, s.time)
		return total{s.thread, s.stack}
	})
	if err != nil {
		return err
	}
	if err := p.checkEvents(ctx); err != nil {
		return err
	}
	names, err := p.threadNames(ctx)
	if err != nil {
		return err
	}
	packed := gzip.NewWriter(w)
	f := &pprofFile{profile: p, w: bufio.NewWriter(packed), builds: builds, threadNames: names}
	f.text("")
	f.types()
	keys := make([]total, 0, len(totals))
	for key := range totals {
		keys = append(keys, key)
	}
	slices.SortFunc(keys, func(a, b total) int { return cmp.Or(cmp.Compare(a.thread, b.thread), cmp.Compare(a.stack, b.stack)) })
	for _, key := range keys {
		f.sample(key, totals[key])
	}
	f.add(new(message).int(profileTime, first).int(profileDuration, last-first))
	if err := cmp.Or(f.w.Flush(), packed.Close()); err != nil {
		return err
	}
	return p.joined()
}

// pprofFile writes the parts of a profile.
type pprofFile struct {
	*profile
	w           *bufio.Writer // keeps the first error until Flush
	texts       table[string]
	modules     table[string]
	located     table[int32]      // frames that have a location; the location of the first is 1
	builds      map[string]string // by module
	threadNames map[int32]string
	parts       [3]message
}

// add writes fields of the profile.
func (f *pprofFile) add(fields *message) { f.w.Write(fields.b) }

// text returns the number of a text in the table of texts.
func (f *pprofFile) text(s string) int64 {
	s = validText(s)
	id, isNew := f.texts.id(s, nil)
	if isNew {
		f.add(new(message).text(profileString, s))
	}
	return int64(id)
}

// types writes what the values of samples are.
func (f *pprofFile) types() {
	valueType := func(name, unit string) *message { return new(message).int(1, f.text(name)).int(2, f.text(unit)) }
	f.add(new(message).message(profileSampleType, valueType(string(f.kind.name), "count")))
	if !f.weighted() {
		return
	}
	f.add(new(message).message(profileSampleType, valueType(f.kind.measure, f.kind.unit)))
	f.add(new(message).int(profileDefaultType, f.text(f.kind.measure)))
	if f.kind.name == Samples {
		f.add(new(message).message(profilePeriodType, valueType(f.kind.measure, f.kind.unit)).int(profilePeriod, slices.Max(f.intervals)))
	}
}

// sample writes the sample of a stack.
func (f *pprofFile) sample(key total, sum sum) {
	ids, values, sample := f.parts[0].reset(), f.parts[1].reset(), f.parts[2].reset()
	f.stack(key.stack, func(frame int32) { ids.varint(uint64(f.location(frame))) })
	values.varint(uint64(sum.events))
	if f.weighted() {
		values.varint(uint64(sum.weight))
	}
	sample.message(1, ids).message(2, values)
	thread := &f.threads.list[key.thread]
	process := &f.processes.list[thread.process]
	label := func(name, text string) {
		if text != "" {
			sample.message(3, new(message).int(1, f.text(name)).int(2, f.text(text)))
		}
	}
	numeric := func(name string, n int64) {
		if n >= 0 {
			sample.message(3, new(message).int(1, f.text(name)).int(3, n))
		}
	}
	label("process", process.name)
	numeric("process_id", process.id)
	label("thread", f.threadNames[key.thread])
	numeric("thread_id", thread.id)
	f.add(new(message).message(profileSample, sample))
}

// location returns the id of a frame's location, which it writes the first time, with its function.
func (f *pprofFile) location(id int32) int64 {
	number, isNew := f.located.id(id, nil)
	location := int64(number) + 1
	if !isNew {
		return location
	}
	frame := &f.frames.list[id]
	function := new(message).int(1, location).int(2, f.text(frame.name()))
	if frame.module != "" {
		function.int(4, f.text(frame.module))
	}
	place := new(message).int(1, location)
	if frame.module != "" {
		place.int(2, f.mapping(frame.module))
	}
	f.add(new(message).message(profileFunction, function).message(profileLocation, place.message(4, new(message).int(1, location))))
	return location
}

// mapping returns the id of a module, which it writes the first time.
func (f *pprofFile) mapping(module string) int64 {
	number, isNew := f.modules.id(module, nil)
	if isNew {
		m := new(message).int(1, int64(number)+1).int(5, f.text(module)).int(7, 1)
		if build := f.builds[strings.ToLower(module)]; build != "" {
			m.int(6, f.text(build))
		}
		f.add(new(message).message(profileMapping, m))
	}
	return int64(number) + 1
}
