// Package export writes traces as files of other programs: profiles for viewers of call stacks,
// timelines, captures of packets.
//
//  1. All lists the formats. A format is a file of this package with a [Format] literal, whose Write
//     stands on the root package alone.
//  2. A recording (profile.go) reads weighted events with their call stacks, in time order and trace by
//     trace: samples of the processor, waits, allocations, or any events. It interns frames, stacks,
//     processes and threads, so that memory grows with the distinct ones and not with events.
//  3. A format that only adds up (pprof, folded) keeps one weight for each stack and thread. A format
//     that needs the events of a thread together (speedscope, firefox) sorts them on disk
//     (by_thread.go). Perfetto takes packets in any order, so it writes each event as it is read.
//
// A trace without the events that a format needs is a [LackError], which says what records them and
// what the trace has instead.
package export
