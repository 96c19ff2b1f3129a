package manifest

import (
	"errors"
	"fmt"
	"io"
	"slices"

	"github.com/etl2parquet/etl2parquet/decode"
	"github.com/etl2parquet/etl2parquet/decode/definition"
)

// element is a known element; see known.
type element struct {
	name       string
	pos        int // in the text
	attributes []attribute
	children   []*element
}

type attribute struct{ name, value string }

// Limits on a tree. Real manifests are up to ten deep; the largest known one, of all
// providers of a system, has about 400,000 elements.
const (
	maxDepth    = 32
	maxElements = 1 << 19
	maxText     = 64 << 10 // bytes of a message or string
	maxName     = 4 << 10  // bytes of any other attribute
)

// known are the elements that become part of the tree. All others are transparent:
// their children become children of the element around them.
var known = names("instrumentationManifest", "provider", "channel", "importChannel", "level", "task", "opcode", "keyword",
	"valueMap", "bitMap", "patternMap", "map", "template", "data", "struct", "binary", "event", "resources", "string")

// skipped are elements that do not describe payloads; they are skipped with their contents.
// UserData describes the XML form of an event; counters has providers of performance counters.
var skipped = names("UserData", "counters")

// knownAttributes are the attributes that are kept.
var knownAttributes = names("name", "guid", "symbol", "chid", "value", "mask", "message", "tid", "inType", "outType", "length", "count", "map",
	"version", "level", "task", "opcode", "keywords", "channel", "template", "culture", "id")

func names(list ...string) map[string]bool {
	set := make(map[string]bool, len(list))
	for _, name := range list {
		set[name] = true
	}
	return set
}

// get returns the value of an attribute, or "".
func (e *element) get(name string) string {
	value, _ := e.lookup(name)
	return value
}

func (e *element) lookup(name string) (string, bool) {
	for _, a := range e.attributes {
		if a.name == name {
			return a.value, true
		}
	}
	return "", false
}

// childrenOf returns the children with this name.
func (e *element) childrenOf(name string) []*element {
	var list []*element
	for _, c := range e.children {
		if c.name == name {
			list = append(list, c)
		}
	}
	return list
}

// tree parses a text into elements under a root without a name. If the text is cut
// off, it returns the elements so far.
func (r *reader) tree() (*element, error) {
	b := builder{reader: r, root: new(element)}
	s := scanner{text: r.text}
	for {
		t, err := s.next()
		switch {
		case errors.Is(err, io.EOF):
			return b.root, nil
		case errors.Is(err, decode.ErrTruncated):
			r.fail(s.pos, "%w", err)
			return b.root, nil
		case err != nil:
			return nil, fmt.Errorf("line %d: %w", definition.Line(r.text, s.pos), err)
		case t.end:
			b.close(t.name)
		default:
			if err := b.open(&t); err != nil {
				return nil, err
			}
		}
	}
}

// builder builds a tree.
type builder struct {
	*reader
	root     *element
	stack    []opened
	deeper   int // open elements beyond maxDepth
	elements int
}

// opened is an open element; node is nil if it is transparent or skipped.
type opened struct {
	name string
	node *element
	skip bool // the element and its contents are skipped
}

func (b *builder) open(t *tag) error {
	if len(b.stack) == maxDepth {
		if b.deeper == 0 {
			b.fail(t.pos, "%s is nested more than %d deep", quote(t.name), maxDepth)
		}
		if !t.empty {
			b.deeper++
		}
		return nil
	}
	o := opened{name: t.name}
	if n := len(b.stack); n > 0 {
		o.skip = b.stack[n-1].skip
	}
	switch {
	case skipped[t.name]:
		o.skip = true
	case known[t.name] && !o.skip:
		if b.elements++; b.elements > maxElements {
			return fmt.Errorf("%w: more than %d elements", decode.ErrUnsupported, maxElements)
		}
		o.node = b.element(t)
		parent := b.parent()
		parent.children = append(parent.children, o.node)
	}
	if !t.empty {
		b.stack = append(b.stack, o)
	}
	return nil
}

// parent returns the innermost open element of the tree.
func (b *builder) parent() *element {
	for _, o := range slices.Backward(b.stack) {
		if o.node != nil {
			return o.node
		}
	}
	return b.root
}

// close closes the innermost open element with this name, and all unclosed elements inside it.
func (b *builder) close(name string) {
	if b.deeper > 0 {
		b.deeper--
		return
	}
	for i, o := range slices.Backward(b.stack) {
		if o.name == name {
			b.stack = b.stack[:i]
			return
		}
	}
}

func (b *builder) element(t *tag) *element {
	e := &element{name: t.name, pos: t.pos}
	for name, value := range t.each() {
		if !knownAttributes[name] {
			continue
		}
		if _, twice := e.lookup(name); twice {
			continue
		}
		value = unescape(value)
		most := maxName
		if name == "message" || e.name == "string" && name == "value" {
			most = maxText
		}
		if len(value) > most {
			b.fail(t.pos, "%s: %s of %d bytes, cut to %d", t.name, name, len(value), most)
			value = definition.Cut(value, most)
		}
		e.attributes = append(e.attributes, attribute{name, value})
	}
	return e
}
