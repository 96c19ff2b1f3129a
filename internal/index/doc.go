// Package index makes the index pass over a trace: it reads every buffer once,
// counts the kinds of event, collects what describes them, whose they are and what
// was lost, and says what is in each buffer, so that a second pass reads only what
// it needs.
package index
