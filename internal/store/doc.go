// Package store keeps the files of a dataset: in a folder, or, by its
// sub-package s3, in a bucket. A file gets its name when it is whole and safe,
// and not before:
//
//	Create -> Write ... -> Stage -> Publish      or, any time before, Discard
//
// so that several files can be staged first, which takes time and can fail,
// and published then, which is quick. Sync, once for all of them, makes that
// last.
package store
