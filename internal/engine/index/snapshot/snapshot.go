package snapshot

import (
	"encoding/binary"
	"errors"
	"reflect"
	"unsafe"

	"github.com/zeebo/xxh3"
)

// ErrDamaged is the error for bytes that are not a snapshot of a type.
var ErrDamaged = errors.New("damaged")

// Fingerprint returns a hash of the form of a type. Different forms have different hashes.
func Fingerprint[T any]() uint64 {
	return xxh3.HashString(codecOf(reflect.TypeFor[T]()).form)
}

// AppendMost appends a value in its form. It stops soon after b has more than most bytes: then ok is false, and the
// bytes are of no use.
func AppendMost[T any](b []byte, v *T, most int) (_ []byte, ok bool) {
	w := &writer{b: b, texts: make(map[string]uint64), most: most}
	codecOf(reflect.TypeFor[T]()).write(w, unsafe.Pointer(v))
	return w.b, len(w.b) <= most
}

// Read reads a value, which must take all bytes. It allocates memory only in proportion to the
// bytes. The caller must check that indices are in range.
func Read[T any](b []byte) (*T, error) {
	r := &reader{rest: b}
	v := new(T)
	codecOf(reflect.TypeFor[T]()).read(r, unsafe.Pointer(v))
	if r.failed || len(r.rest) > 0 {
		return nil, ErrDamaged
	}
	return v, nil
}

// writer writes values one after another.
type writer struct {
	b     []byte
	texts map[string]uint64 // the number of each text so far
	most  int               // bytes after which lists end early
}

// The forms of a text: the bytes that follow, or the number of an earlier text.
const (
	emptyText = iota
	newText
	firstText
)

// text writes a text. Equal texts share the bytes, and memory after reading.
func (w *writer) text(s string) {
	if s == "" {
		w.b = append(w.b, emptyText)
		return
	}
	if number, ok := w.texts[s]; ok {
		w.b = binary.AppendUvarint(w.b, firstText+number)
		return
	}
	w.texts[s] = uint64(len(w.texts))
	w.b = append(w.b, newText)
	w.b = binary.AppendUvarint(w.b, uint64(len(s)))
	w.b = append(w.b, s...)
}

// reader reads values one after another. After a failure it returns only 0.
type reader struct {
	rest   []byte
	texts  []string
	failed bool
}

func (r *reader) fail() { r.rest, r.failed = nil, true }

// upTo reads a number that is at most a limit.
func (r *reader) upTo(limit uint64) uint64 {
	n, size := binary.Uvarint(r.rest)
	if size <= 0 || n > limit {
		r.fail()
		return 0
	}
	r.rest = r.rest[size:]
	return n
}

func (r *reader) varint() int64 {
	n, size := binary.Varint(r.rest)
	if size <= 0 {
		r.fail()
		return 0
	}
	r.rest = r.rest[size:]
	return n
}

func (r *reader) text() string {
	switch n := r.upTo(1<<64 - 1); {
	case n == newText:
		size := int(r.upTo(uint64(len(r.rest))))
		if r.failed || size > len(r.rest) {
			r.fail()
			return ""
		}
		s := string(r.rest[:size])
		r.rest = r.rest[size:]
		r.texts = append(r.texts, s)
		return s
	case n >= firstText && n-firstText < uint64(len(r.texts)):
		return r.texts[n-firstText]
	case n >= firstText:
		r.fail()
	}
	return ""
}
