package catalog_test

import (
	"encoding/binary"
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/etl2parquet/etl2parquet/decode"
	"github.com/etl2parquet/etl2parquet/internal/engine/catalog/packed"
	"github.com/etl2parquet/etl2parquet/internal/engine/catalog/windows"
	"github.com/etl2parquet/etl2parquet/schema"
)

// TestWindowsForms makes payloads of every form of every event by its description, and locates their
// fields. Without marks, all fields are found where they were written. A field with a mark is found
// where it was written, or not at all, whatever its size or count.
func TestWindowsForms(t *testing.T) {
	var score formScore
	score.stop = make(map[string]int)
	for _, e := range windows.Catalog().Entries() {
		p, err := windows.Catalog().Provider(e.GUID)
		if err != nil {
			t.Fatal(err)
		}
		if p == nil {
			continue
		}
		r := rand.New(rand.NewPCG(1, binary.LittleEndian.Uint64(e.GUID[:])))
		for i := range p.Events {
			testForm(t, &p.Events[i], r, &score)
		}
	}
	t.Logf("SCORE %d forms, %d exact, %d with a mark; of %d payloads of these %d are read whole, %d end at the mark",
		score.forms, score.exact, score.forms-score.exact, score.whole+score.ended, score.whole, score.ended)
	for _, name := range slices.SortedFunc(maps.Keys(score.stop), func(a, b string) int { return score.stop[b] - score.stop[a] })[:10] {
		t.Logf("%5d forms of %s have a mark", score.stop[name], name)
	}
	if score.forms < 72_408 || score.exact < 71_505 || score.whole == 0 || score.ended == 0 {
		t.Errorf("%d forms, %d exact", score.forms, score.exact)
	}
}

type formScore struct {
	forms, exact, whole, ended int
	stop                       map[string]int // forms with a mark, by provider
}

// testForm checks payloads of a form: of one value for each field, and of random ones.
func testForm(t *testing.T, ev *packed.Event, r *rand.Rand, score *formScore) {
	t.Helper()
	isMarked := hasMark(ev.Fields)
	score.forms++
	if isMarked {
		score.stop[ev.Class]++
	} else {
		score.exact++
	}
	for round := range 4 {
		pointerSize := 4 + round%2*4
		w := newFormWriter(ev.Fields, pointerSize, r)
		w.hidden = round > 1
		spans := w.fields(ev.Fields)
		located, fit := decode.NewLayout(&ev.Event, ev.Version, pointerSize).Locate(w.payload, nil)
		where := fmt.Sprintf("%s %d version %d of builds %v, payload %x", ev.Class, ev.ID, ev.Version, ev.Builds, w.payload)
		last := len(spans) // where the layout stops
		switch reading := fit.Reading(len(w.payload)); {
		case reading == decode.Whole && !fit.Shorter:
			if isMarked {
				score.whole++
			}
		case isMarked && (errors.Is(fit.Err, decode.ErrUnstated) || fit.Shorter):
			score.ended++
			last = slices.IndexFunc(ev.Fields, func(f schema.Field) bool { return f.Unstated != 0 })
			for i := last; i < len(located); i++ {
				if located[i].From >= 0 {
					t.Errorf("%s: %s is located behind the mark", where, ev.Fields[i].Name)
				}
			}
		default:
			t.Errorf("%s: %d bytes used, %v at %v", where, fit.Used, fit.Err, fit.Field)
			return
		}
		for i, want := range spans[:last] {
			if located[i] != want {
				t.Errorf("%s: %s is at %v, want %v", where, ev.Fields[i].Name, located[i], want)
				return
			}
		}
	}
}

func hasMark(fields []schema.Field) bool {
	return slices.ContainsFunc(fields, func(f schema.Field) bool { return f.Unstated != 0 || hasMark(f.Struct) })
}

// formWriter writes a payload by its description.
type formWriter struct {
	*rand.Rand
	pointerSize int
	payload     []byte
	counts      map[string]int // of values or units, by the field that has them
	isCount     map[string]bool
	lengths     map[string]int // the only length that a field may hold
	hidden      bool           // fields that may be arrays have several values
}

func newFormWriter(fields []schema.Field, pointerSize int, r *rand.Rand) *formWriter {
	w := &formWriter{Rand: r, pointerSize: pointerSize, counts: make(map[string]int), isCount: make(map[string]bool), lengths: make(map[string]int)}
	w.find(fields)
	return w
}

// find finds the fields that hold counts and lengths.
func (w *formWriter) find(fields []schema.Field) {
	for i := range fields {
		f := &fields[i]
		w.isCount[f.CountField], w.isCount[f.LengthField] = true, true
		if width, fixed := f.Kind.Width(w.pointerSize); f.LengthField != "" && fixed && !f.Kind.HasLength() {
			w.lengths[f.LengthField] = width // of an IPv6 address
		}
		w.find(f.Struct)
	}
}

// fields writes fields, and returns their positions.
func (w *formWriter) fields(fields []schema.Field) []decode.Span {
	spans := make([]decode.Span, len(fields))
	for i := range fields {
		spans[i] = w.field(&fields[i])
	}
	return spans
}

func (w *formWriter) field(f *schema.Field) decode.Span {
	n := max(f.Count, 1)
	switch {
	case f.IsOpaque():
		return w.opaque(f)
	case f.CountField != "":
		n = w.counts[f.CountField]
	case f.CountPrefix:
		n = w.IntN(3)
		w.payload = binary.LittleEndian.AppendUint16(w.payload, uint16(n))
	case f.Unstated&schema.CountUnstated != 0 && w.hidden:
		n = 1 + w.IntN(4)
	}
	start, from := len(w.payload), 0
	size := w.size(f)
	for range n {
		from = w.value(f, size)
	}
	if n != 1 || f.IsArray() {
		from = start
	}
	return decode.Span{From: int32(from), To: int32(len(w.payload))}
}

// opaque writes structures whose members are unstated.
func (w *formWriter) opaque(f *schema.Field) decode.Span {
	from, n := len(w.payload), 1
	if f.CountField != "" {
		n = w.counts[f.CountField]
	}
	if f.Sizes == nil && n > 0 {
		w.random(n + w.IntN(20))
	}
	return decode.Span{From: int32(from), To: int32(len(w.payload))}
}

// size returns the number of units of the values of a field that has a length.
func (w *formWriter) size(f *schema.Field) int {
	switch {
	case f.Unstated&schema.LengthUnstated != 0 && f.Sizes == nil:
		return 1 + w.IntN(40)
	case f.Unstated&schema.LengthUnstated != 0:
		return f.Sizes[w.IntN(len(f.Sizes))]
	case f.LengthField != "":
		return w.counts[f.LengthField]
	case f.Length > 0:
		return f.Length
	}
	return w.IntN(5)
}

// value writes a value, and returns the position of its first byte after its length.
func (w *formWriter) value(f *schema.Field, size int) int {
	if f.Struct != nil {
		outer := maps.Clone(w.counts)
		from := len(w.payload)
		w.members(f)
		w.counts = outer
		return from
	}
	unit, fixed := f.Kind.Width(w.pointerSize)
	if f.LengthPrefix != schema.NoPrefix {
		prefix := size
		if f.LengthPrefix != schema.UnitsIn16 {
			prefix *= unit
		}
		switch f.LengthPrefix {
		case schema.BytesIn32:
			w.payload = binary.LittleEndian.AppendUint32(w.payload, uint32(prefix))
		case schema.BytesIn16Big:
			w.payload = binary.BigEndian.AppendUint16(w.payload, uint16(prefix))
		default:
			w.payload = binary.LittleEndian.AppendUint16(w.payload, uint16(prefix))
		}
	}
	from := len(w.payload)
	switch {
	case f.Kind.HasLength():
		w.random(size * unit)
	case fixed && f.LengthField != "":
		w.random(unit)
	case fixed && w.isCount[f.Name]:
		n := w.IntN(4)
		if one := w.lengths[f.Name]; one > 0 {
			n = one
		}
		w.counts[f.Name] = n
		w.payload = append(w.payload, byte(n))
		w.payload = append(w.payload, make([]byte, unit-1)...)
	case fixed:
		w.random(unit)
	default:
		w.text(f.Kind)
	}
	return from
}

// members writes a structure.
func (w *formWriter) members(f *schema.Field) {
	start := len(w.payload)
	for i := range f.Struct {
		m := &f.Struct[i]
		width, _ := m.Kind.Width(w.pointerSize)
		for f.Aligned && (len(w.payload)-start)%width != 0 {
			w.payload = append(w.payload, 0)
		}
		w.field(m)
	}
	for f.Aligned && (len(w.payload)-start)%w.pointerSize != 0 {
		w.payload = append(w.payload, 0)
	}
}

// text writes a value that marks its own end.
func (w *formWriter) text(k schema.Kind) {
	switch k {
	case schema.Text16:
		for range w.IntN(5) {
			w.payload = binary.LittleEndian.AppendUint16(w.payload, uint16('a'+w.IntN(26)))
		}
		w.payload = append(w.payload, 0, 0)
	case schema.Text8:
		for range w.IntN(5) {
			w.payload = append(w.payload, byte('a'+w.IntN(26)))
		}
		w.payload = append(w.payload, 0)
	case schema.SID, schema.WBEMSID:
		if k == schema.WBEMSID {
			w.payload = append(w.payload, 1)
			w.payload = append(w.payload, make([]byte, 2*w.pointerSize-1)...)
		}
		n := w.IntN(4)
		w.payload = append(w.payload, 1, byte(n))
		w.random(6 + 4*n)
	}
}

func (w *formWriter) random(n int) {
	for range n {
		w.payload = append(w.payload, byte(w.Uint32()))
	}
}

// FuzzForms does the same with forms and payloads that the fuzzer chooses.
func FuzzForms(f *testing.F) {
	f.Add(uint64(0), uint64(0))
	f.Add(uint64(1<<40), uint64(7))
	var marked []*packed.Event
	for _, e := range windows.Catalog().Entries() {
		p, err := windows.Catalog().Provider(e.GUID)
		if err != nil {
			f.Fatal(err)
		}
		for i := 0; p != nil && i < len(p.Events); i++ {
			if hasMark(p.Events[i].Fields) {
				marked = append(marked, &p.Events[i])
			}
		}
	}
	f.Fuzz(func(t *testing.T, which, seed uint64) {
		score := formScore{stop: make(map[string]int)}
		testForm(t, marked[which%uint64(len(marked))], rand.New(rand.NewPCG(which, seed)), &score)
	})
}
