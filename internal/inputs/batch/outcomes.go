package batch

import "github.com/etl2parquet/etl2parquet/internal/base/ordered"

// outcomes report results in the order of the inputs. Their calls follow each other.
type outcomes struct {
	places int
	line   ordered.Line[func()]
}

// later reserves the next place for an input.
func (q *outcomes) later() (place int) {
	q.places++
	return q.places - 1
}

// ready sets the result of an input, and reports all results whose turn has come.
func (q *outcomes) ready(place int, report func()) { _ = q.line.Deliver(place, report, call) }

// now queues a result that is already known.
func (q *outcomes) now(report func()) { q.ready(q.later(), report) }

// end reports all known results, even after unknown ones: the run may have been interrupted.
func (q *outcomes) end() { _ = q.line.Flush(call) }

// call calls f, and never fails.
func call(f func()) error {
	f()
	return nil
}
