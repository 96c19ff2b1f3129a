// Package deflate64 decompresses Deflate64, also called enhanced deflating,
// method 9 of zip. Windows Explorer uses it above 2 GB (dotnet/corefx#9925),
// which traces can have, and neither the standard library nor
// klauspost/compress reads it.
//
// It is Deflate (RFC 1951) with three differences: matches go back up to
// 64 KiB, by two more distance codes (30 and 31, with 14 more bits each), and
// length code 285 is not 258, but 3 and 16 more bits.
//
// Source: APPNOTE.TXT of PKWARE, section 4.4.5, names the method; the
// differences are as 7-Zip reads and writes them (observed).
package deflate64
