// Package attribution finds the process and thread of an event, the images and files
// at its time, and its stack.
//
// The events themselves contain little of this. Ids are reused; names are in other events, anywhere
// in the trace; PERFINFO events have no ids at all. So the trace is read first, and events are
// attributed later:
//
//	Records   the facts in a sequence of buffers; many workers collect them
//	Known     a worker's cache of parsed payloads and texts, because traces repeat many facts
//	Builder   combines records in file order
//	Tables    the immutable result: sorted intervals of time, searched without locks
//
// [Switches] summarizes the context switches of a buffer. From these, [RunningAtStart] finds the
// thread that runs on a processor before the buffer's first switch.
//
// A [Resolver] then looks up each event in the tables. It guesses nothing: if the trace has no
// answer, the resolver has none.
package attribution
