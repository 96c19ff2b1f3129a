package catalog

import (
	"cmp"
	"context"
	"errors"
	"io"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"github.com/etl2parquet/etl2parquet/decode"
	"github.com/etl2parquet/etl2parquet/internal/base/ordered"
	"github.com/etl2parquet/etl2parquet/internal/engine/problems"
	"github.com/etl2parquet/etl2parquet/schema"
)

// maxInputTexts bounds the texts of descriptions that are kept for the other inputs of a run, in bytes. Parsed, they
// take up to 13 times as much.
const maxInputTexts = 32 << 20

// descriptionText is a manifest, or a record of the merge tools, as a trace contains it.
type descriptionText struct {
	provider schema.GUID
	kind     byte // schema.EventInfoType, schema.MapInfoType, or 0 for a manifest
	text     string
}

func (t *descriptionText) compare(o *descriptionText) int {
	return cmp.Or(slices.Compare(t.provider[:], o.provider[:]), cmp.Compare(t.kind, o.kind), cmp.Compare(t.text, o.text))
}

// InputDescriptions are the descriptions that the traces of a run contain, each once. They describe events
// that nothing else describes. What they say does not depend on the order in which the traces are read.
// They are safe for use from many goroutines; nil has none.
type InputDescriptions struct {
	read func() error

	reading sync.Mutex
	of      map[schema.GUID]*traceDescriptions // of the providers asked for so far

	mu    sync.Mutex
	texts map[schema.GUID][]descriptionText // of all inputs, in order; nil before they are read
	added map[string]bool                   // by input
	left  []string                          // files whose traces have no descriptions for others
	from  map[descriptionText]string        // the first name of an input that contains it
	bytes int
	most  int // bytes
}

// NewInputDescriptions returns the descriptions of the inputs of a run. When a trace first has events that
// nothing else describes, read is called: it calls Add for each input that Has does not report and that can be
// read.
func NewInputDescriptions(read func() error) *InputDescriptions {
	return &InputDescriptions{read: read, of: make(map[schema.GUID]*traceDescriptions), added: make(map[string]bool), from: make(map[descriptionText]string), most: maxInputTexts}
}

// Has reports whether the descriptions in the input at a path were added.
func (d *InputDescriptions) Has(input string) bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.added[input]
}

// Leave leaves out the descriptions in a file, and in the traces in it. It must be called before a trace is read.
func (d *InputDescriptions) Leave(file string) { d.left = append(d.left, file) }

// Add adds the descriptions in an input, once.
func (d *InputDescriptions) Add(input string, l *Learned) {
	d.add(input, readDescriptions(l, new(problems.List), func(*schema.Schema) bool { return true }))
}

func (d *InputDescriptions) add(input string, of *traceDescriptions) {
	if d == nil || input == "" || slices.ContainsFunc(d.left, func(file string) bool { return isIn(input, file) }) {
		return
	}
	name := filepath.Base(input)
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.texts != nil || d.added[input] {
		return
	}
	d.added[input] = true
	for _, text := range of.texts {
		had, known := d.from[text]
		if !known {
			d.bytes += len(text.text)
		}
		if !known || name < had {
			d.from[text] = name
		}
	}
	if d.bytes > 2*d.most {
		d.bound()
	}
}

// isIn reports whether a path is that of a file, or continues inside of it.
func isIn(path, file string) bool {
	rest, ok := strings.CutPrefix(path, file)
	return ok && (rest == "" || rest[0] == '/' || rest[0] == filepath.Separator)
}

// bound leaves out the last texts, from the first that is beyond the limit. The texts that are left at last do
// not depend on when it is called.
func (d *InputDescriptions) bound() {
	if d.bytes <= d.most {
		return
	}
	bytes := 0
	d.bytes = 0
	for _, text := range d.sorted() {
		if bytes += len(text.text); bytes > d.most {
			delete(d.from, text)
		} else {
			d.bytes = bytes
		}
	}
}

func (d *InputDescriptions) sorted() []descriptionText {
	return slices.SortedFunc(maps.Keys(d.from), func(a, b descriptionText) int { return a.compare(&b) })
}

// readAll reads the inputs, once.
func (d *InputDescriptions) readAll() error {
	if d.texts != nil {
		return nil
	}
	if err := d.read(); err != nil {
		return err
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	d.bound()
	d.texts = make(map[schema.GUID][]descriptionText)
	for _, text := range d.sorted() {
		d.texts[text.provider] = append(d.texts[text.provider], text)
	}
	return nil
}

// provider returns the descriptions of a provider's events. Those of an event that differ count alike.
func (d *InputDescriptions) provider(id schema.GUID) (*traceDescriptions, error) {
	d.reading.Lock()
	defer d.reading.Unlock()
	if of := d.of[id]; of != nil {
		return of, nil
	}
	if err := d.readAll(); err != nil {
		return nil, err
	}
	of := newTraceDescriptions()
	var records []string
	names := make(map[string]string) // of the inputs, by record
	for _, text := range d.texts[id] {
		if text.kind == 0 {
			of.readManifest(id, []byte(text.text), nil, FromInput(d.from[text]), new(problems.List))
		} else {
			records = append(records, text.text)
			names[text.text] = d.from[text]
		}
	}
	fields := 0
	of.readRecords(records, new(problems.List), func(record string, s *schema.Schema) {
		key := keyOfSchema(s)
		if fields += countFields(s.Fields); fields > DefaultMaxFields {
			return
		}
		of.manifests[key] = append(of.manifests[key], sent{Schema: s, from: FromInput(names[record])})
	})
	for _, text := range of.texts {
		of.inputs = append(of.inputs, d.from[text])
	}
	of.fingerprint, of.texts = of.fingerprintOf(), nil
	slices.Sort(of.inputs)
	of.inputs = slices.Compact(of.inputs)
	d.of[id] = of
	return of, nil
}

// ReadDescriptions reads the descriptions that a trace contains, as far as the trace can be read. The error is
// from the context, or from reading the file; damage is none.
func ReadDescriptions(ctx context.Context, f *decode.File, workers int) (*Learned, error) {
	const buffers = 64 // of a piece of work
	all := new(Learned)
	n := f.Buffers()
	err := ordered.Do(ctx, workers, (n+buffers-1)/buffers,
		func(b *decode.Buffer, i int) (*Learned, error) {
			l := new(Learned)
			for at := i * buffers; at < min(n, (i+1)*buffers); at++ {
				if err := l.readBuffer(f, at, b); err != nil {
					return nil, err
				}
			}
			return l, ctx.Err()
		},
		func(l *Learned) error { all.Merge(l); return nil })
	return all, err
}

func (l *Learned) readBuffer(f *decode.File, at int, b *decode.Buffer) error {
	var damage *decode.Error
	if err := f.ReadBuffer(at, b); err != nil && !errors.As(err, &damage) {
		return err
	}
	var ev decode.Event
	for {
		switch err := b.Next(&ev); {
		case errors.Is(err, io.EOF), errors.As(err, &damage):
			return nil
		case err != nil:
			return err
		}
		switch ev.Family {
		case decode.FamilyEvent:
			l.Describe(&ev)
		case decode.FamilyEventTrace:
			var key Key
			key.Of(&ev)
			l.Note(&ev, &key)
		}
	}
}
