// Package facts has the types of what is known of a trace: what info says, problems, how much is decoded,
// and bounds of time. The engine fills them, and the library returns them.
package facts
