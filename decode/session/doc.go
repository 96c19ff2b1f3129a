// Package session reads the blobs that configure a session: the extended
// EnableFlags, which select the events, and the profile counters. They are not part
// of a trace: programs that start sessions create them, and debuggers find them.
package session
