package rows

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/etl2parquet/etl2parquet/decode"
	"github.com/etl2parquet/etl2parquet/internal/problems"
	"github.com/etl2parquet/etl2parquet/internal/rows/values"
)

// misfit is a payload that its layout does not use up exactly, and how many
// more there are like it.
type misfit struct {
	key     misfitKey
	problem problems.Problem
}

// misfitKey is what misfits have in common that are counted together.
type misfitKey struct {
	layout layoutKey
	field  string // that does not fit, or ""
	other  bool   // the layout is of another build of Windows, and fits
	time   bool   // the field has a time that is no date
}

// Misfits are those of the rows of a table in a slab: few, as a rule none.
type Misfits []*misfit

// note remembers a payload that does not fit, for the table problems.
func (list *Misfits) note(r *row, fit *decode.Fit) {
	size := len(r.payload)
	r.damaged = fit.Err != nil
	key := misfitKey{layout: layoutKeyOf(r)}
	if fit.Field != nil {
		key.field = fit.Field.Name
	}
	if list.counted(key, 1) {
		return
	}
	e := r.Literal.Event
	m := &misfit{key, problems.Problem{
		Severity: problems.Info, Code: "payload_longer", Count: 1, Buffer: r.ref >> 32, FileOffset: -1, Position: r.ref & 0xffffffff,
		Field:   e.Class + "/" + e.Name,
		Message: fmt.Sprintf("version %d: %d bytes after the known fields, kept in payload_rest", r.Version, size-fit.Used),
	}}
	if fit.Err != nil {
		m.problem.Severity, m.problem.Code = problems.Failure, "payload_damaged"
		m.problem.Field += "." + key.field
		m.problem.Message = fmt.Sprintf("version %d, payload of %d bytes: %v; the fields before it are decoded", r.Version, size, fit.Err)
	}
	*list = append(*list, m)
}

// noteTimes remembers a payload with a time that is no date, for the table problems. Its
// column is NULL, so the row keeps the payload.
func (list *Misfits) noteTimes(r *row, times []values.TimeField, spans []decode.Span) {
	if len(times) == 0 {
		return
	}
	f := values.NoDate(times, r.payload, &decode.Frame{Spans: spans})
	if f == nil {
		return
	}
	r.decoded = false
	key := misfitKey{layout: layoutKeyOf(r), field: f.Name, time: true}
	if list.counted(key, 1) {
		return
	}
	e := r.Literal.Event
	*list = append(*list, &misfit{key, problems.Problem{
		Severity: problems.Info, Code: "value_out_of_range", Count: 1, Buffer: r.ref >> 32, FileOffset: -1, Position: r.ref & 0xffffffff,
		Field:   e.Class + "/" + e.Name + "." + f.Name,
		Message: fmt.Sprintf("version %d: not a time, or not of the years 1601 to 9999: NULL in its column; the payload is kept", r.Version),
	}})
}

// noteOther remembers payloads that have the layout of another build of Windows than the one
// that wrote the trace, for the table problems.
func (list *Misfits) noteOther(r *row, count int) {
	key := misfitKey{layout: layoutKeyOf(r), other: true}
	if list.counted(key, int64(count)) {
		return
	}
	e := r.Literal.Event
	*list = append(*list, &misfit{key, problems.Problem{
		Severity: problems.Info, Code: "other_build", Count: int64(count), Buffer: r.ref >> 32, FileOffset: -1, Position: r.ref & 0xffffffff,
		Field:   e.Class + "/" + e.Name,
		Message: fmt.Sprintf("version %d: payloads that do not fit the layout of the trace's build of Windows, and fit that of builds %s exactly, are decoded by that", r.Version, buildsText(r.Builds)),
	}})
}

func buildsText(builds []int) string {
	var words []string
	for _, build := range builds {
		words = append(words, strconv.Itoa(build))
	}
	return strings.Join(words, ", ")
}

// counted counts more of what the list has, and reports whether it has it.
func (list *Misfits) counted(key misfitKey, more int64) bool {
	for _, m := range *list {
		if m.key == key {
			m.problem.Count += more
			return true
		}
	}
	return false
}

// takeMisfits returns the misfits, and forgets them.
func (list *Misfits) takeMisfits() Misfits {
	taken := *list
	*list = nil
	return taken
}

// MisfitMerger adds up the misfits of batches, which come in the order of slabs.
type MisfitMerger struct {
	at   map[misfitKey]int
	List []problems.Problem
}

// Add adds the misfits of a later slab.
func (m *MisfitMerger) Add(list Misfits) {
	for _, misfit := range list {
		if i, ok := m.at[misfit.key]; ok {
			m.List[i].Count += misfit.problem.Count
			continue
		}
		if m.at == nil {
			m.at = make(map[misfitKey]int)
		}
		m.at[misfit.key] = len(m.List)
		m.List = append(m.List, misfit.problem)
	}
}
