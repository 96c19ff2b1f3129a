// Package snapshot writes Go values as bytes and reads them again, for files that pass results from
// one run of the program to another. The form follows from the types, unexported fields included,
// so that a new field needs no code; [Fingerprint] distinguishes forms.
//
// Fields with the tag snapshot:"-" are left out.
package snapshot
