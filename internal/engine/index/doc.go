// Package index makes the index pass over a trace. It reads every buffer once, counts the kinds of
// event, and collects their descriptions, the facts for their attribution, and the losses. It
// summarizes each buffer, so that a second pass reads only the buffers it needs.
package index
