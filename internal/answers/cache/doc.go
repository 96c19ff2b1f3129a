// Package cache keeps the tables that questions about traces have needed.
//
// The cache is a folder of one user. In it, each set of inputs has a folder, whose name is a hash of all
// that the rows depend on: the identities of the files, the options, the version of the program. A set
// has pieces. A piece is a dataset with some tables of the inputs, each with some columns; it never
// changes.
//
//	CACHEDIR.TAG            marks the folder as a cache: https://bford.info/cachedir/
//	<set>/<piece>.lock      locked, shared, by each process that reads the piece; its time is that of the last use
//	<set>/<piece>/          the dataset
//	<set>/<piece>/piece     what it has, and its files: see manifest
//	<set>/<piece>/index     the index of a trace, in a set of its own, instead of a dataset
//	new-<random>/           a piece that is being made; see package temporary
//
// A piece appears by the rename of its folder, and disappears with its manifest, which is removed first:
// a process that is killed leaves no piece that is half there. No process waits for a lock. One that
// cannot lock a piece to read it does without, and one that cannot lock it to remove it leaves it.
//
// The manifest has the identity of each file, by package fileid, and its checksum. A file with another
// identity, and each file after the machine was started again, is read and compared with its checksum
// before it is used: a power failure can leave files without their contents. Where the start of the
// machine has no name, files are synced to the disk before the manifest is written.
package cache
