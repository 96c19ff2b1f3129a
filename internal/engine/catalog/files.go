package catalog

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"

	"github.com/etl2parquet/etl2parquet/decode"
	"github.com/etl2parquet/etl2parquet/decode/definition"
	"github.com/etl2parquet/etl2parquet/decode/manifest"
	"github.com/etl2parquet/etl2parquet/decode/mof"
	"github.com/etl2parquet/etl2parquet/decode/wpp"
	"github.com/etl2parquet/etl2parquet/internal/base/reach"
	"github.com/etl2parquet/etl2parquet/internal/engine/catalog/packed"
	"github.com/etl2parquet/etl2parquet/internal/engine/problems"
	"github.com/etl2parquet/etl2parquet/schema"
)

// Files are the user's manifests, MOF files and TMF files. A manifest or MOF file is
// parsed when the first trace has events of one of its providers or classes. It is safe
// for use from many goroutines.
type Files struct {
	mu       sync.Mutex
	files    []*schemaFile // in the order in which they were given or lie in their folders
	of       map[schema.GUID][]*schemaFile
	events   map[schema.GUID][]manifest.Event // of the providers asked for so far
	classic  map[schema.GUID][]mof.Event      // of the classes asked for so far
	messages map[wpp.Key]fileMessage          // of TMF files; never changed once the schemas are used
	from     map[*schema.Schema]*schemaFile   // of events and classic
	catalogs []*packed.Catalog                // the user's, in order
	fileOf   map[*packed.Catalog]*schemaFile  // of these
	// withoutWindows leaves out the catalogue of Windows' own providers.
	withoutWindows bool
	beside         *beside // descriptions of single traces; nil if not wanted
	own            int     // of the descriptions of a trace: the files that are not beside it
	all            string  // fingerprint for records, once it was computed
	errs           []error
	conflicts      map[[2]*schemaFile]*ConflictError // which are among errs
	scanned        int                               // number of files that were searched for providers
	parsed         int                               // number of files parsed
}

// schemaFile is a file with manifests or with classes.
type schemaFile struct {
	path        string
	from        *reach.Files // that may be opened; nil: all
	kind        DescriptionKind
	named       bool               // named by the user, not found in a folder
	fingerprint string             // of the contents; "" if it cannot be used
	providers   []schema.GUID      // or classes
	manifest    *manifest.Manifest // set once a manifest is parsed
	classes     *mof.File          // set once a MOF file is parsed
	parsed      bool
	isTrace     bool // parsed when it was opened
}

// OpenFiles finds the providers and classes that the files at the paths describe. A path is a file,
// or a folder, which is searched for *.man, *.xml and *.mof at any depth. A file whose name does
// not end with .mof is a manifest, or a trace with manifests and records that describe events. A path that
// does not exist, a named file that describes nothing,
// and a folder without such files are errors. Errors lists the files in folders that cannot be
// used.
//
// Each file is read once. A large folder opens faster as a catalogue.
func OpenFiles(paths []string) (*Files, error) { return openFilesFrom(paths, nil) }

func openFilesFrom(paths []string, from *reach.Files) (*Files, error) {
	s := &Files{of: make(map[schema.GUID][]*schemaFile), events: make(map[schema.GUID][]manifest.Event), classic: make(map[schema.GUID][]mof.Event)}
	list, err := listFiles(paths, ManifestDescription, isManifestName, from)
	if err != nil {
		return nil, err
	}
	s.files, s.errs = list.files, list.errs
	for _, f := range s.files {
		if err := s.scan(f); err != nil {
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
	return s, nil
}

// listFiles lists the files at paths: named files, and those files in folders that wanted accepts.
// A folder without such a file is an error.
func listFiles(paths []string, kind DescriptionKind, wanted func(path string) bool, from *reach.Files) (*fileLister, error) {
	list := &fileLister{kind: kind, wanted: wanted, from: from, seen: make(map[string]bool)}
	for _, path := range paths {
		path, err := filepath.Abs(path)
		if err != nil {
			return nil, err
		}
		info, err := from.Stat(path)
		if err != nil {
			return nil, err
		}
		if info.IsDir() {
			before := list.listed()
			if list.folder(path, 0); list.listed() == before {
				return nil, fmt.Errorf("%s: no %s in this folder", path, kind.files())
			}
		} else {
			list.files = append(list.files, &schemaFile{path: path, from: from, kind: kind, named: true})
		}
	}
	return list, nil
}

// scan finds the providers or classes that a file describes.
func (s *Files) scan(f *schemaFile) error {
	s.scanned++
	if f.named && !isManifestName(f.path) {
		if isTrace, err := s.scanTrace(f); isTrace || err != nil {
			return err
		}
	}
	data, err := readManifest(f.path, f.from)
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
	return nil
}

// errNoDescriptions means that a trace contains no descriptions.
var errNoDescriptions = errors.New("the trace contains no manifest and no record of a merge tool that describes events")

// scanTrace reads the descriptions in a file if it is a trace.
func (s *Files) scanTrace(f *schemaFile) (isTrace bool, err error) {
	file, err := openRegular(f.path, f.from)
	if err != nil {
		return false, err
	}
	defer file.Close() // it was only read
	info, err := file.Stat()
	if err != nil {
		return false, err
	}
	trace, err := decode.NewFile(file, info.Size())
	if err != nil {
		return false, nil // reading it as a manifest reports what is wrong
	}
	l, err := ReadDescriptions(context.Background(), trace, runtime.GOMAXPROCS(0))
	if err != nil {
		return true, err
	}
	var found problems.List
	d := readDescriptions(l, &found, func(*schema.Schema) bool { return true })
	if len(d.texts) == 0 {
		return true, fmt.Errorf("%s: %w", f.path, errNoDescriptions)
	}
	for _, p := range found.All() {
		s.wrong(f.path, []error{errors.New(p.Message)}, 0)
	}
	f.isTrace, f.parsed, f.fingerprint = true, true, d.fingerprintOf()
	f.manifest, f.classes, f.providers = d.asFile()
	return true, nil
}

// readManifest reads a manifest or MOF file, up to the size limit.
func readManifest(path string, from *reach.Files) ([]byte, error) {
	return readUpTo(path, from, definition.MaxSize, definition.TooLarge)
}

// readUpTo reads a file of at most most bytes.
func readUpTo(path string, from *reach.Files, most int64, tooLarge func(size int64) error) ([]byte, error) {
	file, err := openRegular(path, from)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	info, err := file.Stat()
	if err != nil {
		return nil, err
	}
	if info.Size() > most {
		return nil, fmt.Errorf("%s: %w", path, tooLarge(info.Size()))
	}
	return io.ReadAll(io.LimitReader(file, most+1))
}

// openRegular opens a regular file. Opening or reading a pipe could block forever.
func openRegular(path string, from *reach.Files) (*os.File, error) {
	info, err := from.Stat(path)
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() {
		return nil, fmt.Errorf("%s: not a regular file", path)
	}
	return from.Open(path)
}

// parse parses a file, once.
func (s *Files) parse(f *schemaFile) {
	if f.parsed {
		return
	}
	f.parsed = true
	s.parsed++
	data, err := readManifest(f.path, f.from)
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

// wrong records the errors of a file.
func (s *Files) wrong(path string, errs []error, more int) {
	if len(errs) > 0 {
		s.errs = append(s.errs, &FileErrors{path, errs, more})
	}
}

// FileErrors are the errors in a file. The parts they name are left out; the rest of the file is
// used.
type FileErrors struct {
	Path string
	List []error // in the order of the file
	More int     // further errors, which are only counted
}

// Error returns the first error, and the number of errors.
func (e *FileErrors) Error() string {
	text := fmt.Sprintf("%s: %v", e.Path, e.List[0])
	switch n := len(e.List) + e.More - 1; {
	case n == 1:
		text += " (and 1 more error)"
	case n > 1:
		text += fmt.Sprintf(" (and %d more errors)", n)
	}
	return text
}

// Unwrap returns the errors.
func (e *FileErrors) Unwrap() []error { return e.List }

// Errors returns the errors so far, also of files beside traces, one for each file or folder. Errors in the contents of a file
// are a [*FileErrors].
func (s *Files) Errors() []error {
	s.mu.Lock()
	defer s.mu.Unlock()
	errs := append([]error(nil), s.errs...)
	seen := make(map[string]bool) // a file can be parsed again for a trace with files beside it
	for _, err := range errs {
		seen[err.Error()] = true
	}
	for _, err := range s.errorsBeside() {
		if !seen[err.Error()] {
			errs, seen[err.Error()] = append(errs, err), true
		}
	}
	return errs
}

// fileLister lists the manifests of folders, by name.
type fileLister struct {
	kind    DescriptionKind
	wanted  func(path string) bool
	from    *reach.Files
	files   []*schemaFile
	seen    map[string]bool // folders, with links resolved
	errs    []error
	skipped int // number of folders seen before, and of files beyond the limit
	full    bool
}

// Limits on a folder.
const (
	maxSchemaFiles       = 1 << 16
	maxSchemaFolderDepth = 32
)

// listed counts the results of folders so far: files, errors and skipped folders.
func (l *fileLister) listed() int {
	return len(l.files) + len(l.errs) + l.skipped
}

// folder lists a folder and its subfolders. It follows links, but lists no folder twice.
func (l *fileLister) folder(path string, depth int) {
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
	entries, err := l.from.ReadDir(path)
	if err != nil {
		l.errs = append(l.errs, err)
	}
	for _, entry := range entries {
		l.entry(filepath.Join(path, entry.Name()), depth)
	}
}

func (l *fileLister) entry(path string, depth int) {
	info, err := l.from.Stat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist): // a dangling link, or removed meanwhile
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
		l.files = append(l.files, &schemaFile{path: path, from: l.from, kind: l.kind})
	}
}

func isManifestName(path string) bool {
	extension := strings.ToLower(filepath.Ext(path))
	return extension == ".man" || extension == ".xml" || isMOFName(path)
}

func isMOFName(path string) bool { return strings.EqualFold(filepath.Ext(path), ".mof") }
