// Package catalog knows who describes an event: the trace itself, by TraceLogging,
// manifests and EventInfo records, the user's files, or the kernel's tables. The
// index pass counts the kinds of event and collects what describes them; of that a
// Catalog is made, which tells of each kind its schema and its table.
package catalog
