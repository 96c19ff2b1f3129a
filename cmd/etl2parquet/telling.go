package main

import "slices"

// telling has what came of inputs told in their order, also where it is known
// late.
type telling struct{ list []*outcomeOf }

// outcomeOf is what came of an input; tell is nil while it is not known.
type outcomeOf struct{ tell func() }

// later keeps the place of an input.
func (q *telling) later() *outcomeOf {
	o := new(outcomeOf)
	q.list = append(q.list, o)
	return o
}

// ready says how to tell of an input, which is done when all before were told.
func (q *telling) ready(o *outcomeOf, tell func()) {
	o.tell = tell
	for len(q.list) > 0 && q.list[0].tell != nil {
		q.list[0].tell()
		q.list = q.list[1:]
	}
}

// now tells of an input, or has it told after those before.
func (q *telling) now(tell func()) { q.ready(q.later(), tell) }

// end tells what is known, in the end of a run that may have been interrupted.
func (q *telling) end() {
	for _, o := range slices.DeleteFunc(q.list, func(o *outcomeOf) bool { return o.tell == nil }) {
		o.tell()
	}
	q.list = nil
}
