// Package session says what sessions are configured to do. It names the flags, modes and
// masks that headers of traces have of their session. And it reads the blobs that
// configure one, the extended EnableFlags, which select the events, and the profile
// counters: they are not part of a trace, programs that start sessions create them, and
// debuggers find them.
package session
