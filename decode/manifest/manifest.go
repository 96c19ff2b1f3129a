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

// Manifest is the content of a manifest.
type Manifest struct {
	Providers []Provider // in the order of the file
	// Errors has the errors, each with its line. The things they name are omitted, the rest is
	// kept. Errors beyond a limit are only counted.
	Errors     []error
	MoreErrors int
}

// Provider is a provider with its events.
type Provider struct {
	GUID   schema.GUID
	Name   string
	Events []Event          // in the order of the file; the first of each id and version
	Maps   []*schema.Values // by their names
}

// Event is an event of a provider. Its fields may be shared with other events and
// must not be changed.
type Event struct {
	*schema.Schema
	// MessageText is the event's text in the manifest, with inserts from %1 on; see
	// Insert. Schema.Message is not set.
	MessageText string
	inserts     []int
}

// Insert returns the index in Schema.Fields of the field for an insert of the
// message. %1 is the first item of the template; each item of a structure counts,
// too. ok is false if the item is in a structure, does not exist, or has an unknown
// position.
func (e *Event) Insert(n int) (index int, ok bool) {
	if n < 1 || n > len(e.inserts) || e.inserts[n-1] < 0 {
		return 0, false
	}
	return e.inserts[n-1], true
}

// ErrNoProvider means that a file describes no provider.
var ErrNoProvider = errors.New("no provider")

// Limits on a manifest. The largest known one, of all providers of a system, has
// about 60,000 events.
const (
	maxEvents = 1 << 17
	maxErrors = 100
	// maxShared bounds the size of the messages of all events, as a multiple of the
	// size of the manifest: a message is parsed for each event that has it.
	maxShared = 2
)

// Parse reads a manifest. source becomes the source of its schemas. It returns an
// error, and no manifest, if the text cannot be read at all or describes no
// provider.
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

// ProviderIDs returns the GUIDs of the providers that a manifest describes. It reads
// no more of the text than necessary. A text without providers is not an error.
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
			break // the first of two attributes wins
		}
	}
}

// reader is a manifest being read.
type reader struct {
	text     string
	source   schema.Source
	manifest *Manifest
	strings  map[string]string // of the current manifest
	events   int
	messages int // bytes of the messages of all events; a shared one counts each time
}

// fail records an error at a position of the text.
func (r *reader) fail(pos int, format string, args ...any) {
	if len(r.manifest.Errors) == maxErrors {
		r.manifest.MoreErrors++
		return
	}
	err := fmt.Errorf(format, args...)
	r.manifest.Errors = append(r.manifest.Errors, fmt.Errorf("line %d: %w", definition.Line(r.text, pos), err))
}

// quote returns a name from the file for an error.
func quote(name string) string {
	const most = 100
	return strconv.Quote(definition.Cut(name, most))
}

// read reads the providers of an element and the manifests in it. Each manifest has
// its own strings; outer are the strings of the one around it.
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

// stringTable returns the strings of a manifest. If there are several cultures,
// en-US takes precedence, then the others in their order.
func stringTable(e *element, outer map[string]string) map[string]string {
	tables := e.childrenOf("resources")
	if own := e.childrenOf("string"); len(own) > 0 { // strings without a resources element
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

// message returns the text that an element's message refers to or contains, or "".
// Some writers add a space at the end.
func (r *reader) message(e *element) string {
	text := e.get("message")
	if id, ok := strings.CutPrefix(text, "$(string."); ok && strings.HasSuffix(id, ")") {
		text = r.strings[strings.TrimSuffix(id, ")")]
	}
	return strings.TrimRight(text, " ")
}

// label returns the name shown to people: the message, as in Windows, or else the name.
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

// isEnd reports whether the text has ended, complete or truncated.
func isEnd(err error) bool { return errors.Is(err, io.EOF) || errors.Is(err, decode.ErrTruncated) }
