// Package filehash hashes files in chunks, so that several workers can hash one file concurrently.
//
// The hash of a file is the SHA-256 of the SHA-256 sums, 32 bytes each, of its chunks of 4 MiB; the
// last chunk may be shorter. It depends only on the bytes of the file. In a shell:
//
//	split -b 4M --filter='sha256sum | cut -c1-64' FILE | xxd -r -p | sha256sum
package filehash
