package catalog

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"github.com/etl2parquet/etl2parquet/decode/definition"
	"github.com/etl2parquet/etl2parquet/decode/manifest"
	"github.com/etl2parquet/etl2parquet/decode/mof"
	"github.com/etl2parquet/etl2parquet/decode/wpp"
	"github.com/etl2parquet/etl2parquet/schema"
)

// Files are the manifests that a user gave, and the MOF files of classic
// providers. Each is read as a whole only once a trace has events of a provider
// or class in it. It is safe for use from many goroutines.
type Files struct {
	mu       sync.Mutex
	files    []*schemaFile // in the order in which they were given or lie in their folders
	of       map[schema.GUID][]*schemaFile
	events   map[schema.GUID][]manifest.Event // of the providers asked for so far
	classic  map[schema.GUID][]mof.Event      // of the classes asked for so far
	messages map[wpp.Key]fileMessage          // of TMF files; never changed once the schemas are used
	all      string                           // fingerprint for records, once it was asked for
	errs     []error
	scanned  int // files that were searched for providers
	parsed   int // files that were read as a whole
}

// schemaFile is a file with manifests or with classes.
type schemaFile struct {
	path        string
	kind        DescriptionKind
	named       bool // by the user, and not found in a folder
	size        int64
	changed     time.Time
	fingerprint string             // of the contents; "" if it cannot be used
	providers   []schema.GUID      // or classes
	manifest    *manifest.Manifest // once it is parsed, if it is one
	classes     *mof.File          // once it is parsed, if it is one
	parsed      bool
}

// OpenFiles finds out which providers the manifests at the paths are of.
// A path is a file, or a folder of files *.man, *.xml and *.mof in any depth. A
// file whose name does not end with .mof is a manifest. A path that does not
// exist, a file at a path that describes nothing, and a folder without such files
// are errors; a file in a folder that cannot be used is listed by Errors.
//
// What was found in folders is kept in the folder cache, so that a folder with
// many files costs little the next time, or nowhere if that is "".
func OpenFiles(paths []string, cache string) (*Files, error) {
	s := &Files{of: make(map[schema.GUID][]*schemaFile), events: make(map[schema.GUID][]manifest.Event), classic: make(map[schema.GUID][]mof.Event)}
	list, err := listFiles(paths, ManifestDescription, isManifestName)
	if err != nil {
		return nil, err
	}
	s.files, s.errs = list.files, list.errs
	index := openSchemaIndex(cache)
	for _, f := range s.files {
		if err := s.scan(f, index); err != nil {
			if f.named {
				return nil, err
			}
			s.errs = append(s.errs, err)
			continue
		}
		for _, id := range f.providers {
			s.of[id] = append(s.of[id], f)
		}
	}
	if err := index.save(list.folders); err != nil {
		s.errs = append(s.errs, fmt.Errorf("the index of manifests is not cached: %w", err))
	}
	return s, nil
}

// listFiles lists the files at paths: those that are named, and those in
// folders whose names are wanted. A folder that has none of this kind is an error.
func listFiles(paths []string, kind DescriptionKind, wanted func(path string) bool) (*fileLister, error) {
	list := &fileLister{kind: kind, wanted: wanted, seen: make(map[string]bool)}
	for _, path := range paths {
		path, err := filepath.Abs(path)
		if err != nil {
			return nil, err
		}
		info, err := os.Stat(path)
		if err != nil {
			return nil, err
		}
		if info.IsDir() {
			before := list.listed()
			if list.folder(path, 0); list.listed() == before {
				return nil, fmt.Errorf("%s: no %s in this folder", path, kind.files())
			}
		} else {
			list.files = append(list.files, &schemaFile{path: path, kind: kind, named: true, size: info.Size(), changed: info.ModTime()})
		}
	}
	return list, nil
}

// scan finds out whose events a file describes, from the index if it has the
// file as it is now.
func (s *Files) scan(f *schemaFile, index *schemaIndex) error {
	if !f.named && index.lookup(f) {
		return nil
	}
	s.scanned++
	data, err := readManifest(f.path)
	if err != nil {
		return err
	}
	find, none, kind := manifest.ProviderIDs, manifest.ErrNoProvider, "an instrumentation manifest"
	if isMOFName(f.path) {
		find, none, kind = mof.ClassGUIDs, mof.ErrNoEvents, "a MOF file of event classes"
	}
	if f.providers, err = find(data); err != nil {
		return fmt.Errorf("%s: %w", f.path, err)
	}
	if f.named && len(f.providers) == 0 {
		return fmt.Errorf("%s: %w: it is not %s", f.path, none, kind)
	}
	f.fingerprint = fingerprintOf(data)
	if !f.named {
		index.add(f)
	}
	return nil
}

// readManifest reads a file, but no more than a manifest may have, or a file of
// another kind that has the same limit.
func readManifest(path string) ([]byte, error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() { // a pipe, say, that nobody writes to
		return nil, fmt.Errorf("%s: not a regular file", path)
	}
	if info.Size() > definition.MaxSize {
		return nil, fmt.Errorf("%s: %w", path, definition.TooLarge(info.Size()))
	}
	file, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	return io.ReadAll(io.LimitReader(file, definition.MaxSize+1))
}

// Events returns the events of a provider: of each id and version what the
// first file says that has it. The caller must not change them.
func (s *Files) Events(provider schema.GUID) []manifest.Event {
	s.mu.Lock()
	defer s.mu.Unlock()
	if events, known := s.events[provider]; known {
		return events
	}
	type key struct {
		id      uint16
		version uint8
	}
	var events []manifest.Event
	seen := make(map[key]bool)
	for _, f := range s.of[provider] {
		s.parse(f)
		if f.manifest == nil {
			continue
		}
		for i := range f.manifest.Providers {
			p := &f.manifest.Providers[i]
			if p.GUID != provider {
				continue
			}
			for _, ev := range p.Events {
				if k := (key{ev.ID, ev.Version}); !seen[k] {
					seen[k] = true
					events = append(events, ev)
				}
			}
		}
	}
	if len(s.of[provider]) > 0 {
		s.events[provider] = events
	}
	return events
}

// Classic returns the events of a class: of each type and version what the first
// file says that has it. The caller must not change them.
func (s *Files) Classic(class schema.GUID) []mof.Event {
	s.mu.Lock()
	defer s.mu.Unlock()
	if events, known := s.classic[class]; known {
		return events
	}
	type key struct {
		id         uint16
		version    uint8
		anyVersion bool
	}
	var events []mof.Event
	seen := make(map[key]bool)
	for _, f := range s.of[class] {
		s.parse(f)
		if f.classes == nil {
			continue
		}
		for _, ev := range f.classes.Events {
			if k := (key{ev.ID, ev.Version, ev.AnyVersion}); ev.GUID == class && !seen[k] {
				seen[k] = true
				events = append(events, ev)
			}
		}
	}
	if len(s.of[class]) > 0 {
		s.classic[class] = events
	}
	return events
}

// parse reads a file as a whole, once.
func (s *Files) parse(f *schemaFile) {
	if f.parsed {
		return
	}
	f.parsed = true
	s.parsed++
	data, err := readManifest(f.path)
	if err != nil {
		s.errs = append(s.errs, err)
		return
	}
	if isMOFName(f.path) {
		if f.classes, err = mof.Parse(data); err == nil {
			s.wrong(f.path, f.classes.Errors, f.classes.MoreErrors)
		}
	} else if f.manifest, err = manifest.Parse(data, schema.FromManifest); err == nil {
		s.wrong(f.path, f.manifest.Errors, f.manifest.MoreErrors)
	}
	if err != nil {
		s.wrong(f.path, []error{err}, 0)
	}
}

// wrong notes what is wrong in a file.
func (s *Files) wrong(path string, errs []error, more int) {
	for _, err := range errs {
		s.errs = append(s.errs, fmt.Errorf("%s: %w", path, err))
	}
	if more > 0 {
		s.errs = append(s.errs, fmt.Errorf("%s: %d more errors", path, more))
	}
}

// Errors returns what is wrong with the files, as far as it is known by now.
func (s *Files) Errors() []error {
	s.mu.Lock()
	defer s.mu.Unlock()
	return append([]error(nil), s.errs...)
}

// fileLister lists the manifests of folders, by name.
type fileLister struct {
	kind    DescriptionKind
	wanted  func(path string) bool
	files   []*schemaFile
	folders []string        // those that were given
	seen    map[string]bool // folders, by what their links lead to
	errs    []error
	skipped int // folders seen before, and files beyond the limit
	full    bool
}

// The limits of a folder.
const (
	maxSchemaFiles       = 1 << 16
	maxSchemaFolderDepth = 32
)

// listed counts what folders have given so far: files, errors, and folders that
// need not be listed again.
func (l *fileLister) listed() int {
	return len(l.files) + len(l.errs) + l.skipped
}

// folder lists a folder and those in it. Links are followed, but no folder is
// listed twice.
func (l *fileLister) folder(path string, depth int) {
	if depth == 0 {
		l.folders = append(l.folders, path)
	}
	target, err := filepath.EvalSymlinks(path)
	if err != nil {
		l.errs = append(l.errs, err)
		return
	}
	if l.seen[target] {
		l.skipped++
		return
	}
	l.seen[target] = true
	if depth > maxSchemaFolderDepth {
		l.errs = append(l.errs, fmt.Errorf("%s: folders are nested more than %d deep", path, maxSchemaFolderDepth))
		return
	}
	entries, err := os.ReadDir(path)
	if err != nil {
		l.errs = append(l.errs, err)
	}
	for _, entry := range entries {
		l.entry(filepath.Join(path, entry.Name()), depth)
	}
}

func (l *fileLister) entry(path string, depth int) {
	info, err := os.Stat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist): // a link to nothing, or removed since
	case err != nil:
		l.errs = append(l.errs, err)
	case info.IsDir():
		l.folder(path, depth+1)
	case !info.Mode().IsRegular() || !l.wanted(path):
	case len(l.files) == maxSchemaFiles:
		if !l.full {
			l.errs = append(l.errs, fmt.Errorf("%s: more than %d files: the others are ignored", path, maxSchemaFiles))
		}
		l.full = true
		l.skipped++
	default:
		l.files = append(l.files, &schemaFile{path: path, kind: l.kind, size: info.Size(), changed: info.ModTime()})
	}
}

func isManifestName(path string) bool {
	extension := strings.ToLower(filepath.Ext(path))
	return extension == ".man" || extension == ".xml" || isMOFName(path)
}

func isMOFName(path string) bool { return strings.EqualFold(filepath.Ext(path), ".mof") }
