package find

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"path/filepath"
	"slices"
	"sync"
	"time"

	"golang.org/x/sync/singleflight"

	"github.com/etl2parquet/etl2parquet/internal/base/reach"
	"github.com/etl2parquet/etl2parquet/internal/base/remote"
	"github.com/etl2parquet/etl2parquet/schema"
)

// DefaultMaxBytes is the default limit on a fetched or decompressed file.
const DefaultMaxBytes = 4 << 30

// Options say where files are, and how to read their identities.
type Options struct {
	Paths  []string // each a folder, a file, or a symbol path, such as the value of _NT_SYMBOL_PATH
	Server []string // addresses of servers that may be used, in this order, after all paths
	Cache  string   // folder for fetched or decompressed files; "" disables both

	// ReadPDB and ReadImage return the identity stored in a file. They are required.
	ReadPDB   func(path string) (schema.GUID, uint32, error)
	ReadImage func(path string) (timeStamp, size uint32, err error)

	MaxBytes int64           // of a fetched or decompressed file; 0 means DefaultMaxBytes
	Client   *http.Client    // nil means a client that closes connections without progress
	Patience remote.Patience // with servers; zero means remote.DefaultPatience
	Timeout  time.Duration   // replaces Patience.Stall; 0 means none

	// Progress and Note are called from many goroutines; both may be nil. Each note is given once.
	// It says why a place is not used.
	Progress func(Progress)
	Note     func(text string)
}

// Progress is the state of a transfer from a server.
type Progress struct {
	Name, Server string
	Bytes, Total int64 // Total is -1 if unknown
	Done         bool  // the transfer has ended, successfully or not
	Stored       bool  // the whole file has arrived, and is the requested one; only with Done
	Waiting      bool  // the server has been silent for some seconds; nothing else is set but the names
}

// PDB is the identity of a PDB, as its image names it.
type PDB struct {
	Name string // may be a path, of any system
	GUID schema.GUID
	Age  uint32
}

// Image is the identity of an image, as a loader or a trace names it.
type Image struct {
	Name            string // may be a path, of any system
	TimeStamp, Size uint32
}

// File is a matching file.
type File struct {
	Path string // on disk
	From string // the place: a folder, a file, or the address of a server
}

// Finder finds files. It is safe for many goroutines. It caches files and misses.
type Finder struct {
	o       Options
	places  []place
	servers []*server
	cache   *cache // nil if there is none

	from *reach.Files // nil: all

	group    singleflight.Group
	results  sync.Map // of outcome, by name and id
	listings sync.Map // of *listing, by folder
	notes    sync.Map
}

// outcome is the result of a search.
type outcome struct {
	file *File
	err  error
}

// New returns a finder.
func New(o Options) (*Finder, error) {
	if o.ReadPDB == nil || o.ReadImage == nil {
		return nil, errors.New("find: no way to read identities")
	}
	if o.MaxBytes <= 0 {
		o.MaxBytes = DefaultMaxBytes
	}
	if o.Patience.IsZero() {
		o.Patience = remote.DefaultPatience
	}
	if o.Timeout > 0 {
		o.Patience.Stall = o.Timeout
	}
	if len(o.Server) > 0 && o.Cache == "" {
		return nil, errors.New("a symbol server needs a cache folder")
	}
	f := &Finder{o: o}
	client := newClient(o)
	for _, address := range o.Server {
		s, err := newServer(address, client, o)
		if err != nil {
			return nil, err
		}
		f.servers = append(f.servers, s)
	}
	if o.Cache != "" {
		f.cache = &cache{dir: filepath.Clean(o.Cache)}
		f.places = append(f.places, place{folder: f.cache.dir})
	}
	for _, path := range o.Paths {
		f.addPath(path)
	}
	return f, nil
}

// addPath adds the places of a path, and notes those that cannot be used.
func (f *Finder) addPath(path string) {
	places := parsePath(path)
	if path != "" && len(places) == 0 { // such as srv*, a debugger's own store
		f.note(fmt.Sprintf("the symbol path %s names no folder, file or server", path))
	}
	for _, p := range places {
		switch {
		case p.server != "" && !f.allows(p.server):
			f.note(fmt.Sprintf("the symbol path names the server %s, which is not asked without the option symbol-server", remote.Name(p.server)))
		case p.server != "":
		case p.file == "" && !isFolder(p.folder):
			f.note(fmt.Sprintf("the symbol path names %s, which is no folder or file", p.folder))
		case !slices.Contains(f.places, p):
			f.places = append(f.places, p)
		}
	}
}

// From makes the finder leave out files in places that lead out of the folders among those that may be
// opened. Places elsewhere, which the user named, stay as they are. It must be called before the first search.
func (f *Finder) From(from *reach.Files) { f.from = from }

// Close releases the cache and the connections. It keeps the files that were found.
func (f *Finder) Close() error {
	for _, s := range f.servers {
		s.client.CloseIdleConnections()
	}
	if f.cache == nil {
		return nil
	}
	return f.cache.close()
}

func (f *Finder) note(text string) {
	if _, known := f.notes.LoadOrStore(text, true); !known && f.o.Note != nil {
		f.o.Note(text)
	}
}

// PDB returns a matching PDB, or an error that is ErrNotFound and lists what was tried.
func (f *Finder) PDB(ctx context.Context, p PDB) (*File, error) {
	w, err := f.requestPDB(p)
	if err != nil {
		return nil, err
	}
	return f.once(ctx, w)
}

// Image returns a matching image, or an error that is ErrNotFound and lists what was tried.
func (f *Finder) Image(ctx context.Context, i Image) (*File, error) {
	w, err := f.requestImage(i)
	if err != nil {
		return nil, err
	}
	return f.once(ctx, w)
}

// once searches for a file unless the result is known. Concurrent callers share a search; if its
// caller gives up, another caller starts a new search.
func (f *Finder) once(ctx context.Context, w *request) (*File, error) {
	key := w.key()
	for {
		if known, ok := f.results.Load(key); ok {
			return known.(outcome).file, known.(outcome).err
		}
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		searched := f.group.DoChan(key, func() (any, error) {
			if known, ok := f.results.Load(key); ok {
				return known, nil
			}
			file, err := f.search(ctx, w)
			if err == nil || errors.Is(err, ErrNotFound) {
				f.results.Store(key, outcome{file, err})
			}
			return outcome{file, err}, nil
		})
		select {
		case <-ctx.Done():
			return nil, ctx.Err()
		case r := <-searched:
			if found := r.Val.(outcome); found.err == nil || errors.Is(found.err, ErrNotFound) {
				return found.file, found.err
			}
		}
	}
}

// search looks at all places in order. Its error is ErrNotFound unless the context has ended.
func (f *Finder) search(ctx context.Context, w *request) (*File, error) {
	missing := &NotFoundError{What: w.what}
	for _, p := range f.places {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		path, err := f.inPlace(ctx, p, w)
		if err == nil {
			return &File{Path: path, From: p.String()}, nil
		}
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		missing.tried(p.String(), err)
	}
	for _, s := range f.servers {
		path, err := f.fetch(ctx, s, w)
		if err == nil {
			return &File{Path: path, From: s.String()}, nil
		}
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		missing.tried(s.String(), err)
	}
	return nil, missing
}
