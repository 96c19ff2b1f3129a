// Package session describes what sessions are configured to do. It names the flags, modes and masks
// of a session in the headers of traces. It also reads two blobs that configure a session: the
// extended EnableFlags, which select the events, and the profile counters. They are not part of a
// trace: programs that start sessions create them, and debuggers find them.
package session
