package facts

import "fmt"

// Severity is the severity of a problem.
type Severity string

// The severities of problems.
const (
	SeverityInfo    Severity = "info"    // nothing is lost
	SeverityWarning Severity = "warning" // something was lost, or may have been, before the file was written
	SeverityError   Severity = "error"   // something in the file could not be read
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
