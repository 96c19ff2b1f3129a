package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/etl2parquet/etl2parquet/internal/engine/catalog/packed"
	"github.com/etl2parquet/etl2parquet/schema"
)

// providerFile is a file of knowledge/providers, whose form knowledge/README.md describes. The names of
// its events are those that it states.
type providerFile struct {
	packed.Provider
	builds   []int             // that print the provider
	keywords map[string]uint64 // masks
	maps     map[string]*schema.Values
	open     *schema.Values  // the map that indented lines continue
	sources  map[string]bool // that lines may name
}

// parseFile reads the file of a provider.
func parseFile(path string, sources map[string]bool) (*providerFile, error) {
	p := &providerFile{keywords: make(map[string]uint64), maps: make(map[string]*schema.Values), sources: sources}
	err := eachLine(path, p.line)
	if err == nil && p.Name == "" {
		err = fmt.Errorf("%s: no provider", path)
	}
	return p, err
}

// eachLine calls a function for each line of a file that is neither empty nor a comment.
func eachLine(path string, read func(line string) error) error {
	text, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	n := 0
	for line := range strings.Lines(string(text)) {
		n++
		if line = strings.TrimRight(line, "\r\n"); line == "" || line[0] == '#' {
			continue
		}
		if err := read(line); err != nil {
			return fmt.Errorf("%s:%d: %w", filepath.ToSlash(path), n, err)
		}
	}
	return nil
}

func (p *providerFile) line(line string) (err error) {
	if value, ok := strings.CutPrefix(line, "  "); ok {
		return p.value(value)
	}
	p.open = nil
	kind, rest, _ := strings.Cut(line, " ")
	if (p.Name == "") != (kind == "provider") {
		return errors.New("the first line, and no other, has the provider")
	}
	first, name, _ := strings.Cut(rest, " ")
	switch {
	case kind == "provider" && name != "":
		p.Name = name
		p.GUID, err = schema.ParseGUID(first)
	case kind == "other" && rest != "":
		p.OtherNames = append(p.OtherNames, rest)
	case kind == "builds" && p.builds == nil:
		p.builds, err = p.buildsOf(strings.ReplaceAll(rest, " ", ","))
	case kind == "keyword" && name != "" && p.keywords[name] == 0:
		p.keywords[name], err = strconv.ParseUint(first, 0, 64)
	case kind == "map" && first != "" && p.maps[first] == nil && (name == "" || name == "bits"):
		base, _, _ := strings.Cut(first, "#")
		p.open = &schema.Values{Name: blanks(base), Flags: name == "bits"}
		p.maps[first] = p.open
	case kind != "" && kind[0] >= '0' && kind[0] <= '9':
		return p.event(line)
	default:
		err = fmt.Errorf("%q is no line of a provider, or there twice", line)
	}
	return err
}

// value adds a line to the map before it.
func (p *providerFile) value(line string) error {
	number, name, _ := strings.Cut(line, " ")
	n, err := strconv.ParseUint(number, 0, 64)
	switch {
	case p.open == nil:
		return errors.New("a value without a map")
	case err != nil:
		return err
	case name == "":
		return fmt.Errorf("%d has no name", n)
	case len(p.open.Names) > 0 && p.open.Names[len(p.open.Names)-1].Value >= n:
		return fmt.Errorf("%d is not in order", n)
	}
	p.open.Names = append(p.open.Names, schema.ValueName{Value: n, Name: blanks(name)})
	return nil
}

// buildsOf reads builds, and ranges of those that print the provider.
func (p *providerFile) buildsOf(text string) (list []int, err error) {
	for part := range strings.SplitSeq(text, ",") {
		first, last, isRange := strings.Cut(part, "-")
		from, to := slices.Index(p.builds, number(first)), slices.Index(p.builds, number(last))
		switch {
		case !isRange && p.sources[first] && number(first) > 0:
			list = append(list, number(first))
		case isRange && from >= 0 && from < to:
			list = append(list, p.builds[from:to+1]...)
		default:
			return nil, fmt.Errorf("%q is neither a build of sources.txt nor a range of builds of this file", part)
		}
	}
	if !slices.IsSorted(list) {
		return nil, fmt.Errorf("the builds %s are not in order", text)
	}
	return list, nil
}

// number returns the number that a text is, or 0.
func number(text string) int {
	n, _ := strconv.Atoi(text)
	return n
}

const (
	none          = "-" // a name or a value that does not exist
	informational = 4   // the level of events whose line has none
)

// event reads the line of a form of an event.
func (p *providerFile) event(line string) error {
	head, fields, hasFields := strings.Cut(line, " | ")
	words := strings.Split(head, " ")
	if len(words) < 4 || words[1] == "" || words[1][0] != 'v' {
		return errors.New("an event has an id, a version, a task and an opcode")
	}
	s := &schema.Schema{Event: schema.Event{Class: p.Name, GUID: p.GUID, Certainty: schema.Documented}, Source: schema.FromCatalog,
		Level: informational, LevelName: schema.LevelName(informational)}
	ev := packed.Event{Schema: s, Builds: p.builds}
	id, err1 := strconv.ParseUint(words[0], 10, 16)
	version, err2 := strconv.ParseUint(words[1][1:], 10, 8)
	task, taskName, err3 := numbered(words[2], 16)
	opcode, opcodeName, err4 := opcodeOf(words[3])
	if err := errors.Join(err1, err2, err3, err4); err != nil {
		return err
	}
	s.ID, s.Version, s.Task, s.TaskName, s.Opcode, s.OpcodeName = uint16(id), uint8(version), uint16(task), taskName, uint8(opcode), opcodeName
	for _, word := range words[4:] {
		key, value, _ := strings.Cut(word, "=")
		if names, ok := strings.CutPrefix(word, "+"); ok {
			key, value = "+", names
		}
		if err := p.set(&ev, key, value); err != nil {
			return err
		}
	}
	if hasFields {
		f := fieldParser{rest: fields, maps: p.maps}
		s.Fields = f.list(nil)
		if f.rest != "" {
			f.fail("%q is no field", f.rest)
		}
		if f.err != nil {
			return f.err
		}
	}
	if n := len(p.Events); n > 0 && (p.Events[n-1].ID > s.ID || p.Events[n-1].ID == s.ID && p.Events[n-1].Version > s.Version) {
		return fmt.Errorf("event %d version %d is not in order", s.ID, s.Version)
	}
	p.Events = append(p.Events, ev)
	return nil
}

// numbered reads "NAME=NUMBER", or "=NUMBER" for a number without a name.
func numbered(word string, bits int) (n uint64, name string, err error) {
	if word == none {
		return 0, "", nil
	}
	at := strings.LastIndexByte(word, '=')
	if at < 0 {
		return 0, "", fmt.Errorf("%s has no number", word)
	}
	n, err = strconv.ParseUint(word[at+1:], 10, bits)
	return n, blanks(word[:at]), err
}

// opcodeOf reads an opcode. Those that all providers share have no number.
func opcodeOf(word string) (n uint64, name string, err error) {
	for n := range uint64(256) {
		if schema.OpcodeName(uint8(n)) == word {
			return n, word, nil
		}
	}
	return numbered(word, 8)
}

// set sets what a word of an event says.
func (p *providerFile) set(ev *packed.Event, key, value string) (err error) {
	switch key {
	case "+":
		for name := range strings.SplitSeq(value, ",") {
			mask, known := p.keywords[name]
			if !known {
				return fmt.Errorf("the keyword %s has no mask", name)
			}
			ev.Keyword |= mask
			ev.Keywords = append(ev.Keywords, blanks(name))
		}
	case "level":
		if ev.Level, ev.LevelName = 0, ""; value != none {
			ev.Level, err = schema.ParseLevel(value)
			ev.LevelName = schema.LevelName(ev.Level)
		}
	case "channel":
		var n uint64
		n, ev.ChannelName, err = numbered(value, 8)
		ev.Channel = uint8(n)
	case "name":
		ev.Name = blanks(value)
	case "builds":
		if ev.Builds = nil; value != none {
			ev.Builds, err = p.buildsOf(value)
		}
	case "from":
		for name := range strings.SplitSeq(value, ",") {
			if name, _, _ = strings.Cut(name, ":"); !p.sources[name] {
				return fmt.Errorf("%s is not in sources.txt", name)
			}
		}
	default:
		return fmt.Errorf("an event has no %q", key)
	}
	return err
}

// blanks returns a name of the text, where "~" stands for a blank.
func blanks(name string) string { return strings.ReplaceAll(name, "~", " ") }
