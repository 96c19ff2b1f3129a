package s3

import (
	"context"
	"crypto/md5"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"fmt"
	"io"
	"mime"
	"path"

	"github.com/minio/minio-go/v7"
	"golang.org/x/sync/errgroup"

	"github.com/etl2parquet/etl2parquet/internal/base/temporary"
	"github.com/etl2parquet/etl2parquet/internal/lake/store"
)

// Sizes of uploads.
const (
	minPart     = 16 << 20
	maxParts    = 10_000
	partsOfFile = 4 // at a time
)

// tokenName is the user metadata that identifies a completed upload.
const tokenName = "Etl2parquet-Upload"

// upload is a file being written: first a temporary file, then uploaded parts.
type upload struct {
	store *Store
	name  string
	key   string
	token string
	temp  *temporary.File // nil once it is published or discarded
	size  int64           // set once it is staged

	id    string // "" before the upload begins
	lost  bool   // there may be another upload, whose id was not received
	parts []minio.CompletePart
	done  bool
}

// Create implements store.Store.
func (s *Store) Create(_ context.Context, name string) (store.File, error) {
	temp, err := s.client.temp.Create()
	if err != nil {
		return nil, err
	}
	return &upload{store: s, name: name, key: s.key(name), token: rand.Text(), temp: temp}, nil
}

// Write implements store.File.
func (u *upload) Write(p []byte) (int, error) { return u.temp.Write(p) }

// Stage implements store.File: it uploads all parts, but does not complete the upload.
func (u *upload) Stage(ctx context.Context) (int64, error) {
	u.size = u.temp.Size()
	if err := u.upload(ctx); err != nil {
		return 0, fmt.Errorf("write %s: %w", u.store.URL(u.name), err)
	}
	return u.size, nil
}

// upload uploads the temporary file.
func (u *upload) upload(ctx context.Context) error {
	if err := u.begin(ctx); err != nil {
		return err
	}
	return u.send(ctx)
}

// begin begins an upload.
func (u *upload) begin(ctx context.Context) error {
	s := u.store
	options := minio.PutObjectOptions{
		ContentType:  contentType(u.name),
		UserMetadata: map[string]string{tokenName: u.token},
	}
	err := s.client.do(ctx, s.bucket, func(ctx context.Context) (err error) {
		u.id, err = s.client.core.NewMultipartUpload(ctx, s.bucket, u.key, options)
		u.lost = u.lost || err != nil && !s.client.isFinal(err) // the upload may have begun nevertheless
		return err
	})
	if err != nil {
		return err
	}
	if err := u.abortStale(ctx); err != nil {
		return err
	}
	return u.abortLost(ctx)
}

func contentType(name string) string {
	switch ext := path.Ext(name); ext {
	case ".parquet":
		return "application/vnd.apache.parquet"
	case ".sql":
		return "application/sql"
	default:
		if known := mime.TypeByExtension(ext); known != "" {
			return known
		}
		return "application/octet-stream"
	}
}

// abortStale aborts the uploads of the same file that earlier runs left.
func (u *upload) abortStale(ctx context.Context) error {
	u.store.mu.Lock()
	stale := u.store.stale[u.key]
	delete(u.store.stale, u.key)
	u.store.mu.Unlock()
	for _, id := range stale {
		if err := u.store.abort(ctx, u.key, id); err != nil {
			return err
		}
	}
	return nil
}

// abortLost aborts uploads begun by requests whose responses were not received: all uploads of
// the same file except this one, which is the last.
func (u *upload) abortLost(ctx context.Context) error {
	if !u.lost {
		return nil
	}
	left, err := u.store.uploads(ctx, u.key)
	if code(err) == "AccessDenied" || code(err) == "NotImplemented" { // they remain, but are invisible
		return nil
	}
	if err != nil {
		return err
	}
	for _, l := range left {
		if u.store.key(l.Name) != u.key || l.ID == u.id {
			continue
		}
		if err := u.store.abort(ctx, u.key, l.ID); err != nil {
			return err
		}
	}
	u.lost = false
	return nil
}

// send uploads the parts.
func (u *upload) send(ctx context.Context) error {
	part := max(minPart, (u.size+maxParts-1)/maxParts)
	u.parts = make([]minio.CompletePart, max(1, (u.size+part-1)/part))
	g, ctx := errgroup.WithContext(ctx)
	g.SetLimit(partsOfFile)
	for i := range u.parts {
		g.Go(func() error {
			from := int64(i) * part
			return u.sendPart(ctx, i, from, min(part, u.size-from))
		})
	}
	return g.Wait()
}

func (u *upload) sendPart(ctx context.Context, i int, from, size int64) error {
	c := u.store.client
	select {
	case c.slots <- struct{}{}:
		defer func() { <-c.slots }()
	case <-ctx.Done():
		return ctx.Err()
	}
	sums, md := sha256.New(), md5.New()
	if _, err := io.Copy(io.MultiWriter(sums, md), io.NewSectionReader(u.temp, from, size)); err != nil {
		return err
	}
	options := minio.PutObjectPartOptions{
		Sha256Hex:            hex.EncodeToString(sums.Sum(nil)),
		Md5Base64:            base64.StdEncoding.EncodeToString(md.Sum(nil)), // required by buckets with retention
		DisableContentSha256: true,                                           // not every server can parse checksums in the stream
	}
	return c.transfer(ctx, u.store.bucket, func(ctx context.Context) error {
		body := io.NewSectionReader(u.temp, from, size)
		part, err := c.core.PutObjectPart(ctx, u.store.bucket, u.key, u.id, i+1, body, size, options)
		u.parts[i] = minio.CompletePart{PartNumber: i + 1, ETag: part.ETag}
		return err
	})
}

// maxUploads bounds the attempts to upload a file.
const maxUploads = 3

// Publish implements store.File: it completes the upload.
func (u *upload) Publish(ctx context.Context) error {
	err := u.complete(ctx)
	for n := 1; n < maxUploads && isBroken(err); n++ {
		if err = u.store.abort(ctx, u.key, u.id); err == nil {
			err = u.upload(ctx)
		}
		if err == nil {
			err = u.complete(ctx)
		}
	}
	if err != nil {
		return fmt.Errorf("write %s: %w", u.store.URL(u.name), err)
	}
	u.done = true
	temp := u.temp
	u.temp = nil
	return temp.Close()
}

// complete completes the upload, unless a request whose response was lost has completed it.
func (u *upload) complete(ctx context.Context) error {
	s := u.store
	return s.client.do(ctx, s.bucket, func(ctx context.Context) error {
		_, err := s.client.core.CompleteMultipartUpload(ctx, s.bucket, u.key, u.id, u.parts, minio.PutObjectOptions{})
		if code(err) == "NoSuchUpload" && u.isComplete(ctx) {
			return nil
		}
		return err
	})
}

// isBroken reports whether an upload can no longer be completed: it was aborted, or the server
// has lost it. MinIO loses it, and reports that access is denied, if another request has just
// removed the last object beside this one, and its folder. Access cannot really be denied: a
// client that may upload may complete.
func isBroken(err error) bool {
	switch code(err) {
	case "NoSuchUpload", "InvalidPart", "AccessDenied":
		return true
	}
	return false
}

// isComplete reports whether a request whose response was lost has completed the upload.
func (u *upload) isComplete(ctx context.Context) bool {
	info, err := u.store.client.core.StatObject(ctx, u.store.bucket, u.key, minio.StatObjectOptions{})
	return err == nil && info.UserMetadata[tokenName] == u.token
}

// Discard implements store.File.
func (u *upload) Discard(ctx context.Context) error {
	if u.temp != nil {
		u.temp.Close() // its contents are no longer needed, so an error does not matter
		u.temp = nil
	}
	if u.done {
		return nil
	}
	if u.id != "" {
		if err := u.store.abort(ctx, u.key, u.id); err != nil {
			return err
		}
		u.id = ""
	}
	return u.abortLost(ctx)
}
