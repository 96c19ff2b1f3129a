// Package reading reads several traces as one: their rows merged by time, also while the traces grow.
// The root package stands on it, and so does the program, which finds its inputs in more ways.
//
//   - [Open] opens the traces in inputs that were found; [OpenFile] and [OpenReader] open one.
//   - [Traces.Scan] gives rows as Arrow record batches, [Traces.Write] as bytes in a format. merge plans
//     the rows of each trace, and either passes them on trace by trace or, where traces overlap, reads
//     them window by window of time. rowOutput makes row groups of what comes, and delivers them in order.
//   - [Follow] writes the events of growing traces. Package growing finds their complete buffers, and makes
//     each part of a trace a small trace, which is read like any other.
package reading
