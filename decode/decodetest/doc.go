// Package decodetest has helpers that the tests of several packages share: [Open] and [Walk] read
// traces, [EachEvent] the real ones, and [RunGoldens] compares the result of reading a file of
// definitions with goldens.
//
// It reads traces with package decode. So it is separate from package etltest, which writes traces
// and shares no code with the reader, and the tests inside of package decode cannot use it.
package decodetest
