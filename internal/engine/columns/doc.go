// Package columns holds rows column by column: a Batch is what flows from those
// who decode events to those who write tables. It knows the schema of a table and
// nothing of traces, and of no format of files.
package columns
