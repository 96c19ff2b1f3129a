// Package catalog finds the description of an event: in the trace itself (TraceLogging, manifests,
// EventInfo records), in the user's files, or in the kernel's tables. The index pass counts the
// kinds of event and collects their descriptions. A Catalog made from them gives the schema and the
// table of each kind.
package catalog
