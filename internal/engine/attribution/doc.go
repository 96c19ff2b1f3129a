// Package attribution finds the process and thread of an event, the images and files
// at its time, and its stack.
//
// The events themselves contain little of this. Ids are reused; names are in other
// events, anywhere in the trace; PERFINFO events have no ids at all. So the trace is
// read first, and events are attributed later:
//
//	Records   the facts in a sequence of buffers; many workers collect them
//	Known     a worker's cache of parsed payloads and texts, because traces repeat many facts
//	Builder   combines records in file order
//	Tables    the immutable result: sorted intervals of time, searched without locks
//
// [Switches] sum up the context switches of a buffer, by which [RunningAtStart] finds the thread that
// runs on a processor when no event says it.
//
// A [Resolver] then looks up each event in the tables. Nothing is guessed: if the
// trace has no answer, neither has the resolver.
package attribution
