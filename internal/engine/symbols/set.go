package symbols

import (
	"context"
	"errors"
	"maps"
	"slices"
	"sync"
	"time"

	"github.com/etl2parquet/etl2parquet/internal/base/reach"
	"github.com/etl2parquet/etl2parquet/internal/engine/symbols/find"
	"github.com/etl2parquet/etl2parquet/internal/engine/symbols/pdb"
	"github.com/etl2parquet/etl2parquet/internal/engine/symbols/pe"
	"github.com/etl2parquet/etl2parquet/schema"
)

// Image identifies an image, and the PDB that was made with it.
type Image struct {
	Name      string      `json:"image"`                     // of its file, without a folder
	TimeStamp uint32      `json:"time_date_stamp,omitempty"` // in its header; 0 if unknown
	Size      uint32      `json:"image_size,omitempty"`      // in memory, bytes
	PDB       string      `json:"pdb_name,omitempty"`        // without a folder; "" if unknown
	GUID      schema.GUID `json:"pdb_guid,omitzero"`
	Age       uint32      `json:"pdb_age,omitempty"`
}

// Set is the symbols of a run. It is safe for use from many goroutines.
type Set struct {
	ctx    context.Context
	finder *find.Finder

	mu      sync.Mutex
	modules map[Image]*module
	open    []*module // whose files are open, in the order of opening
}

// Options say where symbols are.
type Options struct {
	Paths    []string      // each a folder, a file, or a symbol path as in debuggers
	Servers  []string      // addresses of symbol servers that may be used, after all paths
	Cache    string        // folder for fetched or decompressed files; "" disables both
	MaxBytes int64         // of a fetched or decompressed file; 0 means 4 GiB
	Timeout  time.Duration // longest silence of a server; 0 means a minute
	// Progress and Note are called from many goroutines; both may be nil. A note says, once, why a
	// place is not used.
	Progress func(Progress)
	Note     func(text string)
}

// Progress is the state of a transfer from a server.
type Progress = find.Progress

// New returns the symbols in some places. Cancelling the context ends transfers from servers. The
// set must be closed.
func New(ctx context.Context, o Options) (*Set, error) {
	finder, err := find.New(find.Options{
		Paths: o.Paths, Server: o.Servers, Cache: o.Cache, MaxBytes: o.MaxBytes, Timeout: o.Timeout, Progress: o.Progress, Note: o.Note,
		ReadPDB: readPDB, ReadImage: readImage,
	})
	if err != nil {
		return nil, err
	}
	return &Set{ctx: ctx, finder: finder, modules: make(map[Image]*module)}, nil
}

func readPDB(path string) (schema.GUID, uint32, error) {
	file, size, err := openFile(path)
	if err != nil {
		return schema.GUID{}, 0, err
	}
	defer file.Close()
	f, err := pdb.Open(file, size)
	if err != nil {
		return schema.GUID{}, 0, err
	}
	id, age := f.ID()
	return id, age, nil
}

func readImage(path string) (timeStamp, size uint32, err error) {
	file, bytes, err := openFile(path)
	if err != nil {
		return 0, 0, err
	}
	defer file.Close()
	f, err := pe.Open(file, bytes)
	if err != nil {
		return 0, 0, err
	}
	return f.TimeStamp(), f.ImageSize(), nil
}

// From makes the set open only files that may be opened, or that lie in places elsewhere, which the user named.
func (s *Set) From(from *reach.Files) {
	if s != nil {
		s.finder.From(from)
	}
}

// Close closes all files. Closing a nil set is a no-op.
func (s *Set) Close() error {
	if s == nil {
		return nil
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, m := range s.open {
		m.mu.Lock()
		m.close()
		m.mu.Unlock()
	}
	s.open = nil
	return s.finder.Close()
}

// Lacks returns the names of the images that have no symbols although addresses in them were looked
// up, and what is wrong with symbols that were found. A nil set lacks nothing.
func (s *Set) Lacks() (missing []string, faults []error) {
	if s == nil {
		return nil, nil
	}
	s.mu.Lock()
	modules := slices.Collect(maps.Values(s.modules))
	s.mu.Unlock()
	var uses []Use
	for _, m := range modules {
		if u := m.use(); u.Addresses > 0 {
			uses = append(uses, u)
		}
	}
	slices.SortFunc(uses, func(a, b Use) int { return a.compare(&b.Image) })
	for i := range uses {
		switch u := &uses[i]; {
		case u.Kind == "":
			missing = append(missing, u.Name)
		case u.Err != nil:
			faults = append(faults, u.Err)
		}
	}
	return slices.Compact(missing), faults
}

// module returns the symbols of an image, which are located later.
func (s *Set) module(image Image) *module {
	s.mu.Lock()
	defer s.mu.Unlock()
	m := s.modules[image]
	if m == nil {
		m = &module{set: s, image: image, functions: make(map[uint32]*Function), byStart: make(map[uint32]*Function)}
		s.modules[image] = m
	}
	return m
}

// maxOpen bounds the open files, and with them the memory for their indexes.
const maxOpen = 32

// opened counts a module whose file is open. If there are too many, it closes the idle module that
// was opened first.
func (s *Set) opened(m *module) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.open = append(s.open, m)
	for i := 0; len(s.open) > maxOpen && i < len(s.open)-1; i++ {
		if old := s.open[i]; old.mu.TryLock() { // waiting could deadlock
			old.close()
			old.mu.Unlock()
			s.open = slices.Delete(s.open, i, i+1)
			return
		}
	}
}

// locate finds the symbols of an image: its PDB; else the PDB that the image itself names; else the
// exports of the image. The error says why there are none.
func (s *Set) locate(image *Image) (place, error) {
	var errs []error
	if image.PDB != "" {
		f, err := s.finder.PDB(s.ctx, find.PDB{Name: image.PDB, GUID: image.GUID, Age: image.Age})
		if err == nil {
			return place{f, FromPDB}, nil
		}
		errs = append(errs, err)
	}
	if image.TimeStamp == 0 || image.Size == 0 {
		return place{}, errors.Join(errs...)
	}
	f, err := s.finder.Image(s.ctx, find.Image{Name: image.Name, TimeStamp: image.TimeStamp, Size: image.Size})
	if err != nil {
		return place{}, errors.Join(append(errs, err)...)
	}
	if image.PDB == "" {
		if at, err := s.pdbOf(f.Path); err == nil {
			return at, nil
		}
	}
	return place{f, FromExports}, nil
}

// pdbOf finds the PDB that an image names.
func (s *Set) pdbOf(path string) (place, error) {
	file, size, err := openFile(path)
	if err != nil {
		return place{}, err
	}
	defer file.Close()
	image, err := pe.Open(file, size)
	if err != nil {
		return place{}, err
	}
	name, guid, age, ok := image.PDB()
	if !ok {
		return place{}, errors.New("it names no PDB")
	}
	f, err := s.finder.PDB(s.ctx, find.PDB{Name: name, GUID: guid, Age: age})
	if err != nil {
		return place{}, err
	}
	return place{f, FromPDB}, nil
}

// Kind says where symbols are from.
type Kind string

// The kinds.
const (
	FromPDB     Kind = "pdb"
	FromExports Kind = "exports"
)

// place is a file with symbols.
type place struct {
	*find.File // nil if there is none
	kind       Kind
}
