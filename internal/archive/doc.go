// Package archive finds the traces in what people keep traces in: zip (with
// .diagsession), gzip, Zstandard, xz, bzip2, tar and compressed tar, 7z and
// cabinets, and those in each other.
//
// [Walk] shows the entries of an input one after the other, in the order of
// the archive. What something is, its first bytes say; names say nothing but
// what an entry is called. No name in an archive ever becomes a path on disk:
// an entry is read as a stream, and what needs random access is kept in a
// temporary file of package spool.
//
// Read are tar of all kinds, zip with Store, Deflate, Deflate64, bzip2,
// Zstandard and xz, and what the packages sevenzip and cab say. Not read, and
// reported as such, are encrypted entries, cabinets with Quantum, and what goes
// on in another file of a set.
//
// An archive is not trusted. [Limits] bounds what it can make of itself, and
// is in force unless it is changed. Whatever is wrong is told to the visitor,
// once, with what it is wrong with; the other entries are visited all the same.
package archive
