package explain

import (
	"errors"
	"fmt"

	"github.com/etl2parquet/etl2parquet/decode"
	"github.com/etl2parquet/etl2parquet/schema"
)

// readHeader reads the start of an event. It ignores the bytes after the header's first ones.
func readHeader(_ *Explainer, w *word) ([]Reading, error) {
	if w.bytes == nil {
		return nil, errors.New("not a sequence of bytes")
	}
	s, err := decode.ParseStart(w.bytes)
	if err != nil {
		return nil, err
	}
	b := w.bytes[:decode.StartSize]
	r := headerTypeReading("header", s.Type)
	r.Meaning = fmt.Sprintf("event of %d bytes, %s", s.Size, r.Meaning)
	sizes := []Fact{{Name: "marker", Value: fmt.Sprintf("%#08x", decode.Marker(b))}, {Name: "event size", Value: fmt.Sprintf("%#x (%d bytes)", s.Size, s.Size)}}
	if s.Type == decode.TypeMessage { // the flags decide its size
		sizes = append(sizes, Fact{Name: "whole header", Value: fmt.Sprintf("%#x (%d bytes), with the optional fields", s.HeaderSize, s.HeaderSize)})
	}
	r.Facts = append(sizes, r.Facts...)
	if fields := startFields[s.Type.Family()]; fields != nil {
		r.Facts = append(r.Facts, fields(&s, b)...)
	}
	return []Reading{r}, nil
}

// headerTypeReading explains a type of header.
func headerTypeReading(as string, t decode.HeaderType) Reading {
	r := Reading{As: as, Meaning: "header " + t.String()}
	r.Facts = []Fact{{Name: "header type", Value: fmt.Sprintf("%#02x %s", uint8(t), t)}}
	if n := t.Size(); n > 0 {
		r.Facts = append(r.Facts, Fact{Name: "header size", Value: fmt.Sprintf("%#x (%d bytes), before counters, optional fields and extended items", n, n)})
	}
	if n := t.PointerSize(); n > 0 {
		r.Facts = append(r.Facts, Fact{Name: "pointer size", Value: fmt.Sprintf("%d bytes, of the payload", n)})
	}
	table := schema.HeaderTables()[t.Family()]
	return Reading{As: as, Meaning: r.Meaning, Facts: append(r.Facts,
		Fact{Name: "table", Value: table.Name + ": " + table.Doc}, Fact{Name: "source", Value: t.Ref()})}
}

// startFields reads what the first bytes of a header contain besides its type and size.
var startFields = [decode.Families]func(s *decode.Start, b []byte) []Fact{
	decode.FamilySystem:     kernelStart,
	decode.FamilyPerfInfo:   kernelStart,
	decode.FamilyEventTrace: classStart,
	decode.FamilyInstance:   classStart,
	decode.FamilyEvent:      eventStart,
	decode.FamilyMessage:    messageStart,
}

// kernelStart reads the start of a SYSTEM, COMPACT or PERFINFO header, which have the same layout.
func kernelStart(s *decode.Start, b []byte) []Fact {
	h := decode.SystemHeader(b)
	facts := []Fact{{Name: "version", Value: fmt.Sprint(h.Version())}}
	if s.Counters.PMC > 0 {
		facts = append(facts, Fact{Name: "PMC counters", Value: fmt.Sprintf("%d, behind the header", s.Counters.PMC)})
	}
	if s.Counters.HasPEBS {
		facts = append(facts, Fact{Name: "PEBS index", Value: "behind the header"})
	}
	hook := h.HookID()
	fact := Fact{Name: "hook", Value: fmt.Sprintf("%#04x, %s", hook, hookName(hook))}
	if class, ok := schema.KernelClassOf(hook); ok {
		fact.Facts = hookFacts(hook, class)[1:]
	}
	return append(facts, fact)
}

func classStart(_ *decode.Start, b []byte) []Fact {
	classType, level, version := decode.EventTraceHeader(b).Class()
	return []Fact{
		{Name: "class type", Value: fmt.Sprintf("%#02x (%d), the opcode of MOF", classType, classType)},
		{Name: "class level", Value: fmt.Sprint(level)},
		{Name: "class version", Value: fmt.Sprint(version)},
	}
}

func eventStart(_ *decode.Start, b []byte) []Fact {
	h := decode.EventHeader(b)
	return []Fact{
		flagsFact("flags", uint64(h.Flags()), schema.EventFlagsValues),
		flagsFact("property", uint64(h.Property()), schema.EventPropertyValues),
	}
}

func messageStart(_ *decode.Start, b []byte) []Fact {
	h := decode.MessageHeader(b)
	return []Fact{
		{Name: "message number", Value: fmt.Sprint(h.Number())},
		flagsFact("message flags", uint64(h.Flags()), schema.MessageFlagsValues),
	}
}

// flagsFact returns a fact with a row for each bit of flags.
func flagsFact(name string, flags uint64, table string) Fact {
	values, _ := schema.LookupValues(table)
	return Fact{Name: name, Value: fmt.Sprintf("%#04x", flags), Facts: bitFacts(flags, 4, func(bit uint64) string { return known(values.Text(bit)) })}
}
