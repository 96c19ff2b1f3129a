package main

import "slices"

// telling queues results of inputs and reports them in input order.
type telling struct{ list []*outcomeOf }

// outcomeOf is the place of an input in the queue. tell reports its result; it is
// nil until the result is known.
type outcomeOf struct{ tell func() }

// later reserves the next place for an input.
func (q *telling) later() *outcomeOf {
	o := new(outcomeOf)
	q.list = append(q.list, o)
	return o
}

// ready sets the result of an input, and reports all results whose turn has come.
func (q *telling) ready(o *outcomeOf, tell func()) {
	o.tell = tell
	for len(q.list) > 0 && q.list[0].tell != nil {
		q.list[0].tell()
		q.list = q.list[1:]
	}
}

// now queues a result that is known already.
func (q *telling) now(tell func()) { q.ready(q.later(), tell) }

// end reports all known results, even after unknown ones: the run may have been interrupted.
func (q *telling) end() {
	for _, o := range slices.DeleteFunc(q.list, func(o *outcomeOf) bool { return o.tell == nil }) {
		o.tell()
	}
	q.list = nil
}
