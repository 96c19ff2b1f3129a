package catalog

import (
	"encoding/json"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/etl2parquet/etl2parquet/schema"
)

// schemaIndex caches, from run to run, the providers that the manifests in folders
// describe. An entry is valid while the file has the same size and time. An index that
// cannot be read is treated as empty. Concurrent runs may each write it; the last one
// wins.
type schemaIndex struct {
	path    string // "" if the index is not stored
	content indexContent
	used    map[string]bool // files of this run
	changed bool
}

// indexContent is the JSON form of the index.
type indexContent struct {
	Format int                    `json:"format"`
	Files  map[string]indexedFile `json:"files"` // by path
}

// indexedFile is the state of a file when it was searched.
type indexedFile struct {
	Size        int64    `json:"size"`
	Changed     int64    `json:"changed"`     // ns since 1970
	Fingerprint string   `json:"fingerprint"` // of its contents
	Providers   []string `json:"providers"`
}

const (
	schemaIndexFormat = 2
	schemaIndexFile   = "manifests.json"
	maxIndexBytes     = 64 << 20
	// settled is the age that a file must have to be cached: a file changed again
	// within the resolution of its time would look unchanged.
	settled = 3 * time.Second
)

func openSchemaIndex(folder string) *schemaIndex {
	x := &schemaIndex{used: make(map[string]bool), content: emptyIndex()}
	if folder != "" {
		x.path = filepath.Join(folder, schemaIndexFile)
		x.content = readSchemaIndex(x.path)
	}
	return x
}

func emptyIndex() indexContent {
	return indexContent{Format: schemaIndexFormat, Files: make(map[string]indexedFile)}
}

// readSchemaIndex reads an index. A missing or invalid one is empty.
func readSchemaIndex(path string) indexContent {
	file, err := os.Open(path)
	if err != nil {
		return emptyIndex()
	}
	defer file.Close()
	text, err := io.ReadAll(io.LimitReader(file, maxIndexBytes))
	if err != nil {
		return emptyIndex()
	}
	var c indexContent
	if err := json.Unmarshal(text, &c); err != nil || c.Format != schemaIndexFormat || c.Files == nil || len(c.Files) > maxSchemaFiles {
		return emptyIndex()
	}
	return c
}

// lookup sets the providers of a file if they are known.
func (x *schemaIndex) lookup(f *schemaFile) bool {
	x.used[f.path] = true
	known, ok := x.content.Files[f.path]
	if !ok || known.Size != f.size || known.Changed != f.changed.UnixNano() || known.Fingerprint == "" {
		return false
	}
	ids := make([]schema.GUID, len(known.Providers))
	for i, text := range known.Providers {
		var err error
		if ids[i], err = schema.ParseGUID(text); err != nil {
			return false
		}
	}
	f.providers, f.fingerprint = ids, known.Fingerprint
	return true
}

// add stores the providers of a file in the index.
func (x *schemaIndex) add(f *schemaFile) {
	if time.Since(f.changed) < settled {
		if _, old := x.content.Files[f.path]; old {
			delete(x.content.Files, f.path)
			x.changed = true
		}
		return
	}
	one := indexedFile{Size: f.size, Changed: f.changed.UnixNano(), Fingerprint: f.fingerprint, Providers: []string{}}
	for _, id := range f.providers {
		one.Providers = append(one.Providers, id.String())
	}
	x.content.Files[f.path] = one
	x.changed = true
}

// save writes the index if it has changed. It merges the entries that other runs have
// written since, and drops files that are gone from the folders.
func (x *schemaIndex) save(folders []string) error {
	if x.path == "" {
		return nil
	}
	for path := range x.content.Files {
		if !x.used[path] && inAny(folders, path) {
			delete(x.content.Files, path)
			x.changed = true
		}
	}
	if !x.changed {
		return nil
	}
	for path, f := range readSchemaIndex(x.path).Files {
		if _, ours := x.content.Files[path]; !ours && !inAny(folders, path) && len(x.content.Files) < maxSchemaFiles {
			x.content.Files[path] = f
		}
	}
	text, err := json.Marshal(x.content)
	if err != nil {
		return err
	}
	if err := os.MkdirAll(filepath.Dir(x.path), 0o777); err != nil {
		return err
	}
	const mine = 0o600
	return replaceFile(x.path, text, mine)
}

// inAny reports whether a file is in one of the folders.
func inAny(folders []string, path string) bool {
	for _, folder := range folders {
		if strings.HasPrefix(path, strings.TrimSuffix(folder, string(filepath.Separator))+string(filepath.Separator)) {
			return true
		}
	}
	return false
}

// replaceFile writes a file atomically, also if other processes write it.
func replaceFile(path string, text []byte, mode fs.FileMode) error {
	file, err := os.CreateTemp(filepath.Dir(path), "."+filepath.Base(path)+"-*.tmp")
	if err != nil {
		return err
	}
	_, err = file.Write(text)
	if err = errors.Join(err, file.Chmod(mode), file.Close()); err == nil {
		err = os.Rename(file.Name(), path)
	}
	if err != nil {
		if gone := os.Remove(file.Name()); gone != nil && !errors.Is(gone, fs.ErrNotExist) {
			err = errors.Join(err, gone)
		}
	}
	return err
}
