package main

import (
	"context"
	"errors"
	"io"
	"io/fs"
	"net/url"
	"path"
	"strings"
	"sync"

	"github.com/spf13/pflag"
	"golang.org/x/sync/errgroup"

	"github.com/etl2parquet/etl2parquet/internal/archive"
	"github.com/etl2parquet/etl2parquet/internal/batch"
	"github.com/etl2parquet/etl2parquet/internal/remote"
	"github.com/etl2parquet/etl2parquet/internal/store"
	"github.com/etl2parquet/etl2parquet/internal/store/s3"
)

// serverFlags are the flags that locate buckets.
type serverFlags struct{ endpoint, region string }

func (f *serverFlags) add(flags *pflag.FlagSet) {
	flags.StringVar(&f.endpoint, "s3-endpoint", "", "`URL` of the S3 server, if it is not Amazon's; default $AWS_ENDPOINT_URL")
	flags.StringVar(&f.region, "s3-region", "", "`region` of the buckets, if the server does not report it; default $AWS_REGION")
}

// servers reads inputs and writes datasets on web servers and in buckets.
type servers struct {
	cache *remote.Cache
	http  *remote.HTTP
	s3    func() (*s3.Client, error)
	files batch.OpenFiles
}

// fetchesAtOnce bounds the blocks being fetched at a time, over all inputs.
const fetchesAtOnce = 8

// newServers returns servers that cache up to so many bytes in temporary files.
// It fails if the limit on open files is too low for any work.
func newServers(f *serverFlags, temp string, bytes int64, p remote.Patience) (*servers, error) {
	files, err := batch.ShareOpenFiles()
	if err != nil {
		return nil, err
	}
	s := &servers{
		cache: remote.NewCache(temp, bytes, min(fetchesAtOnce, files.Connections)),
		http:  remote.NewHTTP(p, files.Connections),
		files: files,
	}
	s.s3 = sync.OnceValues(func() (*s3.Client, error) {
		return s3.NewClient(s3.Options{Endpoint: f.endpoint, Region: f.region, TempDir: temp, Patience: p, Connections: files.Connections})
	})
	return s, nil
}

// isURL reports whether name is a URL of a bucket or a web server.
func isURL(name string) bool { return isBucketURL(name) || isWebURL(name) }

func isBucketURL(name string) bool { return strings.HasPrefix(name, s3.Scheme) }

func isWebURL(name string) bool {
	return strings.HasPrefix(name, "http://") || strings.HasPrefix(name, "https://")
}

// store returns the store that holds a dataset.
func (s *servers) store(output string) (store.Store, error) {
	switch {
	case isBucketURL(output):
		client, err := s.s3()
		if err != nil {
			return nil, err
		}
		return client.Store(output, s.cache)
	case isWebURL(output):
		return nil, errors.New("a dataset can be in a folder or in a bucket, s3://bucket/folder")
	}
	folder := store.NewFolder(output)
	folder.LimitOpenFiles(s.files.Output)
	return folder, nil
}

// found lists the files that a URL stands for.
type found struct {
	files  []input
	single bool // the URL is the name of one file
	err    error
}

// findAtOnce bounds the URLs that are looked up at a time.
const findAtOnce = 16

// find looks up the URLs among the names.
func (s *servers) find(ctx context.Context, names []string) (map[string]*found, error) {
	all := make(map[string]*found)
	var g errgroup.Group
	g.SetLimit(min(findAtOnce, s.files.Connections))
	for _, name := range names {
		if !isURL(name) || all[name] != nil {
			continue
		}
		f := new(found)
		all[name] = f
		g.Go(func() error {
			if isWebURL(name) {
				s.findOnWeb(ctx, name, f)
			} else {
				f.err = s.findInBucket(ctx, name, f)
			}
			return ctx.Err()
		})
	}
	return all, g.Wait()
}

// findOnWeb finds a file on a web server.
func (s *servers) findOnWeb(ctx context.Context, address string, f *found) {
	f.single = true
	if u, err := url.Parse(address); err != nil || u.Host == "" {
		f.err = errors.New("an invalid URL: it names no server")
		return
	}
	r, err := s.http.Find(ctx, address)
	if err != nil {
		f.err = err
		return
	}
	name := remote.Name(address)
	f.files = []input{{name: name, path: name, size: r.Size, modTime: r.ModTime, open: func(ctx context.Context) (*content, error) {
		if r.Ranges {
			file := r.Open(ctx, s.cache)
			return &content{at: file, closer: file}, nil
		}
		body, err := r.Stream(ctx)
		return &content{stream: body, closer: body}, err
	}}}
}

// findInBucket finds an object, the objects in a folder, or the objects that match a pattern.
func (s *servers) findInBucket(ctx context.Context, url string, f *found) error {
	bucket, key, err := s3.ParseURL(url)
	if err != nil {
		return err
	}
	client, err := s.s3()
	if err != nil {
		return err
	}
	if key != "" && !strings.HasSuffix(key, "/") {
		object, err := client.Object(ctx, bucket, key)
		if err == nil {
			f.single, f.files = true, []input{s.objectInput(object)}
			return nil
		}
		if !errors.Is(err, fs.ErrNotExist) {
			return err
		}
		if at := strings.IndexAny(key, "*?["); at >= 0 {
			return s.findPattern(ctx, client, bucket, key, at, f)
		}
		key += "/"
		err = s.findFolder(ctx, client, bucket, key, f)
		if errors.Is(err, errNoTraces) {
			f.single = true
			return errors.New("no object has this key, and no folder of this name has a trace or an archive")
		}
		return err
	}
	return s.findFolder(ctx, client, bucket, key, f)
}

var errNoTraces = errors.New("no .etl file and no archive in this folder")

// findFolder finds the traces and archives whose keys begin with a prefix.
func (s *servers) findFolder(ctx context.Context, client *s3.Client, bucket, prefix string, f *found) error {
	for object, err := range client.Objects(ctx, bucket, prefix) {
		if err != nil {
			return err
		}
		if name := path.Base(object.Key); archive.TraceName(name) || isArchiveName(name) {
			in := s.objectInput(object)
			in.folder = true
			f.files = append(f.files, in)
		}
	}
	if len(f.files) == 0 {
		return errNoTraces
	}
	return nil
}

// findPattern finds the objects whose keys match a pattern; its first wildcard is at the index at.
func (s *servers) findPattern(ctx context.Context, client *s3.Client, bucket, pattern string, at int, f *found) error {
	if _, err := path.Match(pattern, ""); err != nil {
		return err
	}
	for object, err := range client.Objects(ctx, bucket, pattern[:at]) {
		if err != nil {
			return err
		}
		if matches, err := path.Match(pattern, object.Key); err == nil && matches {
			f.files = append(f.files, s.objectInput(object))
		}
	}
	if len(f.files) == 0 {
		return errors.New("no object matches this pattern")
	}
	return nil
}

func (s *servers) objectInput(object *s3.Object) input {
	return input{name: object.URL(), path: object.URL(), size: object.Size, modTime: object.ModTime, open: func(ctx context.Context) (*content, error) {
		file := object.Open(ctx, s.cache)
		return &content{at: file, closer: file}, nil
	}}
}

// content is an open input, with random access or as a stream.
type content struct {
	at     io.ReaderAt
	stream io.Reader
	closer io.Closer    // or nil
	check  func() error // returns an error if the input has changed; nil if that cannot be checked
}
