package reading

import (
	"slices"
	"strings"

	"github.com/etl2parquet/etl2parquet/facts"
	"github.com/etl2parquet/etl2parquet/internal/engine/selection"
)

// mismatches reports the parts of the selection that match nothing in any trace, as far as the
// indexes show. With Scan.Strict, a selection of nothing is an error.
func (m *merge) mismatches() error {
	if m.scan.Split != "" {
		return nil
	}
	var common []facts.Mismatch
	nothing := error(nil)
	for i, s := range m.sources {
		found, err := s.trace.source.Mismatches(&m.scan.Selection)
		if err != nil {
			return err
		}
		if i == 0 {
			common, nothing = found.List, found.Err()
			continue
		}
		common = slices.DeleteFunc(common, func(c facts.Mismatch) bool {
			return !slices.ContainsFunc(found.List, func(f facts.Mismatch) bool { return f.Option == c.Option && f.Pattern == c.Pattern })
		})
		if found.Err() == nil {
			nothing = nil
		}
	}
	if m.scan.OnMismatch != nil {
		for i := range common {
			m.scan.OnMismatch(common[i])
		}
	}
	m.nothing = nothing != nil
	if m.scan.Strict {
		return nothing
	}
	return nil
}

// afterwards reports that the selection matches nothing in any trace, which only reading has shown.
// With Scan.Strict, that is an error.
func (m *merge) afterwards(out *rowOutput) error {
	selected := m.scan.TableSelection()
	options := selected.Options()
	if len(m.scan.Selection.Options()) == 0 {
		return nil // the table has no rows, whatever is selected
	}
	if out.given > 0 || m.nothing || m.scan.Limit < 0 || m.scan.Split != "" || m.timeAt < 0 || len(m.failed) > 0 {
		return nil
	}
	var found selection.Mismatches
	if len(options) == 1 && len(selected.Processes) > 0 {
		for _, pattern := range selected.Processes {
			found.Add("process", pattern, nil, "process %s: no event of the traces belongs to this process", pattern)
		}
	} else {
		count, together := int64(0), ""
		for _, s := range m.sources {
			count += s.trace.source.Index.Events
		}
		if len(options) > 1 {
			together = " together"
		}
		found.Add("selection", "", nil, "none of the %d events of the traces matches %s%s", count, strings.Join(options, ", "), together)
	}
	found.SelectsNothing()
	if m.scan.OnMismatch != nil {
		for i := range found.List {
			m.scan.OnMismatch(found.List[i])
		}
	}
	if m.scan.Strict {
		return found.Err()
	}
	return nil
}
