// Package snapshot writes Go values as bytes and reads them again, for files by which one run
// of the program hands its results to another. The form follows from the types, unexported
// fields included, so that a new field needs no code; [Fingerprint] tells forms apart.
//
// Fields with the tag snapshot:"-" are left out.
package snapshot
