package report

import (
	"encoding/json"
	"io"

	"github.com/etl2parquet/etl2parquet/internal/lake/views"
)

// foundView is the view with findings: sentences about the traces.
const foundView = "what_stands_out"

const foundSQL = "SELECT * FROM " + foundView

// hasFindings reports whether there is the view of findings, with rows.
func (s *source) hasFindings() (bool, error) {
	if views.Lookup(foundView) == nil {
		return false, nil
	}
	return s.hasView(foundView)
}

// readFindings reads the rows of the view of findings.
func readFindings(lines io.Reader) (list []finding, err error) {
	err = eachLine(lines, func(line []byte) error {
		var row struct {
			Finding string `json:"finding"`
			SQL     string `json:"sql"`
		}
		if err := json.Unmarshal(line, &row); err != nil {
			return err
		}
		list = append(list, finding{Text: clip(row.Finding), SQL: clip(row.SQL)})
		return nil
	})
	return list, err
}
