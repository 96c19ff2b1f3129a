// Package columns holds rows column by column: a Batch carries them from the packages that decode
// events to those that write tables. It knows the schema of a table, and nothing about traces or
// file formats.
package columns
