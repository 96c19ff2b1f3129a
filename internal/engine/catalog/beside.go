package catalog

import (
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"github.com/etl2parquet/etl2parquet/decode/manifest"
	"github.com/etl2parquet/etl2parquet/decode/mof"
	"github.com/etl2parquet/etl2parquet/decode/wpp"
	"github.com/etl2parquet/etl2parquet/internal/base/reach"
	"github.com/etl2parquet/etl2parquet/internal/engine/catalog/packed"
	"github.com/etl2parquet/etl2parquet/schema"
)

// besideEndings are the endings of files that describe the events of the trace with the same name in
// the same folder, in the order in which they are read.
var besideEndings = []string{".man", ".mof", ".tmf"}

// beside has the descriptions of traces with files beside them, by the path of the trace. They stay
// as they were when the trace was first asked for.
type beside struct {
	from *reach.Files // that may be opened; nil: all

	mu   sync.Mutex
	of   map[string]*Files
	errs []error
}

// AddBeside makes For look for files beside each trace.
func (s *Files) AddBeside() { s.beside = &beside{of: make(map[string]*Files)} }

// From makes For open only files that may be opened.
func (s *Files) From(from *reach.Files) {
	if s != nil && s.beside != nil {
		s.beside.from = from
	}
}

// For returns the descriptions for a trace with a path: the files, and after them those beside the
// trace, if [Files.AddBeside] was called. A file beside a trace that cannot be used is left out, and
// is an error of Errors.
func (s *Files) For(trace string) *Files {
	if s == nil || s.beside == nil || !filepath.IsAbs(trace) {
		return s
	}
	b := s.beside
	b.mu.Lock()
	defer b.mu.Unlock()
	if of, known := b.of[trace]; known {
		return of
	}
	list, errs := filesBeside(trace, b.from)
	b.errs = append(b.errs, errs...)
	if list == nil {
		return s
	}
	of := s.clone()
	for _, path := range list {
		one, err := openBeside(path, b.from)
		if err != nil {
			b.errs = append(b.errs, err)
			continue
		}
		of.append(one)
	}
	b.of[trace] = of
	return of
}

// FilesBeside lists the files beside a trace that describe its events.
func FilesBeside(trace string) []string {
	list, _ := filesBeside(trace, nil)
	return list
}

// filesBeside lists them, and the errors of those that may not be opened.
func filesBeside(trace string, from *reach.Files) (list []string, errs []error) {
	name := strings.TrimSuffix(trace, filepath.Ext(trace))
	for _, ending := range besideEndings {
		path := name + ending
		switch info, err := from.Stat(path); {
		case errors.Is(err, reach.ErrOutside):
			errs = append(errs, fmt.Errorf("%s: %w", path, reach.ErrOutside))
		case err == nil && info.Mode().IsRegular() && path != trace:
			list = append(list, path)
		}
	}
	return list, errs
}

// openBeside opens a file as if the user had named it.
func openBeside(path string, from *reach.Files) (*Files, error) {
	if !isTMFName(path) {
		return openFilesFrom([]string{path}, from)
	}
	f := new(Files)
	return f, f.addTMFs([]string{path}, from)
}

// clone returns a copy that can be extended. It parses files anew, because s may be in use.
func (s *Files) clone() *Files {
	s.mu.Lock()
	defer s.mu.Unlock()
	to := &Files{
		of: make(map[schema.GUID][]*schemaFile), events: make(map[schema.GUID][]manifest.Event), classic: make(map[schema.GUID][]mof.Event),
		messages: make(map[wpp.Key]fileMessage), fileOf: make(map[*packed.Catalog]*schemaFile), withoutWindows: s.withoutWindows,
	}
	to.append(s)
	to.own, to.errs = len(s.files), nil
	return to
}

// append adds the files of another list after those of s. It must be called before s is used.
func (s *Files) append(o *Files) {
	of := make(map[*schemaFile]*schemaFile)
	for _, f := range o.files {
		of[f] = &schemaFile{path: f.path, from: f.from, kind: f.kind, named: f.named, fingerprint: f.fingerprint, providers: f.providers}
		if f.isTrace {
			of[f].isTrace, of[f].parsed, of[f].manifest, of[f].classes = true, true, f.manifest, f.classes
		}
		s.files = append(s.files, of[f])
	}
	for id, files := range o.of {
		for _, f := range files {
			s.of[id] = append(s.of[id], of[f])
		}
	}
	for key, m := range o.messages {
		s.addMessage(key, fileMessage{m.schema, of[m.file]})
	}
	for c, f := range o.fileOf {
		s.fileOf[c] = of[f]
	}
	s.catalogs = append(s.catalogs, o.catalogs...)
	s.errs = append(s.errs, o.errs...)
}

// Beside lists the files beside traces that were read, sorted.
func (s *Files) Beside() (paths []string) {
	if s == nil || s.beside == nil {
		return nil
	}
	s.beside.mu.Lock()
	defer s.beside.mu.Unlock()
	for _, of := range s.beside.of {
		for _, f := range of.files[of.own:] {
			paths = append(paths, f.path)
		}
	}
	slices.Sort(paths)
	return paths
}

// errorsBeside returns the errors of the files beside traces.
func (s *Files) errorsBeside() (errs []error) {
	if s.beside == nil {
		return nil
	}
	s.beside.mu.Lock()
	defer s.beside.mu.Unlock()
	errs = append(errs, s.beside.errs...)
	for _, of := range s.beside.of {
		errs = append(errs, of.Errors()...)
	}
	slices.SortFunc(errs, func(a, b error) int { return strings.Compare(a.Error(), b.Error()) })
	return errs
}
