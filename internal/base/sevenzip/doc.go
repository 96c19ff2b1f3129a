// Package sevenzip reads 7z archives whose folders are compressed by LZMA,
// LZMA2, Deflate, Deflate64, BZip2 or Zstandard, or stored.
//
//	signature header   "7z", version, position of the header, CRCs   32 bytes
//	packed streams
//	header             streams, folders, files                       may be packed itself
//
// A folder is a compressed stream with one or more consecutive files; it is read from its
// beginning. Folders with filters for machine code (BCJ, BCJ2, ARM64), PPMd or encryption are
// reported as unsupported: 7-Zip uses those filters only for executables, which it puts into
// separate folders.
//
// The decompressors are from libraries. The container is read here because the program must
// survive any input: bodgit/sevenzip 1.6.5 allocates what a header claims, so a file of 43 bytes
// ends the process with "out of memory", which cannot be recovered from. Here every count is first
// checked against the remaining bytes and against [Limits].
//
// Source: 7zFormat.txt of the LZMA SDK, which is in the public domain.
package sevenzip
