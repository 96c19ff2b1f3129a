// Package sevenzip reads 7z archives whose folders are compressed by LZMA,
// LZMA2, Deflate, Deflate64, BZip2 or Zstandard, or stored.
//
//	signature header   "7z", version, where the header is, CRCs   32 bytes
//	packed streams
//	header             streams, folders, files                    perhaps itself packed
//
// A folder is a compressed stream with one file or many, one after the other;
// it is read from its beginning. Folders with filters for machine code (BCJ,
// BCJ2, ARM64), PPMd or encryption are reported as not supported: 7-Zip uses
// those filters for executables, and gives these folders of their own.
//
// The decompressors are those of libraries. The container is read here because
// a program must survive any input, and bodgit/sevenzip 1.6.5 allocates what a
// header claims: a file of 43 bytes ends the process with "out of memory",
// which nothing can recover from. Here every count is checked against the
// bytes that are left and against [Limits] first.
//
// Source: 7zFormat.txt of the LZMA SDK, which is in the public domain.
package sevenzip
