package etltest

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"
)

// Parse turns the text form into the bytes of a trace. Errors begin with the
// number of the line.
func Parse(text string) ([]byte, error) {
	t, line, err := parse(text)
	if err != nil {
		return nil, err
	}
	b, err := t.Bytes()
	if err != nil {
		return nil, fmt.Errorf("line %d: %w", line, err)
	}
	return b, nil
}

// MustParse is Parse that fails the test on an error.
func MustParse(tb testing.TB, text string) []byte {
	tb.Helper()
	b, err := Parse(text)
	if err != nil {
		tb.Fatalf("etltest: %v", err)
	}
	return b
}

// ParseTrace turns the text form into a Trace, to be changed before it
// becomes bytes. Its events are in Buffer.Data, encoded.
func ParseTrace(text string) (*Trace, error) {
	t, _, err := parse(text)
	return t, err
}

func parse(text string) (t *Trace, traceLine int, err error) {
	block, err := statements(text)
	if err != nil {
		return nil, 0, err
	}
	p := &parser{trace: &Trace{}, target: targetNone, budget: maxStatements, line: 1}
	p.now = p.trace.startTicks()
	if err := p.run(block); err != nil {
		return nil, 0, fmt.Errorf("line %d: %w", p.line, err)
	}
	if err := p.endStream(); err != nil {
		return nil, 0, err
	}
	total := p.trace.headerSize(0)
	for i := range p.trace.Buffers {
		if total += p.trace.Buffers[i].size(p.trace); total > maxFile {
			return nil, 0, fmt.Errorf("line %d: the buffers are more than %#x bytes", max(p.traceLine, 1), maxFile)
		}
	}
	return p.trace, max(p.traceLine, 1), nil
}

// maxFile bounds the file that a text can ask for.
const maxFile = 1 << 30

// maxStatements bounds the statements that repeats can run.
const maxStatements = 1 << 22

// The targets of events that are not the index of a data buffer.
const (
	targetNone   = -1 // a buffer is begun by the first event
	targetHeader = -2
	targetStream = -3
)

// parser carries out statements.
type parser struct {
	trace     *Trace
	traceLine int
	line      int // of the statement
	budget    int // statements left
	target    int
	now       int64         // time of the previous event
	base      time.Duration // what repeats add to relative times
	vars      []variable
	written   int // bytes of payload so far
	stream    []streamEvent
}

type variable struct{ name, value string }

// streamEvent is an event between stream and the next buffer.
type streamEvent struct {
	processor uint16
	line      int
	event     Event
}

// run carries out a block. On an error p.line is its line.
func (p *parser) run(block []statement) error {
	for i := range block {
		s := &block[i]
		p.line = s.line
		if p.budget--; p.budget < 0 {
			return fmt.Errorf("more than %d statements", maxStatements)
		}
		text, err := p.expand(s.text)
		if err != nil {
			return err
		}
		words, err := split(text, ' ')
		if err != nil {
			return err
		}
		if words[0] == "repeat" {
			err = p.repeat(words[1:], s.body)
		} else {
			err = p.statement(words[0], words[1:])
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// expand replaces $name and ${name} by the variable's value, and $$ by $.
func (p *parser) expand(text string) (string, error) {
	var out strings.Builder
	for {
		before, after, found := strings.Cut(text, "$")
		out.WriteString(before)
		if !found {
			return out.String(), nil
		}
		if strings.HasPrefix(after, "$") {
			out.WriteByte('$')
			text = after[1:]
			continue
		}
		name := after
		if inside, rest, closed := strings.Cut(after, "}"); strings.HasPrefix(after, "{") && closed {
			name, text = inside[1:], rest
		} else {
			n := 0
			for n < len(after) && (after[n] >= 'a' && after[n] <= 'z' || after[n] >= 'A' && after[n] <= 'Z') {
				n++
			}
			name, text = after[:n], after[n:]
		}
		found = false
		for i := len(p.vars) - 1; i >= 0 && !found; i-- {
			if found = p.vars[i].name == name; found {
				out.WriteString(p.vars[i].value)
			}
		}
		if !found {
			return "", fmt.Errorf("unknown variable $%s", name)
		}
	}
}

// repeat carries out a block repeatedly.
func (p *parser) repeat(words []string, body []statement) error {
	if len(words) == 0 {
		return errors.New("repeat without a count")
	}
	count, err := number(words[0], 32)
	if err != nil {
		return err
	}
	sets, err := settings(words[1:])
	if err != nil {
		return err
	}
	name, from, base, step, timed := "i", uint64(0), time.Duration(0), time.Duration(0), false
	for _, s := range sets {
		switch s.key {
		case "as":
			name = s.value
		case "from":
			from, err = number(s.value, 32)
		case "dt":
			step, err = duration(s.value)
			timed = true
		case "t":
			base, err = duration(s.value)
			timed = true
		default:
			err = errors.New("unknown key")
		}
		if err != nil {
			return fmt.Errorf("repeat %s: %w", s.key, err)
		}
	}
	outer := p.base
	defer func() { p.base = outer }()
	for i := range count {
		if p.budget--; p.budget < 0 {
			return fmt.Errorf("more than %d statements", maxStatements)
		}
		if timed {
			p.base = outer + base + time.Duration(i)*step
			p.now = p.trace.Ticks(p.base)
		}
		p.vars = append(p.vars, variable{name, fmt.Sprint(from + i)})
		if err := p.run(body); err != nil {
			return err
		}
		p.vars = p.vars[:len(p.vars)-1]
	}
	return nil
}

// statement carries out any statement but repeat.
func (p *parser) statement(word string, words []string) error {
	if word == "trace" {
		if p.traceLine != 0 || p.target != targetNone {
			return errors.New("trace must be the first statement")
		}
		p.traceLine = p.line
	}
	sets, err := settings(words)
	if err != nil {
		return err
	}
	switch word {
	case "trace":
		return p.traceStatement(sets)
	case "logfile":
		return p.logfileStatement(sets)
	case "headerevent":
		return p.headerEventStatement(sets)
	case "header":
		return p.bufferStatement(&p.trace.Header, targetHeader, sets)
	case "buffer":
		if err := p.endStream(); err != nil {
			return err
		}
		p.trace.Buffers = append(p.trace.Buffers, Buffer{})
		i := len(p.trace.Buffers) - 1
		return p.bufferStatement(&p.trace.Buffers[i], i, sets)
	case "stream":
		if len(sets) != 0 {
			return errors.New("stream has no keys")
		}
		if err := p.endStream(); err != nil {
			return err
		}
		p.target = targetStream
		return nil
	case "bytes":
		return p.bytesStatement(sets)
	}
	for kind := System32; int(kind) < len(headerSpecs); kind++ {
		if headerSpecs[kind].name == word {
			return p.eventStatement(kind, sets)
		}
	}
	if word == "endmarker" {
		return p.eventStatement(Raw, append(sets, setting{key: "payload", value: "ffffffffffffffff"}))
	}
	return fmt.Errorf("unknown statement %q", word)
}

// add writes an event to the current target.
func (p *parser) add(processor uint16, e *Event) error {
	if p.written += len(e.Payload); p.written > maxSize {
		return fmt.Errorf("more than %#x bytes of payload", maxSize)
	}
	if p.target == targetStream {
		p.stream = append(p.stream, streamEvent{processor, p.line, *e})
		return nil
	}
	if p.target == targetNone {
		p.trace.Buffers = append(p.trace.Buffers, Buffer{})
		p.target = len(p.trace.Buffers) - 1
	}
	if p.target == targetHeader {
		return p.trace.Header.Add(e)
	}
	b := &p.trace.Buffers[p.target]
	if err := b.Add(e); err != nil {
		return err
	}
	if end, size := bufferHeaderSize+len(b.Data), b.size(p.trace); end > size {
		return fmt.Errorf("the events need %#x bytes, the buffer has %#x", end, size)
	}
	return nil
}

// endStream sorts the events since the stream statement by time and fills
// buffers with them.
func (p *parser) endStream() error {
	slices.SortStableFunc(p.stream, func(a, b streamEvent) int {
		switch {
		case a.event.Time < b.event.Time:
			return -1
		case a.event.Time > b.event.Time:
			return 1
		}
		return 0
	})
	s := p.trace.Stream()
	for i := range p.stream {
		if err := s.Add(p.stream[i].processor, &p.stream[i].event); err != nil {
			return fmt.Errorf("line %d: %w", p.stream[i].line, err)
		}
	}
	s.Flush()
	p.stream = nil
	p.target = targetNone
	return nil
}
