// Package siblings finds the traces that were recorded on one system, in one boot, at
// about the same time. Such traces are a session: what one of them says about processes
// and images is true in the others.
//
//  1. [Read] reads the facts about system and time in the head of a trace.
//  2. [Find] groups traces into sessions.
//
// Two traces are of one session if all of this holds:
//
//   - Their headers have the same boot time, version and build of Windows, pointer size,
//     processor speed and bias of the time zone, and, if both have buffers per processor,
//     the same number of processors. Windows 10 rounds the boot time to a second.
//   - Their clocks are of one type and frequency, and show the same tick at the same time:
//     the start times agree with the ticks of the start within a millisecond, or a clock
//     interrupt before Windows 8, and half a millisecond for each second between the
//     starts. Files of one recording agree within microseconds. Of two systems that booted
//     in the same second, one pair in 500 does.
//   - They overlap, or one begins at most a minute after the other ends: a rundown is
//     recorded when its trace has ended. A trace that was not stopped has no end; it counts
//     as its start.
//
// A group of more than MaxMembers traces is not a session: see there.
//
// A trace without a boot time belongs to no session. Nor does a trace with a different
// clock: clocks could be aligned only as exactly as the start times are known, and ids can be
// reused within that error. Copies of one trace are one member of a session.
package siblings
