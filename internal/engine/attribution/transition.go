package attribution

import "github.com/etl2parquet/etl2parquet/decode"

// report is what a record says about a life.
type report uint8

const (
	began   report = iota // a start event: the life begins now
	existed               // any other event: the life has begun and not ended
	ended                 // an end event: the life ends now
	reports
)

// report returns what the record of a life says.
func (l *Life) report() report {
	switch l.Sources &^ FromSibling {
	case FromStart:
		return began
	case FromEnd:
		return ended
	}
	return existed
}

// lifeState is what the records of an id so far say about its latest life.
type lifeState uint8

const (
	noLife    lifeState = iota // there is none
	seenLife                   // neither its start nor its end is recorded
	begunLife                  // its start is recorded
	endedLife                  // its end is recorded
	wholeLife                  // both are recorded
	lifeStates
)

// state returns the state of a life.
func (l *Life) state() lifeState {
	switch {
	case l.Started && l.Ended:
		return wholeLife
	case l.Ended:
		return endedLife
	case l.Started:
		return begunLife
	}
	return seenLife
}

// transition says what a record makes of the latest life of its id.
type transition struct {
	join joinRule // when the record belongs to that life
	gap  gapRule  // if it does not, and begins a new life: whose the time between the two lives is
}

// joinRule says when a record belongs to a life, provided that both are of the same entity.
type joinRule uint8

const (
	never joinRule = iota
	always
	atSameStart // if the life began at the time of the record
	atNearStart // likewise, or so near that two traces may have recorded the same start
	atSameEnd   // if the life ended at the time of the record
	atNearEnd   // likewise, or so near that two traces may have recorded the same end
)

// gapRule says which life the time between two lives of an id belongs to.
type gapRule uint8

const (
	toNeither gapRule = iota // unknown, or no life
	toEarlier                // to the earlier life: it ends when the later one begins
	toLater                  // to the later life: it begins when the earlier one ends
)

// transitions has a row for each state of the latest life of an id, and a column for each report of
// the next record. Several sessions may record the same start or end, so a life may have several.
var transitions = [lifeStates][reports]transition{
	noLife:    {began: {never, toNeither}, existed: {never, toLater}, ended: {never, toLater}},
	seenLife:  {began: {never, toEarlier}, existed: {always, toNeither}, ended: {always, toNeither}},
	begunLife: {began: {atNearStart, toEarlier}, existed: {always, toNeither}, ended: {always, toNeither}},
	endedLife: {began: {never, toNeither}, existed: {atSameEnd, toLater}, ended: {atNearEnd, toLater}},
	wholeLife: {began: {atSameStart, toNeither}, existed: {atSameEnd, toLater}, ended: {atNearEnd, toLater}},
}

// joins reports whether a record belongs to the life before it. The records of one start or end in
// two traces are at most near ticks apart.
func (r joinRule) joins(last, next *Life, near decode.Ticks) bool {
	switch r {
	case always:
		return true
	case atSameStart:
		return next.From == last.From
	case atNearStart:
		return next.From-last.From <= last.slack(next, near)
	case atSameEnd:
		return next.To == last.To
	case atNearEnd:
		return next.To-last.To <= last.slack(next, near)
	}
	return false
}

// slack returns how far apart two records of one start or end may be: in one trace, they have the
// same time.
func (l *Life) slack(next *Life, near decode.Ticks) decode.Ticks {
	if (l.Sources|next.Sources)&FromSibling == 0 {
		return 0
	}
	return near
}

// extend makes the life include a record that belongs to it.
func (l *Life) extend(next *Life) {
	l.Sources = l.Sources.with(next.Sources)
	l.To, l.Ended = next.To, l.Ended || next.Ended
}

// divide gives the time between two lives to one of them. The earlier one is nil if there is none.
func (r gapRule) divide(earlier, later *Life) {
	switch {
	case r == toEarlier:
		earlier.To = max(earlier.To, later.From-1)
	case r == toLater && earlier == nil:
		later.From = unknownFrom
	case r == toLater && earlier.To < later.To:
		later.From = earlier.To + 1
	}
}
