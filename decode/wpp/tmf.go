package wpp

import (
	"bytes"
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/etl2parquet/etl2parquet/decode"
	"github.com/etl2parquet/etl2parquet/decode/definition"
	"github.com/etl2parquet/etl2parquet/schema"
)

// Bounds on a file, beyond what any compiler writes. Elements that take more memory than bytes in
// the file are counted.
const (
	maxFile      = 256 << 20 // bytes
	maxLine      = 64 << 10  // bytes
	maxArguments = 256       // of a message
	maxParts     = 1024      // of its text
	maxErrors    = 100       // kept; all are counted

	maxMessages     = 1 << 18
	maxAllArguments = 1 << 20
	maxNames        = 1 << 20 // of numbers
)

// TMF is the content of a file.
type TMF struct {
	Messages []*Message // in the order of the file; no two have one key
	// A message that cannot be read is not in Messages. A message with an argument of
	// unknown size ends before that argument.
	Errors []*Error // the first ones
	Faults int      // the number of all errors
	byKey  map[Key]*Message
}

// Key is the key by which events refer to their message.
type Key struct {
	GUID   schema.GUID
	Number uint16
}

// Message describes a message. In its Schema, Class is the provider's name, Name is
// made from the source file's name and the line, GUID is the message GUID, and the
// fields are the arguments. LevelName is the program's name of the level; Level is 0
// if it is not a standard name.
type Message struct {
	schema.Schema
	File      string // the source file
	Line      int    // in File; 0 if unknown
	Function  string
	Flags     string
	Keyword   string
	Component string // this and the next are names of parts of the program
	Part      string
}

// Key returns the key of the message.
func (m *Message) Key() Key { return Key{m.GUID, m.ID} }

// Lookup returns the message with this key.
func (t *TMF) Lookup(k Key) (*Message, bool) {
	m, ok := t.byKey[k]
	return m, ok
}

// Error is an error in a line of a file.
type Error struct {
	Line int // from 1 on
	Err  error
}

func (e *Error) Error() string { return fmt.Sprintf("line %d: %v", e.Line, e.Err) }

// Unwrap returns the cause.
func (e *Error) Unwrap() error { return e.Err }

// ParseTMF reads a file. It returns an error if the file is not a TMF file. An error
// in a message loses that message and is in Errors.
func ParseTMF(data []byte) (*TMF, error) {
	if len(data) > maxFile {
		return nil, fmt.Errorf("%w: a TMF file of %d bytes is too large", decode.ErrUnsupported, len(data))
	}
	if text, wide := definition.UTF16(data); wide {
		data = text
	}
	p := parser{rest: bytes.TrimPrefix(data, []byte("\xef\xbb\xbf")), tmf: TMF{byKey: make(map[Key]*Message)}, sources: make(map[Key]source)}
	for p.next() {
		p.statement()
	}
	if p.blocks == 0 {
		return nil, fmt.Errorf("%w: not a TMF file, no line begins with a GUID", decode.ErrCorrupt)
	}
	return &p.tmf, nil
}

// parser steps over the lines of a file.
type parser struct {
	rest    []byte
	number  int    // of the line, from 1 on
	line    string // without spaces around it
	again   bool   // next returns this line again
	blocks  int
	block   Message // the parts that the messages of a block share
	tmf     TMF
	sources map[Key]source

	allArguments, names int
}

// source is the part of a message in which two messages with the same key must agree. It excludes
// the comment, which can name a function's cleanup as if it were a function.
type source struct {
	name, text, arguments string
}

// next moves to the next line that is not empty or a comment.
func (p *parser) next() bool {
	if p.again {
		p.again = false
		return true
	}
	for len(p.rest) > 0 {
		line, rest, _ := bytes.Cut(p.rest, []byte("\n"))
		p.rest = rest
		p.number++
		if len(line) > maxLine {
			p.fault(corrupt("a line of %d bytes is too long", len(line)))
			continue
		}
		p.line = strings.TrimSpace(string(line))
		if !utf8.Valid(line) {
			p.line = strings.TrimSpace(decode.NarrowText(line))
		}
		if p.line != "" && !strings.HasPrefix(p.line, "//") {
			return true
		}
	}
	return false
}

func corrupt(format string, args ...any) error {
	return fmt.Errorf("%w: %s", decode.ErrCorrupt, fmt.Sprintf(format, args...))
}

// fault records an error in the current line.
func (p *parser) fault(err error) { p.faultAt(p.number, err) }

func (p *parser) faultAt(line int, err error) {
	p.tmf.Faults++
	if len(p.tmf.Errors) < maxErrors {
		p.tmf.Errors = append(p.tmf.Errors, &Error{line, err})
	}
}

// statement reads the statement that begins in the current line.
func (p *parser) statement() {
	switch {
	case p.isType():
		p.message()
	case p.line[0] == '#':
		p.fault(fmt.Errorf("%w: %.40q", decode.ErrUnsupported, p.line))
		p.skip()
	default:
		if err := p.startBlock(); err != nil {
			p.fault(err)
		}
	}
}

func (p *parser) isType() bool {
	return strings.HasPrefix(p.line, "#typev ") || strings.HasPrefix(p.line, "#type ")
}

// startBlock reads the line of a message GUID.
func (p *parser) startBlock() error {
	head, comment, _ := strings.Cut(p.line, "//")
	text, provider, _ := strings.Cut(head, " ")
	id, err := schema.ParseGUID(text)
	if err != nil {
		return corrupt("neither a GUID nor a message: %.40q", p.line)
	}
	p.blocks++
	p.block = Message{}
	p.block.Source = schema.FromTMF
	p.block.Certainty = schema.Documented
	p.block.GUID = id
	p.block.Class = strings.TrimSpace(provider)
	for _, pair := range pairs(comment) {
		if pair.key == "SRC" {
			p.block.File = pair.value
		}
	}
	return nil
}

// skip moves to the end of the arguments, or to before the next statement.
func (p *parser) skip() {
	for p.next() {
		switch {
		case p.line == "}":
			return
		case p.line[0] == '#' || p.startsBlock():
			p.again = true
			return
		}
	}
}

// startsBlock reports whether the line begins with a GUID.
func (p *parser) startsBlock() bool {
	text, _, _ := strings.Cut(p.line, " ")
	_, err := schema.ParseGUID(text)
	return err == nil
}

// message reads a message, and adds it unless it has an error.
func (p *parser) message() {
	if p.blocks == 0 {
		p.fault(corrupt("a message before the first GUID"))
		p.skip()
		return
	}
	m := p.block
	text, err := m.parseType(p.line)
	if err != nil {
		p.fault(err)
		p.skip()
		return
	}
	start, after := p.number, p.rest
	spelled, ok := p.arguments(&m)
	if !ok {
		return
	}
	if m.Message, err = m.text(text, spelled); err == nil {
		err = p.add(&m, source{m.Name, text, string(after[:len(after)-len(p.rest)])})
	}
	if err != nil {
		p.faultAt(start, err)
	}
}

// stop ends the reading of a file that exceeds a limit.
func (p *parser) stop(what string, most int) error {
	p.rest, p.again = nil, false
	return fmt.Errorf("%w: more than %d %s; the rest is not read", decode.ErrUnsupported, most, what)
}

// add adds a message, unless there is one with its key. The same message may occur
// repeatedly: a file has the messages of each PDB from which it was made.
func (p *parser) add(m *Message, from source) error {
	if len(p.tmf.Messages) == maxMessages {
		return p.stop("messages", maxMessages)
	}
	if before, ok := p.sources[m.Key()]; ok {
		if before == from {
			return nil
		}
		return corrupt("message %d of %s once more, and another", m.ID, m.GUID)
	}
	p.sources[m.Key()] = from
	p.tmf.byKey[m.Key()] = m
	p.tmf.Messages = append(p.tmf.Messages, m)
	return nil
}

// parseType reads the line of a message, and returns its text.
func (m *Message) parseType(line string) (text string, err error) {
	head, rest, ok := strings.Cut(line, `"`)
	words := strings.Fields(head)
	if !ok || len(words) != 3 {
		return "", corrupt("no name, number and text: %.40q", line)
	}
	end := strings.LastIndex(rest, `" //`)
	trailer := ""
	if end >= 0 {
		trailer = rest[end+len(`" //`):]
	} else if end = len(rest) - 1; end < 0 || rest[end] != '"' {
		return "", corrupt("the text does not end: %.40q", line)
	}
	number, err := strconv.ParseUint(words[2], 10, 16)
	if err != nil {
		return "", corrupt("message number %.40q", words[2])
	}
	m.Name, m.ID = words[1], uint16(number)
	m.Line = lineIn(m.Name)
	m.setTrailer(trailer)
	return rest[:end], nil
}

// lineIn returns the number at the end of a name.
func lineIn(name string) int {
	n, err := strconv.ParseUint(name[len(strings.TrimRight(name, "0123456789")):], 10, 31)
	if err != nil {
		return 0
	}
	return int(n)
}
