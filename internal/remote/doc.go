// Package remote reads files that are on servers, by ranges and in parallel,
// so that they can be used like files that are here: each byte is fetched
// once, and a file that changes while it is read is an error and never a
// mixture. What fails for a moment is tried again.
package remote
