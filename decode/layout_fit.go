package decode

import (
	"errors"

	"github.com/etl2parquet/etl2parquet/schema"
)

// Fit reports how well a payload fits a layout.
type Fit struct {
	Used  int           // bytes of the payload that the fields take, from its start
	Field *schema.Field // the first field that does not fit, or nil
	Err   error         // why Field does not fit
	// Shorter reports that Err only means that the payload ends where Field would begin, and that
	// no present field counts a missing one: a shorter form of the event.
	Shorter bool
}

// Reading says how much of a payload a layout reads.
type Reading uint8

const (
	Whole   Reading = iota // every byte is in a field; fields of a shorter form may be missing
	InPart                 // some bytes are in no field
	Damaged                // the payload contradicts the layout
)

// Reading returns how much of a payload of size bytes is read.
func (f *Fit) Reading(size int) Reading {
	switch {
	case f.Err == nil && f.Used == size, f.Shorter:
		return Whole
	case f.Err == nil, errors.Is(f.Err, ErrUnstated):
		return InPart
	}
	return Damaged
}

// stop returns the fit of a payload whose field i cannot be read at an offset. spans has the fields
// before it. At the end of the payload, an unstated field is as missing as any other.
func (l *Layout) stop(payload []byte, i, at int, spans []Span, err error) Fit {
	isEnd := at == len(payload)
	if isEnd && errors.Is(err, ErrUnstated) {
		err = ended(payload)
	}
	return Fit{Used: at, Field: l.fields[i].field, Err: err, Shorter: isEnd && l.mayEnd(payload, i, spans)}
}

// mayEnd reports whether a payload may end before a field: neither that field nor a later one has
// values or units that an earlier field counts.
func (l *Layout) mayEnd(payload []byte, first int, spans []Span) bool {
	for i := range l.fields[first:] {
		f := &l.fields[first+i]
		for _, r := range []reference{f.counter, f.measure} {
			if r.index < 0 {
				continue
			}
			if r.up > 0 {
				return false
			}
			if s := spans[r.index]; s.From >= 0 && Uint(payload[s.From:s.To]) != 0 {
				return false
			}
		}
	}
	return true
}
