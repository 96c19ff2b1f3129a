package manifest

import (
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/etl2parquet/etl2parquet/decode"
	"github.com/etl2parquet/etl2parquet/decode/definition"
	"github.com/etl2parquet/etl2parquet/schema"
)

// Manifest is what a manifest says.
type Manifest struct {
	Providers []Provider // in the order of the file
	// Errors say what is wrong: each names the line. What they name is left
	// out, and the rest stays. Those beyond a limit are only counted.
	Errors     []error
	MoreErrors int
}

// Provider is a provider with its events.
type Provider struct {
	GUID   schema.GUID
	Name   string
	Events []Event // in the order of the file, of each id and version the first
}

// Event is an event of a provider. Its fields may be shared with those of other
// events, and are not to be changed.
type Event struct {
	*schema.Schema
	// MessageText is the text of the event as the manifest has it, with inserts
	// from %1 on; see Insert. Schema.Message is not set.
	MessageText string
	inserts     []int
}

// Insert returns the index in Schema.Fields of the field that an insert of the
// message stands for: %1 is the first item of the template, and those of
// structures are counted one by one. It is false for those, which have no
// index, and where there is no such item or its place is not known.
func (e *Event) Insert(n int) (index int, ok bool) {
	if n < 1 || n > len(e.inserts) || e.inserts[n-1] < 0 {
		return 0, false
	}
	return e.inserts[n-1], true
}

// ErrNoProvider means that a file describes no provider.
var ErrNoProvider = errors.New("no provider")

// The limits of what a manifest may have. The largest known, of all providers
// of a system, have some 60,000 events.
const (
	maxEvents = 1 << 17
	maxErrors = 100
	// maxShared is how many times the bytes of the text the messages of all
	// events may have: each is taken apart for itself.
	maxShared = 2
)

// Parse reads a manifest; source is what its schemas say that they are from.
// The result is nil exactly if there is an error: the text is not read at all,
// or describes no provider.
func Parse(data []byte, source schema.Source) (*Manifest, error) {
	text, err := definition.Text(data)
	if err != nil {
		return nil, err
	}
	r := &reader{text: text, source: source, manifest: new(Manifest)}
	root, err := r.tree()
	if err != nil {
		return nil, err
	}
	r.read(root, nil)
	if len(r.manifest.Providers) == 0 {
		return nil, errors.Join(append([]error{ErrNoProvider}, r.manifest.Errors...)...)
	}
	return r.manifest, nil
}

// ProviderIDs returns the GUIDs of the providers that a manifest describes,
// without reading more than it must. A text without any is no error.
func ProviderIDs(data []byte) ([]schema.GUID, error) {
	text, err := definition.Text(data)
	if err != nil {
		return nil, err
	}
	var ids []schema.GUID
	seen := make(map[schema.GUID]bool)
	s := scanner{text: text}
	for {
		t, err := s.next()
		if err != nil {
			if isEnd(err) {
				err = nil
			}
			return ids, err
		}
		if t.end || t.name != "provider" {
			continue
		}
		for name, value := range t.each() {
			if name != "guid" {
				continue
			}
			if id, err := schema.ParseGUID(strings.TrimSpace(value)); err == nil && !seen[id] {
				seen[id] = true
				ids = append(ids, id)
			}
			break // of two, the first counts
		}
	}
}

// reader is a manifest being read.
type reader struct {
	text     string
	source   schema.Source
	manifest *Manifest
	strings  map[string]string // of the manifest at hand
	events   int
	messages int // bytes of the messages of events, however many share one
}

// fail notes what is wrong at a position of the text.
func (r *reader) fail(pos int, format string, args ...any) {
	if len(r.manifest.Errors) == maxErrors {
		r.manifest.MoreErrors++
		return
	}
	err := fmt.Errorf(format, args...)
	r.manifest.Errors = append(r.manifest.Errors, fmt.Errorf("line %d: %w", definition.Line(r.text, pos), err))
}

// quote writes a name from the file for an error.
func quote(name string) string {
	const most = 100
	return strconv.Quote(definition.Cut(name, most))
}

// read reads the providers of an element and the manifests in it. Each has
// strings of its own; outer are those around it.
func (r *reader) read(e *element, outer map[string]string) {
	r.strings = stringTable(e, outer)
	own := r.strings
	for _, c := range e.childrenOf("provider") {
		r.provider(c)
	}
	for _, c := range e.childrenOf("instrumentationManifest") {
		r.read(c, own)
	}
}

// stringTable returns the strings of a manifest. Of several cultures, en-US
// says what it says, and the others, in their order, what it does not.
func stringTable(e *element, outer map[string]string) map[string]string {
	tables := e.childrenOf("resources")
	if own := e.childrenOf("string"); len(own) > 0 { // without resources around them
		tables = append(tables, &element{children: own})
	}
	if len(tables) == 0 {
		return outer
	}
	const preferred = "en-US"
	all := make(map[string]string)
	for _, first := range []bool{true, false} {
		for _, t := range tables {
			if strings.EqualFold(t.get("culture"), preferred) != first {
				continue
			}
			for _, s := range t.childrenOf("string") {
				if id := s.get("id"); all[id] == "" {
					all[id] = s.get("value")
				}
			}
		}
	}
	return all
}

// message returns the text that an element's message refers to, or is; "" if
// there is none. Some writers leave one space behind.
func (r *reader) message(e *element) string {
	text := e.get("message")
	if id, ok := strings.CutPrefix(text, "$(string."); ok && strings.HasSuffix(id, ")") {
		text = r.strings[strings.TrimSuffix(id, ")")]
	}
	return strings.TrimRight(text, " ")
}

// label returns what people call something: its message, as Windows shows it,
// or else its name.
func (r *reader) label(e *element) string {
	if text := strings.TrimSpace(r.message(e)); text != "" {
		return definition.Cut(text, maxName)
	}
	return local(e.get("name"))
}

// number reads a decimal number, or a hexadecimal one with 0x.
func number(text string, bits int) (uint64, error) {
	text = strings.TrimSpace(text)
	if len(text) > 2 && (text[:2] == "0x" || text[:2] == "0X") {
		return strconv.ParseUint(text[2:], 16, bits)
	}
	return strconv.ParseUint(text, 10, bits)
}

// isEnd reports whether a text ends, be it too early.
func isEnd(err error) bool { return errors.Is(err, io.EOF) || errors.Is(err, decode.ErrTruncated) }
