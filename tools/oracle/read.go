package main

import (
	"bufio"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"

	"golang.org/x/text/encoding/unicode"
	"golang.org/x/text/transform"
)

// reported is an event in tracerpt's XML, of which only this is read:
// https://learn.microsoft.com/windows/win32/wes/eventschema-schema
type reported struct {
	System struct {
		Provider struct {
			GUID string `xml:"Guid,attr"`
		}
		EventID     int
		Opcode      int
		TimeCreated struct {
			SystemTime string `xml:",attr"`
		}
	}
	ExtendedTracingInfo struct {
		EventGUID string `xml:"EventGuid"` // of the class, if the event is classic
	}
}

// readXML reads tracerpt's XML, in UTF-8 or UTF-16. The events are in the order of time.
func readXML(r io.Reader) (kinds, error) {
	all := make(kinds)
	var start time.Time
	d := xml.NewDecoder(transform.NewReader(r, transform.Chain(unicode.BOMOverride(transform.Nop), controls{})))
	d.CharsetReader = func(_ string, r io.Reader) (io.Reader, error) { return r, nil } // it is UTF-8 by now
	for {
		token, err := d.Token()
		if errors.Is(err, io.EOF) {
			return all, nil
		}
		if err != nil {
			return nil, err
		}
		element, ok := token.(xml.StartElement)
		if !ok || element.Name.Local != "Event" {
			continue
		}
		var e reported
		if err := d.DecodeElement(&e, &element); err != nil {
			return nil, err
		}
		at, err := timeOf(e.System.TimeCreated.SystemTime)
		if err != nil {
			return nil, err
		}
		if start.IsZero() {
			start = at
		}
		key := kind{guidOf(e.System.Provider.GUID), e.System.EventID}
		if class := guidOf(e.ExtendedTracingInfo.EventGUID); class != "" {
			key = kind{class, e.System.Opcode}
		}
		all.of(key).add(at.Sub(start))
	}
}

// timeOf parses a time. Its zone is left out: tracerpt writes wrong ones, and only differences are
// compared.
func timeOf(text string) (time.Time, error) {
	const form = "2006-01-02T15:04:05.999999999"
	digits := text
	if at := strings.LastIndexAny(text, "+-Z"); at > len("2006-01-02") {
		digits = text[:at]
	}
	at, err := time.Parse(form, digits)
	if err != nil {
		return at, fmt.Errorf("the time %q of an event: %w", text, err)
	}
	return at, nil
}

func guidOf(text string) string { return strings.ToLower(strings.Trim(strings.TrimSpace(text), "{}")) }

// controls replaces the control characters that XML forbids, which tracerpt copies from payloads.
type controls struct{ transform.NopResetter }

// Transform implements transform.Transformer.
func (controls) Transform(dst, src []byte, _ bool) (nDst, nSrc int, err error) {
	n := copy(dst, src)
	for i, c := range dst[:n] {
		if c < ' ' && c != '\n' && c != '\r' && c != '\t' {
			dst[i] = ' '
		}
	}
	if n < len(src) {
		err = transform.ErrShortDst
	}
	return n, n, err
}

// readDump counts the lines of xperf's dumper by their first word, the name of the event. The lines
// between BeginHeader and EndHeader name its columns.
func readDump(r io.Reader) (map[string]int, error) {
	counts := make(map[string]int)
	inHeader, hasHeader := false, false
	lines := bufio.NewReader(transform.NewReader(r, unicode.BOMOverride(transform.Nop)))
	for {
		line, err := lines.ReadString('\n')
		if err != nil && !errors.Is(err, io.EOF) {
			return nil, err
		}
		name, _, hasColumns := strings.Cut(line, ",")
		switch name = strings.TrimSpace(name); {
		case name == "BeginHeader":
			inHeader, hasHeader = true, true
		case name == "EndHeader":
			inHeader = false
		case hasHeader && !inHeader && hasColumns:
			counts[name]++
		}
		if err != nil {
			break
		}
	}
	if !hasHeader {
		return nil, errors.New("no line BeginHeader: is this the output of xperf -a dumper?")
	}
	return counts, nil
}
