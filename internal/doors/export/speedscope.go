package export

import (
	"cmp"
	"context"
	"errors"
	"io"
	"slices"

	"github.com/etl2parquet/etl2parquet"
)

var speedscopeFormat = &Format{
	Name: "speedscope", Extension: ".speedscope.json", IsProfile: true, HasProcesses: true, Write: writeSpeedscope,
	Doc: "profiles of threads for www.speedscope.app",
}

// writeSpeedscope writes a profile for each thread, or each process, those with the largest weights
// first: https://github.com/jlfwong/speedscope/wiki/Importing-from-custom-sources.
func writeSpeedscope(ctx context.Context, traces *etl2parquet.Traces, w io.Writer, o Options) (err error) {
	p, err := newProfile(ctx, traces, &o)
	if err != nil {
		return err
	}
	sorted := newSorter(o.TempDir)
	defer func() { err = errors.Join(err, sorted.close()) }()
	keys, err := p.sortSamples(ctx, sorted, func(s *sample) int32 {
		if o.ByProcess {
			return p.threads.list[s.thread].process
		}
		return s.thread
	})
	if err != nil {
		return err
	}
	if err := p.checkEvents(ctx); err != nil {
		return err
	}
	slices.SortStableFunc(keys, func(a, b perKey) int {
		return cmp.Or(cmp.Compare(b.weight, a.weight), cmp.Compare(a.key, b.key))
	})
	names, err := p.threadNames(ctx)
	if err != nil {
		return err
	}
	j := newJSON(w)
	j.raw(`{"$schema":"https://www.speedscope.app/file-format-schema.json","exporter":"etl2parquet","name":`)
	j.text(traces.All()[0].Name())
	j.raw(`,"activeProfileIndex":0,"shared":{"frames":`)
	j.list(len(p.frames.list), func(i int) {
		f := &p.frames.list[i]
		j.raw("\n", `{"name":`)
		j.text(f.name())
		if f.module != "" {
			j.raw(`,"file":`)
			j.text(f.module)
		}
		j.raw("}")
	})
	j.raw(`},"profiles":`)
	var failed error
	j.list(len(keys), func(i int) {
		failed = cmp.Or(failed, ctx.Err(), p.speedscopeProfile(j, sorted, &keys[i], names))
	})
	j.raw("}\n")
	if err := cmp.Or(failed, j.flush()); err != nil {
		return err
	}
	return p.joined()
}

// speedscopeProfile writes a profile.
func (p *profile) speedscopeProfile(j *jsonWriter, sorted *sorter, k *perKey, names map[int32]string) error {
	unit := p.unit()
	if unit == "count" {
		unit = "none"
	}
	j.raw("\n", `{"type":"sampled","name":`)
	if p.o.ByProcess {
		j.text(p.processes.list[k.key].label())
	} else {
		t := &p.threads.list[k.key]
		name := p.processes.list[t.process].label() + ", " + t.label()
		if names[k.key] != "" {
			name += ", " + names[k.key]
		}
		j.text(name)
	}
	j.raw(`,"unit":"`, unit, `","startValue":0,"endValue":`)
	j.int(k.weight)
	var frames []int32
	samples := func(name string, value func(r sampleRecord)) error {
		j.raw(`,"`, name, `":[`)
		comma := ""
		err := sorted.each(k.key, func(record []byte) error {
			j.raw(comma)
			comma = ","
			value(readSample(record))
			return nil
		})
		j.raw("]")
		return err
	}
	err := samples("samples", func(r sampleRecord) {
		frames = frames[:0]
		p.stack(r.stack, func(frame int32) { frames = append(frames, frame) })
		slices.Reverse(frames)
		j.list(len(frames), func(i int) { j.int(int64(frames[i])) })
	})
	err = cmp.Or(err, samples("weights", func(r sampleRecord) { j.int(r.weight) }))
	j.raw("}")
	return err
}
