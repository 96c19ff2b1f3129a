// Package growing reads a trace while a session, or a copy, still writes it: which of its buffers are
// complete, what has become of its file, and which earlier events must be remembered.
//
// What is remembered is itself a trace: buffers with the events that say something about others.
// So each part of a growing trace is a small trace, of remembered buffers and new ones, and is read
// by the same two passes as any trace.
package growing
