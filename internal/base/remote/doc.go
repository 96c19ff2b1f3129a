// Package remote reads files on servers, by ranges and in parallel, so that they can be used
// like local files. Each byte is fetched once. A file that changes while it is read gives an
// error, never a mixture of versions. Transient errors are retried.
package remote
