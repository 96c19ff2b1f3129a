package report

import (
	"encoding/json"
	"io"
)

// foundView is the view with findings: sentences about the traces.
const foundView = "what_stands_out"

// foundSQL takes the findings of all traces by their rank.
const foundSQL = "SELECT trace, finding, severity, sql\nFROM " + foundView + "\nORDER BY rank, trace\nLIMIT 24"

// maxSQL is the length of the longest statement of a finding.
const maxSQL = 8192

// hasFindings reports whether there is the view of findings, with rows.
func (s *source) hasFindings() (bool, error) {
	if s.views.Lookup(foundView) == nil {
		return false, nil
	}
	return s.hasView(foundView)
}

// readFindings reads the rows of the view of findings.
func readFindings(lines io.Reader) (list []finding, err error) {
	err = eachLine(lines, func(line []byte) error {
		var row struct {
			Finding  string `json:"finding"`
			Severity string `json:"severity"`
			SQL      string `json:"sql"`
		}
		if err := json.Unmarshal(line, &row); err != nil {
			return err
		}
		f := finding{Text: clip(row.Finding), Severity: row.Severity}
		if len(row.SQL) <= maxSQL { // a part of a statement is none
			f.SQL = row.SQL
		}
		list = append(list, f)
		return nil
	})
	return list, err
}
