// Package s3 stores datasets in, and reads traces from, buckets of Amazon S3 and of servers
// with its protocol.
//
// A file is written to a private temporary file, staged as an incomplete multipart upload,
// which is invisible, and published by completing the upload.
package s3
