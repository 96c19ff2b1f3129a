// Package session reads the blobs by which a session is configured: what it
// records, by the extended EnableFlags, and its profile counters. They are no part
// of a trace; programs that start sessions make them, and debuggers find them.
package session
