// Package archive finds traces in archives: zip (with .diagsession), gzip, Zstandard, xz,
// bzip2, tar and compressed tar, 7z and cabinets, and any of these in each other.
//
// [Walk] visits the entries of an input one after the other, in the order of the archive. The
// kind of an entry is detected from its first bytes, never from its name. No name in an
// archive becomes a path on disk: an entry is read as a stream, and content that needs random
// access is stored in a temporary file of package temporary.
//
// Supported are tar of all kinds, zip with Store, Deflate, Deflate64, bzip2, Zstandard and xz,
// and the methods of packages sevenzip and cab. Encrypted entries, cabinets with Quantum, and
// content that continues in another file of a set are reported as unsupported.
//
// Archives are not trusted. [Limits] bounds their expansion, by default too. Every error is
// reported to the visitor once, with the entry that has it; the other entries are still
// visited.
package archive
