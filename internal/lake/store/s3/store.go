package s3

import (
	"context"
	"io"
	"io/fs"
	"iter"
	"slices"
	"strings"
	"sync"

	"github.com/minio/minio-go/v7"
	"golang.org/x/sync/errgroup"

	"github.com/etl2parquet/etl2parquet/internal/base/remote"
	"github.com/etl2parquet/etl2parquet/internal/lake/store"
)

// Store stores files as objects of a bucket whose keys have a prefix.
type Store struct {
	client *Client
	bucket string
	prefix string
	cache  *remote.Cache

	mu    sync.Mutex
	stale map[string][]string // uploads that existed before this run, by key
}

// Store returns the store at a URL, s3://bucket/prefix. Contents that are read go through the
// cache.
func (c *Client) Store(url string, cache *remote.Cache) (*Store, error) {
	bucket, prefix, err := parseFolder(url)
	if err != nil {
		return nil, err
	}
	return &Store{client: c, bucket: bucket, prefix: prefix, cache: cache, stale: make(map[string][]string)}, nil
}

func (s *Store) key(name string) string { return s.prefix + name }

// URL implements store.Store.
func (s *Store) URL(name string) string { return Scheme + s.bucket + "/" + s.prefix + name }

// Prepare implements store.Store: it checks that the bucket exists, and lists the incomplete
// uploads of earlier runs, which Stage aborts when it writes the same names.
func (s *Store) Prepare(ctx context.Context) error {
	err := s.client.do(ctx, s.bucket, func(ctx context.Context) error {
		exists, err := s.client.core.BucketExists(ctx, s.bucket)
		if err == nil && !exists {
			err = minio.ErrorResponse{Code: "NoSuchBucket", StatusCode: 404}
		}
		return err
	})
	if err != nil {
		return err
	}
	left, err := s.Leftovers(ctx)
	switch {
	case code(err) != "": // listing may be forbidden, or not supported by the server
		return nil
	case err != nil:
		return err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, l := range left {
		key := s.key(l.Name)
		s.stale[key] = append(s.stale[key], l.ID)
	}
	return nil
}

// Begin implements store.Store. A bucket does not record who writes into it, so Begin clears
// only if always is true, and never knows that it is alone.
func (s *Store) Begin(_ context.Context, always bool, clear func(alone bool) error) error {
	if !always {
		return nil
	}
	return clear(false)
}

// Close implements store.Store.
func (s *Store) Close() error { return nil }

// Open implements store.Store.
func (s *Store) Open(ctx context.Context, name string) (store.Content, error) {
	object, err := s.client.Object(ctx, s.bucket, s.key(name))
	if err != nil {
		return nil, err
	}
	return object.Open(ctx, s.cache), nil
}

// ReadFile implements store.Store.
func (s *Store) ReadFile(ctx context.Context, name string) ([]byte, error) {
	var text []byte
	err := s.client.do(ctx, s.bucket, func(ctx context.Context) error {
		body, _, _, err := s.client.core.GetObject(ctx, s.bucket, s.key(name), minio.GetObjectOptions{})
		if err != nil {
			return err
		}
		defer body.Close()
		text, err = io.ReadAll(body)
		return err
	})
	if isAbsent(err) {
		return nil, &fs.PathError{Op: "read", Path: s.URL(name), Err: fs.ErrNotExist}
	}
	return text, err
}

// Sizes implements store.Store.
func (s *Store) Sizes(ctx context.Context, names ...string) ([]int64, error) {
	sizes := make([]int64, len(names))
	g, ctx := errgroup.WithContext(ctx)
	g.SetLimit(partsAtOnce)
	for i, name := range names {
		g.Go(func() error {
			return s.client.do(ctx, s.bucket, func(ctx context.Context) error {
				info, err := s.client.core.StatObject(ctx, s.bucket, s.key(name), minio.StatObjectOptions{})
				sizes[i] = info.Size
				if isAbsent(err) {
					sizes[i], err = -1, nil
				}
				return err
			})
		})
	}
	if err := g.Wait(); err != nil {
		return nil, err
	}
	return sizes, nil
}

// below returns the prefix of the keys in a folder.
func (s *Store) below(folder string) string {
	if folder == "" {
		return s.prefix
	}
	return s.key(folder) + "/"
}

// Folders implements store.Store.
func (s *Store) Folders(ctx context.Context, folder string) ([]string, error) {
	prefix := s.below(folder)
	var folders []string
	err := s.client.do(ctx, s.bucket, func(ctx context.Context) error {
		folders = nil
		for info := range s.client.core.ListObjectsIter(ctx, s.bucket, minio.ListObjectsOptions{Prefix: prefix}) {
			if info.Err != nil {
				return info.Err
			}
			if name, ok := strings.CutSuffix(strings.TrimPrefix(info.Key, prefix), "/"); ok && name != "" {
				folders = append(folders, name)
			}
		}
		return ctx.Err()
	})
	slices.Sort(folders)
	return folders, err
}

// List implements store.Store.
func (s *Store) List(ctx context.Context, folder string) iter.Seq2[store.Entry, error] {
	return func(yield func(store.Entry, error) bool) {
		for object, err := range s.client.Objects(ctx, s.bucket, s.below(folder)) {
			if err != nil {
				yield(store.Entry{}, err)
				return
			}
			if !yield(store.Entry{Name: strings.TrimPrefix(object.Key, s.prefix), Size: object.Size, Time: object.ModTime}, nil) {
				return
			}
		}
	}
}

// Sync implements store.Store. Published objects are durable already.
func (s *Store) Sync(context.Context, ...string) error { return nil }

// Remove implements store.Store.
func (s *Store) Remove(ctx context.Context, names ...string) error {
	switch len(names) {
	case 0:
		return ctx.Err()
	case 1:
		return s.client.do(ctx, s.bucket, func(ctx context.Context) error {
			err := s.client.core.RemoveObject(ctx, s.bucket, s.key(names[0]), minio.RemoveObjectOptions{})
			if isAbsent(err) {
				return nil
			}
			return err
		})
	}
	const most = 1000 // keys in a request
	for batch := range slices.Chunk(names, most) {
		if err := s.client.do(ctx, s.bucket, func(ctx context.Context) error { return s.removeAll(ctx, batch) }); err != nil {
			return err
		}
	}
	return nil
}

// removeAll removes files with one request.
func (s *Store) removeAll(ctx context.Context, names []string) error {
	objects := func(yield func(minio.ObjectInfo) bool) {
		for _, name := range names {
			if !yield(minio.ObjectInfo{Key: s.key(name)}) {
				return
			}
		}
	}
	results, err := s.client.core.RemoveObjectsWithIter(ctx, s.bucket, objects, minio.RemoveObjectsOptions{})
	if err != nil {
		return err
	}
	for result := range results {
		if result.Err != nil && !isAbsent(result.Err) {
			return result.Err
		}
	}
	return ctx.Err()
}

// Leftovers implements store.Store: they are the incomplete uploads.
func (s *Store) Leftovers(ctx context.Context) ([]store.Leftover, error) {
	left, err := s.uploads(ctx, s.prefix)
	if err != nil || len(left) > 0 && s.prefix != "" {
		return left, err
	}
	// MinIO accepts only whole keys as prefixes here. It lists the whole bucket,
	// including uploads that ended after their client had gone.
	if left, err = s.uploads(ctx, ""); err != nil {
		return nil, err
	}
	return s.confirmed(ctx, left)
}

// confirmed lists the uploads of each key again.
func (s *Store) confirmed(ctx context.Context, left []store.Leftover) ([]store.Leftover, error) {
	var keys []string
	for _, l := range left {
		keys = append(keys, s.key(l.Name))
	}
	slices.Sort(keys)
	keys = slices.Compact(keys)
	of := make([][]store.Leftover, len(keys))
	g, ctx := errgroup.WithContext(ctx)
	g.SetLimit(partsAtOnce)
	for i, key := range keys {
		g.Go(func() (err error) {
			of[i], err = s.uploads(ctx, key)
			of[i] = slices.DeleteFunc(of[i], func(l store.Leftover) bool { return s.key(l.Name) != key })
			return err
		})
	}
	err := g.Wait()
	return slices.Concat(of...), err
}

// uploads lists uploads of this store by the prefix of their keys.
func (s *Store) uploads(ctx context.Context, prefix string) ([]store.Leftover, error) {
	var found []store.Leftover
	key, id := "", ""
	for {
		var page minio.ListMultipartUploadsResult
		err := s.client.do(ctx, s.bucket, func(ctx context.Context) (err error) {
			page, err = s.client.core.ListMultipartUploads(ctx, s.bucket, prefix, key, id, "", 1000)
			return err
		})
		if err != nil {
			return nil, err
		}
		for _, u := range page.Uploads {
			if name, ok := strings.CutPrefix(u.Key, s.prefix); ok {
				found = append(found, store.Leftover{Name: name, ID: u.UploadID, Size: -1, Time: u.Initiated})
			}
		}
		if !page.IsTruncated || page.NextKeyMarker == key && page.NextUploadIDMarker == id {
			return found, nil
		}
		key, id = page.NextKeyMarker, page.NextUploadIDMarker
	}
}

// RemoveLeftovers implements store.Store.
func (s *Store) RemoveLeftovers(ctx context.Context, leftovers ...store.Leftover) error {
	g, ctx := errgroup.WithContext(ctx)
	g.SetLimit(partsAtOnce)
	for _, l := range leftovers {
		g.Go(func() error { return s.abort(ctx, s.key(l.Name), l.ID) })
	}
	return g.Wait()
}

// abort aborts an upload.
func (s *Store) abort(ctx context.Context, key, id string) error {
	return s.client.do(ctx, s.bucket, func(ctx context.Context) error {
		err := s.client.core.AbortMultipartUpload(ctx, s.bucket, key, id)
		if code(err) == "NoSuchUpload" || isAbsent(err) {
			return nil
		}
		return err
	})
}
