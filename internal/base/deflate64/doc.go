// Package deflate64 decompresses Deflate64, also called enhanced deflating, method 9 of zip.
// Windows Explorer uses it for files above 2 GB (dotnet/corefx#9925), as traces can be. Neither
// the standard library nor klauspost/compress reads it.
//
// It differs from Deflate (RFC 1951) in three points: matches reach back up to 64 KiB; there are
// two more distance codes for that (30 and 31, with 14 extra bits each); and length code 285 is
// not 258, but 3 plus 16 extra bits.
//
// Source: APPNOTE.TXT of PKWARE, section 4.4.5, names the method; the differences were observed
// in 7-Zip.
package deflate64
