package inputs

import (
	"cmp"
	"context"
	"errors"
	"io/fs"
	"net/url"
	"path"
	"strings"
	"sync"

	"golang.org/x/sync/errgroup"

	"github.com/etl2parquet/etl2parquet/internal/base/remote"
	"github.com/etl2parquet/etl2parquet/internal/inputs/archive"
	"github.com/etl2parquet/etl2parquet/internal/lake/store"
	"github.com/etl2parquet/etl2parquet/internal/lake/store/s3"
)

// Servers reads inputs, and datasets, on web servers and in buckets.
type Servers struct {
	cache *remote.Cache
	http  *remote.HTTP
	s3    func() (*s3.Client, error)
	o     ServerOptions
}

// ServerOptions are the options of [Servers]. Without Patience and Connections, there are defaults.
type ServerOptions struct {
	Endpoint    string // URL of the S3 server, "" for Amazon's
	Region      string // of the buckets, "" if the server reports it
	TempDir     string // for the cache
	CacheBytes  int64  // bound on the cache
	Patience    remote.Patience
	Connections int // most connections to one server
	OutputFiles int // most open files of a dataset in a folder
}

// fetchesAtOnce bounds the blocks being fetched at a time, over all inputs.
const fetchesAtOnce = 8

// defaultConnections is the default of ServerOptions.Connections.
const defaultConnections = 16

// NewServers returns servers that share a cache in temporary files.
func NewServers(o ServerOptions) *Servers {
	if o.Patience.IsZero() {
		o.Patience = remote.DefaultPatience
	}
	o.Connections = cmp.Or(o.Connections, defaultConnections)
	return &Servers{
		cache: remote.NewCache(o.TempDir, o.CacheBytes, min(fetchesAtOnce, o.Connections)),
		http:  remote.NewHTTP(o.Patience, o.Connections),
		s3: sync.OnceValues(func() (*s3.Client, error) {
			return s3.NewClient(s3.Options{Endpoint: o.Endpoint, Region: o.Region, TempDir: o.TempDir, Patience: o.Patience, Connections: o.Connections})
		}),
		o: o,
	}
}

// Store returns the store that holds a dataset: in a folder or in a bucket.
func (s *Servers) Store(output string) (store.Store, error) {
	switch {
	case IsBucketURL(output):
		client, err := s.s3()
		if err != nil {
			return nil, err
		}
		return client.Store(output, s.cache)
	case isWebURL(output):
		return nil, errors.New("a dataset can be in a folder or in a bucket, s3://bucket/folder")
	}
	output, err := LocalPath(output)
	if err != nil {
		return nil, err
	}
	folder := store.NewFolder(output)
	folder.LimitOpenFiles(s.o.OutputFiles)
	return folder, nil
}

// TransientStore returns the store that holds a dataset in a local folder that is removed after
// use.
func (s *Servers) TransientStore(folder string) store.Store {
	f := store.NewTransientFolder(folder)
	f.LimitOpenFiles(s.o.OutputFiles)
	return f
}

// URLs are the results of [Servers.Find], by URL.
type URLs map[string]*found

// found lists the files that a URL stands for.
type found struct {
	files  []*File
	left   LeftOut // files in folders that are not read
	single bool    // the URL is the name of one file
	err    error
}

// findAtOnce bounds the URLs that are looked up at a time.
const findAtOnce = 16

// Find looks up the URLs among the names. An error of a URL is in the result; the
// error returned is that of the context.
func (s *Servers) Find(ctx context.Context, names []string) (URLs, error) {
	all := make(URLs)
	var g errgroup.Group
	g.SetLimit(min(findAtOnce, s.o.Connections))
	for _, name := range names {
		if !IsURL(name) || all[name] != nil {
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
func (s *Servers) findOnWeb(ctx context.Context, address string, f *found) {
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
	f.files = []*File{{Name: name, Path: name, Size: r.Size, ModTime: r.ModTime, version: r.Version(), streamed: !r.Ranges, open: func(ctx context.Context) (*content, error) {
		if r.Ranges {
			file := r.Open(ctx, s.cache)
			return &content{at: file, closer: file}, nil
		}
		body, err := r.Stream(ctx)
		return &content{stream: body, closer: body}, err
	}}}
}

// findInBucket finds an object, the objects in a folder, or the objects that match a pattern.
func (s *Servers) findInBucket(ctx context.Context, url string, f *found) error {
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
			f.single, f.files = true, []*File{s.objectFile(object)}
			return nil
		}
		if !errors.Is(err, fs.ErrNotExist) {
			return err
		}
		if i := firstWildcard(key); i >= 0 {
			return s.findPattern(ctx, client, bucket, key, i, f)
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
func (s *Servers) findFolder(ctx context.Context, client *s3.Client, bucket, prefix string, f *found) error {
	for object, err := range client.Objects(ctx, bucket, prefix) {
		if err != nil {
			return err
		}
		if taken, err := s.inFolder(ctx, object, f); err != nil {
			return err
		} else if taken {
			file := s.objectFile(object)
			file.folder = true
			f.files = append(f.files, file)
		}
	}
	if len(f.files) == 0 {
		return errNoTraces
	}
	return nil
}

// inFolder reports whether an object in a folder is an input. It records one that is left out.
func (s *Servers) inFolder(ctx context.Context, object *s3.Object, f *found) (bool, error) {
	as := placeInFolder(path.Base(object.Key))
	if as != doubted {
		return as == input, nil
	}
	head, err := object.Head(ctx, archive.HeadSize)
	if err != nil {
		return false, err
	}
	if kind := kindInFolder(object.Key, as, head); kind != "" {
		f.left.add(object.URL(), kind)
		return false, nil
	}
	return true, nil
}

// findPattern finds the objects whose keys match a pattern; its first wildcard is at the index at.
func (s *Servers) findPattern(ctx context.Context, client *s3.Client, bucket, pattern string, wildcard int, f *found) error {
	keys, err := parseKeyPattern(pattern)
	if err != nil {
		return err
	}
	for object, err := range client.Objects(ctx, bucket, pattern[:wildcard]) {
		if err != nil {
			return err
		}
		matches := keys.matches(object.Key)
		if matches && keys.isFolder() {
			if matches, err = s.inFolder(ctx, object, f); err != nil {
				return err
			}
		}
		if matches {
			f.files = append(f.files, s.objectFile(object))
		}
	}
	if len(f.files) == 0 {
		return errors.New("no object matches this pattern")
	}
	return nil
}

func (s *Servers) objectFile(object *s3.Object) *File {
	return &File{Name: object.URL(), Path: object.URL(), Size: object.Size, ModTime: object.ModTime, version: object.Version(), open: func(ctx context.Context) (*content, error) {
		file := object.Open(ctx, s.cache)
		return &content{at: file, closer: file}, nil
	}}
}
