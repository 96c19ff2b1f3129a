// Package absence explains why a table has no rows: which event gives it rows, what records the event,
// and what the traces say about their sessions.
//
//  1. NeedOf says which events give a table rows, and the flag of the kernel logger, or the level and
//     the keyword of a provider, that records each.
//  2. A Trace has what a trace says: the flags that its session enabled, its losses, and its kinds of
//     event. TraceOf reads it from an index; the tables traces and event_types have the same.
//  3. Explain puts both together, in one sentence.
package absence
