// Package decodetest has what the tests of several packages of decode share: [EachEvent] walks the
// real traces, and [RunGoldens] compares what was read from a file of definitions with goldens.
//
// It reads traces with package decode. So it is not part of package etltest, which writes traces and
// shares no code with the reader, and the tests inside of package decode cannot use it.
package decodetest
