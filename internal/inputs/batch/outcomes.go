package batch

import "slices"

// outcomes queues results and reports them in the order of the inputs.
type outcomes struct{ queue []*outcome }

// outcome is the position of an input in the queue. report reports its result; it is
// nil until the result is known.
type outcome struct{ report func() }

// later reserves the next position for an input.
func (q *outcomes) later() *outcome {
	o := new(outcome)
	q.queue = append(q.queue, o)
	return o
}

// ready sets the result of an input, and reports all results whose turn has come.
func (q *outcomes) ready(o *outcome, report func()) {
	o.report = report
	for len(q.queue) > 0 && q.queue[0].report != nil {
		q.queue[0].report()
		q.queue = q.queue[1:]
	}
}

// now queues a result that is already known.
func (q *outcomes) now(report func()) { q.ready(q.later(), report) }

// end reports all known results, even after unknown ones: the run may have been interrupted.
func (q *outcomes) end() {
	for _, o := range slices.DeleteFunc(q.queue, func(o *outcome) bool { return o.report == nil }) {
		o.report()
	}
	q.queue = nil
}
