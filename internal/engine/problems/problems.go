package problems

import (
	"errors"
	"fmt"
	"maps"
	"slices"

	"github.com/etl2parquet/etl2parquet/decode"
)

// Severity is the severity of a problem.
type Severity string

// The severities of problems.
const (
	Info    Severity = "info"    // nothing is lost
	Warning Severity = "warning" // something was lost, or may have been, before the file was written
	Failure Severity = "error"   // something in the file could not be read
)

// Problem is a row of the table problems. Buffer, FileOffset and Position are
// -1 where they do not apply.
type Problem struct {
	Severity   Severity `json:"severity"`
	Code       string   `json:"code"`
	Count      int64    `json:"count"`
	Buffer     int64    `json:"buffer"`
	FileOffset int64    `json:"file_offset"`
	Position   int64    `json:"position"`
	Field      string   `json:"field,omitempty"`
	Message    string   `json:"message"`
}

// String returns the problem as one line of text.
func (p *Problem) String() string {
	s := fmt.Sprintf("%s: %s", p.Severity, p.Message)
	if p.Field != "" {
		s = fmt.Sprintf("%s: %s: %s", p.Severity, p.Field, p.Message)
	}
	if p.Buffer >= 0 {
		s += fmt.Sprintf(" (buffer %d", p.Buffer)
		if p.FileOffset >= 0 {
			s += fmt.Sprintf(", file offset %#x", p.FileOffset)
		}
		if p.Position >= 0 {
			s += fmt.Sprintf(", position %#x", p.Position)
		}
		s += ")"
	}
	if p.Count > 1 {
		s += fmt.Sprintf(" [%d times]", p.Count)
	}
	return s
}

// ProblemsPerCode bounds the listed problems of one code. Further ones are only counted.
const ProblemsPerCode = 200

// List is a list of problems, in file order.
type List struct {
	list   []Problem
	listed map[string]int
	more   []Problem // for each code, the problems that are only counted
}

// All returns the problems, followed by a problem for each code with too many, which counts the
// unlisted ones. The result is never nil.
func (p *List) All() []Problem { return append(append([]Problem{}, p.list...), p.more...) }

// Serious returns the number of warnings and errors.
func (p *List) Serious() int64 {
	n := int64(0)
	for _, problem := range p.All() {
		if problem.Severity != Info {
			n += problem.Count
		}
	}
	return n
}

// Damaged reports whether something in the file could not be read.
func (p *List) Damaged() bool {
	for i := range p.list {
		if p.list[i].Severity == Failure {
			return true
		}
	}
	return false
}

// FirstDamage returns the first error as text, or "".
func (p *List) FirstDamage() string {
	for i := range p.list {
		if p.list[i].Severity == Failure {
			return p.list[i].String()
		}
	}
	return ""
}

func (p *List) Add(problem Problem) {
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
	p.more = append(p.more, Problem{Severity: problem.Severity, Code: problem.Code, Count: problem.Count,
		Buffer: -1, FileOffset: -1, Position: -1, Message: "more problems with this code, not listed"})
}

// Merge adds the problems of a later part of the file.
func (p *List) Merge(later *List) {
	for _, problem := range later.All() {
		p.Add(problem)
	}
}

// Trace adds a problem of the whole trace, without a position.
func (p *List) Trace(s Severity, code string, count int64, field, format string, args ...any) {
	p.Add(Problem{Severity: s, Code: code, Count: count, Buffer: -1, FileOffset: -1, Position: -1, Field: field, Message: fmt.Sprintf(format, args...)})
}

// Decode adds an error of package decode. It returns false for any other error, which
// is not about the contents of the file.
func (p *List) Decode(code string, err error) bool {
	var e *decode.Error
	if !errors.As(err, &e) {
		return false
	}
	p.Add(problemOf(Failure, code, e))
	return true
}

func problemOf(s Severity, code string, e *decode.Error) Problem {
	return Problem{Severity: s, Code: code, Count: 1, Buffer: int64(e.Buffer), FileOffset: e.Offset,
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
	note := problemOf(Info, "session_record_damaged", e)
	note.Buffer, note.Position = int64(b.Index), int64(ev.Offset)
	p.Add(note)
}

// BadTime adds an event whose time cannot be.
func (p *List) BadTime(f *decode.File, b *decode.Buffer, ev *decode.Event) {
	p.Add(Problem{Severity: Failure, Code: "time_damaged", Count: 1, Buffer: int64(b.Index), FileOffset: f.BufferInfo(b.Index).Offset, Position: int64(ev.Offset), Field: "TimeStamp",
		Message: "a time that cannot be: the event has none, and comes after the event before it in its buffer"})
}

// faultCodes are the severity and code of each kind of fault.
var faultCodes = [...]struct {
	severity Severity
	code     string
}{
	decode.FaultDamage:  {Failure, "container_damaged"},
	decode.FaultSlack:   {Info, "unused_space"},
	decode.FaultMissing: {Failure, "file_truncated"},
}

// Container adds the faults between and around the buffers of a file.
func (p *List) Container(f *decode.File) {
	faults, more := f.Faults()
	for _, fault := range faults {
		kind := faultCodes[fault.Kind]
		p.Add(problemOf(kind.severity, kind.code, fault.Err))
	}
	if more > 0 {
		p.Trace(Failure, "container_damaged", int64(more), "", "more problems with this code, not listed")
	}
}

// Clone returns an independent copy of the list.
func (p *List) Clone() *List {
	return &List{slices.Clone(p.list), maps.Clone(p.listed), slices.Clone(p.more)}
}
