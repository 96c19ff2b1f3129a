package rows

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/etl2parquet/etl2parquet/decode"
	"github.com/etl2parquet/etl2parquet/facts"
	"github.com/etl2parquet/etl2parquet/internal/engine/fits"
	"github.com/etl2parquet/etl2parquet/schema"
)

// payloadProblem is a payload that does not match its layout exactly, and the number of similar ones.
type payloadProblem struct {
	key     payloadProblemKey
	problem facts.Problem
}

// payloadProblemKey identifies problems that are counted together.
type payloadProblemKey struct {
	layout fits.Key
	code   string // of the problem
	field  string // that does not fit, or ""
}

// PayloadProblems are the problems of the payloads of a table in a slab: few, usually none.
type PayloadProblems []*payloadProblem

// judge records how much of a payload is read.
func (r *row) judge(fit *decode.Fit) {
	r.reading = fits.Reading(r.Kind, fit, len(r.payload))
	r.decoded, r.rest, r.stop = r.reading != decode.Damaged, int32(len(r.payload)-fit.Used), fit.Field
}

// judge is row.judge, and also records a problem for the table problems.
func (list *PayloadProblems) judge(r *row, fit *decode.Fit) {
	r.judge(fit)
	if fit.Err != nil || r.reading != decode.Whole {
		list.note(r, fit)
	}
}

// note records that a payload does not match its layout exactly.
func (list *PayloadProblems) note(r *row, fit *decode.Fit) {
	e, size, field := r.Literal.Event, len(r.payload), ""
	if fit.Field != nil {
		field = fit.Field.Name
	}
	name := e.Class + "/" + e.Name
	switch {
	case r.reading == decode.Damaged:
		list.add(r, facts.SeverityError, "payload_damaged", name+"."+field, field, 1, func() string {
			return fmt.Sprintf("version %d, payload of %d bytes: %v; the fields before it are decoded", r.Version, size, fit.Err)
		})
	case fit.Shorter:
		list.add(r, facts.SeverityInfo, "payload_shorter", name, "", 1, func() string {
			return fmt.Sprintf("version %d, payload of %d bytes: a shorter form, without %s and the fields after it, which are null", r.Version, size, field)
		})
	case fit.Err != nil:
		list.add(r, facts.SeverityInfo, "payload_unstated", name+"."+field, field, 1, func() string {
			return fmt.Sprintf("version %d, payload of %d bytes: %v; the fields before it are decoded, and the rest is in payload_rest", r.Version, size, fit.Err)
		})
	case r.IsOlder(r.key.Version):
		list.add(r, facts.SeverityInfo, "payload_longer", name, "", 1, func() string {
			known := "to which no known field belongs" // of the kernel's tables
			if r.Schema != nil {
				known = fmt.Sprintf("decoded as version %d", r.Schema.Version)
			}
			return fmt.Sprintf("version %d, %s: %d bytes after the known fields, kept in payload_rest", r.key.Version, known, size-fit.Used)
		})
	default:
		list.add(r, facts.SeverityWarning, "payload_longer", name, "", 1, func() string {
			return fmt.Sprintf("version %d: %d bytes after the known fields, kept in payload_rest: a field may be wrong", r.Version, size-fit.Used)
		})
	}
}

// noteTime records a payload whose field f has a time that is not a date; nil means no field. The
// column is NULL, so the row keeps the payload.
func (list *PayloadProblems) noteTime(r *row, f *schema.Field) {
	if f == nil {
		return
	}
	r.decoded = false
	e := r.Literal.Event
	list.add(r, facts.SeverityInfo, "value_out_of_range", e.Class+"/"+e.Name+"."+f.Name, f.Name, 1, func() string {
		return fmt.Sprintf("version %d: not a time, or not of the years 1601 to 9999: NULL in its column; the payload is kept", r.Version)
	})
}

// noteOther records, for the table problems, payloads that have the layout of another build of
// Windows than the trace's, or of an older program.
func (list *PayloadProblems) noteOther(r *row, count int) {
	e := r.Literal.Event
	if len(r.Builds) == 0 {
		list.add(r, facts.SeverityInfo, "payload_shorter", e.Class+"/"+e.Name, "", int64(count), func() string {
			return fmt.Sprintf("version %d, payload of %d bytes: the form of older programs, which lacks fields; they are null", r.Version, len(r.payload))
		})
		return
	}
	list.add(r, facts.SeverityInfo, "other_build", e.Class+"/"+e.Name, "", int64(count), func() string {
		return fmt.Sprintf("version %d: payloads that do not fit the layout of the trace's build of Windows, and fit that of builds %s, are decoded by that", r.Version, buildsText(r.Builds))
	})
}

// noteResized records, for the table problems, payloads whose pointers have another size than their
// headers say.
func (list *PayloadProblems) noteResized(r *row, count int) {
	e := r.Literal.Event
	list.add(r, facts.SeverityInfo, "other_pointer_size", e.Class+"/"+e.Name, "", int64(count), func() string {
		return fmt.Sprintf("version %d: the header says pointers of %d bytes; payloads that do not fit the layout with these, and fit it with pointers of %d bytes to the last byte, are decoded so", r.Version, 12-r.pointerSize, r.pointerSize)
	})
}

func buildsText(builds []int) string {
	var words []string
	for _, build := range builds {
		words = append(words, strconv.Itoa(build))
	}
	return strings.Join(words, ", ")
}

// add counts payloads that do not fit, and describes the first of each kind.
func (list *PayloadProblems) add(r *row, severity facts.Severity, code, of, field string, count int64, message func() string) {
	key := payloadProblemKey{fits.KeyOf(r.Kind, r.pointerSize), code, field}
	for _, m := range *list {
		if m.key == key {
			m.problem.Count += count
			return
		}
	}
	*list = append(*list, &payloadProblem{key, facts.Problem{
		Severity: severity, Code: code, Count: count, Buffer: r.ref >> 32, FileOffset: -1, Position: r.ref & 0xffffffff, Field: of, Message: message(),
	}})
}

// takeProblems returns the problems, and removes them.
func (list *PayloadProblems) takeProblems() PayloadProblems {
	taken := *list
	*list = nil
	return taken
}

// PayloadProblemMerger adds up the problems of batches, in the order of slabs.
type PayloadProblemMerger struct {
	at   map[payloadProblemKey]int
	List []facts.Problem
}

// Add adds the problems of a later slab.
func (m *PayloadProblemMerger) Add(list PayloadProblems) {
	for _, p := range list {
		if i, ok := m.at[p.key]; ok {
			m.List[i].Count += p.problem.Count
			continue
		}
		if m.at == nil {
			m.at = make(map[payloadProblemKey]int)
		}
		m.at[p.key] = len(m.List)
		m.List = append(m.List, p.problem)
	}
}
