// Package store stores the files of a dataset: in a folder or, with its sub-package s3, in a
// bucket. A file gets its name only when it is complete and durable:
//
//	Create -> Write ... -> Stage -> Publish      or, any time before, Discard
//
// Several files can be staged first, which takes time and can fail, and then be published,
// which is quick. Sync, called once for all of them, makes their names durable.
package store
