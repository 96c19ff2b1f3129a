package bundle

import (
	"bytes"
	"errors"
	"math"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"sync/atomic"
	"testing"

	"github.com/etl2parquet/etl2parquet/internal/engine/index/indextest"
	"github.com/etl2parquet/etl2parquet/internal/engine/pipeline"
	"github.com/etl2parquet/etl2parquet/schema"
	"github.com/etl2parquet/etl2parquet/tools/testenv"
)

// changingReader changes its input at the nth read.
type changingReader struct {
	*canceller
	changed atomic.Bool
}

var errInputChanged = errors.New("the input has changed")

// TestInputChanged changes an input at every read of its conversion: it fails for that
// reason, and earlier conversions stay.
func TestInputChanged(t *testing.T) {
	t.Parallel()
	data := indextest.RandomTrace(t, testenv.Seeded("changed"), indextest.Shape{Buffers: 12, Events: 8, Processors: 2, Time: func(_ *rand.Rand, b, e int) int64 { return int64(1000*b + e) }})
	other := slices.Clone(data)
	for i := len(other) / 2; i < len(other); i++ {
		other[i] ^= 0x55
	}
	o := testOptions
	o.Workers, o.Force = 1, true
	input := func(reads int64, after []byte) (pipeline.Input, *changingReader) {
		r := &changingReader{canceller: &canceller{}}
		r.left.Store(reads)
		r.cancel = func() { r.changed.Store(true) }
		r.ReaderAt = readerFunc(func(p []byte, at int64) (int, error) {
			if r.changed.Load() {
				return bytes.NewReader(after).ReadAt(p, at)
			}
			return bytes.NewReader(data).ReadAt(p, at)
		})
		return pipeline.Input{Name: "a.etl", Size: int64(len(data)), Trace: r, Check: func() error {
			if r.changed.Load() {
				return errInputChanged
			}
			return nil
		}}, r
	}
	whole, r := input(math.MaxInt64, nil)
	root := newDataset(t, indextest.Write(t, "a.etl", data))
	d := openDataset(t, root)
	if _, err := d.Convert(t.Context(), whole, "t", o); err != nil {
		t.Fatal(err)
	}
	all := math.MaxInt64 - r.left.Load()
	for what, after := range map[string][]byte{"overwritten": other, "cut": data[:len(data)/3], "emptied": nil, "touched": data} {
		for reads := int64(0); reads < all-1; reads += max(1, all/4) {
			in, r := input(reads, after)
			r.left.Store(reads)
			unchangedBy(t, root, func(d *Dataset) error {
				_, err := d.Convert(t.Context(), in, "t", o)
				return err
			}, errInputChanged)
			in, _ = input(reads, after)
			together := filepath.Join(t.TempDir(), "out")
			got := changedInBundle(t, together, in, o)
			if got["t"] != errInputChanged.Error() || got["beside"] != "converted" {
				t.Errorf("%s after %d of %d reads, in a bundle: %v", what, reads, all, got)
			}
		}
	}
}

// TestInputChangedAfterIndex changes an input after its index pass: neither its rows nor the rows of
// a split are accepted as complete, even if no buffer is damaged.
func TestInputChangedAfterIndex(t *testing.T) {
	t.Parallel()
	trace := named("a", newTraceOfEvents(t, 3))
	in, changed := trace.input(), false
	in.Check = func() error {
		if changed {
			return errInputChanged
		}
		return nil
	}
	o := testOptions
	source, err := pipeline.OpenSource(t.Context(), in, &o.Options)
	if err != nil {
		t.Fatal(err)
	}
	defer source.Close()
	list, err := source.Splits(schema.EventsTable(), &o.Options, 1)
	if err != nil {
		t.Fatal(err)
	}
	changed = true
	ofSplit := testOptions
	if err := source.Select(list[0].Split, &ofSplit.Options); err != nil {
		t.Fatal(err)
	}
	for what, o := range map[string]*Options{"all": &o, "split": &ofSplit} {
		if _, err := source.Rows(t.Context(), &o.Options, new(pipeline.Counter)); !errors.Is(err, errInputChanged) {
			t.Errorf("%s: %v", what, err)
		}
	}
}

type readerFunc func(p []byte, at int64) (int, error)

func (f readerFunc) ReadAt(p []byte, at int64) (int, error) { return f(p, at) }

// changedInBundle converts an input, and another trace, that share files.
func changedInBundle(t *testing.T, root string, in pipeline.Input, o Options) outcomes {
	t.Helper()
	d := openDataset(t, root)
	got := make(outcomes)
	c, err := d.Bundle(t.Context(), math.MaxInt64)
	if err != nil {
		t.Fatal(err)
	}
	beside := named("beside", newTraceOfEvents(t, 3))
	for _, trace := range []struct {
		name string
		in   pipeline.Input
	}{{"beside", beside.input()}, {"t", in}} {
		p := c.Prepare(t.Context(), trace.in, trace.name, o)
		if err := c.Add(t.Context(), p, got.of(trace.name)); err != nil {
			t.Fatal(err)
		}
		p.Close()
	}
	if err := c.Flush(t.Context()); err != nil {
		t.Fatal(err)
	}
	return got
}
