package answers

import (
	"cmp"
	"encoding/json"
	"errors"
	"io"
	"os"
	"sync"

	"github.com/etl2parquet/etl2parquet/internal/answers/cache"
	"github.com/etl2parquet/etl2parquet/internal/base/version"
	"github.com/etl2parquet/etl2parquet/internal/engine/index"
	"github.com/etl2parquet/etl2parquet/internal/engine/pipeline"
	"github.com/etl2parquet/etl2parquet/internal/inputs"
)

// The index of a trace is kept if it saves time and takes little room: if the trace has at least
// [Kept.MinIndexed] bytes, and its index at most one byte for each indexShare bytes of it.
const (
	MinIndexed = 16 << 20
	indexShare = 20
)

// indexKey is all that the index of a trace depends on.
type indexKey struct {
	Form    int
	Program string
	Index   inputKey
	Facts   int64
}

// indexNotes are the notes of a kept index.
type indexNotes struct {
	Without index.Facts `json:"without"`
}

// withoutOf returns the facts that the index in a piece lacks.
func withoutOf(p *cache.Piece) index.Facts {
	notes := indexNotes{index.AllFacts}
	if json.Unmarshal(p.Notes(), &notes) != nil {
		return index.AllFacts
	}
	return notes.Without
}

// indexKey returns the key of the index of a file. ok is false if its index cannot be kept, or need not.
func (t *Traces) indexKey(file *inputs.File) (key []byte, ok bool) {
	o := &t.Options
	if o.Redact != nil || o.Index != "" || file.IsStream() || file.Size < cmp.Or(t.Kept.MinIndexed, MinIndexed) {
		return nil, false
	}
	identity, ok := file.Identity()
	k := indexKey{keyForm, programIdentity(), inputKey{Path: file.Path, Identity: identity}, cmp.Or(o.Facts, pipeline.DefaultMemory)}
	if !ok || k.Program == "" {
		return nil, false
	}
	key, err := json.Marshal(k)
	return key, err == nil
}

// Indexes keeps the indexes of inputs in the cache. It implements [pipeline.IndexStore]. A nil one does nothing.
type Indexes struct {
	traces *Traces
	files  map[string]*indexedFile // by path

	mu   sync.Mutex
	made []*madeIndex
	err  error // why an index was not kept
}

// indexedFile is an input, with its key before it was opened.
type indexedFile struct {
	*inputs.File
	key []byte
}

// madeIndex is an index that is not kept yet.
type madeIndex struct {
	file    *indexedFile
	draft   *cache.Draft
	without index.Facts
}

// Indexes returns the store for the indexes of the inputs, or nil if there is no cache. It must be called before
// the inputs are opened.
func (t *Traces) Indexes() *Indexes {
	if t.Kept.Cache == nil {
		return nil
	}
	k := &Indexes{traces: t, files: make(map[string]*indexedFile)}
	for _, file := range t.Files.Files {
		if key, ok := t.indexKey(file); ok {
			k.files[file.Path] = &indexedFile{file, key}
		}
	}
	return k
}

// End keeps the indexes that were made while the inputs were opened.
func (k *Indexes) End() {
	if k == nil {
		return
	}
	switch added, err := k.end(); {
	case err != nil:
		k.traces.Kept.failed(err)
	case added:
		k.traces.Kept.added()
	}
}

// fileOf returns the file that is an input, or nil: traces in other files have no index that is kept.
func (k *Indexes) fileOf(in *pipeline.Input) *indexedFile {
	if f := k.files[in.Name]; f != nil && f.Size == in.Size {
		return f
	}
	return nil
}

// openIndex is a kept index that is locked and open.
type openIndex struct {
	*os.File
	piece *cache.Piece
	size  int64
}

func (f *openIndex) Size() int64  { return f.size }
func (f *openIndex) Close() error { return errors.Join(f.File.Close(), f.piece.Close()) }

// Open implements [pipeline.IndexStore].
func (k *Indexes) Open(in *pipeline.Input, without index.Facts) pipeline.IndexFile {
	file := k.fileOf(in)
	if file == nil {
		return nil
	}
	if f := openKept(k.traces.Kept.Cache.Set(file.key), without); f != nil {
		return f
	}
	return nil
}

// openKept opens the index of a set that has all facts but without, or returns nil.
func openKept(set *cache.Set, without index.Facts) *openIndex {
	p, err := set.Index(func(p *cache.Piece) bool { return withoutOf(p)&^without == 0 })
	if p == nil || err != nil {
		return nil
	}
	f, err := os.Open(p.IndexPath())
	if err != nil {
		_ = p.Close() // nothing was written
		return nil
	}
	open := &openIndex{File: f, piece: p}
	info, err := f.Stat()
	if err != nil {
		_ = open.Close()
		return nil
	}
	open.size = info.Size()
	return open
}

// Keep implements [pipeline.IndexStore].
func (k *Indexes) Keep(in *pipeline.Input, without index.Facts, write func(io.Writer, int64) (bool, error)) {
	file := k.fileOf(in)
	if file == nil {
		return
	}
	draft, err := k.traces.Kept.Cache.Set(file.key).Begin()
	if err != nil {
		k.add(nil, err)
		return
	}
	f, err := draft.CreateIndex()
	ok := false
	if err == nil {
		ok, err = write(f, in.Size/indexShare)
		err = errors.Join(err, f.Close())
	}
	if ok && err == nil {
		k.add(&madeIndex{file, draft, without}, nil)
	} else {
		k.add(nil, errors.Join(err, draft.Discard()))
	}
}

func (k *Indexes) add(m *madeIndex, err error) {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.err = cmp.Or(k.err, err)
	if m != nil {
		k.made = append(k.made, m)
	}
}

// end keeps the indexes that were made of files that have not changed meanwhile. It returns whether it kept
// one, and why others could not be kept. The inputs must have been read.
func (k *Indexes) end() (added bool, err error) {
	for _, m := range k.made {
		var one bool
		var err error
		if key, ok := k.traces.indexKey(m.file.File); ok && string(key) == string(m.file.key) {
			about := &cache.About{Names: []string{m.file.Path}, Tool: version.Of(), Notes: indexNotes{m.without}}
			one, err = m.draft.KeepIndex(about, func(p *cache.Piece) bool { return m.without&^withoutOf(p) == 0 })
		}
		added = added || one
		k.err = cmp.Or(k.err, errors.Join(err, m.draft.Discard()))
	}
	k.made = nil
	return added, k.err
}

// Drop removes the kept indexes of the inputs: the files are not as their state says.
func (k *Indexes) Drop() {
	if k == nil {
		return
	}
	for _, file := range k.files {
		k.traces.Kept.Cache.Set(file.key).DropIndexes()
	}
}
