package problems

import (
	"errors"
	"fmt"
	"maps"
	"slices"

	"github.com/etl2parquet/etl2parquet/decode"
	"github.com/etl2parquet/etl2parquet/facts"
)

// ProblemsPerCode bounds the listed problems of one code. Further ones are only counted.
const ProblemsPerCode = 200

// List is a list of problems, in file order.
type List struct {
	list   []facts.Problem
	listed map[string]int
	more   []facts.Problem // for each code, the problems that are only counted
}

// All returns the problems, followed by a problem for each code with too many, which counts the
// unlisted ones. The result is never nil.
func (p *List) All() []facts.Problem { return append(append([]facts.Problem{}, p.list...), p.more...) }

// Serious returns the number of warnings and errors.
func (p *List) Serious() int64 {
	n := int64(0)
	for _, problem := range p.All() {
		if problem.Severity != facts.SeverityInfo {
			n += problem.Count
		}
	}
	return n
}

// Damaged reports whether something in the file could not be read.
func (p *List) Damaged() bool {
	for i := range p.list {
		if p.list[i].Severity == facts.SeverityError {
			return true
		}
	}
	return false
}

// FirstDamage returns the first error as text, or "".
func (p *List) FirstDamage() string {
	for i := range p.list {
		if p.list[i].Severity == facts.SeverityError {
			return p.list[i].String()
		}
	}
	return ""
}

func (p *List) Add(problem facts.Problem) {
	if p.listed == nil {
		p.listed = make(map[string]int)
	}
	if p.listed[problem.Code] < ProblemsPerCode {
		p.listed[problem.Code]++
		p.list = append(p.list, problem)
		return
	}
	for i := range p.more {
		if p.more[i].Code == problem.Code {
			p.more[i].Count += problem.Count
			return
		}
	}
	p.more = append(p.more, facts.Problem{Severity: problem.Severity, Code: problem.Code, Count: problem.Count,
		Buffer: -1, FileOffset: -1, Position: -1, Message: "more problems with this code, not listed"})
}

// Merge adds the problems of a later part of the file.
func (p *List) Merge(later *List) {
	for _, problem := range later.All() {
		p.Add(problem)
	}
}

// Trace adds a problem of the whole trace, without a position.
func (p *List) Trace(s facts.Severity, code string, count int64, field, format string, args ...any) {
	p.Add(facts.Problem{Severity: s, Code: code, Count: count, Buffer: -1, FileOffset: -1, Position: -1, Field: field, Message: fmt.Sprintf(format, args...)})
}

// Decode adds an error of package decode. It returns false for any other error, which
// is not about the contents of the file.
func (p *List) Decode(code string, err error) bool {
	var e *decode.Error
	if !errors.As(err, &e) {
		return false
	}
	p.Add(problemOf(facts.SeverityError, code, e))
	return true
}

func problemOf(s facts.Severity, code string, e *decode.Error) facts.Problem {
	return facts.Problem{Severity: s, Code: code, Count: 1, Buffer: int64(e.Buffer), FileOffset: e.Offset,
		Position: int64(e.Pos), Field: e.Where, Message: e.Err.Error()}
}

// LostBytes adds to the last problem, a damaged event, the number of bytes of the buffer
// that were skipped because of it.
func (p *List) LostBytes(b *decode.Buffer, start int) {
	last := &p.list[len(p.list)-1]
	if last.Buffer == int64(b.Index) && last.Position == int64(start) {
		last.Message += fmt.Sprintf("; the other %d bytes of the buffer are skipped", b.End()-start)
	}
}

// NoteIf adds err, if it is an error of package decode in a record of the session about itself.
func (p *List) NoteIf(b *decode.Buffer, ev *decode.Event, err error) {
	var e *decode.Error
	if !errors.As(err, &e) {
		return
	}
	note := problemOf(facts.SeverityInfo, "session_record_damaged", e)
	note.Buffer, note.Position = int64(b.Index), int64(ev.Offset)
	p.Add(note)
}

// BadTime adds an event whose time cannot be.
func (p *List) BadTime(f *decode.File, b *decode.Buffer, ev *decode.Event) {
	p.Add(facts.Problem{Severity: facts.SeverityError, Code: "time_damaged", Count: 1, Buffer: int64(b.Index), FileOffset: f.BufferInfo(b.Index).Offset, Position: int64(ev.Offset), Field: "TimeStamp",
		Message: "a time that cannot be: the event has none, and comes after the event before it in its buffer"})
}

// faultCodes are the severity and code of each kind of fault.
var faultCodes = [...]struct {
	severity facts.Severity
	code     string
}{
	decode.FaultDamage:  {facts.SeverityError, "container_damaged"},
	decode.FaultSlack:   {facts.SeverityInfo, "unused_space"},
	decode.FaultMissing: {facts.SeverityError, "file_truncated"},
}

// Container adds the faults between and around the buffers of a file.
func (p *List) Container(f *decode.File) {
	faults, more := f.Faults()
	for _, fault := range faults {
		kind := faultCodes[fault.Kind]
		p.Add(problemOf(kind.severity, kind.code, fault.Err))
	}
	if more > 0 {
		p.Trace(facts.SeverityError, "container_damaged", int64(more), "", "more problems with this code, not listed")
	}
}

// Clone returns an independent copy of the list.
func (p *List) Clone() *List {
	return &List{slices.Clone(p.list), maps.Clone(p.listed), slices.Clone(p.more)}
}
