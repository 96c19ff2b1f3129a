package mof

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/etl2parquet/etl2parquet/decode/definition"
	"github.com/etl2parquet/etl2parquet/schema"
)

// File is the content of a file.
type File struct {
	Events []Event // in the order of the file
	// Errors has the errors, each with its line. The things they name are omitted,
	// the rest is kept. Errors beyond a limit are only counted.
	Errors     []error
	MoreErrors int
}

// Event is an event of a class. Its fields may be shared with other events and must not be changed.
type Event struct {
	*schema.Schema
	// AnyVersion means that the class has no version: it describes all versions that
	// no other class with the GUID describes. Version is 0.
	AnyVersion bool
}

// ErrNoEvents means that a file describes no events.
var ErrNoEvents = errors.New("no class with events")

// Limits on a file. All classes of a system together have some thousands of events.
const (
	maxClasses    = 1 << 16
	maxProperties = 1024    // of a class, including inherited ones
	maxFields     = 1 << 19 // of all classes
	maxEvents     = 1 << 17
	maxValues     = 1 << 20 // of all qualifiers
	maxDepth      = 32      // of classes derived from one another
	maxErrors     = 100
	maxName       = 4 << 10 // bytes of a name
	maxText       = 1 << 10 // bytes of a description
)

// Parse reads a file. It returns an error, and no file, if the text cannot be read
// at all or describes no events.
func Parse(data []byte) (*File, error) {
	text, err := definition.Text(data)
	if err != nil {
		return nil, err
	}
	r := &reader{text: text, file: new(File), classes: make(map[string]*class), seen: make(map[eventKey]bool)}
	p := parser{reader: r, scanner: scanner{text: text}}
	p.parse()
	for _, c := range r.order {
		c.parent = r.classes[strings.ToLower(c.super)]
		c.own, c.err = ownProperties(c)
	}
	for _, c := range r.order {
		if !c.faulty {
			r.class(c)
		}
	}
	if len(r.file.Events) == 0 {
		return nil, errors.Join(append([]error{ErrNoEvents}, r.file.Errors...)...)
	}
	return r.file, nil
}

// ClassGUIDs returns the GUIDs of the classes in a file, which include those of all
// events. It reads no more of the text than necessary. A text without classes is not
// an error.
func ClassGUIDs(data []byte) ([]schema.GUID, error) {
	text, err := definition.Text(data)
	if err != nil {
		return nil, err
	}
	var ids []schema.GUID
	seen := make(map[schema.GUID]bool)
	s := scanner{text: text}
	for t := s.next(); t.kind != endToken; {
		if t.kind != wordToken || !strings.EqualFold(t.text, guidQualifier) {
			t = s.next()
			continue
		}
		if t = s.next(); !t.is("(") && !t.is("{") {
			continue
		}
		var value string
		value, t = s.literal(s.next())
		if id, err := schema.ParseGUID(strings.TrimSpace(value)); err == nil && !seen[id] {
			seen[id] = true
			ids = append(ids, id)
		}
	}
	return ids, nil
}

// reader is a file being read.
type reader struct {
	text    string
	file    *File
	order   []*class
	classes map[string]*class // by name, in lower case
	seen    map[eventKey]bool
	fields  int // of all classes
}

// fail records an error at a position of the text.
func (r *reader) fail(pos int, err error) {
	if len(r.file.Errors) == maxErrors {
		r.file.MoreErrors++
		return
	}
	r.file.Errors = append(r.file.Errors, fmt.Errorf("line %d: %w", definition.Line(r.text, pos), err))
}

func (r *reader) failf(pos int, format string, args ...any) {
	r.fail(pos, fmt.Errorf(format, args...))
}

// quote returns a name from the file for an error.
func quote(name string) string {
	const most = 100
	return strconv.Quote(definition.Cut(name, most))
}
