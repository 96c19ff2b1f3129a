// Package s3 keeps datasets in, and reads traces from, buckets of Amazon S3
// and of servers that speak its protocol.
//
// A file is written to a private temporary file, staged as a multipart upload
// that is not complete, which nobody sees, and published by completing it.
package s3
