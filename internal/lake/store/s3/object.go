package s3

import (
	"context"
	"errors"
	"io/fs"
	"iter"
	"net/http"
	"strings"
	"time"

	"github.com/minio/minio-go/v7"

	"github.com/etl2parquet/etl2parquet/internal/base/remote"
)

// Object is an object in a bucket, in the version that was found.
type Object struct {
	Bucket, Key string
	Size        int64
	ModTime     time.Time

	etag   string
	client *Client
}

// URL returns the URL of the object.
func (o *Object) URL() string { return Scheme + o.Bucket + "/" + o.Key }

func (c *Client) object(bucket string, info *minio.ObjectInfo) *Object {
	changed := info.LastModified.Truncate(time.Second) // only some lists have a finer time
	return &Object{Bucket: bucket, Key: info.Key, Size: info.Size, ModTime: changed, etag: strings.Trim(info.ETag, `"`), client: c}
}

// Object finds an object, or returns [fs.ErrNotExist].
func (c *Client) Object(ctx context.Context, bucket, key string) (*Object, error) {
	var info minio.ObjectInfo
	err := c.do(ctx, bucket, func(ctx context.Context) (err error) {
		info, err = c.core.StatObject(ctx, bucket, key, minio.StatObjectOptions{})
		return c.reason(ctx, bucket, key, err)
	})
	if isAbsent(err) {
		return nil, &fs.PathError{Op: "find", Path: Scheme + bucket + "/" + key, Err: fs.ErrNotExist}
	}
	if err != nil {
		return nil, err
	}
	info.Key = key
	return c.object(bucket, &info), nil
}

// reason returns why a request without a body in its answer failed: a refusal has a status alone, so
// that the object is requested.
func (c *Client) reason(ctx context.Context, bucket, key string, err error) error {
	var answer minio.ErrorResponse
	if !errors.As(err, &answer) || answer.StatusCode != http.StatusBadRequest && answer.StatusCode != http.StatusForbidden {
		return err
	}
	var options minio.GetObjectOptions
	if wrong := options.SetRange(0, 0); wrong != nil {
		return wrong
	}
	body, _, _, because := c.core.GetObject(ctx, bucket, key, options)
	if because != nil {
		return because
	}
	return errors.Join(err, body.Close())
}

// Objects iterates over the objects whose keys begin with a prefix, in the order of keys. It
// skips objects that only mark folders.
func (c *Client) Objects(ctx context.Context, bucket, prefix string) iter.Seq2[*Object, error] {
	return func(yield func(*Object, error) bool) {
		last, stopped := "", false
		err := c.do(ctx, bucket, func(ctx context.Context) error {
			ctx, cancel := context.WithCancel(ctx)
			defer cancel()
			for info := range c.core.ListObjectsIter(ctx, bucket, minio.ListObjectsOptions{Prefix: prefix, Recursive: true, StartAfter: last}) {
				if info.Err != nil {
					return info.Err
				}
				last = info.Key
				if strings.HasSuffix(info.Key, "/") {
					continue
				}
				if stopped = !yield(c.object(bucket, &info), nil); stopped {
					return nil
				}
			}
			return ctx.Err()
		})
		if err != nil && !stopped {
			yield(nil, err)
		}
	}
}

// Version returns the server's name for the contents, or "" if it has none.
func (o *Object) Version() string { return o.etag }

// Open returns the object with random access.
func (o *Object) Open(ctx context.Context, cache *remote.Cache) *remote.File {
	return cache.Open(ctx, o.Size, func(ctx context.Context, p []byte, offset int64) error {
		return o.client.transfer(ctx, o.Bucket, func(ctx context.Context) error { return o.fetch(ctx, p, offset) })
	})
}

// Head returns the first n bytes of the object, or all of it if it is shorter.
func (o *Object) Head(ctx context.Context, n int64) ([]byte, error) {
	head := make([]byte, min(n, o.Size))
	err := o.client.transfer(ctx, o.Bucket, func(ctx context.Context) error { return o.fetch(ctx, head, 0) })
	return head, err
}

// fetch fills p with the bytes at an offset.
func (o *Object) fetch(ctx context.Context, p []byte, offset int64) error {
	if len(p) == 0 {
		return nil
	}
	var options minio.GetObjectOptions
	last := offset + int64(len(p)) - 1
	if err := options.SetRange(offset, last); err != nil {
		return err
	}
	if err := options.SetMatchETag(o.etag); err != nil {
		return err
	}
	body, info, header, err := o.client.core.GetObject(ctx, o.Bucket, o.Key, options)
	switch code(err) {
	case "PreconditionFailed", "InvalidRange", "NoSuchKey":
		return remote.ErrChanged
	}
	if err != nil {
		return err
	}
	defer body.Close()
	if strings.Trim(info.ETag, `"`) != o.etag {
		return remote.ErrChanged
	}
	if err := remote.CheckRange(header, offset, last, o.Size); err != nil {
		return err
	}
	return remote.ReadRange(body, p)
}
