// Package attribution finds out whose an event was: which process and thread,
// which images and files were there at the time, and which stack belongs to
// which event.
//
// Raw events say little of this. Ids are used again and again; names come in
// events of their own, which may be anywhere in the trace; events of the
// PERFINFO kind have no ids at all. So everything is learned in two steps:
//
//	Records   what a run of buffers says, made by many workers
//	Known     what each of the workers read before, as traces repeat much
//	Builder   takes the records in file order
//	Tables    the result, immutable: intervals of time, sorted, searched without locks
//
// and a [Resolver] answers from the tables, event by event. Nothing is guessed:
// where the trace does not say it, there is no answer.
package attribution
